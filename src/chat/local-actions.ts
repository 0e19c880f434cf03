import type { ChatActions, WhilePending } from '../persistence/chat-actions.ts';
import type { TriggerCommand } from '../protocol/commands.ts';
import type { UIMessage } from '../state/message.ts';
import type { ChatStore } from '../store/chat-store.ts';
import type { Settlement } from '../tools/client-tool.ts';
import type { ToolCalls } from '../tools/tool-calls.ts';
import type { Notify } from './create-notify.ts';
import { awaitingInput, destroyed } from './turn-errors.ts';
import type { Turns } from './turns.ts';

/** @throws AgentChatError `awaiting_input` if a message must not be sent while a call waits for a person */
export function checkPending(store: ChatStore, whilePending: WhilePending = 'reject'): void {
  const { status, pendingClientTools } = store.getState();
  if (whilePending === 'reject' && status === 'awaiting-input') {
    throw awaitingInput(Object.keys(pendingClientTools));
  }
}

/** A message that is sent when the turn ends. */
interface QueuedMessage {
  /** Settles the promise of `send`: by sending the message, or without `send` by rejecting. */
  readonly end: (send: Turns['start'] | undefined) => void;
  /** The other tab that the message comes from. */
  readonly tabId: string | undefined;
}

interface LocalActionsContext {
  readonly store: ChatStore;
  readonly turns: Turns;
  readonly toolCalls: ToolCalls;
  readonly notify: Notify;
}

/** Performs actions on this page, which owns the conversation. */
export class LocalActions implements ChatActions {
  readonly #context: LocalActionsContext;
  readonly #queue: QueuedMessage[] = [];

  constructor(context: LocalActionsContext) {
    this.#context = context;
  }

  async post(
    command: TriggerCommand,
    userMessage: UIMessage | undefined,
    whilePending: WhilePending | undefined,
    tabId?: string,
  ): Promise<void> {
    const { store, turns } = this.#context;
    checkPending(store, whilePending);
    const mustWait = store.getState().status === 'awaiting-input' || this.#queue.length > 0;
    if (whilePending !== 'queue' || !mustWait) return turns.start(command, userMessage);
    return new Promise<void>((resolve, reject) => {
      const end: QueuedMessage['end'] = (send) =>
        send ? resolve(send(command, userMessage)) : reject(destroyed());
      this.#queue.push({ end, tabId });
    });
  }

  stop(): void {
    const { turns, notify } = this.#context;
    if (!turns.isActive()) return;
    turns.stop();
    notify('onStop');
    queueMicrotask(() => this.sendNext());
  }

  retry(): Promise<void> {
    return this.#context.turns.retry();
  }

  clearError(): void {
    this.#context.turns.clearError();
  }

  resume(): Promise<void> {
    return this.#context.turns.resume();
  }

  settle(...args: Parameters<ChatActions['settle']>): Settlement {
    return this.#context.toolCalls.settle(...args);
  }

  approve(key: string, tabId?: string): void {
    this.#context.toolCalls.approve(key, tabId);
  }

  saveInput(key: string, input: unknown): void {
    this.#context.store.change({ type: 'input-saved', key, input });
  }

  /** Sends the next queued message if no turn is going on. */
  sendNext(): void {
    const { turns } = this.#context;
    if (!turns.isActive()) this.#queue.shift()?.end(turns.start);
  }

  /** Empties the queue: the messages of this tab are sent by `send`, or rejected without it. */
  releaseQueue(send?: Turns['start']): void {
    // Another tab sends its own message to the next owner by itself.
    for (const { end, tabId } of this.#queue.splice(0)) end(tabId ? undefined : send);
  }
}
