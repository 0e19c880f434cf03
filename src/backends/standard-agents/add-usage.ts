import type { TokenUsage } from '../../core/protocol/events.ts';
import { compact } from '../../shared/json.ts';
import { isName } from './thread-row.ts';

/** Adds the tokens of one model request, as a `telemetry` frame counts them. */
export function addUsage(before: TokenUsage, telemetry: Readonly<Record<string, unknown>>): TokenUsage {
  const inputTokens = add(before.inputTokens, telemetry.inputTokens);
  const outputTokens = add(before.outputTokens, telemetry.outputTokens);
  return compact({
    inputTokens,
    outputTokens,
    totalTokens: add(inputTokens, outputTokens),
    cachedInputTokens: add(before.cachedInputTokens, telemetry.cached),
    turns: (before.turns ?? 0) + 1,
    model: isName(telemetry.model) ? telemetry.model : undefined,
  });
}

function add(sum: number | undefined, tokens: unknown): number | undefined {
  return typeof tokens === 'number' ? (sum ?? 0) + tokens : sum;
}
