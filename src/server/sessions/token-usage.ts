import type { TokenUsage } from '../../protocol/events.ts';

const COUNTS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'turns',
] as const;

/** The sum of what earlier invocations spent and what this one did. Unknown plus known is known. */
export function addUsage(earlier: TokenUsage | null, latest: TokenUsage): TokenUsage {
  if (earlier === null) return latest;
  const sum: { -readonly [Key in keyof TokenUsage]: TokenUsage[Key] } = { ...earlier, ...latest };
  for (const key of COUNTS) {
    const before = earlier[key];
    const now = latest[key];
    if (before !== undefined && now !== undefined) sum[key] = before + now;
  }
  return sum;
}
