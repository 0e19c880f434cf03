import type { Outcome } from '../messages.ts';

/** The limit for each text of an error, in characters. A program may throw an error with a message of many megabytes. */
const MAX_ERROR_TEXT = 10_000;

/** Cuts the texts of an error. The codec bounds only the values of a program, so no other limit applies to these texts. */
export function shortenError(outcome: Outcome): Outcome {
  if (outcome.status === 'success') return outcome;
  const fields = Object.entries(outcome.error).map(([name, value]) => [
    name,
    typeof value === 'string' && value.length > MAX_ERROR_TEXT ? `${value.slice(0, MAX_ERROR_TEXT)}…` : value,
  ]);
  return { ...outcome, error: Object.fromEntries(fields) };
}
