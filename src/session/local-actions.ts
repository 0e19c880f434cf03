/** What can be done to a conversation, done by the page that runs it. */
import type { ChatStore } from '../store/chat-store.ts';
import type { SendOptions } from './agent-chat.ts';
import type { Callbacks } from './callbacks.ts';
import type { ChatActions } from './chat-actions.ts';
import type { ToolCalls } from './tool-calls.ts';
import { awaitingInput, destroyed } from './turn-errors.ts';
import type { Turns } from './turns.ts';

export interface LocalActions extends ChatActions {
  /** A turn is over: what waited for it goes out. */
  sendNext(): void;
  /** Another page runs the conversation from now on: it gets what this one's person still wanted to send. */
  letGo(): void;
  /** Turns away what is still waiting. */
  close(): void;
}

interface LocalContext {
  readonly store: ChatStore;
  readonly turns: Turns;
  readonly toolCalls: ToolCalls;
  readonly callbacks: Callbacks;
  /** Who acts now. */
  readonly actions: () => ChatActions;
}

/** @throws AgentChatError `awaiting_input` when a message is not to be sent while a person is asked. */
export function checkPending(store: ChatStore, whilePending: SendOptions['whilePending'] = 'reject'): void {
  const { status, pendingClientTools } = store.getState();
  if (whilePending === 'reject' && status === 'awaiting-input')
    throw awaitingInput(Object.keys(pendingClientTools));
}

export function createLocalActions({
  store,
  turns,
  toolCalls,
  callbacks,
  actions,
}: LocalContext): LocalActions {
  const queue: { readonly go: () => void; readonly refuse: () => void; readonly pass: () => void }[] = [];

  const sendNext = () => {
    if (!turns.isActive()) queue.shift()?.go();
  };

  return {
    async post(command, userMessage, whilePending, tabId) {
      checkPending(store, whilePending);
      const go = () => turns.start(command, userMessage);
      const mustWait = store.getState().status === 'awaiting-input' || queue.length > 0;
      if (whilePending !== 'queue' || !mustWait) return go();
      return new Promise<void>((resolve, reject) => {
        const refuse = () => reject(destroyed());
        const pass = () => actions().post(command, userMessage, whilePending).then(resolve, reject);
        // The tab it comes from asks again by itself.
        queue.push({
          go: () => go().then(resolve, reject),
          refuse,
          pass: tabId ? refuse : pass,
        });
      });
    },
    stop() {
      if (!turns.isActive()) return;
      turns.stop();
      callbacks.onStop();
      queueMicrotask(sendNext);
    },
    retry: turns.retry,
    clearError() {
      if (store.read().phase !== 'failed') return;
      turns.forgetFailure();
      store.change({ type: 'error-cleared' });
      store.publish();
    },
    resume: turns.resume,
    settle: toolCalls.settle,
    approve: toolCalls.approve,
    saveDraft: (key, draft) => store.change({ type: 'call-drafted', key, draft }),
    sendNext,
    letGo() {
      for (const { pass } of queue.splice(0)) pass();
    },
    close() {
      for (const { refuse } of queue.splice(0)) refuse();
    },
  };
}
