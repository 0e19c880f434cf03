import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { NativePayload } from '../../../src/core/protocol/native-encode.ts';
import { createHttpTransport } from '../../../src/core/transport/create-http-transport.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import { AgentChatError } from '../../../src/shared/errors.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { everyCut } from '../../support/cuts.ts';
import { createDeferred } from '../../support/deferred.ts';
import { collect, createIO, read, respond, trigger } from './support.ts';

const encoder = new TextEncoder();
const sse = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const start = { type: 'start', executionId: 'e1' } as const;
const finish = { type: 'finish', finishReason: 'stop' } as const;
const answering = (response: () => Response | Promise<Response>) =>
  createHttpTransport({ request: async () => response() });

/** A body whose pieces are given by hand. */
function createBody() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const cancelled = createDeferred();
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel() {
      isCancelled = true;
      cancelled.resolve();
    },
  });
  return {
    response: () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
    write: (text: string) => controller.enqueue(encoder.encode(text)),
    end: () => controller.close(),
    breakOff: () => controller.error(new TypeError('terminated')),
    cancelled: cancelled.promise,
    isCancelled: () => isCancelled,
  };
}

async function failureOf(stream: Parameters<typeof collect>[0]): Promise<AgentChatError> {
  const reading = read(stream);
  await reading.done;
  expect(reading.ending).toBeInstanceOf(AgentChatError);
  return reading.ending as AgentChatError;
}

describe('against a node:http server', () => {
  let close = async () => {};
  afterEach(() => close());

  async function serve(handle: (request: IncomingMessage, body: unknown, response: ServerResponse) => void) {
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      handle(request, JSON.parse(text), response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    close = async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    };
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/agent`;
  }

  test('posts the payload merged over the body with its headers, and reads the stream', async () => {
    const seen: unknown[] = [];
    const url = await serve(({ method, headers }, body, response) => {
      seen.push({
        method,
        accept: headers.accept,
        type: headers['content-type'],
        token: headers['x-token'],
        body,
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`${sse(start, finish)}data: [DONE]\n\n`);
    });
    const transport = createHttpTransport({
      url,
      headers: async (payload) => ({ 'x-token': `for ${payload.type}` }),
      body: { sessionId: 's1', type: 'overwritten' },
    });
    expect(await collect(transport.run(trigger, createIO()))).toEqual([start, finish]);
    expect(seen).toEqual([
      {
        method: 'POST',
        accept: 'text/event-stream',
        type: 'application/json',
        token: 'for trigger',
        body: { sessionId: 's1', ...trigger },
      },
    ]);
  });

  test('the headers of the app replace the default headers', async () => {
    const seen: unknown[] = [];
    const url = await serve(({ headers }, body, response) => {
      seen.push(headers.accept, headers['content-type'], body);
      response.end(sse(finish));
    });
    const headers = { Accept: '*/*', 'Content-Type': 'text/plain' };
    await collect(createHttpTransport({ url, headers }).run(trigger, createIO()));
    expect(seen).toEqual(['*/*', 'text/plain', trigger]);
  });

  test('an abort closes the connection to the server', async () => {
    const gone = createDeferred();
    const url = await serve((_request, _body, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse(start));
      response.on('close', gone.resolve);
    });
    const io = createIO();
    const reading = read(createHttpTransport({ url }).run(trigger, io));
    await reading.until(1);
    io.abort();
    await reading.done;
    await gone.promise;
    expect(reading.ending).toBe('returned');
  });

  test('resumes a run whose connection breaks when the server sends ids', async () => {
    const bodies: unknown[] = [];
    const names = new Set<string>();
    const url = await serve(({ headers }, body, response) => {
      bodies.push(body);
      names.add(Object.keys(headers).join());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (bodies.length === 1) response.write(`id: 1\n${sse(start)}`, () => response.destroy());
      else response.end(`id: 1\n${sse(start)}id: 2\n${sse(finish)}`);
    });
    const transport = createHttpTransport({ url, reconnect: { initialDelayMs: 0 } });
    expect(await collect(transport.run(trigger, createIO()))).toEqual([
      { ...start, cursor: '1' },
      { ...finish, cursor: '2' },
    ]);
    expect(bodies).toEqual([trigger, { type: 'resume', executionId: 'e1', cursor: '1' }]);
    // Another origin that allows the headers of the first request has to allow those of the second.
    expect(names.size).toBe(1);
  });

  test('fails with a retryable connection_failed when the server is down', async () => {
    const url = await serve(() => {});
    await close();
    close = async () => {};
    const error = await failureOf(createHttpTransport({ url }).run(trigger, createIO()));
    expect(error).toMatchObject({ code: 'connection_failed', retryable: true, source: 'client' });
    expect(error.message).toContain('could not be reached');
  });
});

describe('fixtures', () => {
  const folder = new URL('../../fixtures/native/', import.meta.url);
  const fixtures = readdirSync(folder).filter((name) => name.endsWith('.sse'));

  test.each(fixtures)('the fixture %s gives the same events however its bytes are cut', async (name) => {
    const bytes = new Uint8Array(readFileSync(new URL(name, folder)));
    const results = await Promise.all(
      everyCut(bytes).map(async ({ pieces }) => {
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            for (const piece of pieces) controller.enqueue(piece);
            controller.close();
          },
        });
        const io = createIO();
        const events = await collect(answering(() => new Response(body)).run(trigger, io));
        return { events, unknown: io.unknown };
      }),
    );
    expect(results[0]?.events.at(-1)?.type).toMatch(/finish|error/);
    for (const result of results) expect(result).toEqual(results[0]);
  });

  test('reports unknown frames to onUnknownEvent and goes on', async () => {
    const bytes = readFileSync(new URL('every-line-end.sse', folder));
    const io = createIO();
    const events = await collect(answering(() => new Response(new Uint8Array(bytes))).run(trigger, io));
    expect(io.unknown).toEqual([{ type: 'step-started', step: 1 }, 'not json at all']);
    expect(events).toEqual([
      { type: 'start', executionId: 'e3', cursor: '1' },
      { type: 'text-start', id: 't', cursor: '2' },
      { type: 'text-delta', id: 't', delta: 'näh 🎈', cursor: '3' },
      { type: 'finish', finishReason: 'other', cursor: '4' },
    ]);
  });
});

test('reports JSON that is no event as its value, and reads a content type with spaces', async () => {
  const io = createIO();
  // A stand-in: `Headers` would take the spaces away.
  const response = () =>
    ({
      ok: true,
      status: 200,
      headers: { get: () => '  text/event-stream' },
      body: new Response(`data: null\n\ndata: 7\n\ndata: {"type":"finish","finishReason":"stop"}\n\n`).body,
    }) as unknown as Response;
  const events = await collect(answering(response).run(trigger, io));
  expect(io.unknown).toEqual([null, 7]);
  expect(events).toEqual([{ type: 'finish', finishReason: 'stop' }]);
});

test('yields the events of one chunk as one array', async () => {
  const batches: unknown[] = [];
  const transport = answering(() => new Response(sse(start, { type: 'text-start', id: 't' }, finish)));
  for await (const batch of transport.run(trigger, createIO())) batches.push(batch);
  expect(batches).toEqual([[start, { type: 'text-start', id: 't' }, finish]]);
});

describe('errors of HTTP responses', () => {
  const json = (body: unknown) => JSON.stringify(body);
  test.each<[number, string, string, object]>([
    [400, json({ error: 'bad input' }), 'bad input', { errorType: 'validation_error', retryable: false }],
    [
      401,
      json({ message: 'who are you' }),
      'who are you',
      { errorType: 'authentication_error', retryable: false },
    ],
    [402, '', 'Request failed: 402', { errorType: 'quota_exceeded_error', retryable: false }],
    [
      403,
      json({ error: { message: 'nested' } }),
      'nested',
      { errorType: 'permission_error', retryable: false },
    ],
    [404, json({ error: 'e', message: 'm' }), 'e', { errorType: 'not_found_error', retryable: false }],
    [418, json({ unrelated: true }), 'Request failed: 418', { errorType: 'unknown_error', retryable: false }],
    [
      429,
      json({ error: 'busy', code: 'SESSION_BUSY' }),
      'busy',
      { errorType: 'rate_limit_error', backendCode: 'SESSION_BUSY' },
    ],
    [500, 'plain words', 'plain words', { errorType: 'internal_error', retryable: true }],
    [502, '<!doctype html><h1>Bad gateway</h1>', 'Request failed: 502', { errorType: 'internal_error' }],
    [
      502,
      json({ error: '<!doctype html><h1>Bad gateway</h1>' }),
      'Request failed: 502',
      { errorType: 'internal_error' },
    ],
    [400, json({ error: '<name> is required' }), '<name> is required', { errorType: 'validation_error' }],
    [503, '{"error":', 'Request failed: 503', { errorType: 'provider_overloaded', retryable: true }],
    [500, '\n{"error":', 'Request failed: 500', { errorType: 'internal_error' }],
    [500, '[{"error":', 'Request failed: 500', { errorType: 'internal_error' }],
    [500, json('  only words '), 'only words', { errorType: 'internal_error' }],
    [500, json(' '), 'Request failed: 500', { errorType: 'internal_error' }],
    [500, json({ error: ' ', message: 'm' }), 'm', { errorType: 'internal_error' }],
    [500, 'x'.repeat(200), 'x'.repeat(200), { errorType: 'internal_error' }],
    [500, 'x'.repeat(201), `${'x'.repeat(200)}…`, { errorType: 'internal_error' }],
    [502, '\n <h1>Bad gateway</h1>', 'Request failed: 502', { errorType: 'internal_error' }],
    [504, json({ error: '' }), 'Request failed: 504', { errorType: 'provider_timeout', retryable: true }],
  ])('status %i with body %s becomes the error', async (status, body, message, expected) => {
    const error = await failureOf(answering(() => new Response(body, { status })).run(trigger, createIO()));
    expect(error).toMatchObject({ code: 'http_error', source: 'platform', status, message, ...expected });
  });

  test('recognises HTML by its content type', async () => {
    const response = new Response('Oops & sorry', { status: 500, headers: { 'content-type': 'text/html' } });
    const error = await failureOf(answering(() => response).run(trigger, createIO()));
    expect(error.message).toBe('Request failed: 500');
  });

  test('decodes an error body however its bytes are cut', async () => {
    const [first, ...rest] = encoder.encode('ü is no name');
    const body = new ReadableStream({
      start(controller) {
        for (const piece of [[first ?? 0], rest]) controller.enqueue(Uint8Array.from(piece));
        controller.close();
      },
    });
    const error = await failureOf(
      answering(() => new Response(body, { status: 400 })).run(trigger, createIO()),
    );
    expect(error.message).toBe('ü is no name');
  });

  test.each([
    ['120', 120],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['-5', 0],
    ['Thu, 01 Jan 2026 00:01:30 GMT', 90],
    ['Thu, 01 Jan 2015 00:00:00 GMT', 0],
    ['soon', undefined],
  ])('reads retryAfter from Retry-After: %s', async (header, expected) => {
    const transport = createHttpTransport({
      request: async () => new Response('', { status: 429, headers: { 'retry-after': header } }),
      clock: createManualClock(Date.UTC(2026, 0, 1)),
    });
    expect((await failureOf(transport.run(trigger, createIO()))).retryAfter).toBe(expected);
  });

  test('ends at once when the turn is stopped while an error body is read', async () => {
    const body = createBody();
    body.write('half a mess');
    const io = createIO();
    const reading = read(
      answering(() => new Response(body.response().body, { status: 500 })).run(trigger, io),
    );
    io.abort();
    await reading.done;
    expect(reading.ending).toBe('returned');
  });
});

describe('a test double of Response', () => {
  const standIn = (given: object) => answering(() => given as Response).run(trigger, createIO());

  test.each([
    ['a stream', {}],
    ['a stream and a status', { status: 200 }],
  ])('reads a double with %s', async (_name, more) => {
    const { body } = new Response(sse(start, finish));
    expect(await collect(standIn({ ok: true, body, ...more }))).toEqual([start, finish]);
  });

  test.each([
    ['without a text', {}, 'Request failed: 503'],
    ['with a text', { text: async () => 'Closed' }, 'Closed'],
  ])('fails by the status of a double %s', async (_name, more, message) => {
    const error = await failureOf(standIn({ ok: false, status: 503, ...more }));
    expect(error).toMatchObject({ code: 'http_error', errorType: 'provider_overloaded', message });
  });
});

describe('a body that is no event stream', () => {
  test.each([
    ['HTML', '<html>Log in</html>', 'text/html', 'content type text/html', 'a page of markup'],
    ['JSON', '{"ok":true}', 'application/json', 'content type application/json', 'ok'],
    ['prose without a type', 'Hello there', undefined, '', 'Hello there'],
    ['HTML with a style sheet', '<style>\n:root {}</style>', undefined, '', 'a page of markup'],
    ['HTML that claims to be one', '<html></html>\n\n', 'text/event-stream', 'text/event-stream', 'markup'],
  ])(
    'fails with invalid_response, naming type and beginning, for %s',
    async (_name, body, type, said, beginning) => {
      const response = new Response(
        encoder.encode(body),
        type === undefined ? {} : { headers: { 'content-type': type } },
      );
      const error = await failureOf(answering(() => response).run(trigger, createIO()));
      expect(error).toMatchObject({ code: 'invalid_response', errorType: 'protocol_error' });
      expect(error.message).toContain(said);
      expect(error.message).toContain(beginning);
      // A person must never read markup.
      expect(error.message).not.toContain('<');
    },
  );

  test('fails with invalid_response when there is no body', async () => {
    const error = await failureOf(answering(() => new Response(null)).run(trigger, createIO()));
    expect(error).toMatchObject({ code: 'invalid_response', message: 'Response body is empty' });
  });

  test('fails with invalid_response when the body was read already', async () => {
    const response = new Response(sse(start));
    await response.text();
    const error = await failureOf(answering(() => response).run(trigger, createIO()));
    expect(error).toMatchObject({ code: 'invalid_response', message: 'Response body is not readable' });
  });

  test.each([
    ['the request returned undefined', undefined],
    ['the request returned the parsed body instead of the response', { ok: true }],
  ])('fails with invalid_response when %s', async (_name, given) => {
    const transport = createHttpTransport({ request: async () => given as unknown as Response });
    const error = await failureOf(transport.run(trigger, createIO()));
    expect(error.code).toBe('invalid_response');
    expect(error.message).toContain('return');
  });
});

test('throws invalid_event for a malformed client-tool-request after the events before it', async () => {
  const raw = { type: 'client-tool-request', executionId: 'e1' };
  const reading = read(answering(() => new Response(sse(start, raw, finish))).run(trigger, createIO()));
  await reading.done;
  expect(reading.events).toEqual([start]);
  expect(reading.ending).toMatchObject({ code: 'invalid_event', cause: raw });
});

test.each(['\n\n', ': hello\n\n'])('a stream of nothing but %j just ends', async (text) => {
  expect(await collect(answering(() => new Response(text)).run(trigger, createIO()))).toEqual([]);
});

test('a stream that is cut without a cursor just ends', async () => {
  for (const end of ['end', 'breakOff'] as const) {
    const body = createBody();
    const reading = read(answering(body.response).run(trigger, createIO()));
    body.write(sse(start));
    await reading.until(1);
    body[end]();
    await reading.done;
    expect(reading.ending).toBe('returned');
  }
});

describe('stopping', () => {
  test('stop does not wait for a request that ignores its signal, and closes its late response', async () => {
    const late = createDeferred<Response>();
    const body = createBody();
    const io = createIO();
    const reading = read(createHttpTransport({ request: () => late.promise }).run(trigger, io));
    io.abort();
    await reading.done;
    late.resolve(body.response());
    await body.cancelled;
    expect(reading.ending).toBe('returned');
  });

  test('stop closes a body whose request ignored its signal, and reads no more of it', async () => {
    const body = createBody();
    const io = createIO();
    const reading = read(answering(body.response).run(trigger, io));
    body.write(sse(start));
    await reading.until(1);
    body.write(sse({ type: 'text-start', id: 't' }));
    io.abort();
    await reading.done;
    await body.cancelled;
    expect(reading).toMatchObject({ events: [start], ending: 'returned' });
  });

  test('stop sends a payload only for a run that can be resumed', async () => {
    const payloads: NativePayload[] = [];
    const body = createBody();
    const transport = createHttpTransport({
      request: async (payload) => {
        payloads.push(payload);
        return body.response();
      },
    });
    const io = createIO();
    const reading = read(transport.run(trigger, io));
    body.write(sse(start));
    await reading.until(1);
    await transport.stop?.({ type: 'stop', executionId: 'e1' });
    expect(payloads).toEqual([trigger]);
    body.write(`id: 1\n${sse({ type: 'text-start', id: 't' })}`);
    await reading.until(2);
    io.abort();
    await transport.stop?.({ type: 'stop', executionId: 'e1', cursor: '1' });
    expect(payloads).toEqual([trigger, { type: 'stop', executionId: 'e1' }]);
  });
});

test.each([['include'], ['omit'], [undefined]] as const)(
  'createHttpTransport with a url passes the credentials %s to fetch with every payload',
  async (credentials) => {
    const given: unknown[] = [];
    const transport = createHttpTransport({
      url: 'https://agent.example/api',
      ...(credentials && { credentials }),
      fetch: async (_, init) => {
        given.push(init && 'credentials' in init ? init.credentials : undefined);
        return new Response(sse(start, finish), { headers: { 'content-type': 'text/event-stream' } });
      },
    });
    await read(transport.run(trigger, createIO())).done;
    await transport.stop?.({ type: 'stop', executionId: 'e1', cursor: '1' });
    expect(given).toEqual([credentials, credentials]);
  },
);

test('sends a stop with keepalive, and other payloads without it, because browsers limit its size', async () => {
  const sent: unknown[] = [];
  const transport = createHttpTransport({
    url: '/x',
    fetch: async (_url, init) => {
      sent.push([JSON.parse(String(init?.body)).type, init?.keepalive]);
      return new Response(`id: 1\n${sse(finish)}`);
    },
  });
  await collect(transport.run(trigger, createIO()));
  await transport.stop?.({ type: 'stop', executionId: 'e1', cursor: '1' });
  expect(sent).toEqual([
    ['trigger', false],
    ['stop', true],
  ]);
});

describe('a response that falls silent', () => {
  /** A run whose first response is given by hand; `tick` lets what was written arrive. */
  async function openRun(now: (clock: Clock) => number = (clock) => clock.now()) {
    const bodies = [createBody(), createBody()] as const;
    const manual = createManualClock();
    const payloads: NativePayload[] = [];
    const transport = createHttpTransport({
      request: async (payload) => {
        payloads.push(payload);
        return (payloads.length === 1 ? bodies[0] : bodies[1]).response();
      },
      clock: { ...manual, now: () => now(manual) },
      reconnect: { initialDelayMs: 0 },
    });
    const reading = read(transport.run(trigger, createIO()));
    const tick = async () => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
    };
    const pass = async (ms: number) => {
      await manual.advance(ms);
      await tick();
    };
    bodies[0].write(`id: 1\n${sse(start)}`);
    await reading.until(1);
    return { first: bodies[0], second: bodies[1], payloads, reading, tick, pass, clock: manual };
  }
  const resumed = { type: 'resume', executionId: 'e1', cursor: '1' };

  test('a silent response counts as cut after two and a half heartbeats, and its run is resumed', async () => {
    const { first, second, payloads, reading, tick, pass, clock } = await openRun();
    await pass(20_000);
    first.write(': heartbeat\n\n');
    await tick();
    await pass(30_000);
    first.write(': heartbeat\n\n');
    await tick();
    await pass(49_999);
    expect(payloads).toHaveLength(1);
    await pass(1);
    expect(payloads.slice(1)).toEqual([resumed]);
    expect(first.isCancelled()).toBe(true);
    second.write(`id: 2\n${sse(finish)}`);
    second.end();
    await reading.done;
    await tick();
    expect(reading.types()).toEqual(['start', 'finish']);
    expect(clock.waiting).toBe(0);
  });

  test('a response may be silent for 35 seconds however short its heartbeat interval is', async () => {
    const { first, payloads, tick, pass } = await openRun();
    first.write(': heartbeat\n\n');
    await tick();
    await pass(34_999);
    expect(payloads).toHaveLength(1);
    await pass(1);
    expect(payloads.slice(1)).toEqual([resumed]);
  });

  test('the time in which the page stood still does not count as silence', async () => {
    let sleptMs = 0;
    const { first, payloads, tick, pass } = await openRun((clock) => clock.now() + sleptMs);
    first.write(': heartbeat\n\n');
    await tick();
    sleptMs = 60_000;
    await pass(35_000);
    expect(payloads).toHaveLength(1);
    await pass(35_000);
    expect(payloads.slice(1)).toEqual([resumed]);
  });

  test('a response may be silent for ever when the server sends no heartbeats', async () => {
    const { first, payloads, tick, pass } = await openRun();
    first.write(': ping\n\n');
    await tick();
    await pass(10 * 60_000);
    expect(payloads).toHaveLength(1);
  });
});

describe('the end of a body after the last event', () => {
  test('the server may keep the body open after the last event, to save the conversation', async () => {
    const body = createBody();
    const clock = createManualClock();
    const transport = createHttpTransport({ request: async () => body.response(), clock });
    const reading = read(transport.run(trigger, createIO()));
    body.write(sse(start, finish, { type: 'text-start', id: 'late' }));
    await reading.done;
    await clock.advance(4_999);
    expect(reading.events).toEqual([start, finish]);
    expect(body.isCancelled()).toBe(false);
    await clock.advance(1);
    expect(body.isCancelled()).toBe(true);
  });

  test('the stream ends at [DONE]', async () => {
    const body = createBody();
    const clock = createManualClock();
    const transport = createHttpTransport({ request: async () => body.response(), clock });
    const reading = read(transport.run(trigger, createIO()));
    body.write(`${sse(start)}data: [DONE]\n\n`);
    await reading.done;
    expect(reading).toMatchObject({ events: [start], ending: 'returned' });
    body.end();
    await clock.advance(0);
    expect(clock.waiting).toBe(0);
  });
});

describe('misuse', () => {
  test.each([
    ['nothing', undefined, 'url'],
    ['neither url nor request', {}, 'url'],
    ['an empty url', { url: '' }, 'url'],
    ['both url and request', { url: '/x', request: async () => new Response() }, 'both'],
    ['a request that is no function', { request: '/api' }, 'request'],
    ['a negative wait', { url: '/x', reconnect: { initialDelayMs: -1 } }, 'reconnect.initialDelayMs'],
  ])('rejects options with invalid_options: %s', (_name, options, hint) => {
    expect(() => createHttpTransport(options as never)).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(hint) }),
    );
  });

  test('names an input that JSON cannot carry', async () => {
    const transport = createHttpTransport({ url: '/x', fetch: async () => new Response(sse(finish)) });
    const error = await failureOf(transport.run({ ...trigger, input: { big: 1n } }, createIO()));
    expect(error.code).toBe('invalid_options');
    expect(error.message).toContain('cannot be written as JSON');
  });
});

test('sends answers as a continue payload', async () => {
  const payloads: NativePayload[] = [];
  const transport = createHttpTransport({
    request: async (payload) => {
      payloads.push(payload);
      return new Response(sse(finish));
    },
  });
  await collect(transport.run(respond, createIO()));
  expect(payloads).toEqual([
    {
      type: 'continue',
      executionId: 'e1',
      toolResults: [{ toolCallId: 'c1', toolName: 't', outcome: 'submitted', result: 1 }],
    },
  ]);
});
