/** What can be done to a conversation, done by the page that runs it. */
import type { ChatStore } from '../store/chat-store.ts';
import type { ToolCalls } from '../tools/create-tool-calls.ts';
import type { SendOptions } from './agent-chat.ts';
import type { Tell } from './callbacks.ts';
import type { ChatActions } from './chat-actions.ts';
import { awaitingInput, destroyed } from './turn-errors.ts';
import type { Turns } from './turns.ts';

export interface LocalActions extends ChatActions {
  /** A turn is over: what waited for it goes out. */
  sendNext(): void;
  /**
   * Nothing waits here any more: what this page's person still wanted to send goes out by `send`, and is turned away where
   * there is none.
   */
  letGo(send?: Turns['start']): void;
}

/** @throws AgentChatError `awaiting_input` when a message is not to be sent while a person is asked. */
export function checkPending(store: ChatStore, whilePending: SendOptions['whilePending'] = 'reject'): void {
  const { status, pendingClientTools } = store.getState();
  if (whilePending === 'reject' && status === 'awaiting-input')
    throw awaitingInput(Object.keys(pendingClientTools));
}

/** A message that goes out when the turn ends. */
interface Waiting {
  /** Settles the promise of its `send`, by sending it or, without a way to, by refusing it. */
  readonly end: (send: Turns['start'] | undefined) => void;
  /** The other tab it comes from. */
  readonly tabId: string | undefined;
}

export function createLocalActions(
  store: ChatStore,
  turns: Turns,
  toolCalls: ToolCalls,
  tell: Tell,
): LocalActions {
  const queue: Waiting[] = [];

  const sendNext = () => {
    if (!turns.isActive()) queue.shift()?.end(turns.start);
  };

  return {
    // `retry`, `resume` and `clearError` are theirs.
    ...turns,
    async post(command, userMessage, whilePending, tabId) {
      checkPending(store, whilePending);
      const mustWait = store.getState().status === 'awaiting-input' || queue.length > 0;
      if (whilePending !== 'queue' || !mustWait) return turns.start(command, userMessage);
      return new Promise<void>((resolve, reject) => {
        const end: Waiting['end'] = (send) =>
          send ? resolve(send(command, userMessage)) : reject(destroyed());
        queue.push({ end, tabId });
      });
    },
    stop() {
      if (!turns.isActive()) return;
      turns.stop();
      tell('onStop');
      queueMicrotask(sendNext);
    },
    settle: toolCalls.settle,
    approve: toolCalls.approve,
    saveInput: (key, input) => store.change({ type: 'input-saved', key, input }),
    sendNext,
    letGo(send) {
      // The tab it comes from asks again by itself.
      for (const { end, tabId } of queue.splice(0)) end(tabId ? undefined : send);
    },
  };
}
