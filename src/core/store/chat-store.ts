/**
 * Holds the conversation and publishes it. However many events arrive within a frame, subscribers are notified once.
 *
 * The conversation is always current: `read` first writes down the deltas that came since the last look at it. The published
 * state (a zustand store) changes at most once per frame, or at once where a person acts or waits (`publish`).
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Clock } from '../../shared/clock.ts';
import { callSafely } from '../../shared/report-thrown.ts';
import type { Conversation, ConversationChange } from '../state/conversation.ts';
import { reduceConversation } from '../state/reduce-conversation.ts';
import type { ToolCall } from '../state/tool-call.ts';
import type { AgentChatState } from './chat-state.ts';
import { type DeltaEvent, isDelta, joinDelta } from './join-delta.ts';
import { PendingTools, type ShownCall } from './pending-tools.ts';
import { createStateSelector, type SelectState } from './select-state.ts';

/** Called when the calls of the conversation have changed. */
type CallsListener = (before: readonly ToolCall[], after: readonly ToolCall[]) => void;

/** Called with the conversation as it is now, and with the change that made it so. */
export type ChangeListener = (conversation: Conversation, change: ConversationChange) => void;

export class ChatStore {
  readonly #clock: Clock;
  readonly #onCallsChanged: CallsListener | undefined;
  readonly #pending = new PendingTools();
  readonly #select: SelectState;
  readonly #published: StoreApi<AgentChatState>;
  readonly #listeners = new Set<ChangeListener>();
  #conversation: Conversation;
  /** The deltas that came since the last look at the conversation, joined into one. */
  #heldDelta: DeltaEvent | undefined;
  #cancelFrame: (() => void) | undefined;
  #isClosed = false;

  constructor(initial: Conversation, clock: Clock, onCallsChanged?: CallsListener) {
    this.#onCallsChanged = onCallsChanged;
    this.#conversation = initial;
    this.#clock = clock;
    this.#select = createStateSelector();
    this.#published = createStore(() => this.#select(initial, this.#pending.list()));
  }

  /** Returns the conversation as it is now. */
  readonly read = (): Conversation => {
    const event = this.#heldDelta;
    this.#heldDelta = undefined;
    if (event !== undefined) this.#apply({ type: 'event', event });
    return this.#conversation;
  };

  /** Returns what people see of the conversation as it is now, published or not. */
  readonly getState = (): AgentChatState => this.#select(this.read(), this.#pending.list());

  /** Changes the conversation. Subscribers are notified within a frame. */
  change(change: ConversationChange): void {
    const event = change.type === 'event' ? change.event : undefined;
    if (this.#heldDelta !== undefined && event !== undefined && joinDelta(this.#heldDelta, event)) return;
    this.read();
    if (event !== undefined && isDelta(event)) this.#hold(event);
    else this.#apply(change);
  }

  /** Puts what a person is shown of a waiting call beside the call, for as long as the call waits. */
  show(key: string, shown: ShownCall): void {
    this.#pending.put(key, shown, this.read().calls);
    this.#publishSoon();
  }

  /** Returns what a person was shown of this call, if the call waits. */
  getShown(key: string): ShownCall | undefined {
    return this.#pending.get(key);
  }

  /** Notifies subscribers now. */
  readonly publish = (): void => {
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    if (!this.#isClosed) this.#notify();
  };

  /** Calls back after each publication. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void {
    // A listener that throws must neither keep others from being called nor end the turn that was just published.
    return this.#published.subscribe(() => callSafely(listener));
  }

  /** Calls back after each change of the conversation, published or not. Returns the unsubscribe function. */
  onChange(listener: ChangeListener): () => void {
    this.read();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops notifying subscribers. The returned function notifies them for a last time. */
  close(): () => void {
    this.#isClosed = true;
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    return () => this.#notify();
  }

  #notify(): void {
    this.#published.setState(this.getState(), true);
  }

  #publishSoon(): void {
    if (!this.#isClosed) this.#cancelFrame ??= this.#clock.nextFrame(this.publish);
  }

  #apply(change: ConversationChange): void {
    const next = reduceConversation(this.#conversation, change);
    if (next === this.#conversation) return;
    const { calls } = this.#conversation;
    this.#conversation = next;
    if (next.calls !== calls) this.#pending.update(next.calls);
    this.#publishSoon();
    if (next.calls !== calls) this.#onCallsChanged?.(calls, next.calls);
    for (const listener of this.#listeners) listener(next, change);
  }

  /** Stores a copy, because the event of the transport must not change. */
  #hold(delta: DeltaEvent): void {
    this.#heldDelta = { ...delta };
    this.#publishSoon();
    // Storages and other tabs must not wait for a frame: a hidden page may never get one.
    if (this.#listeners.size > 0) queueMicrotask(this.read);
  }
}
