import { expect, test } from 'vitest';
import { toReconnectPolicy } from '../../../src/core/transport/reconnect-policy.ts';

test('toReconnectPolicy uses the default of a setting that is undefined', () => {
  const unset = { initialDelayMs: undefined, maxDelayMs: undefined, maxAttempts: undefined } as never;
  expect(toReconnectPolicy(unset, 5)).toEqual({ initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts: 5 });
});
