import { choiceChecks, durableChoiceChecks } from './choice-checks.ts';
import { durableInboxChecks, inboxChecks } from './inbox-checks.ts';
import { logChecks } from './log-checks.ts';
import { recordChecks } from './record-checks.ts';
import { createSecretChecks } from './secret-checks.ts';
import { durableChecks, sessionChecks } from './session-checks.ts';
import type { OpenSessionStore } from './store-check.ts';

/** One check of {@link sessionStoreChecks}. */
export interface SessionStoreCheck {
  /** The rule, for the name of a test. */
  readonly name: string;
  /** Rejects with an error that says what the store did and what it must do. */
  run(): Promise<void>;
}

/** Options of {@link sessionStoreChecks}. */
export interface SessionStoreCheckOptions {
  /**
   * True for a store that outlives its process: then every store that `openStore` returns must be over the same database, as in another
   * process, and it is also checked what a restart finds. Default false.
   */
  readonly durable?: boolean;
  /**
   * Returns all that the database has, as text: every table, key or file. One check looks for a secret in it after each write. Default: what
   * the store returns of the session.
   */
  readonly dump?: () => string | Promise<string>;
}

/**
 * Returns the checks that a `SessionStore` of your own must pass, for any test runner. A store without `openLog` passes those of the
 * log, one without `listOpenCalls` those of the inbox, and one without `choices` those of the choices. To see what the log does when it
 * is full, run them once more with a store whose log holds some ten events.
 *
 * @example
 * for (const { name, run } of sessionStoreChecks(() => createMyStore(database), { durable: true })) test(name, run);
 *
 * @param openStore called by each check. The checks use new session ids, and delete nothing
 */
export function sessionStoreChecks(
  openStore: OpenSessionStore,
  { durable = false, dump }: SessionStoreCheckOptions = {},
): readonly SessionStoreCheck[] {
  const checks = [
    ...recordChecks,
    ...logChecks,
    ...inboxChecks,
    ...choiceChecks,
    ...sessionChecks,
    ...createSecretChecks(dump),
    ...(durable ? [...durableChecks, ...durableInboxChecks, ...durableChoiceChecks] : []),
  ];
  return checks.map(({ name, check }) => ({ name, run: () => check(openStore) }));
}
