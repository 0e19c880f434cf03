/** A conversation that is kept while it goes on, and shared by its tabs. */

import type { Tell } from '../chat/callbacks.ts';
import type { ChatActions } from '../chat/chat-actions.ts';
import type { LocalActions } from '../chat/local-actions.ts';
import { letTurnGo, restoreTurn } from '../chat/restore-turn.ts';
import type { Turns } from '../chat/turns.ts';
import type { Clock } from '../shared/clock.ts';
import { AgentChatError, describeThrown } from '../shared/errors.ts';
import type { ChatStore } from '../store/chat-store.ts';
import { answers } from '../tools/outcomes.ts';
import type { AgentTransport } from '../transport/agent-transport.ts';
import { createWebStorage, toChatStorage } from './chat-storage.ts';
import { forgetConversation, type KeptConversation, keepConversation } from './create-persister.ts';
import type { PersistenceOptions, TabsEnvironment } from './persistence-options.ts';
import { type SharedTabs, shareTabs } from './tabs/share-tabs.ts';

export interface KeptChat {
  /** Resolves when the conversation is the one that was kept, or the one another tab shows. */
  readonly ready: Promise<void>;
  /** How to act when another tab runs the conversation. */
  remote(): ChatActions | undefined;
  clear(): Promise<void>;
  close(): void;
}

export interface KeptChatContext {
  readonly options: PersistenceOptions;
  readonly key: string;
  readonly clock: Clock;
  readonly store: ChatStore;
  readonly turns: Turns;
  readonly local: LocalActions;
  readonly transport: AgentTransport;
  readonly tell: Tell;
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

export function openKeptChat(context: KeptChatContext): KeptChat {
  const { options, key, clock, store, turns, local, transport, tell } = context;
  const { storage = createWebStorage(), maxAgeMs = WEEK_MS, tabs } = options;
  const kept = keepConversation({
    storage: toChatStorage(storage),
    key,
    maxAgeMs,
    clock,
    read: store.read,
    onError: (error) => tell('onError', error),
  });
  let shared: SharedTabs | undefined;
  let unwatch = () => {};
  let isClosed = false;

  const load = async () => {
    const conversation = await kept.load();
    if (conversation !== undefined && !isClosed) store.change({ type: 'restored', conversation });
  };

  /** This page runs the conversation from now on. */
  const takeOver = () => {
    if (isClosed) return;
    unwatch = watch(store, kept);
    store.publish();
    turns.lend(restoreTurn);
    local.sendNext();
  };

  /** Another tab runs the conversation from now on. */
  const yieldToOther = () => {
    kept.saveNow();
    unwatch();
    turns.lend(letTurnGo);
    const owner = shared?.remote() ?? local;
    local.letGo((...message) => owner.post(...message, 'queue'));
    transport.connection?.disconnect();
  };

  const open = async () => {
    const environment = tabs ?? browserTabs();
    if (!environment) return load().then(takeOver);
    shared = shareTabs({
      page: globalThis.document,
      ...environment,
      name: key,
      store,
      local,
      kept,
      onNotice: (notice) => tell('onNotice', notice),
      onLoad: load,
      onOwner: takeOver,
      onYield: yieldToOther,
    });
    await shared.ready;
  };

  return {
    ready: open(),
    remote: () => shared?.remote(),
    clear: () => ((!isClosed && shared) || kept).clear(),
    close() {
      isClosed = true;
      const isElsewhere = shared?.remote() !== undefined;
      shared?.close();
      kept.close();
      unwatch();
      if (isElsewhere) endHere(store);
    },
  };
}

/** A turn that another tab runs is over for this page: nobody hears what is still answered here. */
function endHere(store: ChatStore): void {
  const { calls, phase } = store.read();
  for (const { key } of calls) store.change({ type: 'call-settled', key, answer: answers.aborted() });
  if (phase === 'working') store.change({ type: 'turn-ended', ending: 'stopped' });
}

/**
 * Forgets what was kept, also of a chat that nobody used yet or any more.
 *
 * @throws AgentChatError `persistence_failed` when the storage does not let it
 */
export async function forgetChat(
  { storage = createWebStorage() }: PersistenceOptions,
  key: string,
  kept: KeptChat | undefined,
): Promise<void> {
  try {
    await (kept?.clear() ?? forgetConversation(toChatStorage(storage), key));
  } catch (thrown) {
    throw new AgentChatError({
      code: 'persistence_failed',
      errorType: 'internal_error',
      message: `The conversation kept under "${key}" could not be removed (${describeThrown(thrown, 'no reason given')}). It is still there.`,
      cause: thrown,
    });
  }
}

/** Calls, messages and the name of the run are kept at once, streaming text now and then, and everything when the page is left. */
function watch(store: ChatStore, kept: KeptConversation): () => void {
  let { messages, calls, phase, request, executionId } = store.read();
  let isTouched = false;
  const unsubscribe = store.onChange((conversation, { type }) => {
    // It is not kept.
    if (type === 'connection-changed') return;
    isTouched = true;
    const acted =
      conversation.messages !== messages ||
      conversation.calls !== calls ||
      conversation.phase !== phase ||
      conversation.request !== request ||
      conversation.executionId !== executionId;
    ({ messages, calls, phase, request, executionId } = conversation);
    if (acted) kept.save();
    else kept.saveSoon();
  });
  // Where nothing happened, another page may have kept more since.
  const onLeave = () => {
    if (isTouched) kept.saveNow();
  };
  globalThis.addEventListener?.('pagehide', onLeave);
  globalThis.document?.addEventListener('visibilitychange', onLeave);
  return () => {
    unsubscribe();
    globalThis.removeEventListener?.('pagehide', onLeave);
    globalThis.document?.removeEventListener('visibilitychange', onLeave);
  };
}

/**
 * What this browser has for it; nothing where a piece is missing, or may not be used (a page whose data is blocked).
 * Node has the pieces as well, and no tabs: there it would be the requests of a server that share a conversation.
 */
function browserTabs(): TabsEnvironment | undefined {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis;
  if (locks === undefined || !isBrowser) return undefined;
  const openChannel = (name: string) => new BroadcastChannel(name);
  try {
    openChannel('handrail').close();
  } catch {
    return undefined;
  }
  return { locks, openChannel };
}
