/** Decides which open calls a person may answer. The record of a session is data; its rules are functions of the app. */
import type { OpenCall } from '../../core/protocol/open-calls.ts';
import { systemClock } from '../../shared/clock.ts';
import { type Principal, toPrincipal } from '../../shared/principal.ts';
import { askRule, RULE_LIMIT_MS } from '../ask-rule.ts';
import { reportFailure } from '../report-failure.ts';
import { saysYes } from '../says-yes.ts';
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

/**
 * Returns those of the calls that belong in a list. Without a principal, all of them do. The sessions are asked side by side, and one that
 * cannot be opened or asked costs its own rows: a call is shown to nobody rather than to the wrong person.
 */
export async function selectOpenCalls(
  store: SessionStore,
  calls: readonly OpenCall[],
  { principal: given, openSession, onError, clock = systemClock }: ListOpenCallsOptions,
): Promise<ReadonlySet<OpenCall>> {
  if (given === undefined) return new Set(calls);
  const principal = toPrincipal(given);
  const selected = new Set<OpenCall>();

  async function selectOf(sessionId: string): Promise<void> {
    const report = (thrown: unknown) => reportFailure(onError, thrown, sessionId);
    const opened = await askRule(clock, RULE_LIMIT_MS, `Opening the session '${sessionId}'`, () =>
      openSession?.(sessionId),
    );
    if ('failed' in opened) return report(opened.failed);
    const check = opened.value?.mayAnswer.bind(opened.value) ?? hostOf(store).checks.get(sessionId);
    if (check === undefined) return;
    const ofSession = calls.filter((openCall) => openCall.sessionId === sessionId);
    await Promise.all(
      ofSession.map(async (openCall) => {
        const name = `mayAnswer of the session '${sessionId}'`;
        if (await saysYes({ clock, name, report, ask: () => check(principal, openCall) }))
          selected.add(openCall);
      }),
    );
  }
  await Promise.all([...new Set(calls.map(({ sessionId }) => sessionId))].map(selectOf));
  return selected;
}
