/** The connection of one client: what it publishes goes to the broker, and what it subscribes to comes back. */
import type { Socket } from 'node:net';
import type { Broker } from './broker.ts';
import { type ClientCommand, CommandReader } from './command-reader.ts';
import { createStatusMessage, encodeMessage } from './nats-message.ts';
import type { Subscription } from './subscription-tree.ts';

/** The fields of `INFO`, by their names on the wire. */
export type ServerInfo = Readonly<Record<string, unknown>>;

/** Serves the client until it closes the connection. */
export function serveClient(socket: Socket, broker: Broker, info: ServerInfo): void {
  const connection = new ClientConnection(socket, broker);
  const reader = new CommandReader();
  socket.setNoDelay(true);
  socket.on('data', (chunk) => {
    try {
      for (const command of reader.read(chunk)) connection.handle(command);
    } catch (thrown) {
      socket.end(`-ERR '${(thrown as Error).message}'\r\n`);
    }
  });
  socket.on('close', () => connection.close());
  // A client that goes away without a word. `close` follows.
  socket.on('error', () => {});
  socket.write(`INFO ${JSON.stringify(info)}\r\n`);
}

interface ClientSubscription extends Subscription {
  /** How many messages it got. */
  received: number;
  /** The number of messages after which it ends. */
  limit: number;
}

class ClientConnection {
  readonly #socket: Socket;
  readonly #broker: Broker;
  readonly #subscriptions = new Map<string, ClientSubscription>();

  constructor(socket: Socket, broker: Broker) {
    this.#socket = socket;
    this.#broker = broker;
  }

  handle(command: ClientCommand): void {
    switch (command.verb) {
      case 'publish': {
        const { message } = command;
        const isReceived = this.#broker.publish(message);
        // A request that nobody can answer fails at once, not after its timeout.
        if (!isReceived && message.reply !== undefined)
          this.#broker.publish(createStatusMessage(message.reply, '503'));
        break;
      }
      case 'subscribe':
        this.#subscribe(command);
        break;
      case 'unsubscribe':
        this.#unsubscribe(command.id, command.after);
        break;
      case 'ping':
        this.#socket.write('PONG\r\n');
        break;
      case 'ignore':
        break;
      default:
        command satisfies never;
    }
  }

  close(): void {
    for (const subscription of this.#subscriptions.values()) this.#broker.remove(subscription);
    this.#subscriptions.clear();
  }

  #subscribe({ id, filter, queue }: Extract<ClientCommand, { verb: 'subscribe' }>): void {
    if (queue !== undefined) throw new Error(`Queue groups are not supported here: ${queue}`);
    const subscription: ClientSubscription = {
      filter,
      received: 0,
      limit: Number.POSITIVE_INFINITY,
      deliver: (message) => {
        subscription.received += 1;
        this.#socket.write(encodeMessage(message, id));
        this.#endAtLimit(id, subscription);
      },
    };
    this.#subscriptions.set(id, subscription);
    this.#broker.add(subscription);
  }

  #unsubscribe(id: string, after: number): void {
    const subscription = this.#subscriptions.get(id);
    if (subscription === undefined) return;
    subscription.limit = after;
    this.#endAtLimit(id, subscription);
  }

  #endAtLimit(id: string, subscription: ClientSubscription): void {
    if (subscription.received < subscription.limit) return;
    this.#broker.remove(subscription);
    this.#subscriptions.delete(id);
  }
}
