import { beforeEach, describe, expect, test } from 'vitest';
import { Broker } from '../../../playground/server/embedded-nats/broker.ts';
import {
  createJsonMessage,
  type NatsMessage,
} from '../../../playground/server/embedded-nats/nats-message.ts';
import { Stream } from '../../../playground/server/embedded-nats/stream.ts';
import { completeStreamConfig } from '../../../playground/server/embedded-nats/stream-config.ts';

const INBOX = 'inbox';
const SECOND = 1_000_000_000;

describe('the deadlines of the embedded NATS server', () => {
  let broker: Broker;
  let stream: Stream;
  let received: NatsMessage[];
  let now: number;

  const passSeconds = (seconds: number) => {
    now += seconds * 1_000;
    stream.tick(now);
  };
  const publish = (subject: string, value: unknown, reply?: string) =>
    broker.publish({ ...createJsonMessage(subject, value), reply });
  /** Returns the first line of the headers of all that came to the inbox since the last call. */
  const takeStatuses = () => received.splice(0).map(({ headers }) => headers?.split('\r\n')[0]);
  const inbox = { filter: INBOX, deliver: (message: NatsMessage) => void received.push(message) };

  beforeEach(() => {
    broker = new Broker();
    const config = { name: 'orders', subjects: ['orders.>'], max_age: 3600 * SECOND };
    stream = new Stream(broker, completeStreamConfig(config));
    received = [];
    broker.add(inbox);
    // A second later than the objects, which look at the real clock when they are created.
    now = Date.now() + 1_000;
  });

  test('a request for messages gets signs of life, and a timeout at its end', () => {
    stream.addConsumer({ durable_name: 'worker' });
    const request = { batch: 10, expires: 30 * SECOND, idle_heartbeat: 12 * SECOND };
    publish('$JS.API.CONSUMER.MSG.NEXT.orders.worker', request, INBOX);
    passSeconds(5);
    expect(takeStatuses()).toEqual([]);
    passSeconds(10);
    expect(takeStatuses()).toEqual(['NATS/1.0 100 Idle Heartbeat']);
    passSeconds(20);
    expect(received[0]?.headers).toContain('Nats-Pending-Messages: 10');
    expect(takeStatuses()).toEqual(['NATS/1.0 408 Request Timeout']);
    publish('orders.new', 'text');
    expect(received).toEqual([]);
  });

  test('a subscriber of a consumer that pushes gets signs of life', () => {
    stream.addConsumer({ name: 'watch', deliver_subject: INBOX, idle_heartbeat: 12 * SECOND });
    passSeconds(5);
    expect(takeStatuses()).toEqual([]);
    passSeconds(10);
    expect(takeStatuses()).toEqual(['NATS/1.0 100 Idle Heartbeat']);
  });

  test('a consumer that is not durable ends when it was not used for its threshold', () => {
    const settings = { deliver_subject: INBOX, inactive_threshold: 60 * SECOND };
    stream.addConsumer({ ...settings, name: 'watch' });
    stream.addConsumer({ ...settings, durable_name: 'worker' });
    passSeconds(120);
    broker.remove(inbox);
    passSeconds(30);
    expect([...stream.consumers.keys()]).toEqual(['watch', 'worker']);
    passSeconds(31);
    expect([...stream.consumers.keys()]).toEqual(['worker']);
  });

  test('a message is removed when it is older than max_age', () => {
    publish('orders.new', 'text');
    passSeconds(1800);
    expect(stream.info.state).toMatchObject({ messages: 1, first_seq: 1, last_seq: 1 });
    passSeconds(1801);
    expect(stream.info.state).toMatchObject({ messages: 0, first_seq: 2, last_seq: 1 });
  });

  test('an id that was published is free again after the duplicate window', () => {
    const order = { subject: 'orders.new', headers: 'NATS/1.0\r\nNats-Msg-Id: a\r\n\r\n' };
    const publishOrder = () => broker.publish({ ...order, data: Buffer.from('text') });
    publishOrder();
    passSeconds(60);
    publishOrder();
    expect(stream.info.state.messages).toBe(1);
    passSeconds(61);
    publishOrder();
    expect(stream.info.state.messages).toBe(2);
  });
});
