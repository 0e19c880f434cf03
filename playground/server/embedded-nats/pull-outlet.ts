/** Delivers to the clients that asked for messages, to one after the other. */
import type { Broker } from './broker.ts';
import { toMilliseconds } from './nanoseconds.ts';
import { createStatusMessage, type NatsMessage } from './nats-message.ts';
import { createHeartbeat, type Outlet, type Position } from './outlet.ts';
import type { Subscription } from './subscription-tree.ts';

/** A request asks for messages. Times are milliseconds. */
interface PullRequest {
  readonly inbox: string;
  /** How many messages it still gets. */
  left: number;
  readonly expires: number;
  readonly heartbeat: number;
  /** When the client last heard from here. */
  lastSign: number;
}

export class PullOutlet implements Outlet {
  readonly #broker: Broker;
  readonly #subscription: Subscription;
  #requests: PullRequest[] = [];

  /** @param path the names of stream and consumer. @param onRequest called after a client asked */
  constructor(broker: Broker, path: string, onRequest: () => void) {
    this.#broker = broker;
    this.#subscription = {
      filter: `$JS.API.CONSUMER.MSG.NEXT.${path}`,
      deliver: (message) => {
        this.#requests.push(readPullRequest(message));
        onRequest();
      },
    };
    broker.add(this.#subscription);
  }

  findAddress(): string | undefined {
    this.#dropUnheard();
    return this.#requests[0]?.inbox;
  }

  /** The request moves to the end, so that several clients share the work. */
  onDelivered(now: number): void {
    const request = this.#requests.shift();
    if (request === undefined) return;
    request.left -= 1;
    request.lastSign = now;
    if (request.left > 0) this.#requests.push(request);
  }

  tick(now: number, position: Position): void {
    this.#dropUnheard();
    for (const request of this.#requests) {
      if (now < request.expires && now - request.lastSign >= request.heartbeat) {
        request.lastSign = now;
        this.#broker.publish(createHeartbeat(request.inbox, position));
      }
    }
    for (const request of this.#requests.filter(({ expires }) => expires <= now))
      this.#end(request, '408 Request Timeout');
    this.#requests = this.#requests.filter(({ expires }) => expires > now);
  }

  isInUse(): boolean {
    this.#dropUnheard();
    return this.#requests.length > 0;
  }

  close(): void {
    this.#broker.remove(this.#subscription);
    for (const request of this.#requests.splice(0)) this.#end(request, '409 Consumer Deleted');
  }

  #end({ inbox, left }: PullRequest, status: string): void {
    const fields = { 'Nats-Pending-Messages': left, 'Nats-Pending-Bytes': 0 };
    this.#broker.publish(createStatusMessage(inbox, status, fields));
  }

  /** Drops the requests of clients that are gone. */
  #dropUnheard(): void {
    this.#requests = this.#requests.filter(({ inbox }) => this.#broker.hasSubscriber(inbox));
  }
}

function readPullRequest({ reply = '', data }: NatsMessage): PullRequest {
  const now = Date.now();
  const { batch, expires, idle_heartbeat } = JSON.parse(data.toString());
  return {
    inbox: reply,
    left: batch,
    expires: expires > 0 ? now + toMilliseconds(expires) : Number.POSITIVE_INFINITY,
    heartbeat: idle_heartbeat > 0 ? toMilliseconds(idle_heartbeat) : Number.POSITIVE_INFINITY,
    lastSign: now,
  };
}
