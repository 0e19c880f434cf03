/** Brings messages to those who subscribed to their subject: clients, streams, consumers and the JetStream API. */
import type { NatsMessage } from './nats-message.ts';
import { type Subscription, SubscriptionTree } from './subscription-tree.ts';

export class Broker {
  /** Called after a subscription was added: a consumer may have waited for it. */
  onSubscribe: () => void = () => {};
  readonly #subscriptions = new SubscriptionTree();

  add(subscription: Subscription): void {
    this.#subscriptions.add(subscription);
    this.onSubscribe();
  }

  remove(subscription: Subscription): void {
    this.#subscriptions.remove(subscription);
  }

  /**
   * Delivers the message to every subscription of `address`, which is the subject of the message unless a consumer sends a stored message
   * to an inbox. Returns false if there is none.
   */
  publish(message: NatsMessage, address = message.subject): boolean {
    const receivers = this.#subscriptions.find(address);
    for (const { deliver } of receivers) deliver(message);
    return receivers.length > 0;
  }

  hasSubscriber(address: string): boolean {
    return this.#subscriptions.find(address).length > 0;
  }
}
