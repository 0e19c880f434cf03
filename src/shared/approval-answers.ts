/** The answers to "may this call run?", as a page or a remembered choice gives them. */
import { compact } from './json.ts';
import type { ApprovalYes } from './tool-outcome.ts';

/** The result of a yes: `readOutcome` runs a call on this form and on no other. */
export function createApprovalYes(changes: Omit<ApprovalYes, 'confirmed'> = {}): ApprovalYes {
  return { confirmed: true, ...compact(changes) };
}

/** The details of a no. The outcome `declined` is what counts; agents and servers of before 0.2 read `confirmed`. */
export function createApprovalNo(): { readonly confirmed: false } {
  return { confirmed: false };
}

/** What the agent reads of a no: the word that counts, the reason, and the details beside them. */
export function toDeclinedResult(
  details: unknown,
  reason: string | undefined,
): Readonly<Record<string, unknown>> {
  return Object.freeze(compact({ ...(details as object | null), outcome: 'declined', reason }));
}

/** The reason of a no that nobody was asked about again. */
export const DECLINED_EARLIER = 'The person declined this earlier and wanted that to be remembered';
