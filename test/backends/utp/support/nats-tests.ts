import {
  AckPolicy,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
  type OrderedConsumerOptions,
  type StoredMsg,
} from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { beforeAll, beforeEach, expect, test } from 'vitest';

/** Tests for what a tool service needs of a NATS server. */
export function testNats(getUrl: () => string): void {
  let nats: NatsConnection;
  let manager: JetStreamManager;
  let stream: JetStreamClient;
  let count = 0;
  let name = '';

  beforeAll(async () => {
    nats = await connect({ servers: getUrl(), reconnect: false });
    manager = await jetstreamManager(nats);
    stream = jetstream(nats);
    return () => nats.close();
  });

  // Each test has a stream, or a bucket, of its own.
  beforeEach(async () => {
    count += 1;
    name = `orders${count}`;
    await manager.streams.add({ name, subjects: [`${name}.>`] });
  });

  const consume = async (consumer: string) => {
    const messages = await (await stream.consumers.get(name, consumer)).consume();
    return messages[Symbol.asyncIterator]();
  };

  const publishAndRead = async (subject: string): Promise<StoredMsg> => {
    const { seq } = await stream.publish(subject, 'text');
    return (await manager.streams.getMessage(name, { seq })) as StoredMsg;
  };

  /** Returns the first message of an ordered consumer of `a`. */
  const takeOrdered = async (start: Partial<OrderedConsumerOptions>) => {
    const consumer = await stream.consumers.get(name, { ...start, filter_subjects: `${name}.a.>` });
    const messages = await consumer.consume();
    return take(messages[Symbol.asyncIterator]());
  };

  test('a request on a subject without subscribers fails at once', async () => {
    await expect(nats.request('nobody')).rejects.toThrow('no responders');
  });

  test('a subscription gets what its wildcards match, up to its limit', async () => {
    const subjects: string[] = [];
    const subscription = nats.subscribe('news.*.today.>', { max: 2 });
    for (const subject of ['a.today', 'a.today.x', 'a.b.today.x', 'b.today.x.y', 'c.today.x'])
      nats.publish(`news.${subject}`);
    for await (const message of subscription) subjects.push(message.subject);
    expect(subjects).toEqual(['news.a.today.x', 'news.b.today.x.y']);
    await expect(nats.request('news.a.today.x')).rejects.toThrow('no responders');
  });

  test('a message that is published again under its id is stored once', async () => {
    const first = await stream.publish(`${name}.new`, 'text', { msgID: 'order' });
    const second = await stream.publish(`${name}.new`, 'text', { msgID: 'order' });
    expect(first).toMatchObject({ seq: 1, duplicate: false });
    expect(second).toMatchObject({ seq: 1, duplicate: true });
    expect((await manager.streams.info(name)).state).toMatchObject({ messages: 1, last_seq: 1 });
  });

  test('a stored message is read by its number, with its headers', async () => {
    await stream.publish(`${name}.new`, 'Grüße', { msgID: 'order' });
    const message = await manager.streams.getMessage(name, { seq: 1 });
    expect(message?.string()).toBe('Grüße');
    expect(message?.header?.get('Nats-Msg-Id')).toBe('order');
    expect(await manager.streams.getMessage(name, { seq: 2 })).toBeNull();
  });

  test('a stream cannot be created again with other subjects', async () => {
    await expect(manager.streams.add({ name, subjects: ['other.>'] })).rejects.toThrow('already in use');
  });

  test('a message that was refused is delivered again, and after the acknowledgement no more', async () => {
    await manager.consumers.add(name, { durable_name: 'worker', ack_policy: AckPolicy.Explicit });
    const messages = await consume('worker');
    await stream.publish(`${name}.new`, 'text');
    const first = await take(messages);
    expect(first.info).toMatchObject({ deliveryCount: 1, streamSequence: 1, pending: 0 });
    first.nak();
    const second = await take(messages);
    expect(second.info).toMatchObject({ deliveryCount: 2, streamSequence: 1, deliverySequence: 2 });
    await second.ackAck();
    expect(await manager.consumers.info(name, 'worker')).toMatchObject({
      num_ack_pending: 0,
      num_pending: 0,
      ack_floor: { stream_seq: 1, consumer_seq: 2 },
    });
  });

  test('a message without an acknowledgement is delivered again after ack_wait', async () => {
    await manager.consumers.add(name, {
      durable_name: 'worker',
      ack_policy: AckPolicy.Explicit,
      ack_wait: 200_000_000,
    });
    const messages = await consume('worker');
    await stream.publish(`${name}.new`, 'text');
    await take(messages);
    const again = await take(messages);
    expect(again.info.deliveryCount).toBe(2);
    again.term();
  });

  test('a consumer of new messages skips the earlier ones', async () => {
    await stream.publish(`${name}.new`, 'early');
    await manager.consumers.add(name, { durable_name: 'worker', deliver_policy: DeliverPolicy.New });
    await stream.publish(`${name}.new`, 'late');
    expect((await take(await consume('worker'))).string()).toBe('late');
  });

  test('an ordered consumer reads from a time what its filter matches', async () => {
    const first = await publishAndRead(`${name}.a.new`);
    let start = first;
    // Times are compared by the millisecond.
    while (start.time.getTime() === first.time.getTime()) start = await publishAndRead(`${name}.b.new`);
    const { seq } = await stream.publish(`${name}.a.new`, 'text');
    const message = await takeOrdered({
      deliver_policy: DeliverPolicy.StartTime,
      opt_start_time: start.time.toISOString(),
    });
    expect(message.seq).toBe(seq);
  });

  test('an ordered consumer reads from a number what its filter matches', async () => {
    for (const subject of ['a.new', 'a.new', 'b.new', 'a.new'])
      await stream.publish(`${name}.${subject}`, 'text');
    const message = await takeOrdered({ deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: 3 });
    expect(message.seq).toBe(4);
  });

  test('a key that has a value cannot be created, and one that was purged can', async () => {
    const bucket = await new Kvm(nats).create(name);
    const revision = await bucket.create('call', 'running');
    await expect(bucket.create('call', 'again')).rejects.toThrow(`wrong last sequence: ${revision}`);
    await bucket.purge('call');
    expect((await bucket.get('call'))?.operation).toBe('PURGE');
    await bucket.create('call', 'again');
    expect((await bucket.get('call'))?.string()).toBe('again');
  });

  test('a value is replaced only under its revision', async () => {
    const bucket = await new Kvm(nats).create(name);
    const revision = await bucket.put('call', 'running');
    await bucket.update('call', 'done', revision);
    await expect(bucket.update('call', 'late', revision)).rejects.toThrow('wrong last sequence');
    expect((await bucket.get('call'))?.string()).toBe('done');
  });

  test('a watch begins with the newest value of each key', async () => {
    const bucket = await new Kvm(nats).create(name);
    for (const [key, value] of [
      ['a.1', 'old'],
      ['b.1', 'other'],
      ['a.2', 'text'],
      ['a.1', 'new'],
    ] as const)
      await bucket.put(key, value);
    const keys: string[] = [];
    for await (const key of await bucket.keys('a.>')) keys.push(key);
    expect(keys).toEqual(['a.2', 'a.1']);
    const entries = await bucket.watch({ key: 'a.>' });
    const seen: string[] = [];
    for await (const { key, value, operation } of entries) {
      seen.push(`${operation} ${key} ${new TextDecoder().decode(value)}`);
      if (seen.length === 2) await bucket.purge('a.2');
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(['PUT a.2 text', 'PUT a.1 new', 'PURGE a.2 ']);
  });

  test('a message of 300 kB arrives whole', async () => {
    const text = 'ä'.repeat(150_000);
    await stream.publish(`${name}.new`, text);
    const message = await manager.streams.getMessage(name, { seq: 1 });
    expect(message?.string()).toBe(text);
  });
}

async function take(messages: AsyncIterator<JsMsg>): Promise<JsMsg> {
  const { value } = await messages.next();
  return value;
}
