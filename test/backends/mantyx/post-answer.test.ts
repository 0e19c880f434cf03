/** The delivery of an answer: when it is sent again, how often, and when it counts as delivered. */
import { expect, it } from 'vitest';
import {
  createMantyxTransport,
  type MantyxTransportOptions,
} from '../../../src/backends/mantyx/create-mantyx-transport.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createIO, read, respond } from '../../core/transport/support.ts';
import { createDeferred } from '../../support/deferred.ts';

type Reply = number | 'lost' | Response;

/** Posts an answer that gets these replies in turn; later posts are accepted. Delays are skipped. */
function post(replies: readonly Reply[], more: Partial<MantyxTransportOptions> = {}, repeated?: true) {
  const clock = createManualClock();
  const io = createIO();
  const requests: string[] = [];
  const left = [...replies];
  const transport = createMantyxTransport({
    baseUrl: 'https://mantyx.test',
    workspace: 'w',
    clock,
    random: () => 1,
    reconnect: { initialDelayMs: 1_000, maxAttempts: 2 },
    async fetch(_, init) {
      requests.push(init?.method ?? 'GET');
      const reply = left.shift() ?? 204;
      if (reply === 'lost') throw new TypeError('Failed to fetch');
      return typeof reply === 'number' ? new Response(null, { status: reply }) : reply;
    },
    ...more,
  });
  const answers = respond.answers.map((answer) => ({ ...answer, ...(repeated && { repeated }) }));
  return { clock, io, requests, reading: read(transport.run({ ...respond, answers }, io)) };
}

const acknowledged = (status: string) => ({ type: 'tool-result-acknowledged', toolCallId: 'c1', status });

it('an answer is sent again after doubling delays, and fails with the last error after the last attempt', async () => {
  const { clock, requests, reading } = post([503, 'lost', 502, 204]);
  const sent: number[] = [];
  for (const ms of [0, 999, 1, 1_999, 1, 60_000]) {
    await clock.advance(ms);
    sent.push(requests.length);
  }
  expect(sent).toEqual([1, 1, 2, 2, 3, 3]);
  expect(reading.ending).toMatchObject({ code: 'http_error', status: 502 });
  expect(clock.waiting).toBe(0);
});

it.each([
  ['reconnect is false', 503, { reconnect: false }],
  ['the refusal is permanent', 400, {}],
] as const)('an answer is sent once when %s', async (_, status, more) => {
  const { clock, requests, reading } = post([status], more);
  await clock.advance(60_000);
  expect(requests).toEqual(['POST']);
  expect(reading.ending).toMatchObject({ code: 'http_error', status });
});

it('an answer is not sent again before Retry-After', async () => {
  const busy = new Response(null, { status: 429, headers: { 'retry-after': '7' } });
  const { clock, requests, reading } = post([busy]);
  await clock.advance(6_999);
  expect(requests).toHaveLength(1);
  await clock.advance(1);
  expect(requests).toHaveLength(2);
  expect(reading.events).toEqual([acknowledged('accepted')]);
});

it.each([
  ['it was sent before the page was reloaded', [404], true],
  ['its first response was lost', ['lost', 404], undefined],
  ['its first response was lost and the run is over', ['lost', 409], undefined],
] as const)(
  'an answer counts as delivered when %s and the call is not open any more',
  async (_, replies, repeated) => {
    const { clock, requests, reading } = post(replies, {}, repeated);
    await clock.advance(1_000);
    expect(reading).toMatchObject({ events: [acknowledged('duplicate')], ending: 'returned' });
    expect(requests).not.toContain('GET');
  },
);

it.each([
  ['the platform was unavailable before the run ended', [503, 409], undefined, 'answer_expired'],
  ['the platform was too busy before the run ended', [429, 409], undefined, 'answer_expired'],
  ['another page answered while the platform was unavailable', [503, 404], undefined, 'answered_elsewhere'],
] as const)('an answer does not count as delivered when %s', async (_, replies, repeated, code) => {
  const { clock, reading } = post([...replies, 403], {}, repeated);
  await clock.advance(1_000);
  expect(reading).toMatchObject({
    events: [acknowledged('expired'), { type: 'notice', code }],
    ending: 'returned',
  });
});

it('an answer that was refused and is sent again does not count as delivered when another page has answered', async () => {
  const replies = [403, 404, 200];
  const transport = createMantyxTransport({
    baseUrl: 'https://mantyx.test',
    workspace: 'w',
    fetch: async () => Response.json({ status: 'running' }, { status: replies.shift() ?? 500 }),
  });
  await read(transport.run(respond, createIO())).done;
  const answers = respond.answers.map((answer) => ({ ...answer, repeated: true as const }));
  const again = read(transport.run({ ...respond, answers }, createIO()));
  await again.done;
  expect(again.events).toMatchObject([acknowledged('expired'), { code: 'answered_elsewhere' }]);
});

it('an answer that waits for its next attempt is cancelled with its turn', async () => {
  const { clock, io, requests, reading } = post([503]);
  await clock.advance(0);
  io.abort();
  await reading.done;
  expect([requests.length, reading.events, reading.ending]).toEqual([1, [], 'returned']);
  expect(clock.waiting).toBe(0);
});

it('an answer that is delivered after the turn was stopped yields no events', async () => {
  const arrived = createDeferred<Response>();
  const { io, reading } = post([], { fetch: () => arrived.promise });
  io.abort();
  arrived.resolve(new Response(null, { status: 204 }));
  await reading.done;
  expect([reading.events, reading.ending]).toEqual([[], 'returned']);
});
