import type { UtpToolCall } from './call.ts';
import type { Delivered } from './deliver-result.ts';

/**
 * The fate of an answer. `reason` is a text for logs.
 *
 * - `delivered`: the agent has the result
 * - `undelivered`: the answer counts and is stored, but the card store, NATS or L0 failed; the service goes on trying, also after a
 *   restart
 * - `expired`: the agent no longer wants it: the call has another answer or timed out, or its turn is over
 * - `forbidden`: `mayAnswer` of the tool said no; the call stays open
 */
export type UtpReceipt =
  | { readonly status: 'delivered' }
  | { readonly status: 'undelivered' | 'expired' | 'forbidden'; readonly reason: string };

/** The receipt of an answer that the agent does not get. */
export function expired(reason: string): UtpReceipt {
  return { status: 'expired', reason };
}

/** Returns the receipt of an answer that was delivered, or refused. */
export function toReceipt(delivered: Delivered, { toolCallId }: Pick<UtpToolCall, 'toolCallId'>): UtpReceipt {
  switch (delivered.status) {
    case 'delivered':
      return { status: 'delivered' };
    case 'answered-elsewhere':
      return expired(`The call ${toolCallId} has another result.`);
    case 'refused':
      return expired(delivered.reason);
    default:
      return delivered satisfies never;
  }
}
