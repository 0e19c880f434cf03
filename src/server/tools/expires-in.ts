/** How long a question waits for a person. */
import type { Clock } from '../../shared/clock.ts';
import { invalidOptions } from '../../shared/errors.ts';

/** @throws AgentChatError `invalid_options` unless the time is left out, a number over 0 or `Infinity`. `owner` begins its message. */
export function checkExpiresIn(owner: string, expiresInMs: unknown): void {
  if (expiresInMs === undefined || (typeof expiresInMs === 'number' && expiresInMs > 0)) return;
  const value = typeof expiresInMs === 'string' ? `'${expiresInMs}'` : String(expiresInMs);
  throw invalidOptions(
    `${owner}: expiresInMs must be a number of milliseconds over 0, or Infinity for a question that never expires, not ${value}.`,
  );
}

/** Returns when the question expires, in milliseconds since the epoch, and undefined for one that never does. */
export function toDeadline(clock: Clock, expiresInMs: number = Infinity): number | undefined {
  return expiresInMs === Infinity ? undefined : clock.now() + expiresInMs;
}
