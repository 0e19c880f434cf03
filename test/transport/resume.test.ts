import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/protocol/events.ts';
import type { NativePayload } from '../../src/protocol/native-encode.ts';
import { createManualClock, type ManualClock } from '../../src/testing/manual-clock.ts';
import { createHttpTransport, type HttpTransportOptions } from '../../src/transport/create-http-transport.ts';
// This module loads on the first error. The tests count turns of the event loop, so they load it beforehand.
import '../../src/transport/http-error.ts';
import { decodeNativeMessages, readEventStream } from '../../src/transport/read-event-stream.ts';
import { createDeferred } from '../support/deferred.ts';
import { createIO, read, respond, trigger } from './support.ts';

const start: AgentEvent = { type: 'start', executionId: 'e1' };
const finish: AgentEvent = { type: 'finish', finishReason: 'stop' };
const text = (delta: string): AgentEvent => ({ type: 'text-delta', id: 't', delta });
const request: AgentEvent = {
  type: 'client-tool-request',
  executionId: 'e1',
  toolCalls: [{ toolCallId: 'c1', toolName: 't', args: {} }],
};

/** A response whose events have cursors from `from` on. The body ends after the last event. */
const numbered = (from: number, ...events: object[]) =>
  new Response(
    events.map((event, index) => `id: ${from + index}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  );
const plain = (...events: AgentEvent[]) =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));

type Step = Response | Error;

/** A transport whose requests are answered by the steps, the last one again and again. */
function scripted(steps: readonly Step[], options: Partial<HttpTransportOptions> = {}) {
  const clock = createManualClock();
  const payloads: NativePayload[] = [];
  const times: number[] = [];
  const began = clock.now();
  const transport = createHttpTransport({
    request: async (payload) => {
      const step = steps[Math.min(payloads.length, steps.length - 1)];
      payloads.push(payload);
      times.push(clock.now() - began);
      if (step instanceof Error) throw step;
      return step?.clone() as Response;
    },
    clock,
    random: () => 1,
    ...options,
  } as HttpTransportOptions);
  return { transport, clock, payloads, times };
}

const offline = new TypeError('fetch failed');
const resume = (cursor: string) => ({ type: 'resume', executionId: 'e1', cursor });

/** Lets time pass until the stream has ended; bodies are read between timers, on real turns of the event loop. */
async function finishReading(
  reading: ReturnType<typeof read>,
  clock: ReturnType<typeof createManualClock>,
  step = 500,
) {
  for (let turn = 0; turn < 2_000 && reading.ending === 'open'; turn++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    await clock.advance(step);
  }
}

/** Waits until a timer is set; at most a hundred turns of the event loop. */
async function untilWaiting(clock: ManualClock) {
  for (let turn = 0; clock.waiting === 0 && turn < 100; turn++)
    await new Promise((resolve) => setImmediate(resolve));
}

test('a cut stream is resumed after the last cursor, without repeats', async () => {
  const { transport, clock, payloads } = scripted([
    numbered(1, start, text('a')),
    numbered(2, text('a'), text('b'), finish),
  ]);
  const reading = read(transport.run(trigger, createIO()));
  await finishReading(reading, clock);
  expect(payloads).toEqual([trigger, resume('2')]);
  expect(reading.events.map(({ cursor }) => cursor)).toEqual(['1', '2', '3', '4']);
  expect(reading.ending).toBe('returned');
});

test('a numeric cursor that several events share does not mark them as repeats', async () => {
  const events = [start, { type: 'text-start', id: 't' }, text('ha'), text('ha'), finish];
  const body = events.map((event) => `id: 1790000000000\ndata: ${JSON.stringify(event)}\n\n`).join('');
  const { transport, clock } = scripted([new Response(body)]);
  const reading = read(transport.run(trigger, createIO()));
  await finishReading(reading, clock);
  expect(reading.types()).toEqual(['start', 'text-start', 'text-delta', 'text-delta', 'finish']);
});

test('an event with the cursor and the content of the event before it is a repeat', async () => {
  const events = [start, text('a'), text('a'), finish];
  const twice = events.flatMap((event, index) => {
    const once = `id: ${index + 1}\ndata: ${JSON.stringify(event)}\n\n`;
    return [once, once];
  });
  const { transport, clock } = scripted([new Response(twice.join(''))]);
  const reading = read(transport.run(trigger, createIO()));
  await finishReading(reading, clock);
  expect(reading.events).toEqual(events.map((event, index) => ({ ...event, cursor: `${index + 1}` })));

  for (const [cursor, second] of [
    ['7', text('b')],
    ['run-7', text('a')],
  ] as const) {
    const oneCursor = [start, text('a'), second, finish].map(
      (event) => `id: ${cursor}\ndata: ${JSON.stringify(event)}\n\n`,
    );
    const other = scripted([new Response(oneCursor.join(''))]);
    const complete = read(other.transport.run(trigger, createIO()));
    await finishReading(complete, other.clock);
    expect(complete.events).toHaveLength(4);
  }
});

test('an event without a cursor leaves the last cursor in use', async () => {
  const { transport, clock, payloads } = scripted([
    new Response(`id: 1\ndata: ${JSON.stringify(start)}\n\ndata: ${JSON.stringify(text('a'))}\n\n`),
    numbered(2, finish),
  ]);
  const reading = read(transport.run(trigger, createIO()));
  await finishReading(reading, clock);
  expect(payloads).toEqual([trigger, resume('1')]);
  expect(reading.types()).toEqual(['start', 'text-delta', 'finish']);
});

test.each(['worker-7', null])(
  'an execution id %j on a delta does not rename the run',
  async (executionId) => {
    const named = { ...text('a'), executionId };
    const { transport, clock, payloads } = scripted([numbered(1, start, named), numbered(3, finish)]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([trigger, resume('2')]);
    expect(reading.types()).toEqual(['start', 'text-delta', 'finish']);
  },
);

test('cursors that are no numbers are recognised as well', async () => {
  const event = (id: string, value: AgentEvent) => `id: ${id}\ndata: ${JSON.stringify(value)}\n\n`;
  const { transport, clock } = scripted([
    new Response(event('9-z', start) + event('10-a', text('a'))),
    new Response(event('9-z', start) + event('10-a', text('a')) + event('8-x', finish)),
  ]);
  const reading = read(transport.run(trigger, createIO()));
  await finishReading(reading, clock);
  expect(reading.types()).toEqual(['start', 'text-delta', 'finish']);
});

test('resume attempts wait twice as long each time, up to the cap, and start over after progress', async () => {
  const { transport, clock, times } = scripted(
    [numbered(1, start), offline, offline, offline, numbered(2, text('a')), offline, numbered(3, finish)],
    { reconnect: { initialDelayMs: 100, maxDelayMs: 300 } },
  );
  await finishReading(read(transport.run(trigger, createIO())), clock, 50);
  // Failed requests take no time, so the total is the sum of the waits: of attempts two to four, and of another second attempt.
  const waitBefore = (attempt: number) => (times[attempt] ?? 0) - (times[attempt - 1] ?? 0);
  expect([2, 3, 4, 6].map(waitBefore)).toEqual([200, 300, 300, 200]);
});

test.each<[string, Step]>([
  ['fail', offline],
  ['bring nothing new', numbered(1, start)],
])('resume attempts that %s end with connection_lost', async (_name, attempt) => {
  const { transport, clock, payloads } = scripted([numbered(1, start), attempt]);
  const reading = read(transport.run(trigger, createIO()));
  await finishReading(reading, clock, 30_000);
  expect(payloads).toHaveLength(6);
  expect(reading.ending).toMatchObject({ code: 'connection_lost', retryable: true });
});

/** A run that is cut after its start, with a response for each attempt to resume. */
function cutAfterStart(clock: ManualClock, attempt: (asked: number) => Promise<Response> | Response) {
  let asked = 0;
  const transport = createHttpTransport({
    async request() {
      asked += 1;
      return asked === 1 ? numbered(1, start) : attempt(asked);
    },
    clock,
  });
  return { reading: read(transport.run(trigger, createIO())), countRequests: () => asked };
}

test.each([
  [10_000, 10, 'returned'],
  [9_999, 6, expect.objectContaining({ code: 'connection_lost' })],
])(
  'a response counts as progress if it was open for 10 s before the cut: %i ms',
  async (heldMs, requests, ending) => {
    const clock = createManualClock();
    const held = () =>
      new Response(new ReadableStream({ start: (body) => void clock.after(heldMs, () => body.close()) }));
    const { reading, countRequests } = cutAfterStart(clock, (asked) =>
      asked === 10 ? numbered(2, finish) : held(),
    );
    await finishReading(reading, clock);
    expect([countRequests(), reading.ending]).toEqual([requests, ending]);
  },
);

test.each<[string, () => Promise<Response>]>([
  ['gets no response', () => Promise.reject(offline)],
  ['gets a gateway timeout', async () => new Response('', { status: 504 })],
])('an attempt that %s after a minute counts as failed', async (_name, end) => {
  const clock = createManualClock();
  const { reading, countRequests } = cutAfterStart(clock, async () => {
    await new Promise<void>((resolve) => void clock.after(60_000, resolve));
    return end();
  });
  await finishReading(reading, clock, 30_000);
  expect([countRequests(), reading.ending]).toEqual([
    6,
    expect.objectContaining({ code: 'connection_lost' }),
  ]);
});

test('a resume attempt waits as long as Retry-After says', async () => {
  const busy = new Response('', { status: 503, headers: { 'retry-after': '60' } });
  const { transport, clock, times } = scripted([numbered(1, start), busy, numbered(2, finish)]);
  const reading = read(transport.run(trigger, createIO()));
  await finishReading(reading, clock, 1_000);
  expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(60_000);
  expect(reading.types()).toEqual(['start', 'finish']);
});

describe('no further attempt', () => {
  test.each([
    ['a cursor', plain(start, text('a'))],
    ['the id of the run', numbered(1, { type: 'start' }, text('a'))],
  ])('a cut stream without %s is not resumed', async (_name, response) => {
    const { transport, clock, payloads } = scripted([response]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toHaveLength(1);
    expect(reading.ending).toBe('returned');
  });

  test('a cut stream is not resumed with reconnect false', async () => {
    const { transport, clock, payloads } = scripted([numbered(1, start)], { reconnect: false });
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toHaveLength(1);
    expect(reading.ending).toBe('returned');
  });

  test('a cut stream is not resumed after a client-tool-request', async () => {
    const { transport, clock, payloads } = scripted([numbered(1, start, request)]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toHaveLength(1);
    expect(reading.ending).toBe('returned');
  });

  test('a refused resume ends with not_resumable and the message of the server', async () => {
    const refusal = Response.json({ error: 'no such run' }, { status: 404 });
    const { transport, clock, payloads } = scripted([numbered(1, start), refusal]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toHaveLength(2);
    expect(reading.ending).toMatchObject({ code: 'not_resumable', status: 404, retryable: true });
    expect((reading.ending as Error).message).toContain('no such run');
  });

  test.each([
    ['the server requires a login', 401, 'authentication_error'],
    ['the server forbids it', 403, 'permission_error'],
  ])('a resume ends with the HTTP error when %s', async (_name, status, errorType) => {
    const { transport, clock } = scripted([numbered(1, start), new Response('', { status })]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(reading.ending).toMatchObject({ code: 'http_error', errorType });
  });

  test('a resume ends with the error event of the server', async () => {
    const error: AgentEvent = {
      type: 'error',
      errorType: 'not_found_error',
      message: 'gone',
      retryable: false,
      source: 'platform',
    };
    const { transport, clock } = scripted([numbered(1, start), plain(error)]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(reading.events.at(-1)).toEqual(error);
    expect(reading.ending).toBe('returned');
  });

  test('a stopped turn makes no further attempt, also in the middle of a wait', async () => {
    const { transport, clock, payloads } = scripted([numbered(1, start), offline]);
    const io = createIO();
    const reading = read(transport.run(trigger, io));
    await reading.until(1);
    await untilWaiting(clock);
    io.abort();
    await reading.done;
    expect(reading.ending).toBe('returned');
    expect(clock.waiting).toBe(0);
    expect(payloads).toHaveLength(1);
  });
});

describe('resume after a reload', () => {
  const named = `id: run-6\ndata: ${JSON.stringify(text('a'))}\n\ndata: ${JSON.stringify(finish)}\n\n`;
  test.each<[string, string, readonly Step[]]>([
    ['without earlier events', '6', [numbered(6, text('a'), finish)]],
    ['from a cursor that is no number', 'run-6', [new Response(named)]],
    [
      'whose only event says that it waits for answers',
      '6',
      [plain({ type: 'finish', finishReason: 'client-tool-calls' })],
    ],
    ['after a failed first attempt', '6', [offline, numbered(6, text('a'), finish)]],
    ['from a server that was busy', '6', [new Response('', { status: 503 }), numbered(7, finish)]],
  ])('a resume after a reload reads the run %s', async (_name, cursor, steps) => {
    const { transport, clock, payloads } = scripted(steps);
    if (transport.run === undefined) throw new Error('the transport has no run()');
    const reading = read(transport.run({ type: 'resume', executionId: 'e1', cursor }, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual(steps.map(() => resume(cursor)));
    expect(reading.types()).toEqual(['finish']);
  });
});

describe('answers', () => {
  const waiting: AgentEvent = { type: 'finish', finishReason: 'client-tool-calls' };
  const answers = { ...respond, cursor: '4' };
  const sent = {
    type: 'continue',
    executionId: 'e1',
    toolResults: [{ toolCallId: 'c1', toolName: 't', result: 1 }],
  };

  test('answers whose request failed are sent again when the run still waits for them', async () => {
    const { transport, clock, payloads } = scripted([offline, plain(waiting), numbered(5, start, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('4'), sent]);
    expect(reading.types()).toEqual(['start', 'finish']);
  });

  test('answers to which the run responds that it still waits are not sent again by the transport', async () => {
    const { transport, clock, payloads } = scripted([numbered(5, waiting)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent]);
    expect(reading.types()).toEqual(['finish']);
  });

  test('answers whose second request failed resume from the same cursor again', async () => {
    const { transport, clock, payloads } = scripted([offline, plain(waiting), offline, numbered(5, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('4'), sent, resume('4')]);
    expect(reading.types()).toEqual(['finish']);
  });

  test('answers that arrived with the second request resume behind the event that reported the run as waiting', async () => {
    const { transport, clock, payloads } = scripted([
      offline,
      numbered(5, waiting),
      offline,
      numbered(6, start, finish),
    ]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('4'), sent, resume('5')]);
    expect(reading.types()).toEqual(['start', 'finish']);
  });

  test('answers that arrived although their request failed are not sent again', async () => {
    const { transport, clock, payloads } = scripted([offline, numbered(5, start, text('done'), finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('4')]);
    expect(reading.types()).toEqual(['start', 'text-delta', 'finish']);
  });

  test('answers whose response does not name the run are resumed as well', async () => {
    const { transport, clock, payloads } = scripted([numbered(5, { type: 'start' }), numbered(6, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('5')]);
    expect(reading.types()).toEqual(['start', 'finish']);
  });

  test('answers whose response is cut before its first event resume from the cursor before', async () => {
    const { transport, clock, payloads } = scripted([new Response(': hello\n\n'), numbered(5, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('4')]);
    expect(reading.types()).toEqual(['finish']);
  });

  test.each<[string, readonly Step[], readonly unknown[]]>([
    ['refused', [], [sent]],
    ['refused the second time', [offline, plain(waiting)], [sent, resume('4'), sent]],
  ])('answers that were %s start no resume', async (_name, before, expected) => {
    const refusal = new Response('', { status: 500 });
    const { transport, clock, payloads } = scripted([...before, refusal, numbered(5, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual(expected);
    expect(reading.ending).toMatchObject({ code: 'http_error', status: 500 });
  });

  test('answers that were accepted before lead to a resume with a notice, not to an error', async () => {
    const refused: AgentEvent = {
      type: 'error',
      errorType: 'validation_error',
      message: 'answered before',
      retryable: false,
      source: 'platform',
      code: 'already_answered',
    };
    const { transport, clock, payloads } = scripted([plain(refused), numbered(5, start, text('a'), finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('4')]);
    expect(reading.types()).toEqual(['notice', 'start', 'text-delta', 'finish']);
    expect(reading.events[0]).toMatchObject({ code: 'answered_elsewhere' });

    const { transport: unnumbered, clock: time } = scripted([plain(refused)]);
    const told = read(unnumbered.run(respond, createIO()));
    await finishReading(told, time);
    expect(told.events).toEqual([refused]);
  });

  test('answers to a server without cursors fail at once', async () => {
    const { transport, clock, payloads } = scripted([offline]);
    const reading = read(transport.run(respond, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent]);
    expect(reading.ending).toMatchObject({ code: 'connection_failed' });
  });
});

describe('a reader that calls return() while it waits for the next event', () => {
  test('return() closes the body and makes no further request', async () => {
    let isClosed = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode(`id: 1\ndata: ${JSON.stringify(start)}\n\n`)),
      cancel() {
        isClosed = true;
      },
    });
    let requests = 0;
    const request = async () => {
      requests += 1;
      return new Response(body);
    };
    const { transport, clock } = scripted([], { request });
    const iterator = transport.run(trigger, createIO())[Symbol.asyncIterator]();
    await iterator.next();
    const pending = iterator.next();
    await iterator.return?.();
    expect(isClosed).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(60_000);
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(requests).toBe(1);
  });

  test('return() closes a body that arrives later', async () => {
    const asked = createDeferred<Response>();
    const { transport } = scripted([], { request: () => asked.promise });
    const iterator = transport.run(trigger, createIO())[Symbol.asyncIterator]();
    const pending = iterator.next();
    await iterator.return?.();
    let isClosed = false;
    asked.resolve(
      new Response(
        new ReadableStream({
          cancel() {
            isClosed = true;
          },
        }),
      ),
    );
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(isClosed).toBe(true);
  });

  test('return() prevents further attempts', async () => {
    const { transport, clock, payloads } = scripted([numbered(1, start)]);
    const iterator = transport.run(trigger, createIO())[Symbol.asyncIterator]();
    await iterator.next();
    const pending = iterator.next();
    await untilWaiting(clock);
    await iterator.return?.();
    await clock.advance(60_000);
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(payloads).toHaveLength(1);
  });

  test('return() reports no failure of the rest of the response', async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('Sorry,')),
    });
    const request = async () => new Response(body, { headers: { 'content-type': 'text/plain' } });
    const { transport } = scripted([], { request, reconnect: { maxAttempts: 0 } });
    const iterator = transport.run(trigger, createIO())[Symbol.asyncIterator]();
    const pending = iterator.next();
    await new Promise((resolve) => setImmediate(resolve));
    await iterator.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
  });

  test('return() does not wait for an attempt that will not be made', async () => {
    let requests = 0;
    const request = async () => {
      requests += 1;
      const event = `id: 1\ndata: ${JSON.stringify(start)}\n\n`;
      return new Response(
        new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(event)) }),
      );
    };
    const { transport, clock } = scripted([], { request, reconnect: { maxAttempts: 0 } });
    const iterator = transport.run(trigger, createIO())[Symbol.asyncIterator]();
    await iterator.next();
    const pending = iterator.next();
    await iterator.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect([requests, clock.waiting]).toEqual([1, 0]);
  });
});

test('return() before the first read makes no request', async () => {
  let requests = 0;
  const request = async () => {
    requests += 1;
    return plain(start);
  };
  const stream = readEventStream(request, createIO(), createManualClock(), decodeNativeMessages);
  await stream.return?.();
  expect(await stream.next()).toEqual({ done: true, value: undefined });
  expect(requests).toBe(0);
});
