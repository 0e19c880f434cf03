/** One conversation in several tabs: what the others' changes and requests mean here. */

import type { SendOptions } from '../../chat/agent-chat.ts';
import type { ChatActions } from '../../chat/chat-actions.ts';
import type { TriggerCommand } from '../../protocol/commands.ts';
import { createId } from '../../shared/ids.ts';
import { type ConversationChange, findCall, type Notice, toNotice } from '../../state/conversation.ts';
import type { UIMessage } from '../../state/message.ts';
import type { ToolCallAnswer } from '../../state/tool-call.ts';
import type { ChatStore } from '../../store/chat-store.ts';
import type { KeptConversation } from '../create-persister.ts';
import type { TabsEnvironment } from '../persistence-options.ts';
import { linkTabs, type TabLink } from './tab-link.ts';
import type { TabRequest } from './tab-messages.ts';

export interface SharedTabs {
  readonly ready: Promise<void>;
  /** How to act when another tab owns the conversation. */
  remote(): ChatActions | undefined;
  /** Forgets what is kept, here and where the owner keeps it. */
  clear(): Promise<void>;
  close(): void;
}

interface SharedTabsContext extends TabsEnvironment {
  readonly name: string;
  readonly store: ChatStore;
  readonly local: ChatActions;
  readonly kept: KeptConversation;
  readonly onNotice: (notice: Notice) => void;
  readonly onLoad: () => Promise<void>;
  readonly onOwner: () => void;
  readonly onYield: () => void;
}

export function shareTabs({ store, local, onNotice, ...environment }: SharedTabsContext): SharedTabs {
  const { kept } = environment;
  const tabId = createId();

  /** A dialog that closes by itself must say why. */
  const noticeOf = (change: ConversationChange): Notice | undefined => {
    if (change.type !== 'call-settled' && change.type !== 'call-running') return undefined;
    const isSettled = change.type === 'call-settled';
    if ((isSettled ? change : change.approval)?.tabId === tabId) return undefined;
    const call = findCall(store.read(), change.key);
    const byPerson = isSettled
      ? ['submitted', 'declined', 'cancelled'].includes(change.answer.outcome)
      : change.approval?.by === 'person';
    if (call?.stage !== 'waiting' || !byPerson) return undefined;
    const { toolCallId } = call.request;
    return toNotice({
      type: 'notice',
      code: 'answered_elsewhere',
      text: 'Answered in another tab',
      toolCallId,
    });
  };

  const tellHere = (notice: Notice | undefined) => {
    if (notice === undefined) return;
    store.change({ type: 'notice', notice });
    store.publish();
    onNotice(notice);
  };

  const clear = async () => {
    const { isUnread } = kept;
    await kept.clear();
    if (!link.isOwner()) await link.ask({ action: 'clear', args: [] });
    else if (isUnread) link.tellWhole();
  };

  const link = linkTabs({
    ...environment,
    tabId,
    read: store.read,
    onConversation(conversation) {
      store.change({ type: 'restored', conversation });
      store.publish();
    },
    onChange(change) {
      const notice = noticeOf(change);
      store.change(change);
      if (change.type !== 'event') store.publish();
      tellHere(notice);
    },
    onRequest(request, from) {
      if (request.action === 'clear') return clear();
      const change = toChange(request, from);
      const notice = change && noticeOf(change);
      const done = act(local, store, request, from);
      if (change && findCall(store.read(), change.key)?.stage !== 'waiting') tellHere(notice);
      return done;
    },
  });
  const unsubscribe = store.onChange((_, change) => {
    // What is told to one tab only is nobody else's news.
    if (change.type !== 'notice') link.tell(change);
  });
  const remote = createRemoteActions(link, store);

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

/** Everything by asking the owner. State comes back as the owner's changes. */
function createRemoteActions(link: TabLink, store: ChatStore): ChatActions {
  const settled = new Set<string>();
  let stops = 0;
  const ask = (action: keyof ChatActions, ...args: unknown[]) => link.ask({ action, args });
  const tell = async (action: keyof ChatActions, ...args: unknown[]) => {
    await ask(action, ...args).catch(() => {});
  };
  return {
    async post(command, userMessage, whilePending) {
      const args: unknown[] = [command, userMessage, whilePending];
      // Seen to begin, it is not begun again by the owner after this one.
      const unwatch = store.onChange((_, change) => {
        if (change.type === 'turn-started' && isSame(change.command, command)) args[3] = true;
      });
      await link.ask({ action: 'post', args }).finally(unwatch);
    },
    stop() {
      stops += 1;
      void tell('stop').then(() => {
        stops -= 1;
      });
    },
    async retry() {
      await ask('retry');
    },
    clearError: () => void tell('clearError'),
    async resume() {
      await ask('resume');
    },
    settle(key, answer) {
      // Asked already: whether this answer or another tab's came first, the call gets no third. After a stop it gets none.
      if (stops > 0 || settled.has(key)) return { settled: false, reason: 'already-settled' };
      settled.add(key);
      // From then on state knows, also should the call be asked again.
      void tell('settle', key, answer).then(() => settled.delete(key));
      return { settled: true };
    },
    approve: (key) => void tell('approve', key),
    saveInput: (key, draft) => void tell('saveInput', key, draft),
  };
}

function isSame(one: TriggerCommand, other: TriggerCommand): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What becomes of a call when a person in another tab has their way. */
function toChange({ action, args }: TabRequest, tabId: string) {
  const [key, answer] = args as [string, ToolCallAnswer];
  if (action === 'settle') return { type: 'call-settled', key, answer, tabId } as const;
  if (action === 'approve') return { type: 'call-running', key, approval: { by: 'person', tabId } } as const;
  return undefined;
}

/** Does what a tab asked for. */
function act(actions: ChatActions, store: ChatStore, { action, args }: TabRequest, from: string): unknown {
  switch (action) {
    case 'post': {
      const [command, userMessage, whilePending, isBegun] = args as [
        TriggerCommand,
        UIMessage | undefined,
        SendOptions['whilePending'],
        boolean?,
      ];
      // The owner before this one sent it and went away before it could say so.
      if (isBegun || store.read().messages.some(({ id }) => id === userMessage?.id)) return undefined;
      return actions.post(command, userMessage, whilePending, from);
    }
    case 'settle': {
      const [key, answer] = args as [string, ToolCallAnswer];
      return actions.settle(key, answer, from);
    }
    case 'saveInput': {
      const [key, draft] = args as [string, unknown];
      return actions.saveInput(key, draft);
    }
    case 'approve':
      return actions.approve(args[0] as string, from);
    case 'stop':
      return actions.stop();
    case 'clearError':
      return actions.clearError();
    case 'retry':
      return actions.retry();
    case 'resume':
      return actions.resume();
    default:
      throw new TypeError(`A tab asked for ${action}, which this version does not know. Reload both tabs.`);
  }
}
