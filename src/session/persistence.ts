/** The `persistence` option at work: restores before the first request, then keeps what changes. */
import type { Clock } from '../shared/clock.ts';
import type { AgentChatError } from '../shared/errors.ts';
import type { ChatStorage } from '../store/chat-storage.ts';
import { createWebStorage } from '../store/chat-storage.ts';
import type { ChatStore } from '../store/chat-store.ts';
import type { KeptConversation } from '../store/keep-conversation.ts';
import { invalidOptions } from './turn-errors.ts';

/** How a conversation outlives its page. */
export interface PersistenceOptions {
  /** Default: `localStorage`. */
  readonly storage?: ChatStorage;
  /** Default: `handrail:` and the chat's `id`, which is then required. */
  readonly key?: string;
  /** What is older is not restored. Milliseconds, default seven days. */
  readonly maxAgeMs?: number;
}

export interface Persistence {
  /** Restores, once; resolves when the conversation is the one that was kept. */
  start(): Promise<void>;
  /** Whether there is nothing to wait for any more. */
  readonly isReady: boolean;
  clear(): Promise<void>;
  close(): void;
}

interface PersistenceContext {
  readonly options: PersistenceOptions;
  readonly id: string | undefined;
  readonly clock: Clock;
  readonly store: ChatStore;
  readonly onRestored: () => void;
  readonly onError: (error: AgentChatError) => void;
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** @throws AgentChatError `invalid_options` when nothing names the conversation. */
export function createPersistence({
  options,
  id,
  clock,
  store,
  onRestored,
  onError,
}: PersistenceContext): Persistence {
  const { storage = createWebStorage(), key = id && `handrail:${id}`, maxAgeMs = WEEK_MS } = options;
  if (key === undefined) {
    throw invalidOptions(
      'persistence needs a name to find the conversation again: pass id, or persistence: { key }.',
    );
  }
  let started: Promise<void> | undefined;
  let kept: KeptConversation | undefined;
  let unsubscribe = () => {};
  let isReady = false;
  let isClosed = false;

  const restore = async () => {
    const { keepConversation } = await import('../store/keep-conversation.ts');
    if (isClosed) return;
    kept = keepConversation({ storage, key, maxAgeMs, clock, read: store.read, onError });
    const conversation = await kept.load();
    if (isClosed) return;
    if (conversation !== undefined) store.change({ type: 'restored', conversation });
    isReady = true;
    unsubscribe = watch(store, kept);
    if (conversation !== undefined) {
      store.publish();
      onRestored();
    }
  };

  return {
    start() {
      started ??= restore();
      return started;
    },
    get isReady() {
      return isReady;
    },
    async clear() {
      await started;
      await kept?.clear();
    },
    close() {
      unsubscribe();
      kept?.close();
      isClosed = true;
    },
  };
}

/** Calls and messages are kept at once, streaming text now and then, and everything when the page is left. */
function watch(store: ChatStore, kept: KeptConversation): () => void {
  let { messages, calls, phase } = store.read();
  const unsubscribe = store.onChange((conversation) => {
    const acted =
      conversation.messages !== messages || conversation.calls !== calls || conversation.phase !== phase;
    ({ messages, calls, phase } = conversation);
    if (acted) kept.save();
    else kept.saveSoon();
  });
  const onLeave = () => kept.save();
  globalThis.addEventListener?.('pagehide', onLeave);
  globalThis.document?.addEventListener('visibilitychange', onLeave);
  return () => {
    unsubscribe();
    globalThis.removeEventListener?.('pagehide', onLeave);
    globalThis.document?.removeEventListener('visibilitychange', onLeave);
  };
}
