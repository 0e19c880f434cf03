/** Answers that are so fast that their frames arrive while the page reads the thread for the first time. */
import { expect, it } from 'vitest';
import { openThread, partsOf, STARTED_AT } from './support/thread-double.ts';

const TELEMETRY = { type: 'telemetry', model: 'm', inputTokens: 7, outputTokens: 3, cost: 0 };
const RESOURCE = { type: 'custom', eventType: 'resource-update', data: { name: 'cart', value: 2 } };
const IDLE = { type: 'status', status: 'idle' };
const row = {
  id: 'a',
  role: 'assistant',
  content: 'Done',
  status: 'completed',
  depth: 0,
  created_at: STARTED_AT + 1,
};

it.each(['the answer', 'only the question'])(
  'shows usage and resources of an answer that ends while a thread with %s is read',
  async (part) => {
    const { server, chat, log } = openThread();
    server.answer = ({ method, path }) => {
      if (method !== 'GET' || !path.endsWith('/messages')) return undefined;
      server.answer = () => undefined;
      const before = Response.json({ messages: [...server.rows] });
      for (const frame of [TELEMETRY, RESOURCE, { type: 'message_data', message: row }, IDLE])
        server.push(frame);
      server.rows.push(row);
      server.status = 'idle';
      return part === 'the answer' ? undefined : before;
    };
    chat.sendMessage('Hi').catch(() => {});
    await server.settle();
    await server.settle();
    expect(chat.getState().status).toBe('idle');
    expect(partsOf(chat)).toMatchObject([{ text: 'Done' }]);
    expect(chat.getState().usage).toMatchObject({ inputTokens: 7, outputTokens: 3 });
    expect(log).toEqual([['cart', 2]]);
  },
);

it('reads the thread once for an answer that streams after it was read', async () => {
  const { server, chat, start } = openThread();
  await start();
  const reads = () => server.requestsTo('GET', '/messages').length;
  expect(reads()).toBe(1);
  await server.send(TELEMETRY);
  expect(reads()).toBe(1);
  await server.put(row);
  await server.rest();
  expect([chat.getState().status, reads()]).toEqual(['idle', 2]);
});
