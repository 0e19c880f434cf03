/**
 * The tabs of one conversation. One of them owns it: it holds the connection, runs automatic tools and keeps the
 * conversation; the others show what it shows and ask it to act.
 *
 * The owner is whoever holds a Web Lock named after the conversation. A lock goes with its tab, however that ends, so
 * the next tab in line takes over at once. State travels as the changes themselves: the state is a pure fold, so the
 * same changes give the same state.
 *
 * A page may be frozen instead of closed (the browser saves energy, or keeps it for the back button). It is told first,
 * so it leaves the line, and an owner hands over: a frozen page would keep the lock and do nothing. Once it goes on it
 * knows nothing any more and asks. A page that is stopped without being told (by a debugger) keeps what it owns, because
 * taking it by force (`steal`) could run a tool twice when the page goes on.
 *
 * Without Web Locks (plain-http pages, old browsers) every tab is its own owner, and
 * the backend, which takes each answer once, is what keeps them apart.
 */
import { isRecord } from '../../shared/json.ts';
import type { Conversation, ConversationChange } from '../../state/conversation.ts';
import type { KeptConversation } from '../create-persister.ts';
import { decodeSnapshot, encodeSnapshot } from '../snapshot.ts';
import { createAskedRequests } from './asked-requests.ts';
import {
  decodeChange,
  encodeChange,
  encodeThrown,
  type TabMessage,
  type TabRequest,
} from './tab-messages.ts';

/** The part of a document that tells that its page is frozen and goes on. */
export type PageLifecycle = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

interface TabLinkContext {
  readonly name: string;
  readonly tabId: string;
  readonly locks: Pick<LockManager, 'request'>;
  readonly openChannel: (name: string) => BroadcastChannel;
  /** Hears `freeze` and `resume`. */
  readonly page?: PageLifecycle | undefined;
  readonly read: () => Conversation;
  readonly kept: Pick<KeptConversation, 'isUnread'>;
  /** This tab is to own a conversation it does not show: makes it the one that was kept. */
  readonly onLoad: () => Promise<void>;
  /** This tab owns the conversation from now on. */
  readonly onOwner: () => void;
  /** It does not any more: another may act at once. */
  readonly onYield: () => void;
  /** The owner's conversation, whole. */
  readonly onConversation: (conversation: Conversation) => void;
  readonly onChange: (change: ConversationChange) => void;
  /** Acts on behalf of another tab. */
  readonly onRequest: (request: TabRequest, tabId: string) => unknown;
}

export interface TabLink {
  /** Resolves when this tab owns the conversation or shows the owner's. */
  readonly ready: Promise<void>;
  /** Not before what was kept is read: what was done until then would be done to another conversation. */
  isOwner(): boolean;
  /** Owner: tells the other tabs. */
  tell(change: ConversationChange): void;
  /** Owner: tells the others the conversation anew, and that it is kept again. */
  tellWhole(): void;
  /** Others: asks the owner, and whoever owns next should it go before it answered. */
  ask(request: TabRequest): Promise<unknown>;
  close(): void;
}

const REQUESTS_REMEMBERED = 1000;

export function linkTabs(context: TabLinkContext): TabLink {
  const { name, tabId, locks, openChannel, page, read, kept, onConversation, onChange, onRequest } = context;
  const channel = openChannel(name);
  const requests = createAskedRequests(tabId);
  const handled = new Set<string>();
  let role: 'starting' | 'owner' | 'follower' | 'frozen' | 'closed' = 'starting';
  /** Changes told (owner) or applied (others): a gap means one was missed. */
  let count = -1;
  let becomeReady = () => {};
  const ready = new Promise<void>((resolve) => {
    becomeReady = resolve;
  });
  let release = () => {};
  let leaving = new AbortController();
  /** Another tab was heard of, which may take over. */
  let hasOthers = false;
  /** The owner's conversation is complete: what it shows may be shown elsewhere. */
  let isSettledIn = false;
  /** Changes of this task, told together. */
  const told: ConversationChange[] = [];

  const isOwner = () => role === 'owner' && isSettledIn;

  const flush = () => {
    if (role !== 'owner' || told.length === 0) return;
    const changes = told.splice(0);
    post({ type: 'changes', changes, count: count - changes.length + 1 });
  };

  const post = (message: TabMessage) => channel.postMessage(message);

  const own = async () => {
    if (role === 'closed') return undefined;
    const isShown = role === 'follower' && count >= 0;
    role = 'owner';
    count = Math.max(count, 0);
    if (!isShown) await context.onLoad();
    if ((role as string) === 'closed') return undefined;
    isSettledIn = true;
    context.onOwner();
    sendConversation();
    becomeReady();
    // What was asked of an owner that is gone is done here.
    requests.sendAgain(answerHere);
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  };

  const follow = () => {
    if (role === 'closed') return;
    role = 'follower';
    leaving = new AbortController();
    post({ type: 'hello' });
    // Granted when the owner has gone, by being closed or by crashing.
    locks.request(name, { signal: leaving.signal }, own).catch(() => {});
  };

  const freeze = () => {
    // Alone there is nobody to hand over to, and the stream under way may well go on.
    if (role !== 'follower' && !(isOwner() && hasOthers)) return;
    const wasOwner = isOwner();
    flush();
    role = 'frozen';
    isSettledIn = false;
    count = -1;
    handled.clear();
    leaving.abort();
    if (wasOwner) context.onYield();
    release();
  };
  const resume = () => {
    if (role === 'frozen') follow();
  };
  page?.addEventListener('freeze', freeze);
  page?.addEventListener('resume', resume);

  const sendConversation = () => {
    const conversation = read();
    const { connection: status } = conversation;
    post({
      type: 'conversation',
      snapshot: encodeSnapshot(conversation, 0),
      count,
      isUnread: kept.isUnread,
      connection: status && encodeChange({ type: 'connection-changed', status }, conversation),
    });
  };

  const answer = async (id: string, request: TabRequest, from: string) => {
    // An asker that heard nothing asks again.
    if (handled.has(id)) return;
    handled.add(id);
    for (const oldest of handled) if (handled.size > REQUESTS_REMEMBERED) handled.delete(oldest);
    let message: Extract<TabMessage, { type: 'answer' }>;
    try {
      message = { type: 'answer', id, value: await onRequest(request, from) };
    } catch (thrown) {
      message = { type: 'answer', id, error: encodeThrown(thrown) };
    }
    // What was turned away because this page is frozen is asked again when it goes on.
    if (role !== 'owner' && (from !== tabId || message.error)) return;
    if (from === tabId) requests.settle(message);
    else post(message);
  };
  const answerHere = (id: string, request: TabRequest) => void answer(id, request, tabId);
  const askOwner = (id: string, request: TabRequest) => post({ type: 'ask', id, request, tabId });

  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    // Whatever else of this origin posts under the name.
    if (!isRecord(data)) return;
    if (role === 'owner') {
      hasOthers = true;
      if (!isSettledIn) return;
      if (data.type === 'hello') sendConversation();
      if (data.type === 'ask') void answer(data.id, data.request, data.tabId);
      return;
    }
    if (role !== 'follower') return;
    switch (data.type) {
      case 'conversation': {
        const decoded = decodeSnapshot(data.snapshot);
        if ('fault' in decoded) return;
        count = data.count;
        kept.isUnread = data.isUnread === true;
        post({ type: 'here' });
        onConversation(decoded.conversation);
        if (data.connection) onChange(decodeChange(data.connection));
        becomeReady();
        // A new owner may never have heard what the old one was asked.
        requests.sendAgain(askOwner);
        return;
      }
      case 'changes': {
        const last = data.count + data.changes.length - 1;
        if (count < 0 || last <= count) return;
        if (data.count > count + 1) return post({ type: 'hello' });
        for (const change of data.changes.slice(count + 1 - data.count)) onChange(decodeChange(change));
        count = last;
        return;
      }
      case 'answer':
        return requests.settle(data);
      default:
        return;
    }
  };

  locks
    .request(name, { ifAvailable: true }, (lock) => (lock === null ? follow() : own()))
    // Where a page may not lock at all (a sandboxed frame), its tabs are on their own.
    .catch(() => (role === 'starting' ? own() : undefined));

  return {
    ready,
    isOwner,
    tell(change) {
      if (!isOwner()) return;
      count += 1;
      if (told.push(encodeChange(change, read())) === 1) queueMicrotask(flush);
    },
    tellWhole: sendConversation,
    ask: (request) => requests.ask(request, isOwner() ? answerHere : askOwner),
    close() {
      flush();
      role = 'closed';
      page?.removeEventListener('freeze', freeze);
      page?.removeEventListener('resume', resume);
      leaving.abort();
      release();
      channel.close();
      requests.close();
    },
  };
}
