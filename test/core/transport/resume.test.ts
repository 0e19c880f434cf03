import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import type { NativePayload } from '../../../src/core/protocol/native-encode.ts';
import {
  createHttpTransport,
  type HttpTransportOptions,
} from '../../../src/core/transport/create-http-transport.ts';
import { decodeNativeMessages, readEventStream } from '../../../src/core/transport/read-event-stream.ts';
import { createManualClock, type ManualClock } from '../../../src/testing/manual-clock.ts';
import { createDeferred } from '../../support/deferred.ts';
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

/** Makes a transport whose requests get the steps as responses, and the last step again and again. */
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
const open = (cursor: string) => ({ type: 'open', executionId: 'e1', cursor });

/** Moves time until the stream has ended. Bodies are read between the timers, on real turns of the event loop. */
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

/** Waits until a timer is set, for at most a hundred turns of the event loop. */
async function untilWaiting(clock: ManualClock) {
  for (let turn = 0; clock.waiting === 0 && turn < 100; turn++)
    await new Promise((resolve) => setImmediate(resolve));
}

test('resumes a cut stream from its last cursor, without repeats', async () => {
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

test('does not take events with the same number for repeats when their content differs', async () => {
  const events = [start, { type: 'text-start', id: 't' }, text('ha'), text('ha'), finish];
  const body = events.map((event) => `id: 1790000000000\ndata: ${JSON.stringify(event)}\n\n`).join('');
  const { transport, clock } = scripted([new Response(body)]);
  const reading = read(transport.run(trigger, createIO()));
  await finishReading(reading, clock);
  expect(reading.types()).toEqual(['start', 'text-start', 'text-delta', 'text-delta', 'finish']);
});

test('drops an event that comes twice in a row with the same number', async () => {
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

test('keeps the cursor when an event has none', async () => {
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
  'takes the executionId from the start only, not from a delta with %j',
  async (executionId) => {
    const named = { ...text('a'), executionId };
    const { transport, clock, payloads } = scripted([numbered(1, start, named), numbered(3, finish)]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([trigger, resume('2')]);
    expect(reading.types()).toEqual(['start', 'text-delta', 'finish']);
  },
);

test('recognises repeats by cursors that are no numbers', async () => {
  const event = (id: string, value: AgentEvent) => `id: ${id}\ndata: ${JSON.stringify(value)}\n\n`;
  const { transport, clock } = scripted([
    new Response(event('9-z', start) + event('10-a', text('a'))),
    new Response(event('9-z', start) + event('10-a', text('a')) + event('8-x', finish)),
  ]);
  const reading = read(transport.run(trigger, createIO()));
  await finishReading(reading, clock);
  expect(reading.types()).toEqual(['start', 'text-delta', 'finish']);
});

test('doubles the wait up to the cap, and starts over after progress', async () => {
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
])('fails with connection_lost after attempts that %s', async (_name, attempt) => {
  const { transport, clock, payloads } = scripted([numbered(1, start), attempt]);
  const reading = read(transport.run(trigger, createIO()));
  await finishReading(reading, clock, 30_000);
  expect(payloads).toHaveLength(6);
  expect(reading.ending).toMatchObject({ code: 'connection_lost', retryable: true });
});

/** Starts a run that is cut after its start. `attempt` makes the response to each resume. */
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
])('counts a response that lasted for %i ms before it was cut', async (heldMs, requests, ending) => {
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
  ['the network fails', () => Promise.reject(offline)],
  ['a proxy answers', async () => new Response('', { status: 504 })],
])(
  'counts an attempt that %s after a minute as failed, because there was no response',
  async (_name, end) => {
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
  },
);

test('the server may ask for a longer wait', async () => {
  const busy = new Response('', { status: 503, headers: { 'retry-after': '60' } });
  const { transport, clock, times } = scripted([numbered(1, start), busy, numbered(2, finish)]);
  const reading = read(transport.run(trigger, createIO()));
  await finishReading(reading, clock, 1_000);
  expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(60_000);
  expect(reading.types()).toEqual(['start', 'finish']);
});

describe('the end of a run', () => {
  test.each([
    ['a cursor', plain(start, text('a'))],
    ['the id of the run', numbered(1, { type: 'start' }, text('a'))],
  ])('makes no attempt without %s', async (_name, response) => {
    const { transport, clock, payloads } = scripted([response]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toHaveLength(1);
    expect(reading.ending).toBe('returned');
  });

  test('makes no attempt with reconnect: false', async () => {
    const { transport, clock, payloads } = scripted([numbered(1, start)], { reconnect: false });
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toHaveLength(1);
    expect(reading.ending).toBe('returned');
  });

  test('makes no attempt after a client-tool-request', async () => {
    const { transport, clock, payloads } = scripted([numbered(1, start, request)]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toHaveLength(1);
    expect(reading.ending).toBe('returned');
  });

  test('fails with not_resumable and the message of the server when the server refuses', async () => {
    const refusal = Response.json({ error: 'no such run' }, { status: 404 });
    const { transport, clock, payloads } = scripted([numbered(1, start), refusal]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toHaveLength(2);
    expect(reading.ending).toMatchObject({ code: 'not_resumable', status: 404, retryable: true });
    expect((reading.ending as Error).message).toContain('no such run');
  });

  test.each([
    ['a login is missing', 401, 'authentication_error'],
    ['a permission is missing', 403, 'permission_error'],
  ])('passes the error on when %s', async (_name, status, errorType) => {
    const { transport, clock } = scripted([numbered(1, start), new Response('', { status })]);
    const reading = read(transport.run(trigger, createIO()));
    await finishReading(reading, clock);
    expect(reading.ending).toMatchObject({ code: 'http_error', errorType });
  });

  test('passes an error event on and makes no further attempt', async () => {
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

  test('makes no further attempt when the turn is stopped during a wait', async () => {
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

describe('a resume command reads a run on after a reload', () => {
  const named = `id: run-6\ndata: ${JSON.stringify(text('a'))}\n\ndata: ${JSON.stringify(finish)}\n\n`;
  test.each<[string, string, readonly Step[]]>([
    ['a resume command drops the events before its cursor', '6', [numbered(6, text('a'), finish)]],
    ['a resume command drops the event of a cursor that is no number', 'run-6', [new Response(named)]],
    [
      'a resume command yields that the run waits for answers',
      '6',
      [plain({ type: 'finish', finishReason: 'client-tool-calls' })],
    ],
    ['a resume command tries again when the network fails', '6', [offline, numbered(6, text('a'), finish)]],
    [
      'a resume command tries again when the server is busy',
      '6',
      [new Response('', { status: 503 }), numbered(7, finish)],
    ],
  ])('%s', async (_name, cursor, steps) => {
    const { transport, clock, payloads } = scripted(steps);
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
    toolResults: [{ toolCallId: 'c1', toolName: 't', outcome: 'submitted', result: 1 }],
  };

  test('sends answers again whose request failed when the run still waits for them', async () => {
    const { transport, clock, payloads } = scripted([offline, plain(waiting), numbered(5, start, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('4'), sent]);
    expect(reading.types()).toEqual(['start', 'finish']);
  });

  test('leaves it to the engine to send answers again when their own response says that the run waits', async () => {
    const { transport, clock, payloads } = scripted([numbered(5, waiting)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent]);
    expect(reading.types()).toEqual(['finish']);
  });

  test('resumes again from the same cursor when answers that were sent again fail', async () => {
    const { transport, clock, payloads } = scripted([offline, plain(waiting), offline, numbered(5, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('4'), sent, resume('4')]);
    expect(reading.types()).toEqual(['finish']);
  });

  test('resumes after the finish that asked for the answers when their second response is cut', async () => {
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

  test('does not send answers again that arrived although their request failed', async () => {
    const { transport, clock, payloads } = scripted([offline, numbered(5, start, text('done'), finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('4')]);
    expect(reading.types()).toEqual(['start', 'text-delta', 'finish']);
  });

  test('resumes the run of answers whose response does not name it', async () => {
    const { transport, clock, payloads } = scripted([numbered(5, { type: 'start' }), numbered(6, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('5')]);
    expect(reading.types()).toEqual(['start', 'finish']);
  });

  test('resumes an interrupted continuation from the cursor at which its answers were sent', async () => {
    const { transport, clock, payloads } = scripted([new Response(': hello\n\n'), numbered(5, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, resume('4')]);
    expect(reading.types()).toEqual(['finish']);
  });

  test.each<[string, readonly Step[], readonly unknown[]]>([
    ['refused', [], [sent]],
    ['refused the second time', [offline, plain(waiting)], [sent, resume('4'), sent]],
  ])('does not resume the run of answers that were %s', async (_name, before, expected) => {
    const refusal = new Response('', { status: 500 });
    const { transport, clock, payloads } = scripted([...before, refusal, numbered(5, finish)]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual(expected);
    expect(reading.ending).toMatchObject({ code: 'http_error', status: 500 });
  });

  const refused: AgentEvent = {
    type: 'error',
    errorType: 'validation_error',
    message: 'Ada answered at 10:04',
    retryable: false,
    source: 'platform',
    code: 'already_answered',
  };

  test('opens the run beside its reader, at once and with a notice, when its calls have answers already', async () => {
    const { transport, payloads } = scripted([plain(refused), numbered(5, start, text('a'), finish)]);
    const reading = read(transport.run(answers, createIO()));
    await reading.done;
    expect(payloads).toEqual([sent, open('4')]);
    expect(reading.types()).toEqual(['notice', 'start', 'text-delta', 'finish']);
    expect(reading.events[0]).toMatchObject({ code: 'answered_elsewhere', text: 'Ada answered at 10:04' });

    const { transport: unnumbered, clock: time } = scripted([plain(refused)]);
    const withoutCursor = read(unnumbered.run(respond, createIO()));
    await finishReading(withoutCursor, time);
    expect(withoutCursor.events).toEqual([refused]);
  });

  test('reads a run beside the page that took it over', async () => {
    const displaced: AgentEvent = { ...refused, code: 'resumed_elsewhere' };
    const { transport, clock, payloads } = scripted([
      new Response((await numbered(5, start, text('a')).text()) + (await plain(displaced).text())),
      numbered(7, finish),
    ]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, open('6')]);
    expect(reading.types()).toEqual(['start', 'text-delta', 'finish']);
  });

  test('never resumes a run that it reads beside another reader', async () => {
    const { transport, clock, payloads } = scripted([
      plain(refused),
      numbered(5, start, text('a')),
      numbered(7, finish),
    ]);
    const reading = read(transport.run(answers, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent, open('4'), open('6')]);
    expect(reading.types()).toEqual(['notice', 'start', 'text-delta', 'finish']);
  });

  test('does not send answers again that were refused when the run asks for other ones', async () => {
    const { transport, payloads } = scripted([plain(refused), numbered(5, waiting)]);
    const reading = read(transport.run(answers, createIO()));
    await reading.done;
    expect(payloads).toEqual([sent, open('4')]);
    expect(reading.types()).toEqual(['notice', 'finish']);
  });

  test('fails answers at once when the server sends no cursors', async () => {
    const { transport, clock, payloads } = scripted([offline]);
    const reading = read(transport.run(respond, createIO()));
    await finishReading(reading, clock);
    expect(payloads).toEqual([sent]);
    expect(reading.ending).toMatchObject({ code: 'connection_failed' });
  });
});

describe('return() while next() waits', () => {
  test('return() closes the body and sends no request', async () => {
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

  test('return() makes no further attempt', async () => {
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

  test('return() waits for no further attempt', async () => {
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

test('return() before the first next() sends no request', async () => {
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
