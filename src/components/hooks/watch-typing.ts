import { createContext } from 'react';
import type { Clock } from '../../shared/clock.ts';
import { findFrameDocument, parentAcrossFrames } from './focus-across-frames.ts';
import { mayTakeText } from './takes-text.ts';

/** A person who has pressed no key for this many milliseconds pauses. */
const PAUSE_MS = 1_000;

/** The watch of the queue around a question. */
export const TypingContext = /* @__PURE__ */ createContext<TypingWatch | undefined>(undefined);

/**
 * Tells whether somebody types into the page: into its fields and editors, those in shadow roots and in frames of the same origin. What
 * the person types into a question of the kit does not count, because the next question replaces it. A page cannot see the keys in a frame
 * of another origin.
 */
export class TypingWatch {
  readonly #clock: Clock;
  #stop = new AbortController();
  #documents = new WeakSet<Document>();
  #isListening = false;
  #lastKeyAt = -Infinity;
  #isComposing = false;
  /** The element of the last press. Undefined after a key. */
  #pressed: Element | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Starts to listen. The returned function stops it. */
  start(): () => void {
    this.#stop = new AbortController();
    this.#documents = new WeakSet();
    this.#isListening = true;
    this.#listen(document);
    this.#listenInFrame();
    return () => {
      this.#isListening = false;
      this.#stop.abort();
    };
  }

  /** Returns true within a second of a key, and while an input method composes. */
  isTyping(): boolean {
    // A frame that was not watched may have had a key just now.
    if (this.#isListening && this.#listenInFrame()) this.#lastKeyAt = this.#clock.now();
    return this.#isComposing || this.#clock.now() - this.#lastKeyAt < PAUSE_MS;
  }

  /** Call when the person has turned to something else on purpose. */
  stopWaiting(): void {
    this.#lastKeyAt = -Infinity;
    this.#isComposing = false;
  }

  /** Calls back once, when nobody has typed for a second. The returned function cancels it. */
  afterPause(callback: () => void): () => void {
    let cancel: (() => void) | undefined;
    const check = () => {
      if (!this.isTyping()) return callback();
      // The end of a composition counts as a key, so a later look is soon enough.
      const left = this.#isComposing ? PAUSE_MS : this.#lastKeyAt + PAUSE_MS - this.#clock.now();
      cancel = this.#clock.after(left, check);
    };
    check();
    return () => cancel?.();
  }

  /**
   * Returns true if the person may go on to type into the focused element. Someone whose last press was elsewhere, such as on the answer of
   * the question before, does not type there, also if the focus has come back to it.
   */
  mayGoOnIn(focused: Element | null): boolean {
    if (!mayTakeText(focused)) return false;
    return this.#pressed === undefined || isInside(this.#pressed, focused);
  }

  /** Returns true if a frame has the focus whose keys were not heard yet, and are now. */
  #listenInFrame(): boolean {
    let isNew = false;
    for (let inner = findFrameDocument(document); inner !== undefined; inner = findFrameDocument(inner)) {
      if (this.#documents.has(inner)) continue;
      this.#listen(inner);
      isNew = true;
    }
    return isNew;
  }

  #listen(target: Document): void {
    this.#documents.add(target);
    const { signal } = this.#stop;
    const options = { capture: true, signal };
    for (const type of ['keydown', 'beforeinput', 'compositionstart', 'compositionend', 'pointerdown']) {
      target.addEventListener(type, this.#onEvent, options);
    }
    const onFocus = () => void this.#listenInFrame();
    target.addEventListener('focusin', onFocus, options);
    // The focus goes into a frame.
    target.defaultView?.addEventListener('blur', onFocus, { signal });
  }

  readonly #onEvent = (event: Event) => {
    const [target] = event.composedPath() as Element[];
    // Chromium does not mark the end of a composition that it cancels as trusted.
    if ((!event.isTrusted && event.type !== 'compositionend') || target === undefined) return;
    if (event.type === 'pointerdown') {
      this.#pressed = target;
      return;
    }
    if (isInQuestion(target) || !mayTakeText(target)) return;
    this.#pressed = undefined;
    this.#lastKeyAt = this.#clock.now();
    if (event.type.startsWith('composition')) this.#isComposing = event.type === 'compositionstart';
  };
}

function isInQuestion(target: Element): boolean {
  for (let node: Element | null = target; node !== null; node = parentAcrossFrames(node)) {
    if (node.hasAttribute?.('data-arming')) return true;
  }
  return false;
}

function isInside(target: Element, around: Element | null): boolean {
  for (let node: Element | null = target; node !== null; node = parentAcrossFrames(node)) {
    if (node === around) return true;
  }
  return false;
}
