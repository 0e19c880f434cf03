/** Rules are functions of the app that guard something: who may answer, who may open, whether a call needs an approval. */
import type { Clock } from '../shared/clock.ts';
import { withTimeout } from '../shared/with-timeout.ts';

/** How long a rule may take. A rule that never settles must not hold up the session, or a list of many sessions. */
export const RULE_LIMIT_MS = 10_000;

/** What a rule said, or why it said nothing: the caller then does what is safe without the rule, and reports `failed`. */
export type RuleAnswer<Value> = { readonly value: Value } | { readonly failed: unknown };

/**
 * Asks a rule, and waits at most `limitMs` for it. Never rejects: a rule that throws, rejects or takes too long has failed.
 *
 * `name` is what the error of a rule that takes too long calls the rule, such as `mayAnswer of the tool 'refund'`.
 */
export async function askRule<Value>(
  clock: Clock,
  limitMs: number,
  name: string,
  rule: () => Value | PromiseLike<Value>,
): Promise<RuleAnswer<Awaited<Value>>> {
  const onTimeout = () => {
    throw new Error(
      `${name} did not decide within ${limitMs / 1_000} seconds, so its answer does not count. Make it settle earlier: give what it waits for a time limit.`,
    );
  };
  try {
    return { value: await withTimeout((async () => rule())(), { clock, limitMs, onTimeout }) };
  } catch (thrown) {
    return { failed: thrown };
  }
}
