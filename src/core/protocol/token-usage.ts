import { isRecord } from '../../shared/json.ts';
import type { TokenUsage } from './events.ts';

/** The fields of a usage that are counts. The AI SDK and AG-UI use the same names. */
const COUNTS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'turns',
] as const;

/** Returns the counts among the fields of a value; undefined if it has none. */
export function readTokenUsage(value: unknown): TokenUsage | undefined {
  if (!isRecord(value)) return undefined;
  const known = COUNTS.filter((name) => typeof value[name] === 'number');
  if (known.length === 0) return undefined;
  return Object.fromEntries(known.map((name) => [name, value[name]])) as TokenUsage;
}

/** The sum of two usages. A count that only one of them has is taken as it is, and a model is that of the latest. */
export function addTokenUsage(earlier: TokenUsage, latest: TokenUsage): TokenUsage {
  const sum: { -readonly [Key in keyof TokenUsage]: TokenUsage[Key] } = { ...earlier, ...latest };
  for (const name of COUNTS) {
    const before = earlier[name];
    const now = latest[name];
    if (before !== undefined && now !== undefined) sum[name] = before + now;
  }
  return sum;
}
