/** The connection of a process that listens: other processes ring when they have put something into Redis for it. */

import { fromKeyText } from '../../store/key-text.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { RedisKeys } from './redis-keys.ts';

export interface Doorbell {
  /** Connects, and resolves when the process hears. Later calls share the connection. */
  listen(): Promise<void>;
  /** Calls back when the reply to a request has more. Returns the function that ends it. */
  onReply(requestId: string, listener: () => void): () => void;
  /** See `watch` of `SessionStore`. */
  onSave(listener: (sessionId?: string) => void): () => void;
  close(): void;
}

/** @param onMail called with the id of a session whose mailbox has something for this process */
export function createDoorbell(
  client: RedisConnection,
  keys: RedisKeys,
  node: string,
  onMail: (sessionId: string) => void,
): Doorbell {
  const replies = new Map<string, () => void>();
  const watchers = new Set<(sessionId?: string) => void>();
  let connection: RedisConnection | undefined;
  let connected: Promise<void> | undefined;

  function hear(message: string): void {
    const space = message.indexOf(' ');
    const subject = message.slice(space + 1);
    if (message.slice(0, space) === 'session') onMail(fromKeyText(subject));
    else replies.get(subject)?.();
  }
  function notify(sessionId?: string): void {
    for (const watcher of watchers) watcher(sessionId);
  }
  async function connect(): Promise<void> {
    connection = client.duplicate();
    // It reconnects by itself, and the client of the app reports the same failure. An error without a listener would end the process.
    connection.on('error', () => {});
    await connection.connect();
    await connection.subscribe(keys.node(node), hear);
    await connection.subscribe(keys.saved, (text) => notify(fromKeyText(text)));
    // A connection that was cut has missed what was published meanwhile.
    connection.on('ready', () => notify());
  }
  function listen(): Promise<void> {
    connected ??= connect().catch((thrown) => {
      connection?.destroy();
      connected = undefined;
      throw thrown;
    });
    return connected;
  }
  return {
    listen,
    onReply(requestId, listener) {
      replies.set(requestId, listener);
      return () => void replies.delete(requestId);
    },
    onSave(listener) {
      watchers.add(listener);
      // The next request connects again, and reports a failure.
      listen().catch(() => {});
      return () => void watchers.delete(listener);
    },
    close() {
      connection?.destroy();
    },
  };
}
