import type { Clock } from '../../../shared/clock.ts';
import { findCall } from '../../state/conversation.ts';
import { isOpen, type ToolCall, type ToolCallAnswer } from '../../state/tool-call.ts';
import type { ChatStore } from '../../store/chat-store.ts';
import type { Settlement } from '../../tools/client-tool.ts';
import { toRefusal } from '../../tools/create-interactive-tool.ts';
import { type AnsweredBy, type SettledCall, toSettledCall } from '../../tools/settled-call.ts';
import type { CallTools } from './call-tools.ts';

export interface LiveCallsContext {
  readonly store: ChatStore;
  readonly clock: Clock;
  /**
   * Called after a call was settled, `byPerson` if a person answered it or allowed its handler; also after a policy decided
   * that a call waits for a person.
   */
  readonly onProgress: (byPerson: boolean) => void;
  readonly onCallSettled: (call: SettledCall) => void;
}

/**
 * The calls of the current turn, what runs for each of them, and how each gets its one outcome: every outcome passes through here. The
 * first outcome of a call counts; later ones are refused.
 */
export class LiveCalls {
  readonly #context: LiveCallsContext;
  readonly tools: CallTools;
  /** What ends the timer, the policy or the handler of an open call. */
  readonly #cleanups = new Map<string, () => void>();

  constructor(context: LiveCallsContext, tools: CallTools) {
    this.#context = context;
    this.tools = tools;
  }

  find(key: string): ToolCall | undefined {
    return findCall(this.#context.store.read(), key);
  }

  /** True if the call still stands as it did: the handler of an earlier call may have stopped the turn or begun another one. */
  isCurrent({ key, stage }: ToolCall): boolean {
    return this.find(key)?.stage === stage;
  }

  /** Keeps what ends the timer, the policy or the handler of a call, for when the call is over. */
  onEnd(key: string, cleanup: () => void): void {
    this.#cleanups.set(key, cleanup);
  }

  /** Ends the timer, the policy or the handler of a call. */
  cleanUp(key: string): void {
    const cleanup = this.#cleanups.get(key);
    this.#cleanups.delete(key);
    cleanup?.();
  }

  /** Settles an open call, and lets the turn go on. */
  settle(key: string, answer: ToolCallAnswer, by: AnsweredBy = 'automatic', tabId?: string): Settlement {
    const { store, onProgress } = this.#context;
    const call = this.find(key);
    if (!call || !isOpen(call)) return toRefusal(call);
    this.close(call, answer, by, tabId);
    onProgress(by === 'person' || call.approval?.by === 'person');
    // A person who looks at a question has to see at once that it is over. The rest can wait for the next frame.
    if (call.stage === 'waiting') store.publish();
    return { settled: true };
  }

  /** Settles a call of a turn that is over. Neither delivers nor publishes anything. */
  close(call: ToolCall, answer: ToolCallAnswer, by: AnsweredBy, tabId?: string): void {
    this.#context.store.change({ type: 'call-settled', key: call.key, answer, tabId });
    this.end(call, answer, by, tabId);
  }

  /** Ends what runs for a call that has its answer, and reports the answer. */
  end(call: ToolCall, answer: ToolCallAnswer, by: AnsweredBy, tabId?: string): void {
    const { clock, onCallSettled } = this.#context;
    this.cleanUp(call.key);
    this.tools.forget(call.key);
    const tool = this.tools.find(call.request);
    const definition = typeof tool === 'string' ? undefined : tool;
    onCallSettled(toSettledCall(call, answer, definition, by, clock.now(), tabId));
  }

  /** Ends timers, policies and handlers without settling their calls: another tab goes on with them. */
  detach(): void {
    for (const key of this.#cleanups.keys()) this.cleanUp(key);
    this.tools.clear();
  }
}
