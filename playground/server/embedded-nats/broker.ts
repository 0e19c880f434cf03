/** Brings messages to those who subscribed to their subject: clients, streams, consumers and the JetStream API. */
import type { NatsMessage } from './nats-message.ts';

export interface Subscription {
  /** A subject, with `*` for one token and `>` for all that follow. */
  readonly filter: string;
  deliver(message: NatsMessage): void;
}

export class Broker {
  /** Called after a subscription was added: a consumer may have waited for it. */
  onSubscribe: () => void = () => {};
  readonly #subscriptions = new Set<Subscription>();

  add(subscription: Subscription): void {
    this.#subscriptions.add(subscription);
    this.onSubscribe();
  }

  remove(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
  }

  /**
   * Delivers the message to every subscription of `address`, which is the subject of the message unless a consumer sends a stored message
   * to an inbox. Returns false if there is none.
   */
  publish(message: NatsMessage, address = message.subject): boolean {
    const receivers = [...this.#subscriptions].filter(({ filter }) => matchesSubject(filter, address));
    for (const { deliver } of receivers) deliver(message);
    return receivers.length > 0;
  }

  hasSubscriber(address: string): boolean {
    return [...this.#subscriptions].some(({ filter }) => matchesSubject(filter, address));
  }
}

/** Returns true if the subject is one of those that the filter describes. */
export function matchesSubject(filter: string, subject: string): boolean {
  const tokens = subject.split('.');
  const pattern = filter.split('.');
  const isOpen = pattern.at(-1) === '>';
  if (isOpen ? tokens.length < pattern.length : tokens.length !== pattern.length) return false;
  return pattern.every((token, index) => token === '>' || token === '*' || token === tokens[index]);
}
