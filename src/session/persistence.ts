/** The `persistence` option at work: restores before the first request, then keeps what changes. */
import type { Clock } from '../shared/clock.ts';
import type { AgentChatError } from '../shared/errors.ts';
import type { Notice } from '../state/conversation.ts';
import type { ChatStorage } from '../store/chat-storage.ts';
import { createWebStorage } from '../store/chat-storage.ts';
import type { ChatStore } from '../store/chat-store.ts';
import type { KeptConversation } from '../store/keep-conversation.ts';
import type { ChatActions } from './chat-actions.ts';
import type { SharedTabs } from './share-tabs.ts';
import { invalidOptions } from './turn-errors.ts';

/** How a conversation outlives its page. */
export interface PersistenceOptions {
  /** Default: `localStorage`. */
  readonly storage?: ChatStorage;
  /** Default: `handrail:` and the chat's `id`, which is then required. */
  readonly key?: string;
  /**
   * How the tabs of the conversation find each other: Web Locks and BroadcastChannel unless given here. `false`: each
   * tab is on its own, and the backend takes the first answer. So it is, too, where the browser has no Web Locks.
   */
  readonly tabs?: TabsEnvironment | false;
  /** What is older is not restored. Milliseconds, default seven days. */
  readonly maxAgeMs?: number;
}

/** What tabs find each other by. */
export interface TabsEnvironment {
  readonly locks: Pick<LockManager, 'request'>;
  readonly openChannel: (name: string) => BroadcastChannel;
}

export interface Persistence {
  /** Restores, once; resolves when the conversation is the one that was kept. */
  start(): Promise<void>;
  /** Whether there is nothing to wait for any more. */
  readonly isReady: boolean;
  /** How to act when another tab runs the conversation. */
  readonly remote: ChatActions | undefined;
  clear(): Promise<void>;
  close(): void;
}

interface PersistenceContext {
  readonly options: PersistenceOptions;
  readonly id: string | undefined;
  readonly clock: Clock;
  readonly store: ChatStore;
  readonly local: ChatActions;
  readonly onRestored: () => void;
  readonly onError: (error: AgentChatError) => void;
  readonly onNotice: (notice: Notice) => void;
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** @throws AgentChatError `invalid_options` when nothing names the conversation. */
export function createPersistence({
  options,
  id,
  clock,
  store,
  local,
  onRestored,
  onError,
  onNotice,
}: PersistenceContext): Persistence {
  const { storage = createWebStorage(), key = id && `handrail:${id}`, maxAgeMs = WEEK_MS, tabs } = options;
  if (key === undefined) {
    throw invalidOptions(
      'persistence needs a name to find the conversation again: pass id, or persistence: { key }.',
    );
  }
  let started: Promise<void> | undefined;
  let kept: KeptConversation | undefined;
  let shared: SharedTabs | undefined;
  let unsubscribe = () => {};
  let isReady = false;
  let isClosed = false;

  /** This page runs the conversation from now on. */
  const takeOver = async (keeper: KeptConversation, inherited: boolean) => {
    const conversation = inherited ? undefined : await keeper.load();
    if (isClosed) return;
    if (conversation !== undefined) store.change({ type: 'restored', conversation });
    unsubscribe = watch(store, keeper);
    store.publish();
    onRestored();
  };

  const restore = async () => {
    const { keepConversation } = await import('../store/keep-conversation.ts');
    if (isClosed) return;
    const keeper = keepConversation({ storage, key, maxAgeMs, clock, read: store.read, onError });
    kept = keeper;
    const environment = tabs ?? browserTabs();
    if (!environment) {
      await takeOver(keeper, false);
    } else {
      const { shareTabs } = await import('./share-tabs.ts');
      if (isClosed) return;
      const onOwner = (inherited: boolean) => takeOver(keeper, inherited);
      shared = shareTabs({ ...environment, name: key, store, local, onNotice, onOwner });
      await shared.ready;
    }
    isReady = true;
  };

  return {
    start() {
      started ??= restore();
      return started;
    },
    get isReady() {
      return isReady;
    },
    get remote() {
      return shared?.remote();
    },
    async clear() {
      await started;
      await kept?.clear();
    },
    close() {
      shared?.close();
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

/** What this browser has for it; nothing where a piece is missing. */
function browserTabs(): TabsEnvironment | undefined {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (locks === undefined || typeof BroadcastChannel !== 'function') return undefined;
  return { locks, openChannel: (name) => new BroadcastChannel(name) };
}
