/** Requests that this process relays to the owner of their session, and those that it handles for other processes. */

import { createId } from '../../../shared/ids.ts';
import type { EventSource } from '../../store/event-source.ts';
import { toKeyText } from '../../store/key-text.ts';
import type { ClusterRequest } from '../../store/session-cluster.ts';
import type { Doorbell } from './doorbell.ts';

import { RelaySource, type ReplyPage } from './relay-source.ts';
import { createReplyWriter, type ReplyWriter } from './reply-writer.ts';
import { READ_REPLY, SEND } from './scripts.ts';
import type { ClusterIO, OwnedSession } from './session-leases.ts';

/** Entries that one read of a reply returns at most. */
const PAGE = 1_000;

interface RelayOptions extends ClusterIO {
  readonly doorbell: Doorbell;
  /** Deletes a key. */
  forget(key: string): void;
}

/** The fields of a request that its message has. */
type Sent = Omit<ClusterRequest, 'sessionId' | 'signal' | 'report'>;

/** A request that this process handles for another one. */
interface Received {
  readonly sessionId: string;
  readonly controller: AbortController;
  readonly source: Promise<EventSource>;
  readonly writer: ReplyWriter;
}

export class Relay {
  readonly #options: RelayOptions;
  readonly #received = new Map<string, Received>();

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Puts a request into the mailbox of its session. Resolves to null if the session has no owner. */
  async send(
    { sessionId, signal, report, ...sent }: ClusterRequest,
    reopen: () => Promise<EventSource>,
  ): Promise<EventSource | null> {
    const { keys, node, leaseMs, clock, doorbell, forget } = this.#options;
    const id = createId();
    const message = `open ${id} ${node} ${JSON.stringify(sent)}`;
    if (!(await this.#put(sessionId, message))) return null;
    return new RelaySource({
      ...{ signal, report, clock, reopen },
      pollMs: leaseMs / 3,
      read: (after) => this.#readReply(sessionId, id, message, after),
      tell: async (what) => void (await this.#put(sessionId, `${what} ${id}`)),
      onMore: (listener) => doorbell.onReply(id, listener),
      forget: () => forget(keys.reply(id)),
    });
  }

  /** Handles what other processes put into the mailbox of a session, and looks whether those processes still listen. */
  receive(session: OwnedSession, messages: readonly string[]): void {
    for (const { sessionId, writer } of this.#received.values())
      if (sessionId === session.sessionId) writer.ring();
    for (const message of messages) {
      const [kind, id = '', asker = ''] = message.split(' ', 3);
      if (kind === 'abort') this.#received.get(id)?.controller.abort();
      else if (kind === 'close') void this.#leave(id);
      else this.#handle(session, id, asker, JSON.parse(message.slice(message.indexOf('{'))));
    }
  }

  #handle(session: OwnedSession, id: string, asker: string, sent: Sent): void {
    const { sessionId, store } = session;
    const controller = new AbortController();
    const release = store.lease.hold();
    const { signal } = controller;
    // The run is of this process, and reports its failures itself.
    const source = session.handle({ ...sent, sessionId, signal, report() {} }, store);
    const onUnread = () => void this.#leave(id);
    const writer = createReplyWriter({ ...this.#options, requestId: id, asker, onUnread });
    this.#received.set(id, { sessionId, controller, source, writer });
    void copy(source, writer)
      .catch(() => this.#leave(id))
      .finally(() => {
        this.#received.delete(id);
        release();
      });
  }

  /** The reader of the request is gone, as if its client had closed the connection to this process. */
  async #leave(id: string): Promise<void> {
    await (await this.#received.get(id)?.source)?.close();
  }

  /** Resolves to false if the session has no owner. */
  async #put(sessionId: string, message: string): Promise<boolean> {
    const { run, keys, replyMs } = this.#options;
    const { lease, mailbox } = keys.of(sessionId);
    const args = [message, replyMs, keys.node(''), toKeyText(sessionId)];
    return (await run(SEND, [lease, mailbox], args)) === 1;
  }

  async #readReply(sessionId: string, id: string, message: string, after: number): Promise<ReplyPage> {
    const { run, keys } = this.#options;
    const { lease, mailbox } = keys.of(sessionId);
    const found = await run(READ_REPLY, [lease, mailbox, keys.reply(id)], [message, after, PAGE]);
    const [token, returned, ...rest] = found as readonly [string, number, ...string[]];
    const entries = Array.from({ length: rest.length / 3 }, (_, index) => ({
      number: Number.parseInt(rest[index * 3] ?? '', 10),
      field: rest[index * 3 + 1] ?? '',
      value: rest[index * 3 + 2] ?? '',
    }));
    return { token, isReturned: returned === 1, entries, isFull: entries.length === PAGE };
  }
}

async function copy(source: Promise<EventSource>, writer: ReplyWriter): Promise<void> {
  const events = await source;
  for (let event = await events.next(); event !== null; event = await events.next()) writer.write(event);
  await writer.end();
}
