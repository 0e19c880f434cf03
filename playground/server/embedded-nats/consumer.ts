/** A consumer of a stream knows which message it delivers next, and which ones it delivers again. */
import { Acknowledgements } from './acknowledgements.ts';
import type { Broker } from './broker.ts';
import type { ConsumerConfig } from './consumer-config.ts';
import { type MessageLog, type StoredMessage, toIsoTime } from './message-log.ts';
import { toMilliseconds } from './nanoseconds.ts';
import { addHeaders, type NatsMessage, NO_DATA } from './nats-message.ts';
import type { Outlet, Position } from './outlet.ts';
import { PullOutlet } from './pull-outlet.ts';
import { PushOutlet } from './push-outlet.ts';
import type { Subscription } from './subscription-tree.ts';

export class Consumer {
  readonly config: ConsumerConfig;
  readonly #broker: Broker;
  readonly #stream: string;
  readonly #log: MessageLog;
  readonly #outlet: Outlet;
  readonly #acknowledgements: Acknowledgements;
  readonly #acknowledgementSubscription: Subscription;
  readonly #created = Date.now();
  #lastUsed = Date.now();
  #delivered: Position = { consumer_seq: 0, stream_seq: 0 };
  /** For `last_per_subject`: the numbers that are delivered before `#next`. */
  #first: number[];
  /** The lowest number that was not looked at. */
  #next: number;

  constructor(broker: Broker, stream: string, log: MessageLog, config: ConsumerConfig) {
    this.config = config;
    this.#broker = broker;
    this.#stream = stream;
    this.#log = log;
    const { deliver_subject, deliver_policy, filter_subject } = config;
    this.#first = deliver_policy === 'last_per_subject' ? log.listLastOfSubjects(filter_subject) : [];
    this.#next = this.#findStart();
    this.#acknowledgements = new Acknowledgements(config);
    this.#acknowledgementSubscription = {
      filter: `$JS.ACK.${stream}.${config.name}.>`,
      deliver: (message) => this.#acknowledge(message),
    };
    broker.add(this.#acknowledgementSubscription);
    this.#outlet =
      deliver_subject === undefined
        ? new PullOutlet(broker, `${stream}.${config.name}`, () => this.pump())
        : new PushOutlet(broker, deliver_subject, config.idle_heartbeat);
  }

  /** Delivers as long as there is a message and a client that waits for it. */
  pump(): void {
    const now = Date.now();
    for (;;) {
      const address = this.#outlet.findAddress();
      const message = address === undefined ? undefined : this.#takeNext(now);
      if (address === undefined || message === undefined) return;
      this.#deliver(message, address, now);
    }
  }

  tick(now: number): void {
    if (this.#outlet.isInUse()) this.#lastUsed = now;
    this.pump();
    this.#outlet.tick(now, this.#delivered);
  }

  /** Returns true if the consumer is to end because nobody used it. */
  isAbandoned(now: number): boolean {
    const { durable_name, inactive_threshold } = this.config;
    return durable_name === undefined && now - this.#lastUsed > toMilliseconds(inactive_threshold);
  }

  close(): void {
    this.#broker.remove(this.#acknowledgementSubscription);
    this.#outlet.close();
  }

  /** The API tells this about the consumer, by its names on the wire. */
  get info() {
    return {
      stream_name: this.#stream,
      name: this.config.name,
      created: toIsoTime(this.#created),
      config: this.config,
      delivered: this.#delivered,
      ack_floor: this.#acknowledgements.findFloor(this.#delivered),
      num_ack_pending: this.#acknowledgements.size,
      num_pending: this.#countPending(),
    };
  }

  #findStart(): number {
    const { deliver_policy, opt_start_seq = 1, opt_start_time = '' } = this.config;
    switch (deliver_policy) {
      case 'all':
        return 1;
      case 'new':
      case 'last_per_subject':
        return this.#log.lastSequence + 1;
      case 'by_start_sequence':
        return opt_start_seq;
      case 'by_start_time':
        return this.#log.findSequenceAt(Date.parse(opt_start_time));
      default:
        return deliver_policy satisfies never;
    }
  }

  /** Returns a message that is due for another delivery, or else the next one of the stream. */
  #takeNext(now: number): StoredMessage | undefined {
    for (const sequence of this.#acknowledgements.listDue(now)) {
      const message = this.#log.get(sequence);
      if (message) return message;
      this.#acknowledgements.remove(sequence);
    }
    if (this.#acknowledgements.isFull) return undefined;
    for (let sequence = this.#first.shift(); sequence !== undefined; sequence = this.#first.shift()) {
      const message = this.#log.get(sequence);
      if (message) return message;
    }
    const message = this.#log.findNext(this.config.filter_subject, this.#next);
    this.#next = (message?.sequence ?? this.#log.lastSequence) + 1;
    return message;
  }

  #deliver({ subject, sequence, time, headers, data }: StoredMessage, address: string, now: number): void {
    const consumerSequence = this.#delivered.consumer_seq + 1;
    this.#delivered = {
      consumer_seq: consumerSequence,
      stream_seq: Math.max(sequence, this.#delivered.stream_seq),
    };
    const deliveries = this.#acknowledgements.note(sequence, consumerSequence, now);
    const numbers = [deliveries, sequence, consumerSequence, `${time}000000`, this.#countPending()].join('.');
    const content = this.config.headers_only
      ? { headers: addHeaders(headers, { 'Nats-Msg-Size': data.length }), data: NO_DATA }
      : { headers, data };
    this.#outlet.onDelivered(now);
    this.#broker.publish(
      { subject, reply: `$JS.ACK.${this.#stream}.${this.config.name}.${numbers}`, ...content },
      address,
    );
  }

  #acknowledge({ subject, reply, data }: NatsMessage): void {
    const sequence = Number(subject.split('.')[5]);
    this.#acknowledgements.take(sequence, data.toString(), Date.now());
    if (reply !== undefined) this.#broker.publish({ subject: reply, data: NO_DATA });
    this.pump();
  }

  #countPending(): number {
    const left = this.#first.filter((sequence) => this.#log.get(sequence) !== undefined).length;
    return left + this.#log.count(this.config.filter_subject, this.#next);
  }
}
