/**
 * Subscriptions by the tokens of their filters. A search walks down the tokens of a subject, so it takes as long for one subscription as for
 * thousands: every consumer of a stream has some, and each stored message asks for those of every consumer.
 */
import type { NatsMessage } from './nats-message.ts';

export interface Subscription {
  /** A subject, with `*` for one token and `>` for one or more at the end. */
  readonly filter: string;
  deliver(message: NatsMessage): void;
}

interface Node {
  readonly children: Map<string, Node>;
  /** Those whose filter ends here. */
  readonly subscriptions: Set<Subscription>;
}

export class SubscriptionTree {
  readonly #root = createNode();

  add(subscription: Subscription): void {
    let node = this.#root;
    for (const token of subscription.filter.split('.')) {
      const child = node.children.get(token) ?? createNode();
      node.children.set(token, child);
      node = child;
    }
    node.subscriptions.add(subscription);
  }

  remove(subscription: Subscription): void {
    removeFrom(this.#root, subscription.filter.split('.'), subscription);
  }

  /** Returns the subscriptions whose filter matches the subject. */
  find(subject: string): readonly Subscription[] {
    let nodes: readonly Node[] = [this.#root];
    const found: Subscription[] = [];
    for (const token of subject.split('.')) {
      for (const { children } of nodes) found.push(...(children.get('>')?.subscriptions ?? []));
      nodes = nodes.flatMap(({ children }) =>
        [children.get(token), children.get('*')].filter((node) => node !== undefined),
      );
    }
    for (const { subscriptions } of nodes) found.push(...subscriptions);
    return found;
  }
}

function createNode(): Node {
  return { children: new Map(), subscriptions: new Set() };
}

/** Removes the nodes that it leaves empty as well: clients make a subject of their own for each watch. */
function removeFrom(node: Node, [token, ...rest]: readonly string[], subscription: Subscription): void {
  if (token === undefined) {
    node.subscriptions.delete(subscription);
    return;
  }
  const child = node.children.get(token);
  if (child === undefined) return;
  removeFrom(child, rest, subscription);
  if (child.children.size === 0 && child.subscriptions.size === 0) node.children.delete(token);
}
