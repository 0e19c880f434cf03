/** Decides which open calls a person may answer. The record of a session is data; its rules are functions of the app. */
import type { OpenCall } from '../../core/protocol/open-calls.ts';
import type { Principal } from '../../shared/principal.ts';
import type { ListOpenCallsOptions } from './list-options.ts';
import type { SessionStore } from './session-store.ts';
import { hostOf } from './store-host.ts';

/** Returns true if this person may answer the call. `AgentSession.mayAnswer` is one. */
export type CallCheck = (principal: Principal, openCall: OpenCall) => boolean | Promise<boolean>;

/** Sessions are forgotten from the oldest on when there are more, because another process may have answered their calls. */
const MAX_CHECKS = 10_000;

/** Remembers the check of a session as long as the session waits for people. To be called after each save. */
export function rememberCallCheck(
  store: SessionStore,
  sessionId: string,
  isWaiting: boolean,
  check: CallCheck,
): void {
  const known = hostOf(store).checks;
  known.delete(sessionId);
  if (!isWaiting) return;
  known.set(sessionId, check);
  const [oldest] = known.keys();
  if (known.size > MAX_CHECKS && oldest !== undefined) known.delete(oldest);
}

/** Returns true if the call belongs in the list. Without a principal, every call does. */
export async function mayAnswerOpenCall(
  store: SessionStore,
  openCall: OpenCall,
  { principal, openSession }: ListOpenCallsOptions,
): Promise<boolean> {
  if (principal === undefined) return true;
  const { sessionId } = openCall;
  const session = await openSession?.(sessionId);
  const check = session?.mayAnswer.bind(session) ?? hostOf(store).checks.get(sessionId);
  // A call is shown to nobody rather than to the wrong person.
  return check === undefined ? false : check(principal, openCall);
}
