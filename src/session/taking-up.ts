/**
 * Takes calls up again: those of a conversation that was kept while the page was away, and those whose outcome did not
 * hold.
 */
import type { Clock } from '../shared/clock.ts';
import { isWithheld, type ToolCall, type ToolCallAnswer } from '../state/tool-call.ts';
import type { ChatStore } from '../store/chat-store.ts';
import type { Definition } from './find-tool.ts';
import { answers } from './tool-answers.ts';

/** What tool calls lend to take one up. */
interface TakingUpContext {
  /** Ends what still goes on for an open call: its timer, its handler's signal. */
  readonly cleanups: ReadonlyMap<string, () => void>;
  readonly store: ChatStore;
  readonly clock: Clock;
  /** Whether it has moved on since: the handler of a call before it may have stopped the turn, or let this one run. */
  readonly isPast: (call: ToolCall) => boolean;
  readonly toolOf: (call: ToolCall) => Definition | string;
  readonly settle: (key: string, answer: ToolCallAnswer) => void;
  readonly start: (call: ToolCall, mayRun?: boolean) => void;
  readonly wait: (call: ToolCall, tool: Definition, asks: 'rerun') => void;
  readonly watch: (call: ToolCall, expiresAt: number | undefined) => void;
}

export interface TakingUp {
  /**
   * Asks again for answers that are to be delivered and were not kept whole, and for those of these calls that expired with
   * the stream of their run: it still waits for them.
   */
  askAgain(keys?: readonly string[]): void;
  /** For what is loaded with what keeps conversations, see `restore-turn.ts`. */
  lend(work: (calls: LentCalls) => void): void;
}

/** What tool calls lend to take up those of a conversation that was kept while the page was away. */
export interface LentCalls extends TakingUpContext {
  readonly takeUp: (call: ToolCall) => void;
}

export function createTakingUp(context: TakingUpContext): TakingUp {
  const { store, clock, isPast, toolOf, settle, start, wait } = context;

  /** A call that nobody is asked with: it is to begin, or was in the middle of its handler when the page was left. */
  const takeUp = (call: ToolCall) => {
    if (isPast(call)) return;
    const tool = toolOf(call);
    // It expired while a person was asked whether it may run: it never did.
    const wasAsked = call.asks === 'approval' && call.approval === undefined;
    if (typeof tool === 'string' || 'interactive' in tool || wasAsked) return start(call);
    switch (tool.onRestore ?? (tool.idempotent ? 'rerun' : 'ask')) {
      case 'rerun':
        return start(call, call.stage === 'running');
      case 'fail':
        return settle(call.key, answers.failed('The page was left before the tool had finished'));
      case 'ask':
        return wait(call, tool, 'rerun');
    }
  };

  return {
    askAgain(keys) {
      const calls = store
        .read()
        .calls.filter(({ stage, key, answer, request }) => {
          const isDue =
            answer?.outcome === 'expired' &&
            keys?.includes(key) &&
            (request.deadline ?? Infinity) > clock.now();
          return stage === 'settled' && (isDue || isWithheld(answer));
        })
        .map(({ answer: _, ...call }): ToolCall => ({ ...call, stage: 'announced' }));
      if (calls.length === 0) return;
      store.change({ type: 'calls-requested', calls });
      for (const call of calls) takeUp(call);
    },
    lend: (work) => work({ ...context, takeUp }),
  };
}
