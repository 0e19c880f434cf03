import type { LocalActions, WhilePending } from '../persistence/chat-actions.ts';
import { isAskedHere } from '../state/tool-call.ts';
import type { ChatStore } from '../store/chat-store.ts';
import type { CallAnswers } from './calls/call-answers.ts';
import type { Notify } from './create-notify.ts';
import { readReply } from './read-reply.ts';
import { awaitingInput, destroyed } from './turn-errors.ts';
import type { Turns } from './turns.ts';

/** @throws AgentChatError `awaiting_input` if a message must not be sent while a call waits for a person */
export function checkPending(store: ChatStore, whilePending: WhilePending = 'reject'): void {
  const { status, pendingClientTools } = store.getState();
  const mayWait = whilePending === 'cancel' || whilePending === 'queue';
  if (!mayWait && status === 'awaiting-input') {
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
  readonly answers: CallAnswers;
  readonly notify: Notify;
}

export function createLocalActions({ store, turns, answers, notify }: LocalActionsContext): LocalActions {
  const queue: QueuedMessage[] = [];
  const sendNext = () => {
    if (!turns.isActive()) queue.shift()?.end(turns.start);
  };

  return {
    async post(command, userMessage, whilePending, tabId) {
      const isReply = whilePending === 'reply' && store.read().calls.some(isAskedHere);
      if (isReply && answers.reply(readReply(command, userMessage), tabId)) return turns.rested();
      checkPending(store, whilePending);
      const mustWait = store.getState().status === 'awaiting-input' || queue.length > 0;
      if (whilePending !== 'queue' || !mustWait) return turns.start(command, userMessage);
      return new Promise<void>((resolve, reject) => {
        const end: QueuedMessage['end'] = (send) =>
          send ? resolve(send(command, userMessage)) : reject(destroyed());
        queue.push({ end, tabId });
      });
    },
    stop() {
      if (!turns.isActive()) return;
      turns.stop();
      notify('onStop');
      queueMicrotask(sendNext);
    },
    retry: () => turns.retry(),
    clearError: () => turns.clearError(),
    resume: () => turns.resume(),
    open: () => turns.open(),
    settle: (...args) => answers.settle(...args),
    approve: (...args) => answers.approve(...args),
    takeBack(key) {
      // The answers of a turn that is over are kept for the next message, and a call that waits again would be answered to nobody.
      if (turns.isActive()) answers.takeBack(key);
    },
    saveInput: (key, input) => store.change({ type: 'input-saved', key, input }),
    sendNext,
    releaseQueue(send) {
      // Another tab sends its own message to the next owner by itself.
      for (const { end, tabId } of queue.splice(0)) end(tabId ? undefined : send);
    },
  };
}
