/**
 * The link between the tabs of one conversation. One tab owns the conversation: it holds the connection, runs automatic tools and
 * saves the conversation. The other tabs follow: they show what the owner shows, and ask it to act.
 *
 * The owner is the tab that holds a Web Lock named after the conversation. A lock ends with its tab, also when the tab crashes, so
 * the next tab in line takes over at once. The owner sends the changes of its state; the state is a pure fold, so the same changes
 * give the same state.
 *
 * A browser may freeze a page instead of closing it, to save energy. A frozen page would keep the lock and do nothing, so a page that
 * is about to freeze leaves the line, and an owner yields if another tab can take over. When it goes on, it asks for the conversation
 * anew. A page that stops without an event (in a debugger) keeps the lock: to take it by force (`steal`) could run a tool twice when
 * the page goes on.
 *
 * A page that is kept for the back button (`pagehide` and `pageshow` with `persisted`) always yields: WebKit takes its lock, and a tab
 * that is opened meanwhile must get it. Its channel is closed, because a message would end its stay in Chromium. The lock alone decides: an owner that loses it in any other way yields as well.
 *
 * Without Web Locks (plain-http pages, old browsers) every tab is its own owner. The backend takes each answer once.
 */
import type { Conversation, ConversationChange } from '../../state/conversation.ts';
import type { PageLifecycle } from '../persistence-options.ts';
import type { Persister } from '../persister.ts';
import { decodeSnapshot, encodeSnapshot } from '../snapshot.ts';
import {
  decodeChange,
  encodeChange,
  encodeThrown,
  readTabMessage,
  type TabMessage,
  type TabReply,
  type TabRequest,
} from './tab-messages.ts';
import { createTabRequests } from './tab-requests.ts';

interface TabLinkContext {
  readonly name: string;
  readonly tabId: string;
  readonly locks: Pick<LockManager, 'request'>;
  readonly openChannel: (name: string) => BroadcastChannel;
  readonly page?: PageLifecycle | undefined;
  readonly read: () => Conversation;
  readonly persister: Pick<Persister, 'isUnread'>;
  /** This tab becomes the owner of a conversation that it does not show: loads the stored one, until it leaves its place. */
  readonly onLoad: (place: AbortSignal) => Promise<void>;
  /** This tab owns the conversation from now on. */
  readonly onOwner: () => void;
  /** This tab no longer owns the conversation. Another tab may act at once. */
  readonly onYield: () => void;
  /** Takes the whole conversation of the owner. */
  readonly onConversation: (conversation: Conversation) => void;
  readonly onChange: (change: ConversationChange) => void;
  /** Performs a request of another tab. */
  readonly onRequest: (request: TabRequest, tabId: string) => unknown;
}

type Role = 'starting' | 'owner' | 'follower' | 'frozen' | 'closed';

/** The owner remembers this many requests, because a tab that got no reply asks again. */
const MAX_REMEMBERED_REQUESTS = 1000;

const LIFECYCLE_EVENTS = ['freeze', 'resume', 'pagehide', 'pageshow'];

export class TabLink {
  readonly #context: TabLinkContext;
  /** Undefined while the page is kept for the back button. */
  #channel: BroadcastChannel | undefined;
  readonly #requests;
  /** The requests that the owner has taken, with the reply to each that is done. */
  readonly #handled = new Map<string, TabReply | undefined>();
  /** Changes of this task, which the owner sends together. */
  readonly #unsent: ConversationChange[] = [];
  #role: Role = 'starting';
  /** Number of the last change that was sent (owner) or applied (follower). A gap means that one was missed. */
  #count = -1;
  #becomeReady = () => {};
  #releaseLock = () => {};
  /** Aborts when this tab gives up its place in the line, or the lock. */
  #place = new AbortController();
  /** The owner has heard of another tab, which can take over. */
  #hasFollowers = false;
  /** The owner has loaded the conversation, so other tabs may show it. */
  #isLoaded = false;

  /** Resolves when this tab owns the conversation, or shows that of the owner. */
  readonly ready = new Promise<void>((resolve) => {
    this.#becomeReady = resolve;
  });

  constructor(context: TabLinkContext) {
    const { tabId, page } = context;
    this.#context = context;
    this.#requests = createTabRequests(tabId);
    this.#openChannel();
    // Events of the document do not bubble to the window.
    for (const type of LIFECYCLE_EVENTS) page?.addEventListener(type, this.#onLifecycle, true);
    this.#requestLock({ ifAvailable: true });
  }

  /** False until the stored conversation is loaded: an action before that would change another conversation. */
  isOwner(): boolean {
    return this.#role === 'owner' && this.#isLoaded;
  }

  /** Owner: sends a change to the other tabs. */
  send(change: ConversationChange): void {
    if (!this.isOwner()) return;
    this.#count += 1;
    if (this.#unsent.push(encodeChange(change, this.#context.read())) === 1)
      queueMicrotask(() => this.#flush());
  }

  /** Owner: sends the whole conversation to the other tabs. */
  sendConversation(): void {
    const { read, persister } = this.#context;
    const conversation = read();
    const { connection: status } = conversation;
    this.#post({
      type: 'conversation',
      snapshot: encodeSnapshot(conversation, 0),
      count: this.#count,
      isUnread: persister.isUnread,
      connection: status && encodeChange({ type: 'connection-changed', status }, conversation),
    });
  }

  /** Follower: asks the owner, and the next owner if that one goes away before it replies. */
  ask(request: TabRequest): Promise<unknown> {
    return this.#requests.ask(request, this.isOwner() ? this.#performOwn : this.#postRequest);
  }

  /** Follower: asks the owner for something that concerns what this page shows now. */
  askOnce(request: TabRequest): Promise<unknown> {
    return this.#requests.askOnce(request, this.isOwner() ? this.#performOwn : this.#postRequest);
  }

  close(): void {
    const { page } = this.#context;
    this.#flush();
    this.#role = 'closed';
    for (const type of LIFECYCLE_EVENTS) page?.removeEventListener(type, this.#onLifecycle, true);
    this.#place.abort();
    this.#releaseLock();
    this.#channel?.close();
    this.#requests.close();
  }

  #openChannel(): void {
    const { name, openChannel } = this.#context;
    this.#channel = openChannel(name);
    this.#channel.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data);
  }

  #requestLock(options: LockOptions): void {
    const { locks, name } = this.#context;
    const { signal } = this.#place;
    locks
      .request(name, options, (lock) => {
        if (!signal.aborted) return lock === null ? this.#follow() : this.#own(signal);
      })
      .catch((thrown: unknown) => {
        if (signal.aborted) return undefined;
        // A sandboxed frame may not lock at all: its tabs are on their own.
        if (this.#role !== 'owner') return this.#own(signal);
        if ((thrown as Partial<Error>).name !== 'AbortError') return undefined;
        // Another script of this origin took the lock.
        this.#leave();
        this.#follow();
      });
  }

  /** Resolves, and thereby releases the lock, when this tab stops being the owner. */
  async #own(place: AbortSignal): Promise<void> {
    const isShown = this.#role === 'follower' && this.#count >= 0;
    this.#role = 'owner';
    this.#count = Math.max(this.#count, 0);
    if (!isShown) await this.#context.onLoad(place);
    if (place.aborted) return undefined;
    this.#isLoaded = true;
    this.#context.onOwner();
    this.sendConversation();
    this.#becomeReady();
    // The owner before this one may have left these requests unanswered.
    this.#requests.sendAgain(this.#performOwn);
    return new Promise<void>((resolve) => {
      this.#releaseLock = resolve;
    });
  }

  /** Waits in line. The lock is granted when the owner has gone, because it was closed or because it crashed. */
  #follow(): void {
    this.#role = 'follower';
    this.#place = new AbortController();
    this.#post({ type: 'hello' });
    this.#requestLock({ signal: this.#place.signal });
  }

  /** Gives up the lock, or the place in the line for it. */
  #leave(): void {
    const wasOwner = this.isOwner();
    this.#flush();
    this.#role = 'frozen';
    this.#isLoaded = false;
    this.#count = -1;
    this.#handled.clear();
    this.#requests.leave();
    this.#place.abort();
    if (wasOwner) this.#context.onYield();
    this.#releaseLock();
  }

  readonly #onLifecycle = ({ type, persisted }: Event & { readonly persisted?: boolean }) => {
    if (type === 'freeze' && this.#isFreeToFreeze()) this.#leave();
    if (type === 'pagehide' && persisted) {
      if (this.#role !== 'frozen') this.#leave();
      this.#channel?.close();
      this.#channel = undefined;
    }
    if ((type !== 'resume' && type !== 'pageshow') || this.#role !== 'frozen') return;
    if (this.#channel === undefined) this.#openChannel();
    this.#follow();
  };

  /** An owner without followers keeps the lock: no tab could take over, and its stream may well go on. */
  #isFreeToFreeze(): boolean {
    return this.#role === 'follower' || (this.isOwner() && this.#hasFollowers);
  }

  #post(message: TabMessage): void {
    // Requests of a page that is kept are sent again when it comes back.
    this.#channel?.postMessage(message);
  }

  #flush(): void {
    if (this.#role !== 'owner' || this.#unsent.length === 0) return;
    const changes = this.#unsent.splice(0);
    this.#post({ type: 'changes', changes, count: this.#count - changes.length + 1 });
  }

  readonly #performOwn = (id: string, request: TabRequest) =>
    void this.#perform(id, request, this.#context.tabId);

  readonly #postRequest = (id: string, request: TabRequest) =>
    this.#post({ type: 'ask', id, request, tabId: this.#context.tabId });

  async #perform(id: string, request: TabRequest, from: string): Promise<void> {
    const { tabId, onRequest } = this.#context;
    if (this.#handled.has(id)) {
      const given = this.#handled.get(id);
      // The tab was kept for the back button when the reply came.
      if (given) this.#post(given);
      return;
    }
    this.#handled.set(id, undefined);
    for (const oldest of this.#handled.keys()) {
      if (this.#handled.size > MAX_REMEMBERED_REQUESTS) this.#handled.delete(oldest);
    }
    let reply: TabReply;
    try {
      reply = { type: 'reply', id, value: await onRequest(request, from) };
    } catch (thrown) {
      reply = { type: 'reply', id, error: encodeThrown(thrown) };
    }
    // A request that failed because this page was frozen meanwhile is asked again when the page goes on.
    if (this.#role !== 'owner' && (from !== tabId || reply.error)) return;
    if (from === tabId) return this.#requests.settle(reply);
    this.#handled.set(id, reply);
    this.#post(reply);
  }

  #receive(data: unknown): void {
    const message = readTabMessage(data);
    if (message === undefined) return;
    if (this.#role === 'owner') this.#receiveAsOwner(message);
    else if (this.#role === 'follower') this.#receiveAsFollower(message);
  }

  #receiveAsOwner(message: TabMessage): void {
    this.#hasFollowers = true;
    if (!this.#isLoaded) return;
    if (message.type === 'hello') this.sendConversation();
    if (message.type === 'ask') void this.#perform(message.id, message.request, message.tabId);
  }

  #receiveAsFollower(message: TabMessage): void {
    switch (message.type) {
      case 'conversation':
        return this.#receiveConversation(message);
      case 'changes':
        return this.#receiveChanges(message);
      case 'reply':
        return this.#requests.settle(message);
    }
  }

  #receiveChanges({ count, changes }: Extract<TabMessage, { type: 'changes' }>): void {
    const last = count + changes.length - 1;
    if (this.#count < 0 || last <= this.#count) return;
    // A change was missed: the whole conversation is asked for.
    if (count > this.#count + 1) return this.#post({ type: 'hello' });
    try {
      for (const change of changes.slice(this.#count + 1 - count))
        this.#context.onChange(decodeChange(change));
    } catch {
      // A change that cannot be applied counts as missed: a foreign script or another version of the app may have sent it.
      return this.#post({ type: 'hello' });
    }
    this.#count = last;
  }

  #receiveConversation(message: Extract<TabMessage, { type: 'conversation' }>): void {
    const { persister, onConversation, onChange } = this.#context;
    const decoded = decodeSnapshot(message.snapshot);
    if ('fault' in decoded) return;
    this.#count = message.count;
    persister.isUnread = message.isUnread === true;
    this.#post({ type: 'here' });
    onConversation(decoded.conversation);
    if (message.connection) onChange(decodeChange(message.connection));
    this.#becomeReady();
    // A new owner may never have received the requests that went to the old one.
    this.#requests.sendAgain(this.#postRequest);
  }
}
