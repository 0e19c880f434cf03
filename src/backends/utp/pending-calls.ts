/**
 * The rows of calls that wait for a person. A command is acknowledged as soon as its row is stored: people are slower than the
 * acknowledgement deadline of JetStream. The row is also where an answer becomes final: the first one written into it wins, and it stays
 * until the answer is delivered, whatever crashes in between.
 */

import type { KV, KvWatchEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import type { UtpToolCall } from './call.ts';
import type { Card } from './cards.ts';
import { createEntry, readEntry, replaceEntry } from './kv.ts';
import { UtpToolError } from './tool-error.ts';

/** One call that waits for a person, or whose answer is not delivered yet. JSON. */
export interface PendingCall {
  readonly call: UtpToolCall;
  /** The key of the call, which is also the key of its row. No two calls have the same. */
  readonly key: string;
  /** When the command arrived. Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** When the call times out. Milliseconds since the epoch. */
  readonly deadline: number;
  /** The conversation that asks the call. Undefined: no session does, and the inbox of the service has it. */
  readonly askedBy?: string;
  /** The answer. Undefined while the call waits. */
  readonly answer?: Card;
}

/** A row that was found or has changed. `row` is undefined if it was removed. */
export interface PendingChange {
  readonly key: string;
  readonly row: PendingCall | undefined;
  /** True if the row is as an earlier run of the service left it. */
  readonly isEarlier: boolean;
}

/** Stores the rows of one tool service. Every method rejects if the store cannot be reached, and may be called again then. */
export interface PendingCalls {
  /** Resolves to false, and changes nothing, if the call has a row. */
  create(row: PendingCall): Promise<boolean>;
  get(key: string): Promise<PendingCall | undefined>;
  /** Writes the answer. Resolves to false, and changes nothing, if the call has an answer or no row. */
  settle(key: string, answer: Card): Promise<boolean>;
  /** Writes which conversation asks the call. Changes nothing if the call has an answer or no row. Default: the call stays in the inbox too. */
  assign?(key: string, sessionId: string): Promise<void>;
  remove(key: string): Promise<void>;
  /**
   * Calls back with every row before it resolves, and then with every change of any process. `onError` gets the reason if that ends early, or a row that
   * cannot be read. The returned function ends it.
   */
  watch(listener: (change: PendingChange) => void, onError: (thrown: unknown) => void): Promise<() => void>;
}

/** The bucket of pending calls of all tool services. It belongs to handrail. */
export const PENDING_BUCKET = 'handrail_utp_pending_v1';

/** The headers of a write count against the limit of its size. */
const HEADER_BYTES = 1024;

/** A row without an answer must leave room for one, at least for a timeout. */
const ANSWER_BYTES = 16 * 1024;

/** Returns the rows of one target in a bucket. Their keys begin with the name of the target. */
export function createKvPendingCalls(kv: KV, target: string, nats: NatsConnection): PendingCalls {
  const toKey = (key: string) => `${target}.${key}`;
  const encode = (row: PendingCall) => {
    const text = JSON.stringify(row);
    const limit = nats.info?.max_payload ?? Number.POSITIVE_INFINITY;
    const bytes = new TextEncoder().encode(text).length + (row.answer ? HEADER_BYTES : ANSWER_BYTES);
    if (bytes > limit) {
      throw new UtpToolError(
        'bad_request',
        `The call ${row.call.toolCallId} with its answer needs ${bytes} bytes, and the NATS server takes ${limit} (max_payload).`,
      );
    }
    return text;
  };

  /** Changes a row that waits. Another process may change it at the same time: of several answers the first wins. */
  const change = async (key: string, fields: Partial<PendingCall>): Promise<boolean> => {
    for (;;) {
      const entry = await readEntry(kv, toKey(key));
      const row = entry?.json<PendingCall>();
      if (!entry || !row || row.answer) return false;
      const text = encode({ ...row, ...fields });
      if ((await replaceEntry(kv, toKey(key), text, entry.revision)) !== undefined) return true;
    }
  };

  return {
    async create(row) {
      return (await createEntry(kv, toKey(row.key), encode(row))) !== undefined;
    },
    async get(key) {
      return (await readEntry(kv, toKey(key)))?.json<PendingCall>();
    },
    settle: (key, answer) => change(key, { answer }),
    async assign(key, askedBy) {
      await change(key, { askedBy });
    },
    async remove(key) {
      // Purged, so that the bucket does not keep arguments and answers of calls that are over.
      await kv.purge(toKey(key));
    },
    watch: (listener, onError) => watchRows(kv, target, listener, onError),
  };
}

async function watchRows(
  kv: KV,
  target: string,
  listener: (change: PendingChange) => void,
  onError: (thrown: unknown) => void,
): Promise<() => void> {
  // `isUpdate` of the entries is true for the last of the earlier ones too.
  const { streamInfo } = await kv.status();
  const unread = new Set<string>();
  for await (const key of await kv.keys(`${target}.>`)) unread.add(key);
  const entries = await kv.watch({ key: `${target}.>` });
  let resolve = () => {};
  const isRead = new Promise<void>((done) => {
    resolve = done;
  });
  const read = (entry: KvWatchEntry) => {
    try {
      listener({ ...toChange(entry, target), isEarlier: entry.revision <= streamInfo.state.last_seq });
    } catch (thrown) {
      onError(thrown);
    }
    unread.delete(entry.key);
    if (unread.size === 0) resolve();
  };
  void (async () => {
    for await (const entry of entries) read(entry);
  })()
    .catch(onError)
    .finally(resolve);
  if (unread.size > 0) await isRead;
  return () => entries.stop();
}

function toChange(entry: KvWatchEntry, target: string): Omit<PendingChange, 'isEarlier'> {
  return {
    key: entry.key.slice(target.length + 1),
    row: entry.operation === 'PUT' ? entry.json<PendingCall>() : undefined,
  };
}
