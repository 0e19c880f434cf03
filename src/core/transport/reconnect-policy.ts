import { invalidOptions } from '../../shared/errors.ts';
import { compact } from '../../shared/json.ts';

/** How a transport tries again after a connection was lost. */
export interface ReconnectOptions {
  /** Milliseconds before the first attempt. Each further attempt waits twice as long. 0: at once, then 2, 4, 8… Default 500. */
  readonly initialDelayMs?: number;
  /** Longest wait in milliseconds, unless the server asks for a longer one. Default 30,000. */
  readonly maxDelayMs?: number;
  /** Attempts without progress until the transport gives up. Default 5; a transport that differs says so. */
  readonly maxAttempts?: number;
}

export type ReconnectPolicy = Required<ReconnectOptions>;

/** Attempts without progress, unless the transport has a reason for another number. */
const MAX_ATTEMPTS = 5;

/**
 * Reads the `reconnect` option of a transport. `false`: a lost connection is an error at once.
 *
 * @throws AgentChatError `invalid_options` if a value is no number of 0 or more
 */
export function toReconnectPolicy(
  options: ReconnectOptions | false | undefined,
  maxAttempts: number = MAX_ATTEMPTS,
): ReconnectPolicy | false {
  if (options === false) return false;
  return readNumbers('reconnect', options, { initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts });
}

/**
 * Reads an option that consists of numbers. A number that is not set gets its default.
 *
 * @throws AgentChatError `invalid_options` if a value is no number of 0 or more
 */
export function readNumbers<Name extends string>(
  option: string,
  given: { readonly [Key in Name]?: number } | null | undefined,
  defaults: Readonly<Record<Name, number>>,
): Record<Name, number> {
  // An app that builds its options from settings passes `undefined` for a setting that is not made.
  const numbers = { ...defaults, ...compact(given ?? {}) };
  for (const name in defaults) {
    const value: unknown = numbers[name];
    if (typeof value === 'number' && value >= 0) continue;
    throw invalidOptions(`${option}.${name} must be a number of 0 or more, not ${String(value)}.`);
  }
  return numbers;
}
