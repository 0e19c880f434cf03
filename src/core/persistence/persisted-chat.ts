import type { Clock } from '../../shared/clock.ts';
import type { AgentChatError } from '../../shared/errors.ts';
import type { Tracer } from '../chat/trace.ts';
import type { ConversationChange, Notice } from '../state/conversation.ts';
import type { ChatStore } from '../store/chat-store.ts';
import { outcomes } from '../tools/outcomes.ts';
import type { ChatActions, LocalActions } from './chat-actions.ts';
import { createWebStorage, toChatStorage } from './chat-storage.ts';
import type { PersistenceOptions } from './persistence-options.ts';
import { Persister } from './persister.ts';
import { findBrowserTabs } from './tabs/find-browser-tabs.ts';
import { type SharedTabs, shareTabs } from './tabs/share-tabs.ts';

/** The part of a chat that persistence uses. */
export interface PersistableChat {
  readonly store: ChatStore;
  readonly clock: Clock;
  /** The actions of this tab, for when it owns the conversation. */
  readonly local: LocalActions;
  readonly turns: {
    /** This page goes on with the turn of the conversation as it was stored. */
    restore(): void;
    /** Another tab goes on with the turn. */
    detach(): void;
  };
  readonly questions: {
    /** Shows the waiting calls that this page did not start. */
    showWaiting(): void;
  };
  readonly tracer: Pick<Tracer, 'step'>;
  readonly onNotice: (notice: Notice) => void;
  readonly onError: (error: AgentChatError) => void;
}

/** A conversation that is saved while it goes on, and shared by its tabs. */
export interface PersistedChat {
  /** Resolves when the conversation is the stored one, or the one that the owner tab shows. */
  readonly ready: Promise<void>;
  /** The actions of the tab that owns the conversation; undefined if this tab owns it. */
  remote(): ChatActions | undefined;
  clear(): Promise<void>;
  close(): void;
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

export function openPersistedChat(
  chat: PersistableChat,
  { storage = createWebStorage(), maxAgeMs = WEEK_MS, tabs }: PersistenceOptions,
  key: string,
): PersistedChat {
  const { store, clock, local, turns, questions, tracer, onNotice, onError } = chat;
  const persister = new Persister({
    storage: toChatStorage(storage),
    key,
    maxAgeMs,
    clock,
    read: store.read,
    tracer,
    onError,
  });
  let shared: SharedTabs | undefined;
  let stopSaving = () => {};
  const closed = new AbortController();

  /** Applies a change that another page made. */
  const apply = (change: ConversationChange) => {
    store.change(change);
    if (change.type === 'restored' || change.type === 'call-waiting') questions.showWaiting();
  };
  const load = async (signal: AbortSignal) => {
    const conversation = await persister.load(signal);
    if (conversation !== undefined && !signal.aborted) apply({ type: 'restored', conversation });
  };
  const takeOver = () => {
    if (closed.signal.aborted) return;
    if (shared) tracer.step?.({ type: 'tab-role-changed', role: 'owner' });
    stopSaving = saveChanges(store, persister);
    store.publish();
    turns.restore();
    local.sendNext();
  };
  const yieldOwnership = () => {
    tracer.step?.({ type: 'tab-role-changed', role: 'follower' });
    persister.saveNow();
    stopSaving();
    turns.detach();
    const owner = shared?.remote() ?? local;
    local.releaseQueue((...message) => owner.post(...message, 'queue'));
  };
  const open = async () => {
    const environment = tabs ?? findBrowserTabs();
    if (!environment) return load(closed.signal).then(takeOver);
    shared = shareTabs({
      page: globalThis.document && globalThis,
      ...environment,
      name: key,
      store,
      local,
      persister,
      apply,
      onNotice,
      onLoad: load,
      onOwner: takeOver,
      onYield: yieldOwnership,
    });
    await shared.ready;
    if (shared.remote()) tracer.step?.({ type: 'tab-role-changed', role: 'follower' });
  };

  return {
    ready: open(),
    remote: () => shared?.remote(),
    clear: () => ((!closed.signal.aborted && shared) || persister).clear(),
    close() {
      closed.abort();
      const isOwnedElsewhere = shared?.remote() !== undefined;
      shared?.close();
      persister.close();
      stopSaving();
      if (isOwnedElsewhere) endTurn(store);
    },
  };
}

/** Ends a turn that another tab owns, on this page only: no answer that is given here can reach the owner any more. */
function endTurn(store: ChatStore): void {
  const { calls, phase } = store.read();
  for (const { key } of calls) store.change({ type: 'call-settled', key, answer: outcomes.aborted() });
  if (phase === 'streaming') store.change({ type: 'turn-ended', ending: 'stopped' });
}

/** Saves calls, messages and the name of the run at once, streaming text now and then, and everything when the page is left. */
function saveChanges(store: ChatStore, persister: Persister): () => void {
  let { messages, calls, phase, request, executionId } = store.read();
  let hasChanged = false;
  const unsubscribe = store.onChange((conversation, { type }) => {
    // Snapshots do not contain the connection.
    if (type === 'connection-changed') return;
    hasChanged = true;
    const isMilestone =
      conversation.messages !== messages ||
      conversation.calls !== calls ||
      conversation.phase !== phase ||
      conversation.request !== request ||
      conversation.executionId !== executionId;
    ({ messages, calls, phase, request, executionId } = conversation);
    if (isMilestone) persister.save();
    else persister.saveSoon();
  });
  const onLeave = () => {
    // Another page may have saved more since, where nothing changed here.
    if (hasChanged) persister.saveNow();
  };
  globalThis.addEventListener?.('pagehide', onLeave);
  globalThis.document?.addEventListener('visibilitychange', onLeave);
  return () => {
    unsubscribe();
    globalThis.removeEventListener?.('pagehide', onLeave);
    globalThis.document?.removeEventListener('visibilitychange', onLeave);
  };
}
