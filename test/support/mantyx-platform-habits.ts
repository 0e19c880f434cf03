/** How the stand-in for the Mantyx platform speaks where the documents of the platform disagree. */
import type { Clock } from '../../src/shared/clock.ts';
import type { Json } from './mantyx-platform-rules.ts';

/** What happens to a call nobody answers in time: the model is told, or the run ends in one of two ways. */
export interface LocalTimeout {
  readonly afterMs: number;
  readonly outcome: 'continue' | 'result' | 'error';
}

export interface RunHabits {
  readonly clock: Clock;
  readonly localTimeout: LocalTimeout;
  /** Whether terminal events carry `tokens`, `turns` and `model`. */
  readonly usage: boolean;
  /** `result` says `ok` (wire protocol) or `subtype` (agent-runs protocol). */
  readonly resultShape: 'ok' | 'subtype';
  /** `tool_result` says `result` (wire protocol), or `ok` and `summary` (agent-runs protocol). */
  readonly toolResultShape: 'result' | 'summary';
  /** `local_tool_result_in` says `output` (agent-runs protocol), or `result` or `error` (SDK). */
  readonly resultInShape: 'output' | 'result';
}

const ANY_TOKENS = { inputTokens: 120, cachedTokens: 20, reasoningTokens: 5, outputTokens: 30 };
const ANY_MODEL = { id: 'platform:demo', provider: 'anthropic', vendorModelId: 'claude-test' };

/** What terminal events and snapshots say of the cost; nothing on servers that do not count it. */
export function describeUsage({ usage }: RunHabits, turns: number): Json {
  return usage ? { tokens: ANY_TOKENS, turns, model: ANY_MODEL } : {};
}

/** How `result` says whether it worked out. */
export function describeOutcome({ resultShape }: RunHabits, ok: boolean): Json {
  if (resultShape === 'ok') return { ok };
  return ok ? { subtype: 'success' } : {};
}
