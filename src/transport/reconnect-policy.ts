import { compact } from '../shared/json.ts';

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

export function toReconnectPolicy(
  options: ReconnectOptions | undefined,
  maxAttempts: number,
): ReconnectPolicy {
  // Settings of an app that are not set come as undefined.
  return { initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts, ...compact(options ?? {}) };
}
