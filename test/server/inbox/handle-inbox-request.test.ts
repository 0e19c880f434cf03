import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import type { Agent } from '../../../src/server/agent.ts';
import { toNodeHandler } from '../../../src/server/http/create-node-handler.ts';
import {
  handleInboxRequest,
  type InboxRequestOptions,
} from '../../../src/server/inbox/handle-inbox-request.ts';
import { readAnswers } from '../../../src/server/receipts/answer-record.ts';
import { sessionError } from '../../../src/server/session-errors.ts';
import { type AgentSession, createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionRecord, SessionStore } from '../../../src/server/store/session-store.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createSampleRecord } from '../../../src/testing/session-store/sample-record.ts';
import { listen } from '../../integration/listen.ts';
import { calls, collect, createListAgent, hello, requestIn, run, settle, stop, text } from '../support.ts';

const ADA = { id: 'ada', name: 'Ada' };
const PEOPLE: Readonly<Record<string, { id: string; name: string }>> = {
  ada: ADA,
  grace: { id: 'grace', name: 'Grace' },
};

const URL = 'http://localhost/inbox';
const json = { 'content-type': 'application/json', user: 'ada' };
const get = (query = '', headers: HeadersInit = { user: 'ada' }) => new Request(URL + query, { headers });
const post = (body: unknown, headers: HeadersInit = json) =>
  new Request(URL, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });

function setup(options: Partial<InboxRequestOptions> & { agent?: Agent } = {}) {
  const store = options.store ?? createMemorySessionStore();
  const clock = createManualClock();
  const agent = options.agent ?? createListAgent(calls('ask', 'choose'), [...text('Done'), stop]);
  const open = (id: string) => createAgentSession({ id, agent, store });
  const all: InboxRequestOptions = {
    store,
    clock,
    getSession: (id = '') => (id.startsWith('unknown') ? undefined : open(id)),
    principal: ({ headers }) => PEOPLE[headers.get('user') ?? ''],
    ...options,
  };
  return { store, clock, open, handle: (request: Request) => handleInboxRequest(request, all) };
}

/** Saves a session in which a call waits. */
async function saveWaiting(store: SessionStore, sessionId: string, startedBy = 'ada'): Promise<void> {
  const open = [{ toolCallId: `${sessionId}-call`, toolName: 'ask', args: {} }];
  await store.save(
    sessionId,
    createSampleRecord(1, 'Hi', { open, askedAt: 1_000, startedBy: { id: startedBy } }),
  );
}

const answerTo = (events: readonly AgentEvent[], sessionId = 's') => {
  const { executionId, toolCalls } = requestIn(events);
  return {
    sessionId,
    executionId,
    toolResults: toolCalls.map(({ toolCallId }) => ({ toolCallId, result: 'yes' })),
  };
};

/** Reads an event stream, one `data` line at a time. Comments come as they are. */
function readStream(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  return {
    async next(): Promise<unknown> {
      const { done, value } = await reader.read();
      if (done) return 'the end';
      const frame = new TextDecoder().decode(value).trim();
      return frame.startsWith('data: {') ? JSON.parse(frame.slice('data: '.length)) : frame;
    },
    cancel: () => reader.cancel(),
  };
}

const follow = (headers: Record<string, string> = { user: 'ada' }) =>
  get('', { accept: 'text/event-stream', ...headers });

describe('GET', () => {
  test('the list has the calls that this person may answer', async () => {
    const { handle, store } = setup();
    await saveWaiting(store, 'of-ada');
    await saveWaiting(store, 'of-grace', 'grace');
    const response = await handle(get('', { user: 'grace' }));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      calls: [
        {
          sessionId: 'of-grace',
          executionId: 'execution-1',
          askedAt: 1_000,
          startedBy: { id: 'grace' },
          call: { toolCallId: 'of-grace-call', toolName: 'ask', args: {} },
        },
      ],
    });
  });

  test('the list names who sent the message of the turn, without the roles of that person', async () => {
    const { handle, open } = setup();
    await collect(open('s').execute(hello, { principal: { ...ADA, roles: ['admin'] } }));
    const list = await (await handle(get())).json();
    expect(list.calls.map((call: { startedBy: unknown }) => call.startedBy)).toEqual([ADA, ADA]);
  });

  test('the list comes in pages', async () => {
    const { handle, store } = setup();
    for (const id of ['a', 'b', 'c']) await saveWaiting(store, id);
    const names: string[] = [];
    let query = '?limit=2';
    for (let page = 0; page < 2; page += 1) {
      const list = await (await handle(get(query))).json();
      names.push(...list.calls.map((call: { sessionId: string }) => call.sessionId));
      query = `?limit=2&after=${encodeURIComponent(list.next)}`;
    }
    expect(names).toEqual(['a', 'b', 'c']);
  });

  test('the call of a session that the app does not open is left out', async () => {
    const { handle, store } = setup();
    await saveWaiting(store, 'unknown');
    expect(await (await handle(get())).json()).toEqual({ calls: [] });
  });

  test.each(['0', '201', '-1', 'many', '1.5', ''])('the limit %j is refused', async (limit) => {
    const response = await setup().handle(get(`?limit=${limit}`));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: 'limit must be a whole number from 1 to 200.',
      code: 'invalid_request',
    });
  });

  test('a position that no list gave is refused', async () => {
    const response = await setup().handle(get('?after=here'));
    expect([response.status, (await response.json()).code]).toEqual([400, 'invalid_request']);
  });

  test('a failure of the store goes to onError and keeps the message of the store from the client', async () => {
    const thrown: unknown[] = [];
    const store = {
      ...createMemorySessionStore(),
      listOpenCalls: () => Promise.reject(new Error('no route to db.internal')),
    };
    const { handle } = setup({ store, onError: (error) => thrown.push(error) });
    const response = await handle(get());
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      error: 'The session store failed. Repeat the request.',
      code: 'store_failed',
    });
    expect(thrown).toEqual([new Error('no route to db.internal')]);
  });
});

describe('an event stream', () => {
  test('the stream begins with the list and has it again when it changed', async () => {
    const { handle, store, clock } = setup();
    await saveWaiting(store, 'a');
    const stream = readStream(await handle(follow()));
    expect(await stream.next()).toMatchObject({ type: 'calls', calls: [{ sessionId: 'a' }] });
    const second = stream.next();
    await run(createAgentSession({ id: 'b', agent: createListAgent(calls('ask')), store }), hello);
    await clock.advance(50);
    expect(await second).toMatchObject({ calls: [{ sessionId: 'a' }, { sessionId: 'b' }] });
    await stream.cancel();
  });

  test('saves that follow each other make one event, and a save that leaves the list as it is makes none', async () => {
    const listeners = new Set<(id: string) => void>();
    const notify = () => {
      for (const listener of listeners) listener('a');
    };
    let lists = 0;
    const memory = createMemorySessionStore();
    const store: SessionStore = {
      ...memory,
      watch(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      listOpenCalls(options) {
        lists += 1;
        return memory.listOpenCalls?.(options) ?? Promise.reject(new Error('no list'));
      },
    };
    const { handle, clock } = setup({ store });
    const stream = readStream(await handle(follow()));
    expect(await stream.next()).toEqual({ type: 'calls', calls: [] });
    const next = stream.next();
    await settle();
    for (let save = 0; save < 5; save += 1) notify();
    await clock.advance(49);
    expect(lists).toBe(1);
    await clock.advance(1);
    expect(lists).toBe(2);
    await saveWaiting(store, 'a');
    notify();
    await clock.advance(50);
    expect(await next).toMatchObject({ calls: [{ sessionId: 'a' }] });
    expect(lists).toBe(3);
    await stream.cancel();
    expect(listeners.size).toBe(0);
    expect(clock.waiting).toBe(0);
  });

  test('a stream without a change sends heartbeats', async () => {
    const { handle, clock } = setup({ heartbeatMs: 1_000 });
    const stream = readStream(await handle(follow()));
    await stream.next();
    const heartbeat = stream.next();
    await settle();
    await clock.advance(1_000);
    expect(await heartbeat).toBe(': heartbeat');
    await stream.cancel();
    expect(clock.waiting).toBe(0);
  });

  test('a stream ends when the person is no longer signed in', async () => {
    let isSignedIn = true;
    const { handle, store, open, clock } = setup({
      principal: () => (isSignedIn ? PEOPLE.ada : undefined),
    });
    await saveWaiting(store, 'a');
    const stream = readStream(await handle(follow()));
    await stream.next();
    isSignedIn = false;
    const next = stream.next();
    await run(open('b'), hello);
    await clock.advance(50);
    expect(await next).toBe('data: [DONE]');
    expect(await stream.next()).toBe('the end');
  });

  test('a failure of the store ends the stream with an error that may pass', async () => {
    const thrown: unknown[] = [];
    const store: SessionStore = {
      ...createMemorySessionStore(),
      listOpenCalls: () => Promise.reject(new Error('no route to db.internal')),
    };
    const { handle } = setup({ store, onError: (error) => thrown.push(error) });
    const stream = readStream(await handle(follow()));
    expect(await stream.next()).toMatchObject({ type: 'error', code: 'store_failed', retryable: true });
    expect(await stream.next()).toBe('data: [DONE]');
    expect(thrown).toHaveLength(1);
  });
});

describe('POST', () => {
  test('an answer is accepted while the run goes on, and the run ends without a reader', async () => {
    let goOn = () => {};
    const goesOn = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let invocations = 0;
    const agent: Agent = async function* () {
      invocations += 1;
      if (invocations === 1) return yield* calls('ask');
      await goesOn;
      yield* [...text('Done'), stop];
    };
    const { handle, store, open } = setup({ agent });
    const response = await handle(post(answerTo(await run(open('s'), hello))));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'accepted' });
    expect((await store.load('s'))?.execution?.state).toBe('running');
    goOn();
    await settle();
    expect((await store.load('s'))?.execution?.state).toBe('done');
    expect((await store.load('s'))?.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Done' });
  });

  test('the session gets the answers as partial ones of this person', async () => {
    const seen: unknown[] = [];
    const session: AgentSession = {
      id: 's',
      mayAnswer: async () => true,
      recover: async () => false,
      async *execute(payload, options) {
        seen.push(payload, options);
        yield { type: 'start' };
      },
    };
    const { handle } = setup({ getSession: () => session });
    const toolResults = [{ toolCallId: 'c', result: 1, receipt: 'signed' }];
    await handle(post({ sessionId: 's', executionId: 'e', toolResults, type: 'stop', more: true }));
    expect(seen).toMatchObject([
      { type: 'continue', executionId: 'e', toolResults, partial: true },
      { principal: PEOPLE.ada },
    ]);
  });

  test('a call that is not in the list of a person cannot be answered by this person either', async () => {
    const { handle, store, open } = setup();
    const asked = await collect(open('s').execute(hello, { principal: PEOPLE.grace }));
    const response = await handle(post(answerTo(asked)));
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: "The call 'ask-id' is not for you to answer. Nothing was changed.",
      code: 'not_allowed',
    });
    expect((await store.load('s'))?.execution?.state).toBe('waiting');
    expect((await handle(post(answerTo(asked), { ...json, user: 'grace' }))).status).toBe(200);
  });

  test('two people answer the calls of one request, each their own, and the run goes on after the last answer', async () => {
    const store = createMemorySessionStore();
    const agent = createListAgent(calls('ask', 'choose'), [...text('Done'), stop]);
    const getSession = (id = '') =>
      createAgentSession({
        id,
        store,
        agent,
        mayAnswer: (person, { toolName }) => person.id === (toolName === 'ask' ? 'ada' : 'grace'),
      });
    const { handle } = setup({ store, getSession });
    const { toolResults, ...body } = answerTo(await run(getSession('s'), hello));
    const listOf = async (user: string) =>
      (await (await handle(get('', { user }))).json()).calls.map(
        (listed: { call: { toolName: string } }) => listed.call.toolName,
      );
    const [toAsk, toChoose] = toolResults;
    expect([await listOf('ada'), await listOf('grace')]).toEqual([['ask'], ['choose']]);
    expect((await handle(post({ ...body, toolResults: [toAsk, toChoose] }))).status).toBe(403);
    expect((await handle(post({ ...body, toolResults: [toAsk] }))).status).toBe(200);
    expect([await listOf('ada'), await listOf('grace')]).toEqual([[], ['choose']]);
    expect((await store.load('s'))?.execution?.state).toBe('waiting');
    const last = post({ ...body, toolResults: [toChoose] }, { ...json, user: 'grace' });
    expect((await handle(last)).status).toBe(200);
    await settle();
    const record = await store.load('s');
    expect(record?.execution?.state).toBe('done');
    expect(readAnswers('s', record as SessionRecord).map(({ answeredBy }) => answeredBy)).toEqual([
      PEOPLE.ada,
      PEOPLE.grace,
    ]);
  });

  test.each([
    ['not_allowed', 403],
    ['invalid_receipt', 400],
    ['already_answered', 409],
    ['call_expired', 409],
    ['unknown_execution', 409],
    ['session_conflict', 503],
    ['store_failed', 503],
  ] as const)('a refusal with the code %s has the status %i', async (code, status) => {
    const session: AgentSession = {
      id: 's',
      mayAnswer: async () => true,
      recover: async () => false,
      async *execute() {
        yield { ...sessionError('invalid_request', 'validation_error', 'No.'), code };
      },
    };
    const { handle } = setup({ getSession: () => session });
    const response = await handle(post({ sessionId: 's', executionId: 'e', toolResults: [] }));
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: 'No.', code });
  });

  test('the second answer to a call is refused', async () => {
    const { handle, open } = setup();
    const body = answerTo(await run(open('s'), hello));
    expect((await handle(post(body))).status).toBe(200);
    const second = await handle(post(body));
    expect([second.status, (await second.json()).code]).toEqual([409, 'already_answered']);
  });

  test.each([
    ['{', 'The body must be JSON.'],
    [[], 'sessionId must be a string: that of the open call.'],
    [{ executionId: 'e', toolResults: [] }, 'sessionId must be a string: that of the open call.'],
    [
      { sessionId: 's', toolResults: [] },
      'executionId must be a non-empty string, got a value of type undefined.',
    ],
    [{ sessionId: 's', executionId: 'e' }, 'toolResults must be an array, got a value of type undefined.'],
  ])('the body %j is refused', async (body, error) => {
    const response = await setup().handle(post(body));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error, code: 'invalid_request' });
  });

  test('an answer to a session that the app does not open is refused', async () => {
    const response = await setup().handle(post({ sessionId: 'unknown', executionId: 'e', toolResults: [] }));
    expect([response.status, (await response.json()).code]).toEqual([404, 'unknown_session']);
  });

  test('a body that is too long is refused', async () => {
    const { handle } = setup({ maxBodyBytes: 10 });
    const response = await handle(post({ sessionId: 's', executionId: 'e', toolResults: [] }));
    expect([response.status, (await response.json()).code]).toEqual([413, 'body_too_large']);
  });
});

test.each([
  ['a list', () => get('', {})],
  ['a stream', () => follow({ user: 'nobody' })],
  ['an answer', () => post({}, { 'content-type': 'application/json' })],
])('%s is refused to a person who is not signed in', async (_, request) => {
  const response = await setup().handle(request());
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({
    error: 'Sign in to see your open questions.',
    code: 'unauthorized',
  });
});

test('a page of another origin cannot answer with the cookies of a person', async () => {
  const headers = { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site', user: 'ada' };
  const response = await setup().handle(post({}, headers));
  expect([response.status, (await response.json()).code]).toEqual([415, 'unsupported_media_type']);
});

test('other methods are refused with those that the route takes', async () => {
  const response = await setup().handle(new Request(URL, { method: 'DELETE' }));
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
});

test('a client of node:http that closes a stream ends the watch of the store', async ({ onTestFinished }) => {
  let watching = 0;
  const store: SessionStore = {
    ...createMemorySessionStore(),
    watch() {
      watching += 1;
      return () => {
        watching -= 1;
        ended();
      };
    },
  };
  let ended = () => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const { handle } = setup({ store });
  const { port, close } = await listen(toNodeHandler(handle));
  onTestFinished(close);
  const abort = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}`, {
    headers: { accept: 'text/event-stream', user: 'ada' },
    signal: abort.signal,
  });
  expect(await readStream(response).next()).toEqual({ type: 'calls', calls: [] });
  expect(watching).toBe(1);
  abort.abort();
  await end;
  expect(watching).toBe(0);
});
