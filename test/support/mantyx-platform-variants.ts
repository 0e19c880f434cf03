/** Variants of the stand-in for the Mantyx platform where the documents of the platform disagree. */
import type { Clock } from '../../src/shared/clock.ts';
import type { Json } from './mantyx-platform-rules.ts';

/** The outcome of a call that is not answered in time: the model gets an error, or the run ends in one of two ways. */
export interface LocalTimeout {
  readonly afterMs: number;
  readonly outcome: 'continue' | 'result' | 'error';
}

export interface RunVariants {
  readonly clock: Clock;
  readonly localTimeout: LocalTimeout;
  /** True if terminal events have `tokens`, `turns` and `model`. */
  readonly usage: boolean;
  /** `result` has `ok` (wire protocol) or `subtype` (agent-runs protocol). */
  readonly resultShape: 'ok' | 'subtype';
  /** `tool_result` has `result` (wire protocol), or `ok` and `summary` (agent-runs protocol). */
  readonly toolResultShape: 'result' | 'summary';
  /** `local_tool_result_in` has `output` (agent-runs protocol), or `result` or `error` (SDK). */
  readonly resultInShape: 'output' | 'result';
}

const ANY_TOKENS = { inputTokens: 120, cachedTokens: 20, reasoningTokens: 5, outputTokens: 30 };
const ANY_MODEL = { id: 'platform:demo', provider: 'anthropic', vendorModelId: 'claude-test' };

/** The usage in terminal events and snapshots; empty on servers that do not count it. */
export function describeUsage({ usage }: RunVariants, turns: number): Json {
  return usage ? { tokens: ANY_TOKENS, turns, model: ANY_MODEL } : {};
}

/** The field of `result` that reports success. */
export function describeOutcome({ resultShape }: RunVariants, ok: boolean): Json {
  if (resultShape === 'ok') return { ok };
  return ok ? { subtype: 'success' } : {};
}
