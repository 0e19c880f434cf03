import type { Outcome } from '../messages.ts';

/** Characters of each text of an error; a program may throw one of many megabytes. */
const LONGEST_TEXT = 10_000;

/** The outcome with the texts of its error cut: nothing else bounds them, for they are no value of the program. */
export function shortenError(outcome: Outcome): Outcome {
  if (outcome.status === 'success') return outcome;
  const fields = Object.entries(outcome.error).map(([name, value]) => [
    name,
    typeof value === 'string' && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value,
  ]);
  return { ...outcome, error: Object.fromEntries(fields) };
}
