import { describe, expect, test } from 'vitest';
import {
  createOneByOneTransport,
  type Delivery,
  type OneByOneBackend,
  toRetrySettings,
} from '../../../src/core/transport/create-one-by-one-transport.ts';
import { AgentChatError } from '../../../src/shared/errors.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createIO, read, respond } from './support.ts';

const status = (code: number) =>
  new AgentChatError({ code: 'http_error', message: `status ${code}`, status: code, retryable: code >= 500 });
const lost = new AgentChatError({ code: 'connection_failed', message: 'lost', retryable: true });

/** A transport whose backend gives these replies to posted answers, in turn. An error is thrown. */
function connect(replies: readonly (Delivery | Error)[], more: Partial<OneByOneBackend> = {}) {
  const clock = createManualClock();
  const answering = new Set<string>();
  const posts: { readonly toolCallId: string; readonly mayHaveArrived: boolean }[] = [];
  const left = [...replies];
  const backend: OneByOneBackend = {
    capabilities: { deadlines: false },
    start: async function* () {},
    read: async function* () {},
    async post({ answer, mayHaveArrived }) {
      posts.push({ toolCallId: answer.toolCallId, mayHaveArrived });
      const reply = left.shift() ?? 'accepted';
      if (reply instanceof Error) throw reply;
      return reply;
    },
    stop: async () => {},
    ...more,
  };
  const retry = toRetrySettings({ clock, random: () => 1, reconnect: { maxAttempts: 2 } });
  const transport = createOneByOneTransport(backend, retry, answering);
  const deliver = (repeated?: true) => {
    const answers = respond.answers.map((answer) => ({ ...answer, ...(repeated && { repeated }) }));
    const io = createIO();
    return { io, reading: read(transport.run({ ...respond, answers }, io)) };
  };
  return { clock, answering, posts, deliver };
}

const acknowledged = (word: string) => ({ type: 'tool-result-acknowledged', toolCallId: 'c1', status: word });

describe('what comes of a posted answer', () => {
  test.each([
    ['accepted', [acknowledged('accepted')]],
    ['duplicate', [acknowledged('duplicate')]],
    ['expired', [acknowledged('expired'), { type: 'notice', code: 'answer_expired', toolCallId: 'c1' }]],
    [
      'elsewhere',
      [acknowledged('expired'), { type: 'notice', code: 'answered_elsewhere', toolCallId: 'c1' }],
    ],
  ] as const)(
    'an answer that is %s is acknowledged, with a notice if it does not count',
    async (word, events) => {
      const { deliver } = connect([word]);
      const { reading } = deliver();
      await reading.done;
      expect(reading).toMatchObject({ events, ending: 'returned' });
    },
  );

  test('a notice about the answer comes once, however often the answer is posted', async () => {
    const notice = { type: 'notice' as const, code: 'tool_result_too_large', text: 'Too large' };
    const { clock, deliver, posts } = connect([lost, 'accepted'], { noticeOf: () => notice });
    const { reading } = deliver();
    await clock.advance(60_000);
    expect(reading.events).toEqual([notice, acknowledged('accepted')]);
    expect(posts).toHaveLength(2);
  });
});

test('a call is answering from the first request of its answer to the last one, and not beyond', async () => {
  const { clock, answering, deliver } = connect([status(503), 'accepted']);
  deliver();
  await clock.advance(100);
  expect([...answering]).toEqual(['c1']);
  await clock.advance(60_000);
  expect([...answering]).toEqual([]);
});

test('a call is not answering any more when its answer could not be delivered', async () => {
  const { answering, deliver } = connect([status(400)]);
  const { reading } = deliver();
  await reading.done;
  expect([reading.ending, [...answering]]).toMatchObject([{ status: 400 }, []]);
});

test.each([
  ['it was refused', [status(403)], false],
  ['its response was lost', [lost, lost, lost], true],
  ['it was lost, then refused', [lost, status(403)], true],
] as const)(
  'an answer that is delivered again knows whether it may have arrived when %s',
  async (_, failures, mayHaveArrived) => {
    const { clock, deliver, posts } = connect(failures);
    deliver();
    await clock.advance(60_000);
    deliver(true);
    await clock.advance(0);
    expect(posts.at(-1)).toEqual({ toolCallId: 'c1', mayHaveArrived });
    expect(posts).toHaveLength(failures.length + 1);
  },
);

test('an answer of an earlier page may have arrived', async () => {
  const { deliver, posts } = connect([]);
  await deliver(true).reading.done;
  expect(posts).toEqual([{ toolCallId: 'c1', mayHaveArrived: true }]);
});

test('an answer whose turn is stopped meanwhile yields nothing', async () => {
  const { clock, deliver, posts } = connect([status(503)]);
  const { io, reading } = deliver();
  await clock.advance(0);
  io.abort();
  await reading.done;
  expect([reading.events, reading.ending, posts.length]).toEqual([[], 'returned', 1]);
  expect(clock.waiting).toBe(0);
});

test('the settings for retries have five attempts by default', () => {
  expect(toRetrySettings({}).policy).toMatchObject({ maxAttempts: 5 });
  expect(toRetrySettings({ reconnect: false }).policy).toBe(false);
});
