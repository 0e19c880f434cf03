/** Requests that this process hands to the owner of their session, and those that it handles for other processes. */
import type { ClusterRequest } from '../server/sessions/cluster/session-cluster.ts';
import type { EventSource } from '../server/sessions/event-source.ts';
import type { Clock } from '../shared/clock.ts';
import { createId } from '../shared/ids.ts';
import type { Doorbell } from './doorbell.ts';
import type { RunScript } from './redis-connection.ts';
import { type RedisKeys, toKeyText } from './redis-keys.ts';
import { createRelaySource, type ReplyPage } from './relay-source.ts';
import { createReplyWriter, type ReplyWriter } from './reply-writer.ts';
import { READ_REPLY, SEND } from './scripts.ts';
import type { OwnedSession } from './session-leases.ts';

/** Entries that one read of a reply returns at most. */
const PAGE = 1_000;

export interface Relay {
  /** Hands a request to the owner of its session. Resolves to null if the session has no owner. */
  send(request: ClusterRequest, reopen: () => Promise<EventSource>): Promise<EventSource | null>;
  /** Handles what other processes put into the mailbox of a session, and looks whether those processes still listen. */
  receive(session: OwnedSession, messages: readonly string[]): void;
}

interface RelayOptions {
  readonly run: RunScript;
  readonly keys: RedisKeys;
  readonly doorbell: Doorbell;
  /** The id of this process. */
  readonly node: string;
  readonly leaseMs: number;
  readonly replyMs: number;
  readonly clock: Clock;
  forget(key: string): void;
}

/** What the message of a request has of it. */
type Sent = Omit<ClusterRequest, 'sessionId' | 'signal'>;

/** A request that this process handles for another one. */
interface Received {
  readonly sessionId: string;
  readonly controller: AbortController;
  readonly source: Promise<EventSource>;
  readonly writer: ReplyWriter;
}

export function createRelay(options: RelayOptions): Relay {
  const { run, keys, doorbell, node, leaseMs, replyMs, clock } = options;
  const received = new Map<string, Received>();

  /** Resolves to false if the session has no owner. */
  async function put(sessionId: string, message: string): Promise<boolean> {
    const { lease, mailbox } = keys.of(sessionId);
    const args = [message, replyMs, keys.node(''), toKeyText(sessionId)];
    return (await run(SEND, [lease, mailbox], args)) === 1;
  }
  async function readReply(
    sessionId: string,
    id: string,
    message: string,
    after: number,
  ): Promise<ReplyPage> {
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
  function handle(session: OwnedSession, id: string, asker: string, sent: Sent): void {
    const controller = new AbortController();
    const release = session.store.lease.hold();
    const source = session.handle(
      { ...sent, sessionId: session.sessionId, signal: controller.signal },
      session.store,
    );
    const writer = createReplyWriter({
      run,
      keys,
      requestId: id,
      asker,
      replyMs,
      onUnread: () => void leave(id),
    });
    received.set(id, { sessionId: session.sessionId, controller, source, writer });
    void copy(source, writer)
      .catch(() => leave(id))
      .finally(() => {
        received.delete(id);
        release();
      });
  }
  /** The reader of the request is gone, as if its client had closed the connection to this process. */
  async function leave(id: string): Promise<void> {
    try {
      await (await received.get(id)?.source)?.close();
    } catch {
      // The run reports its failures itself.
    }
  }
  return {
    async send({ sessionId, signal, ...sent }, reopen) {
      const id = createId();
      const message = `open ${id} ${node} ${JSON.stringify(sent)}`;
      if (!(await put(sessionId, message))) return null;
      return createRelaySource({
        ...{ signal, clock, reopen },
        pollMs: leaseMs / 3,
        read: (after) => readReply(sessionId, id, message, after),
        tell: async (what) => void (await put(sessionId, `${what} ${id}`)),
        onMore: (listener) => doorbell.onReply(id, listener),
        forget: () => options.forget(keys.reply(id)),
      });
    },
    receive(session, messages) {
      for (const { sessionId, writer } of received.values())
        if (sessionId === session.sessionId) writer.ring();
      for (const message of messages) {
        const [kind, id = '', asker = ''] = message.split(' ', 3);
        if (kind === 'abort') received.get(id)?.controller.abort();
        else if (kind === 'close') void leave(id);
        else {
          handle(session, id, asker, JSON.parse(message.slice(message.indexOf('{'))));
        }
      }
    },
  };
}

async function copy(source: Promise<EventSource>, writer: ReplyWriter): Promise<void> {
  const events = await source;
  for (let event = await events.next(); event !== null; event = await events.next()) writer.write(event);
  await writer.end();
}
