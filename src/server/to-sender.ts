import type { ErrorEvent } from '../core/protocol/events.ts';
import { InvalidPrincipal, type Principal, toPrincipal } from '../shared/principal.ts';
import { sessionError } from './session-errors.ts';

/** Who sends a request to a session, or why this cannot be said. */
export type Sender =
  | { readonly principal: Principal | undefined; readonly refused?: never }
  | { readonly refused: ErrorEvent; readonly principal?: never };

/** Returns the person of a request, by what the app gave as its `principal`: undefined and null are nobody. */
export function toSender(given: unknown): Sender {
  if (given === undefined || given === null) return { principal: undefined };
  try {
    return { principal: toPrincipal(given) };
  } catch (thrown) {
    if (!(thrown instanceof InvalidPrincipal)) throw thrown;
    return { refused: sessionError('invalid_principal', 'internal_error', thrown.message) };
  }
}
