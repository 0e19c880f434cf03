import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useSurroundingChat } from '../../react/agent-chat-provider.tsx';

/** A question that waits without a dialog. */
export interface HeldQuestion {
  readonly title: string;
  /** `typing`: it opens when the person pauses. `later`: the person has put it off. */
  readonly reason: 'typing' | 'later';
  /** Opens its dialog now. */
  open(): void;
}

/** The held questions of one chat: one for each queue of the page. */
export class HeldQuestions {
  readonly #questions = new Map<object, HeldQuestion>();
  readonly #listeners = new Set<() => void>();
  #views = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly first = (): HeldQuestion | undefined => this.#questions.values().next().value;

  /** Returns true if a component of the page, such as a bar above the composer, shows them. */
  readonly areShown = (): boolean => this.#views > 0;

  hold(queue: object, question: HeldQuestion): () => void {
    this.#questions.set(queue, question);
    this.#notify();
    return () => {
      this.#questions.delete(queue);
      this.#notify();
    };
  }

  addView(): () => void {
    this.#views += 1;
    this.#notify();
    return () => {
      this.#views -= 1;
      this.#notify();
    };
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

const heldByChat = /* @__PURE__ */ new WeakMap<object, HeldQuestions>();
const OUTSIDE_OF_CHATS = {};

/** The held questions of the chat around. Queues outside of every chat, with calls of their own, have theirs together. */
export function useHeldQuestions(): HeldQuestions {
  // A hook and a provider give the same chat as different objects. Its functions stay the same.
  const key = useSurroundingChat()?.getState ?? OUTSIDE_OF_CHATS;
  const held = heldByChat.get(key) ?? new HeldQuestions();
  heldByChat.set(key, held);
  return held;
}

/**
 * The question that waits without a dialog: because the person types, or because they have put it off (`dismiss: 'later'` of
 * `ClientToolDialogs`). Undefined when there is none. Where a component uses it, as the bar above a composer does, `ClientToolDialogs` does
 * not show its own pill at the foot of the page.
 */
export function useHeldQuestion(): HeldQuestion | undefined {
  const held = useHeldQuestions();
  useEffect(() => held.addView(), [held]);
  return useSyncExternalStore(
    held.subscribe,
    held.first,
    useCallback(() => undefined, []),
  );
}
