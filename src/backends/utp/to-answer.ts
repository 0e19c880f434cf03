import { compact } from '../../shared/json.ts';
import { type CarriedAnswer, readOutcome, readReason } from '../../shared/tool-outcome.ts';
import type { UtpAnswer } from './to-ending.ts';

/** Returns the answer that a page has sent to a call. */
export function toAnswer(carried: CarriedAnswer): UtpAnswer {
  const { result, error } = carried;
  // The service has no schema for the answer: what looks like the earlier form of a no is one, in records without outcomes.
  const outcome = readOutcome(carried, { from: 'handler', allows: () => false }) ?? 'failed';
  // The agent reads the error as its reason, where the person gave none.
  const reason = readReason(carried, outcome) ?? error;
  return compact({ outcome, result: error === undefined ? result : undefined, reason });
}
