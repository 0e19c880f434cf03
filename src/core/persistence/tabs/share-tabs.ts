/** One conversation in several tabs: applies changes of the owner tab here, and performs what other tabs ask of the owner. */

import { deepEqual } from '../../../shared/deep-equal.ts';
import { createId } from '../../../shared/ids.ts';
import { isRecord } from '../../../shared/json.ts';
import { isGivenByPerson } from '../../../shared/tool-outcome.ts';
import type { TriggerCommand } from '../../protocol/commands.ts';
import { type ConversationChange, findCall, type Notice, toNotice } from '../../state/conversation.ts';
import type { UIMessage } from '../../state/message.ts';
import type { ToolCallAnswer } from '../../state/tool-call.ts';
import type { ChatStore } from '../../store/chat-store.ts';
import type { Yes } from '../../tools/create-interactive-tool.ts';
import type { ChatActions, WhilePending } from '../chat-actions.ts';
import type { TabsEnvironment } from '../persistence-options.ts';
import type { Persister } from '../persister.ts';
import { TabLink } from './tab-link.ts';
import type { TabRequest } from './tab-messages.ts';

export interface SharedTabs {
  readonly ready: Promise<void>;
  /** The actions of the owner tab; undefined if this tab is the owner. */
  remote(): ChatActions | undefined;
  /** Removes the stored conversation, here and where the owner stores it. */
  clear(): Promise<void>;
  close(): void;
}

interface SharedTabsContext extends TabsEnvironment {
  readonly name: string;
  readonly store: ChatStore;
  readonly local: ChatActions;
  readonly persister: Persister;
  /** Applies a change of the owner tab to the conversation of this one. */
  readonly apply: (change: ConversationChange) => void;
  readonly onNotice: (notice: Notice) => void;
  readonly onLoad: (place: AbortSignal) => Promise<void>;
  readonly onOwner: () => void;
  readonly onYield: () => void;
}

export function shareTabs({ store, local, apply, onNotice, ...environment }: SharedTabsContext): SharedTabs {
  const { persister } = environment;
  const tabId = createId();

  /** Returns the notice that says why a dialog closes by itself: a person answered in another tab. */
  const toTabNotice = (change: ConversationChange): Notice | undefined => {
    if (change.type !== 'call-settled' && change.type !== 'call-running') return undefined;
    const isSettled = change.type === 'call-settled';
    if ((isSettled ? change : change.approval)?.tabId === tabId) return undefined;
    const call = findCall(store.read(), change.key);
    const byPerson = isSettled ? isGivenByPerson(change.answer.outcome) : change.approval?.by === 'person';
    if (call?.stage !== 'waiting' || !byPerson) return undefined;
    const { toolCallId } = call.request;
    return toNotice({
      type: 'notice',
      code: 'answered_elsewhere',
      text: 'Answered in another tab',
      toolCallId,
    });
  };

  const notifyHere = (notice: Notice | undefined) => {
    if (notice === undefined) return;
    store.change({ type: 'notice', notice });
    store.publish();
    onNotice(notice);
  };

  const clear = async () => {
    const { isUnread } = persister;
    await persister.clear();
    if (!link.isOwner()) await link.ask({ action: 'clear', args: [] });
    else if (isUnread) link.sendConversation();
  };

  const link: TabLink = new TabLink({
    ...environment,
    tabId,
    read: store.read,
    onConversation(conversation) {
      apply({ type: 'restored', conversation });
      store.publish();
    },
    onChange(change) {
      const notice = toTabNotice(change);
      apply(change);
      if (change.type !== 'event') store.publish();
      notifyHere(notice);
    },
    onRequest(request, from) {
      if (request.action === 'clear') return clear();
      const change = toChange(request, from);
      const notice = change && toTabNotice(change);
      const done = perform(local, store, request, from);
      if (change && findCall(store.read(), change.key)?.stage !== 'waiting') notifyHere(notice);
      return done;
    },
  });
  const unsubscribe = store.onChange((_, change) => {
    // A notice concerns one tab only.
    if (change.type !== 'notice') link.send(change);
  });
  const remote = createRemoteActions(link, store, tabId);

  return {
    ready: link.ready,
    remote: () => (link.isOwner() ? undefined : remote),
    clear,
    close() {
      unsubscribe();
      link.close();
    },
  };
}

/** Performs every action by asking the owner tab. The effects come back as changes that the owner sends. */
function createRemoteActions(link: TabLink, store: ChatStore, tabId: string): ChatActions {
  const settled = new Set<string>();
  let stops = 0;
  const ask = (action: keyof ChatActions, ...args: unknown[]) => link.ask({ action, args });
  const askOnce = async (action: keyof ChatActions, ...args: unknown[]) => {
    await link.askOnce({ action, args }).catch(() => {});
  };
  return {
    async post(command, userMessage, whilePending) {
      const args: unknown[] = [command, userMessage, whilePending];
      // If the owner goes away after it has started the turn, the next owner must not start it again. Nor may it send words that were
      // the answer of a call as a message.
      const unwatch = store.onChange((_, change) => {
        const isStarted = change.type === 'turn-started' && deepEqual(change.command, command);
        const isReply = whilePending === 'reply' && change.type === 'call-settled' && change.tabId === tabId;
        if (isStarted || isReply) args[3] = true;
      });
      await link.ask({ action: 'post', args }).finally(unwatch);
    },
    stop() {
      stops += 1;
      void askOnce('stop').then(() => {
        stops -= 1;
      });
    },
    async retry() {
      await ask('retry');
    },
    clearError: () => void askOnce('clearError'),
    async open() {
      await ask('open');
    },
    async resume() {
      await ask('resume');
    },
    settle(key, answer) {
      // The owner was asked already, or asked to stop: the call has, or will have, another outcome.
      if (stops > 0 || settled.has(key)) return { settled: false, reason: 'already-settled' };
      settled.add(key);
      // From then on the state knows the outcome. The call may be opened again later.
      void askOnce('settle', key, answer).then(() => settled.delete(key));
      return { settled: true };
    },
    approve(key, { edit, ...yes }) {
      // The owner parses the arguments itself: a parsed value may be one that no message can carry.
      void askOnce('approve', key, { ...yes, ...(edit && { edit: { args: edit.args } }) });
      return { settled: true };
    },
    takeBack: (key) => void askOnce('takeBack', key),
    saveInput: (key, input) => void askOnce('saveInput', key, input),
  };
}

/** Returns the change that a request of another tab asks for, if it concerns a call. */
function toChange({ action, args }: TabRequest, tabId: string) {
  const [key, answer] = args as [string, ToolCallAnswer];
  if (action === 'settle') return { type: 'call-settled', key, answer, tabId } as const;
  if (action === 'approve') return { type: 'call-running', key, approval: { by: 'person', tabId } } as const;
  return undefined;
}

/** Performs an action that another tab asked for. */
function perform(
  actions: ChatActions,
  store: ChatStore,
  { action, args }: TabRequest,
  from: string,
): unknown {
  switch (action) {
    case 'post': {
      const [command, userMessage, whilePending, isStarted] = args as [
        TriggerCommand,
        UIMessage | undefined,
        WhilePending | undefined,
        boolean?,
      ];
      if (!isTrigger(command)) throw new TypeError('A tab asked for a message without a trigger.');
      // The owner before this one sent the message and went away before it could confirm that.
      if (isStarted || store.read().messages.some(({ id }) => id === userMessage?.id)) return undefined;
      return actions.post(command, userMessage, whilePending, from);
    }
    case 'settle': {
      const [key, answer] = args as [string, ToolCallAnswer];
      return actions.settle(key, answer, from);
    }
    case 'saveInput': {
      const [key, input] = args as [string, unknown];
      return actions.saveInput(key, input);
    }
    case 'approve':
      return approve(actions, args, from);
    case 'takeBack':
      return actions.takeBack(args[0] as string);
    case 'stop':
      return actions.stop();
    case 'clearError':
      return actions.clearError();
    case 'retry':
      return actions.retry();
    case 'open':
      return actions.open();
    case 'resume':
      return actions.resume();
    default:
      throw new TypeError(`A tab asked for ${action}, which this version does not know. Reload both tabs.`);
  }
}

/** A tab of before this version says nothing of what it showed. The owner asks again then, because it has another text. */
function approve(actions: ChatActions, args: readonly unknown[], from: string): unknown {
  const [key, yes] = args as [string, Partial<Yes>?];
  const { definition, reason, edit } = isRecord(yes) ? yes : {};
  return actions.approve(
    key,
    {
      definition: String(definition),
      ...(typeof reason === 'string' && { reason }),
      ...(isRecord(edit) && { edit: { args: isRecord(edit.args) ? edit.args : {} } }),
    },
    from,
  );
}

/** Any script of this origin may post a request. The command of a turn is what the conversation stores and sends. */
function isTrigger(command: unknown): boolean {
  return isRecord(command) && command.type === 'trigger' && typeof command.triggerName === 'string';
}
