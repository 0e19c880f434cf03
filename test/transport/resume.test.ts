import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/protocol/events.ts';
import type { NativePayload } from '../../src/protocol/native-encode.ts';
import { createManualClock, type ManualClock } from '../../src/testing/manual-clock.ts';
import { createHttpTransport, type HttpTransportOptions } from '../../src/transport/create-http-transport.ts';
// Loaded when there is an error to tell; here beforehand, since turns are counted and a module takes as long as it takes.
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

/** Numbered from `from`; the body then just ends. */
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

/** Until something waits for the clock; at most a hundred turns of the event loop. */
async function untilWaiting(clock: ManualClock) {
  for (let turn = 0; clock.waiting === 0 && turn < 100; turn++)
    await new Promise((resolve) => setImmediate(resolve));
}

test('a cut stream is read on after the last cursor, without repeats', async () => {
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

test('a number that stands for several events, such as a time or a message, tells of no repeat', async () => {
  const events = [start, { type: 'text-start', id: 't' }, text('ha'), text('ha'), finish];
  const body = events.map((event) => `id: 1790000000000\ndata: ${JSON.stringify(event)}\n\n`).join('');
  const { transport, clock } = scripted([new Response(body)]);
  const reading = read(transport.run(trigger, createIO()));
  await finishReading(reading, clock);
  expect(reading.types()).toEqual(['start', 'text-start', 'text-delta', 'text-delta', 'finish']);
});

test('an event that comes twice in a row is one, as far as its place tells', async () => {
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

test('an event without a cursor does not lose the place', async () => {
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
  'only the run says what it is called: not a delta with %j',
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

test('attempts wait twice as long each time, up to the cap, and progress starts over', async () => {
  const { transport, clock, times } = scripted(
    [numbered(1, start), offline, offline, offline, numbered(2, text('a')), offline, numbered(3, finish)],
    { reconnect: { initialDelayMs: 100, maxDelayMs: 300 } },
  );
  await finishReading(read(transport.run(trigger, createIO())), clock, 50);
  // Failed requests take no time, so these are the waits alone: the second to fourth attempt, and again a second.
  const waitBefore = (attempt: number) => (times[attempt] ?? 0) - (times[attempt - 1] ?? 0);
  expect([2, 3, 4, 6].map(waitBefore)).toEqual([200, 300, 300, 200]);
});

test.each<[string, Step]>([
  ['fail', offline],
  ['bring nothing new', numbered(1, start)],
])('out of attempts, which %s: connection_lost', async (_name, attempt) => {
  const { transport, clock, payloads } = scripted([numbered(1, start), attempt]);
  const reading = read(transport.run(trigger, createIO()));
  await finishReading(reading, clock, 30_000);
  expect(payloads).toHaveLength(6);
  expect(reading.ending).toMatchObject({ code: 'connection_lost', retryable: true });
});

/** A run that is cut after its start, and what comes of each attempt to read on. */
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
])('a response that was held for %i ms before it was cut', async (heldMs, requests, ending) => {
  const clock = createManualClock();
  const held = () =>
    new Response(new ReadableStream({ start: (body) => void clock.after(heldMs, () => body.close()) }));
  const { reading, countRequests } = cutAfterStart(clock, (asked) =>
    asked === 10 ? numbered(2, finish) : held(),
  );
  await finishReading(reading, clock);
  expect([countRequests(), reading.ending]).toEqual([requests, ending]);
});

test.each<[string, () => Promise<Response>]>([
  ['nobody answers', () => Promise.reject(offline)],
  ['a proxy gives up on', async () => new Response('', { status: 504 })],
])('an attempt that %s after a minute is a failed one: no response was held', async (_name, end) => {
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

test('the server may ask for a longer wait', async () => {
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
  ])('without %s', async (_name, response) => {
    const { transport, clock, payloads } = scripted([response]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toHaveLength(1);
    expect(reading.ending).toBe('returned');
  });

  test('with reconnect: false', async () => {
    const { transport, clock, payloads } = scripted([numbered(1, start)], { reconnect: false });
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toHaveLength(1);
    expect(reading.ending).toBe('returned');
  });

  test('after a client-tool-request', async () => {
    const { transport, clock, payloads } = scripted([numbered(1, start, request)]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toHaveLength(1);
    expect(reading.ending).toBe('returned');
  });

  test('once the server refuses: not_resumable, with what it said', async () => {
    const refusal = Response.json({ error: 'no such run' }, { status: 404 });
    const { transport, clock, payloads } = scripted([numbered(1, start), refusal]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toHaveLength(2);
    expect(reading.ending).toMatchObject({ code: 'not_resumable', status: 404, retryable: true });
    expect((reading.ending as Error).message).toContain('no such run');
  });

  test.each([
    ['a login is asked for', 401, 'authentication_error'],
    ['it is not allowed', 403, 'permission_error'],
  ])('once %s: that error', async (_name, status, errorType) => {
    const { transport, clock } = scripted([numbered(1, start), new Response('', { status })]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(reading.ending).toMatchObject({ code: 'http_error', errorType });
  });

  test('once the server answers with an error event, which is passed on', async () => {
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

  test('once the turn is stopped, also in the middle of a wait', async () => {
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

describe('attach reads a run after a reload', () => {
  const named = `id: run-6\ndata: ${JSON.stringify(text('a'))}\n\ndata: ${JSON.stringify(finish)}\n\n`;
  test.each<[string, string, readonly Step[]]>([
    ['without what was seen', '6', [numbered(6, text('a'), finish)]],
    ['also where a cursor is no number', 'run-6', [new Response(named)]],
    ['also that it waits for answers', '6', [plain({ type: 'finish', finishReason: 'client-tool-calls' })]],
    ['also through a bad start', '6', [offline, numbered(6, text('a'), finish)]],
    ['also of a server that is busy', '6', [new Response('', { status: 503 }), numbered(7, finish)]],
  ])('%s', async (_name, cursor, steps) => {
    const { transport, clock, payloads } = scripted(steps);
    if (transport.run === undefined) throw new Error('it cannot attach');
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

  test('whose request failed are sent again when the run still waits for them', async () => {
    const { transport, clock, payloads } = scripted([offline, plain(waiting), numbered(5, start, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('4'), sent]);
    expect(reading.types()).toEqual(['start', 'finish']);
  });

  test('that are answered at once with that the run still waits are for the engine to send again', async () => {
    const { transport, clock, payloads } = scripted([numbered(5, waiting)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent]);
    expect(reading.types()).toEqual(['finish']);
  });

  test('that failed again are looked for again, where they were looked for before', async () => {
    const { transport, clock, payloads } = scripted([offline, plain(waiting), offline, numbered(5, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('4'), sent, resume('4')]);
    expect(reading.types()).toEqual(['finish']);
  });

  test('that arrived the second time are looked for after what said that they had not', async () => {
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

  test('that arrived although their request failed are not sent again', async () => {
    const { transport, clock, payloads } = scripted([offline, numbered(5, start, text('done'), finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('4')]);
    expect(reading.types()).toEqual(['start', 'text-delta', 'finish']);
  });

  test('whose response does not name the run again are read on as well', async () => {
    const { transport, clock, payloads } = scripted([numbered(5, { type: 'start' }), numbered(6, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('5')]);
    expect(reading.types()).toEqual(['start', 'finish']);
  });

  test('whose response is cut before its first event are looked for at the cursor before', async () => {
    const { transport, clock, payloads } = scripted([new Response(': hello\n\n'), numbered(5, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('4')]);
    expect(reading.types()).toEqual(['finish']);
  });

  test.each<[string, readonly Step[], readonly unknown[]]>([
    ['refused', [], [sent]],
    ['refused the second time', [offline, plain(waiting)], [sent, resume('4'), sent]],
  ])('that were %s are not asked about', async (_name, before, expected) => {
    const refusal = new Response('', { status: 500 });
    const { transport, clock, payloads } = scripted([...before, refusal, numbered(5, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual(expected);
    expect(reading.ending).toMatchObject({ code: 'http_error', status: 500 });
  });

  test('that were taken before are not refused to the person: what came of them is read, with a notice', async () => {
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

  test('to a server without cursors fail at once', async () => {
    const { transport, clock, payloads } = scripted([offline]);
    const reading = read(transport.run(respond, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent]);
    expect(reading.ending).toMatchObject({ code: 'connection_failed' });
  });
});

describe('a reader that leaves while it waits for what comes next, as one does that looks at a timer as well,', () => {
  test('closes the body, and asks for nothing any more', async () => {
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

  test('closes a body that came after it had left', async () => {
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

  test('makes no further attempt', async () => {
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

  test('is told of no failure, whatever was left of the response', async () => {
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

  test('waits for no attempt that it would not make', async () => {
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

test('a response that was left before it was asked for is not asked for', async () => {
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
