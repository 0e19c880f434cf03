/**
 * Holds the conversation and publishes it: however many events arrive within a frame, subscribers hear of them once.
 *
 * Two speeds on purpose. The conversation is always current (`read` first writes down the deltas that came since the last
 * look at it), the published state (a zustand store) changes at most once per frame, or at once where someone acts or
 * waits (`publish`).
 */
import { createStore } from 'zustand/vanilla';
import type { Clock } from '../shared/clock.ts';
import { callSafely } from '../shared/report-thrown.ts';
import type { Conversation, ConversationChange } from '../state/conversation.ts';
import { reduceConversation } from '../state/reduce-conversation.ts';
import type { ToolCall } from '../state/tool-call.ts';
import type { InteractiveTool } from '../tools/client-tool.ts';
import type { AgentChatState, AnyPendingClientTools, ChatStatus } from './chat-state.ts';
import { type DeltaEvent, isDelta, joinDelta } from './join-deltas.ts';
import { keepOrder } from './pending-order.ts';
import { createMessageSelector } from './select-messages.ts';

export interface ChatStore {
  /** The conversation as it is now. */
  read(): Conversation;
  /** What people see now, published or not. */
  getState(): AgentChatState;
  /** Changes the conversation; subscribers hear of it within a frame. */
  change(change: ConversationChange): void;
  /** Tells subscribers now. */
  publish(): void;
  /** Calls back after each publication. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Calls back after each change of the conversation, published or not. Returns the unsubscribe function. */
  onChange(listener: ChangeListener): () => void;
  /** Subscribers hear nothing any more, but for a last time when the returned function is called. */
  close(): () => void;
}

/** Hears of the conversation as it now is, and of what made it so. */
export type ChangeListener = (conversation: Conversation, change: ConversationChange) => void;

/** Makes the object a person settles a call with. Called once per call that waits. */
export type BindInteractiveTool = (call: ToolCall) => InteractiveTool;

export function createChatStore(
  initial: Conversation,
  clock: Clock,
  bindTool: BindInteractiveTool,
): ChatStore {
  let conversation = initial;
  const select = createStateSelector(bindTool);
  const published = createStore(() => select(conversation));
  let cancelFrame: (() => void) | undefined;
  const watchers = new Set<ChangeListener>();
  let closed = false;
  /** Deltas that nobody has looked at yet, as one. */
  let held: DeltaEvent | undefined;

  const tell = () => published.setState(select(read()), true);

  const publish = () => {
    cancelFrame?.();
    cancelFrame = undefined;
    if (!closed) tell();
  };

  const publishSoon = () => {
    if (!closed) cancelFrame ??= clock.nextFrame(publish);
  };

  const apply = (change: ConversationChange) => {
    const next = reduceConversation(conversation, change);
    if (next === conversation) return;
    conversation = next;
    publishSoon();
    for (const watcher of watchers) watcher(conversation, change);
  };

  const read = () => {
    const event = held;
    held = undefined;
    if (event !== undefined) apply({ type: 'event', event });
    return conversation;
  };

  /** What the transport gave is left as it was. */
  const hold = (delta: DeltaEvent) => {
    held = { ...delta };
    publishSoon();
    // What is kept and told to other tabs must not wait for a frame, which a hidden page may never get.
    if (watchers.size > 0) queueMicrotask(read);
  };

  return {
    read,
    getState: () => select(read()),
    change(change) {
      const event = change.type === 'event' ? change.event : undefined;
      if (held !== undefined && event !== undefined && joinDelta(held, event)) return;
      read();
      if (event !== undefined && isDelta(event)) hold(event);
      else apply(change);
    },
    publish,
    // One that throws must neither keep others from hearing nor end the turn that was just published.
    subscribe: (listener) => published.subscribe(() => callSafely(listener)),
    onChange(listener) {
      read();
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    close() {
      closed = true;
      cancelFrame?.();
      cancelFrame = undefined;
      return tell;
    },
  };
}

/** State from conversation, identical as long as nothing a person can see changed. */
function createStateSelector(bindTool: BindInteractiveTool): (conversation: Conversation) => AgentChatState {
  const selectMessages = createMessageSelector();
  const selectPending = createPendingSelector(bindTool);
  let last = {} as AgentChatState;
  let lastConversation: Conversation | undefined;
  return (conversation) => {
    if (conversation === lastConversation) return last;
    lastConversation = conversation;
    const next: AgentChatState = {
      messages: selectMessages(conversation),
      status: selectStatus(conversation),
      error: conversation.error,
      pendingClientTools: selectPending(conversation),
      connectionState: conversation.connection?.state,
      connectionError: conversation.connection?.error,
      usage: conversation.usage,
      notices: conversation.notices,
    };
    if (!hasSameItems(Object.values(last), Object.values(next))) last = Object.freeze(next);
    return last;
  };
}

function selectStatus(conversation: Conversation): ChatStatus {
  if (conversation.calls.some(({ stage }) => stage === 'waiting')) return 'awaiting-input';
  return STATUS_OF[conversation.phase];
}

const STATUS_OF = { resting: 'idle', working: 'streaming', failed: 'error' } as const;

function createPendingSelector(
  bindTool: BindInteractiveTool,
): (conversation: Conversation) => AnyPendingClientTools {
  let lastCalls: Conversation['calls'] | undefined;
  let tools = new Map<string, InteractiveTool>();
  let pending: AnyPendingClientTools = Object.freeze(Object.create(null));
  return ({ calls }) => {
    if (calls === lastCalls) return pending;
    lastCalls = calls;
    const waiting = calls.filter(({ stage }) => stage === 'waiting');
    const keys = waiting.map((call) => call.key);
    if (hasSameItems(keys, [...tools.keys()])) return pending;
    tools = new Map(waiting.map((call) => [call.key, tools.get(call.key) ?? bindTool(call)]));
    const byName: Record<string, readonly InteractiveTool[]> = Object.create(null);
    const asked = [...tools.values()];
    keepOrder(byName, asked);
    for (const { toolName } of asked) {
      const list = asked.filter((tool) => tool.toolName === toolName);
      const before = pending[toolName];
      byName[toolName] = before !== undefined && hasSameItems(before, list) ? before : Object.freeze(list);
    }
    pending = Object.freeze(byName);
    return pending;
  };
}

function hasSameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
