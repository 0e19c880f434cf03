import { readNumbers } from './read-numbers.ts';

/** How a transport tries again after a connection was lost. */
export interface ReconnectOptions {
  /** Milliseconds before the first attempt; each further one waits twice as long. 0: at once, then 2, 4, 8… Default 500. */
  readonly initialDelayMs?: number;
  /** Milliseconds no wait exceeds, unless the server asks for more. Default 30,000. */
  readonly maxDelayMs?: number;
  /** Attempts without any progress before giving up. */
  readonly maxAttempts?: number;
}

export type ReconnectPolicy = Required<ReconnectOptions>;

/**
 * Reads the `reconnect` option of a transport. `false`: a lost connection is an error at once.
 *
 * @throws AgentChatError `invalid_options` if a value is no number of 0 or more
 */
export function toReconnectPolicy(
  options: ReconnectOptions | false | undefined,
  maxAttempts: number,
): ReconnectPolicy | false {
  if (options === false) return false;
  return readNumbers('reconnect', options, { initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts });
}
