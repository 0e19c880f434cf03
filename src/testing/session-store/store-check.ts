import type { SessionStore } from '../../server/store/session-store.ts';
import { deepEqual } from '../../shared/deep-equal.ts';

/** Opens the store to check. */
export type OpenSessionStore = () => SessionStore | Promise<SessionStore>;

/** A rule of `SessionStore`. The check makes sessions with new ids, so it needs no empty store and leaves other sessions alone. */
export interface StoreCheck {
  readonly name: string;
  /** @throws Error that says what the store did, if the store breaks the rule. */
  check(openStore: OpenSessionStore): Promise<void>;
}

/** Characters of a value that an error shows. */
const SHOWN = 300;

/** Compares as JSON does. @throws Error with the claim and both values when they differ. */
export function assertEqual(actual: unknown, expected: unknown, claim: string): void {
  if (deepEqual(actual, expected)) return;
  throw new Error(`${claim}. Expected: ${show(expected)}. Received: ${show(actual)}.`);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}... (${text.length} characters)`;
}
