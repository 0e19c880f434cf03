/** The REST routes of a thread, and the answers to requests that are wrong. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AgentDefinition } from '../../../../src/backends/standard-agents/server/agent-definition.ts';
import { createThreadRuntime } from '../../../../src/backends/standard-agents/server/create-thread-runtime.ts';
import { defineThreadEndpoint } from '../../../../src/backends/standard-agents/server/define-thread-endpoint.ts';
import { defineTool } from '../../../../src/backends/standard-agents/server/define-tool.ts';
import type { ThreadRuntimeOptions } from '../../../../src/backends/standard-agents/server/thread-runtime-options.ts';
import { createMemoryThreadStore } from '../../../../src/backends/standard-agents/server/thread-store.ts';
import { createScriptedModel, openRuntime, outline, say } from './open-runtime.ts';

describe('threads', () => {
  test('creating a thread answers with its id under both names', async () => {
    const { json } = openRuntime();
    const [status, body] = await json('POST', '', { agent_id: 'helper', user_id: 'ann', tags: ['web'] });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        threadId: body.id,
        agent_id: 'helper',
        message: 'Thread created successfully',
      },
    ]);
    const [, thread] = await json('GET', `/${body.id}`);
    expect(thread).toEqual({
      id: body.id,
      agent_id: 'helper',
      created_at: Date.UTC(2026, 0, 1) * 1_000,
      status: 'idle',
    });
  });

  test.each([
    [{ agent_id: 'constructor' }, 400, 'unknown_agent'],
    [{}, 400, 'unknown_agent'],
    [{ agent_id: 'helper', user_id: 'bob' }, 403, 'forbidden'],
    [{ agent_id: 'helper', tags: 'web' }, 400, 'invalid_request'],
    [[], 400, 'invalid_request'],
  ])('creating a thread with %j is refused', async (body, status, code) => {
    const { json } = openRuntime();
    expect(await json('POST', '', body)).toEqual([status, { error: expect.any(String), code }]);
  });

  test('a request without a valid token gets 401', async () => {
    const { json, createThread } = openRuntime();
    const id = await createThread();
    const refusal = [401, { error: 'Send a valid bearer token.', code: 'unauthorized' }];
    expect(await json('GET', `/${id}`, undefined, '')).toEqual(refusal);
    expect(await json('POST', '', { agent_id: 'helper' }, '')).toEqual(refusal);
  });

  test('a thread of another user gets the same 404 as an unknown thread', async () => {
    const { json, createThread } = openRuntime();
    const id = await createThread();
    const refusal = [404, { error: 'There is no such thread.', code: 'unknown_thread' }];
    expect(await json('GET', `/${id}/messages`, undefined, 'eve')).toEqual(refusal);
    expect(await json('GET', '/nowhere/messages')).toEqual(refusal);
  });

  test.each(['', '/', '//messages'])('GET %j without a thread id gets 400', async (path) => {
    const { json } = openRuntime();
    expect(await json('GET', path)).toEqual([400, { error: expect.any(String), code: 'missing_thread_id' }]);
  });

  test('the runtime leaves requests to other paths alone', async () => {
    const { runtime } = openRuntime();
    expect(await runtime.handle(new Request('http://localhost/api/threadsx'))).toBeUndefined();
    expect(await runtime.handle(new Request('http://localhost/other'))).toBeUndefined();
  });
});

describe('messages', () => {
  test('a message is accepted, run and listed with times in microseconds that grow', async () => {
    const { json, createThread, rest } = openRuntime({ model: createScriptedModel([say('Hello')]).model });
    const id = await createThread();
    const attachment = {
      id: 'f1',
      type: 'file',
      path: '/attachments/a.txt',
      name: 'a.txt',
      mimeType: 'text/plain',
      size: 1,
    };
    const sent = { role: 'user', content: 'Hi', attachments: [attachment], id: 'm1' };
    expect(await json('POST', `/${id}/messages`, sent)).toEqual([202, { id: 'm1' }]);
    await rest(id);
    const [status, { messages }] = await json('GET', `/${id}/messages`);
    const at = Date.UTC(2026, 0, 1) * 1_000;
    expect([status, messages]).toEqual([
      200,
      [
        {
          id: 'm1',
          role: 'user',
          content: 'Hi',
          attachments: JSON.stringify([attachment]),
          status: 'completed',
          depth: 0,
          created_at: at,
        },
        {
          id: expect.any(String),
          role: 'assistant',
          content: 'Hello',
          tool_calls: null,
          status: 'completed',
          depth: 0,
          created_at: at + 1,
        },
      ],
    ]);
  });

  test('a message that is sent again with its id changes nothing and gets the same answer', async () => {
    const { model, contexts } = createScriptedModel([say('Hello')]);
    const { json, createThread, rest, messages } = openRuntime({ model });
    const id = await createThread();
    const send = () => json('POST', `/${id}/messages`, { role: 'user', content: 'Hi', id: 'm1' });
    expect(await Promise.all([send(), send()])).toEqual([
      [202, { id: 'm1' }],
      [202, { id: 'm1' }],
    ]);
    await rest(id);
    expect(await send()).toEqual([202, { id: 'm1' }]);
    await rest(id);
    expect(outline(await messages(id))).toEqual(['user: Hi', 'assistant: Hello']);
    expect(contexts).toHaveLength(1);
  });

  test('of two messages with one id the first counts', async () => {
    const { model } = createScriptedModel([say('Hello')]);
    const { json, createThread, rest, messages } = openRuntime({ model });
    const id = await createThread();
    for (const content of ['First', 'Second']) {
      expect((await json('POST', `/${id}/messages`, { role: 'user', content, id: 'm1' }))[0]).toBe(202);
      await rest(id);
    }
    expect(outline(await messages(id))).toEqual(['user: First', 'assistant: Hello']);
  });

  test('a message whose first saving failed runs when it is sent again', async () => {
    const store = createMemoryThreadStore();
    let isBroken = false;
    const save: typeof store.save = async (id, record) => {
      if (isBroken) throw new Error('disk full');
      return store.save(id, record);
    };
    const { model } = createScriptedModel([say('Hello')]);
    const { json, createThread, rest, messages, failures } = openRuntime({
      model,
      store: { ...store, save },
    });
    const id = await createThread();
    const send = () => json('POST', `/${id}/messages`, { role: 'user', content: 'Hi', id: 'm1' });
    isBroken = true;
    expect(await send()).toEqual([500, { error: 'The server failed.', code: 'internal_error' }]);
    expect(failures).toEqual([['request', 'disk full']]);
    isBroken = false;
    expect(await send()).toEqual([202, { id: 'm1' }]);
    await rest(id);
    expect(outline(await messages(id))).toEqual(['user: Hi', 'assistant: Hello']);
  });

  test('limit selects the newest messages, depth leaves subagents out, includeSilent adds hidden ones', async () => {
    const { model } = createScriptedModel([
      { type: 'subagent-message', message: { role: 'assistant', content: 'nested', depth: 1 } },
      { type: 'subagent-message', message: { role: 'system', content: 'hidden', depth: 1, silent: true } },
      say('Hello'),
    ]);
    const { createThread, send, messages } = openRuntime({ model });
    const id = await createThread();
    await send(id, 'Hi');
    expect(outline(await messages(id))).toEqual(['user: Hi', 'assistant: Hello', 'assistant: nested']);
    expect(outline(await messages(id, '?limit=1'))).toEqual(['assistant: nested']);
    expect(outline(await messages(id, '?depth=0'))).toEqual(['user: Hi', 'assistant: Hello']);
    expect(outline(await messages(id, '?limit=2&includeSilent=true'))).toEqual([
      'assistant: nested',
      'system: hidden',
    ]);
  });

  test.each(['?limit=x', '?limit=-1', '?depth=1.5'])('listing messages with %s gets 400', async (query) => {
    const { json, createThread } = openRuntime();
    expect(await json('GET', `/${await createThread()}/messages${query}`)).toMatchObject([
      400,
      { code: 'invalid_request' },
    ]);
  });

  test.each([
    [{ role: 'assistant', content: 'Hi' }, /^role/],
    [{ role: 'user' }, /^content/],
    [{ role: 'user', content: 'Hi', attachments: 'a.txt' }, /^attachments/],
    [{ role: 'user', content: 'Hi', id: '' }, /^id/],
  ])('the message %j is refused with the reason', async (body, message) => {
    const { json, createThread } = openRuntime();
    expect(await json('POST', `/${await createThread()}/messages`, body)).toEqual([
      400,
      { error: expect.stringMatching(message), code: 'invalid_request' },
    ]);
  });

  test('a body that is too long gets 413', async () => {
    const { json, createThread } = openRuntime({ maxBodyBytes: 60 });
    const body = { role: 'user', content: 'x'.repeat(60) };
    expect(await json('POST', `/${await createThread()}/messages`, body)).toMatchObject([
      413,
      { code: 'body_too_large' },
    ]);
  });
});

describe('files', () => {
  const form = (name: string, text: string) => {
    const body = new FormData();
    body.set('file', new File([text], name, { type: 'text/html' }));
    return body;
  };

  test('a file is uploaded, listed, read and deleted', async () => {
    const { ask, json, createThread } = openRuntime();
    const id = await createThread();
    const [status, file] = await json('POST', `/${id}/files`, form('a b.html', '<b>hi</b>'));
    expect([status, file]).toEqual([
      200,
      {
        id: expect.any(String),
        type: 'file',
        path: '/attachments/a b.html',
        name: 'a b.html',
        mimeType: 'text/html',
        size: 9,
      },
    ]);
    expect(await json('GET', `/${id}/files`)).toEqual([200, { files: [file] }]);
    const read = await ask('GET', `/${id}/files/a%20b.html`);
    expect(await read.text()).toBe('<b>hi</b>');
    expect(Object.fromEntries(read.headers)).toEqual({
      'content-type': 'text/html',
      'content-disposition': "attachment; filename*=UTF-8''a%20b.html",
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    });
    expect((await ask('DELETE', `/${id}/files/a%20b.html`)).status).toBe(204);
    const refusal = [404, { error: 'This thread has no file named a b.html.', code: 'unknown_file' }];
    expect(await json('GET', `/${id}/files/a%20b.html`)).toEqual(refusal);
    expect(await json('DELETE', `/${id}/files/a%20b.html`)).toEqual(refusal);
  });

  test('a second file with the same name does not replace the first', async () => {
    const { ask, json, createThread } = openRuntime();
    const id = await createThread();
    await json('POST', `/${id}/files`, form('a.html', 'first'));
    const [, second] = await json('POST', `/${id}/files`, form('C:\\pictures\\a.html', 'second'));
    expect(second.name).toMatch(/^[\da-f-]{36}-a\.html$/);
    expect(await (await ask('GET', `/${id}/files/a.html`)).text()).toBe('first');
    expect(await (await ask('GET', `/${id}/files/${second.name}`)).text()).toBe('second');
  });

  test('bytes come back as they were', async () => {
    const { ask, createThread } = openRuntime();
    const id = await createThread();
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const body = new FormData();
    body.set('file', new File([bytes], 'bytes'));
    await ask('POST', `/${id}/files`, body);
    const read = await ask('GET', `/${id}/files/bytes`);
    expect(new Uint8Array(await read.arrayBuffer())).toEqual(bytes);
    expect(read.headers.get('content-type')).toBe('application/octet-stream');
  });

  test('an upload that is no form gets 400', async () => {
    const { json, createThread } = openRuntime();
    expect(await json('POST', `/${await createThread()}/files`, {})).toMatchObject([
      400,
      { code: 'invalid_request' },
    ]);
  });
});

describe('endpoints', () => {
  const tell = (name: string) =>
    defineThreadEndpoint((request, state, params) =>
      Response.json({
        name,
        method: request.method,
        threadId: state.threadId,
        execution: state.execution,
        params,
      }),
    );

  test('an endpoint gets the request, the state of its thread and its parameters', async () => {
    const { json, createThread } = openRuntime({ endpoints: { 'notes/[id].post.ts': tell('notes') } });
    const id = await createThread();
    expect(await json('POST', `/${id}/notes/7`, {})).toEqual([
      200,
      { name: 'notes', method: 'POST', threadId: id, execution: null, params: { id: '7' } },
    ]);
  });

  test('packed endpoints stand beside local ones, and a local one wins', async () => {
    const { json, createThread } = openRuntime({
      endpoints: { 'both.ts': tell('local') },
      packedEndpoints: [{ 'both.get': tell('packed'), 'status.get': tell('packed') }],
    });
    const id = await createThread();
    expect((await json('GET', `/${id}/both`))[1].name).toBe('local');
    expect((await json('GET', `/${id}/status`))[1].name).toBe('packed');
  });

  test('an endpoint cannot take the place of the messages, but may catch the rest', async () => {
    const { json, createThread } = openRuntime({
      endpoints: { 'messages.ts': tell('own'), '[*].ts': tell('rest') },
    });
    const id = await createThread();
    expect((await json('GET', `/${id}/messages`))[1]).toEqual({ messages: [] });
    expect((await json('GET', `/${id}/a/b`))[1].params).toEqual({ '*': 'a/b' });
  });

  test('a request that matches no endpoint gets a 404 without a body', async () => {
    const { ask, createThread } = openRuntime({ endpoints: { 'status.ts': tell('status') } });
    const id = await createThread();
    for (const [method, path] of [
      ['GET', 'client-tools'],
      ['POST', 'status'],
      ['GET', 'status/more'],
    ] as const) {
      const response = await ask(method, `/${id}/${path}`);
      expect([response.status, await response.text()]).toEqual([404, '']);
    }
  });

  test('an endpoint that throws gets 500 without details, and the app gets the error', async () => {
    const endpoints = {
      'sync.ts': () => {
        throw new Error('at /srv/secret');
      },
      'async.ts': () => Promise.reject(new Error('at /srv/secret')),
    };
    const { json, createThread, failures } = openRuntime({ endpoints });
    const id = await createThread();
    const failed = [500, { error: 'The server failed.', code: 'internal_error' }];
    expect([await json('GET', `/${id}/sync`), await json('GET', `/${id}/async`)]).toEqual([failed, failed]);
    expect(failures).toEqual([
      ['request', 'at /srv/secret'],
      ['request', 'at /srv/secret'],
    ]);
  });
});

test.each([
  ['at once', () => undefined],
  ['later', async () => undefined],
])('an endpoint that returns nothing %s is answered with 204', async (_, handler) => {
  const { ask, createThread } = openRuntime({ endpoints: { 'ping.post.ts': handler as never } });
  const response = await ask('POST', `/${await createThread()}/ping`);
  expect([response.status, await response.text()]).toEqual([204, '']);
});

test('names that objects inherit are names of nothing', async () => {
  const { ask, json, createThread } = openRuntime({
    endpoints: {
      'look.ts': async (_, state) =>
        Response.json([
          ...[await state.envType('constructor'), await state.getValue('toString')],
          ...[await state.readFile('valueOf'), await state.env('hasOwnProperty').catch(() => 'not set')],
        ]),
    },
  });
  const id = await createThread();
  expect(await json('GET', `/${id}/look`)).toEqual([200, ['secret', null, null, 'not set']]);
  await ask('PUT', `/${id}/env/constructor`, { value: 'long enough' });
  expect(await json('GET', `/${id}/env`)).toEqual([
    200,
    { env: [{ name: 'constructor', type: 'secret', isSet: true }] },
  ]);
});

test('a thread of an agent that is no longer there is unknown, also when its name is one that objects inherit', async () => {
  const store = createMemoryThreadStore();
  const agent: AgentDefinition = { type: 'ai_human', model: createScriptedModel().model };
  const { json } = openRuntime({ store, agents: Object.fromEntries([['constructor', agent]]) });
  const [, { id }] = await json('POST', '', { agent_id: 'constructor' });
  expect((await openRuntime({ store }).json('GET', `/${id}`))[0]).toBe(404);
});

test('a store that fails gets 500, is reported, and is asked again by the next request', async () => {
  const store = createMemoryThreadStore();
  const first = openRuntime({ store });
  const id = await first.createThread();
  let isBroken = true;
  const load: typeof store.load = async (threadId) => {
    if (isBroken) throw new Error('disk full');
    return store.load(threadId);
  };
  const save = () => Promise.reject(new Error('disk full'));
  const { json, failures } = openRuntime({ store: { load, save } });
  const failed = [500, { error: 'The server failed.', code: 'internal_error' }];
  expect([await json('GET', `/${id}`), await json('POST', '', { agent_id: 'helper' })]).toEqual([
    failed,
    failed,
  ]);
  expect(failures).toEqual([
    ['request', 'disk full'],
    ['request', 'disk full'],
  ]);
  isBroken = false;
  expect((await json('GET', `/${id}`))[0]).toBe(200);
});

const { model } = createScriptedModel();
const tool = defineTool({ description: 'd', execute: () => ({ status: 'success' }) });
const withAgent = (helper: object) => ({ agents: { helper }, authenticate: () => 'ann' });

test.each<[object | undefined, RegExp]>([
  [undefined, /needs agents and authenticate/],
  [{ agents: {} }, /needs agents and authenticate/],
  [withAgent({ type: 'bot', model }), /agent helper must have the type 'ai_human' or 'dual_ai', got bot/],
  [withAgent({ type: 'ai_human' }), /agent helper must have a function model/],
  [withAgent({ type: 'dual_ai', sideA: { model } }), /Side B of the agent helper must have a function model/],
  [
    withAgent({ type: 'dual_ai', sideA: { model }, sideB: { model }, maxSessionTurns: 0 }),
    /maxSessionTurns.* got 0/,
  ],
  [withAgent({ type: 'ai_human', model, maxSteps: 1.5 }), /maxSteps.* got 1.5/],
  [
    withAgent({ type: 'ai_human', model, sessionStop: 'constructor' }),
    /sessionStop must be one of its tools, got "constructor"/,
  ],
  [
    withAgent({ type: 'ai_human', model, sessionFail: { name: 'x' } }),
    /sessionFail must be one of its tools, got "x"/,
  ],
  [withAgent({ type: 'ai_human', model, tools: { 'mcp:x': tool } }), /mcp:x begins with a reserved prefix/],
  [withAgent({ type: 'ai_human', model, tools: { 'a b': tool } }), /"a b" must have 1 to 64 letters/],
  [
    withAgent({ type: 'ai_human', model, tools: { tool }, stopTool: 'tool' }),
    /stopTool needs stopToolResponseProperty/,
  ],
  [
    withAgent({ type: 'ai_human', model, stopOnResponse: false }),
    /the turn ends by stopTool, sessionStop or maxSteps/,
  ],
  ...[Number.NaN, 0, '2'].map((maxInstances): [object, RegExp] => [
    withAgent({
      ...{ type: 'ai_human', model },
      subagents: [{ name: 'helper', resumable: { maxInstances } }],
    }),
    new RegExp(`maxInstances of the subagent helper .* got ${maxInstances}`),
  ]),
  [
    {
      agents: { 'my helper': { type: 'ai_human', model, subagents: [{ name: 'my helper' }] } },
      authenticate: () => 'ann',
    },
    /the subagent my helper is a tool. The tool name "my helper" must have 1 to 64 letters/,
  ],
  [withAgent({ type: 'ai_human', model, toolDescription: ' ' }), /helper: toolDescription must say what/],
  [
    withAgent({ type: 'ai_human', model, toolArgs: z.object({ at: z.date() }) }),
    /helper: toolArgs: args.at is a ZodDate/,
  ],
])('createThreadRuntime refuses the options %j', (options, message) => {
  expect(() => createThreadRuntime(options as unknown as ThreadRuntimeOptions)).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: expect.stringMatching(message) }),
  );
});
