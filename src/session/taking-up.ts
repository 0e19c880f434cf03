/**
 * Takes calls up again: those of a conversation that was kept while the page was away, and those whose outcome did not
 * hold.
 */
import type { Clock } from '../shared/clock.ts';
import { isOpen, isWithheld, type ToolCall, type ToolCallAnswer } from '../state/tool-call.ts';
import type { ChatStore } from '../store/chat-store.ts';
import { type Definition, invalidArguments, parseArgs } from './find-tool.ts';
import { answers } from './tool-answers.ts';

/** What tool calls lend to take one up. */
interface TakingUpContext {
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
  /** Takes up the calls of a conversation that was kept while the page was away. */
  restore(): void;
}

export function createTakingUp({
  store,
  clock,
  isPast,
  toolOf,
  settle,
  start,
  wait,
  watch,
}: TakingUpContext): TakingUp {
  /** A call found waiting, or in the middle of its handler, after a reload. */
  const takeUp = (call: ToolCall) => {
    if (isPast(call)) return;
    const tool = toolOf(call);
    if (call.stage === 'waiting') {
      const input = parseArgs(tool, call);
      if ('issues' in input) settle(call.key, invalidArguments(call, tool, input.issues));
      else watch(call, call.expiresAt);
      return;
    }
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
    restore() {
      for (const call of store.read().calls) if (isOpen(call)) takeUp(call);
    },
  };
}
