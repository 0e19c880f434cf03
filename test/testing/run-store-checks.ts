import { expect, test } from 'vitest';
import {
  type SessionStoreCheckOptions,
  sessionStoreChecks,
} from '../../src/testing/session-store/session-store-checks.ts';
import type { OpenSessionStore } from '../../src/testing/session-store/store-check.ts';

/** Declares a test for each check of a session store. */
export function runStoreChecks(openStore: OpenSessionStore, options?: SessionStoreCheckOptions): void {
  for (const { name, run } of sessionStoreChecks(openStore, options)) {
    test(name, async () => {
      await expect(run()).resolves.toBeUndefined();
    });
  }
}
