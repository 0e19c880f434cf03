import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import sdk from 'ai/package.json';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { createAiSdkAgent } from '../../../src/server/ai-sdk/create-ai-sdk-agent.ts';
import { toModelMessages } from '../../../src/server/ai-sdk/to-model-messages.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { continueWith, hello, run, settle, types, withoutCursors } from '../support.ts';

type Handler = (response: ServerResponse, body: Record<string, never>) => void;

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** An OpenAI-compatible endpoint. Each request is answered by the next of the handlers. */
async function startEndpoint(...handlers: Handler[]) {
  const bodies: Record<string, never>[] = [];
  const userAgents: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    userAgents.push(request.headers['user-agent']);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, never>;
    const handler = handlers[Math.min(bodies.length, handlers.length - 1)];
    bodies.push(body);
    handler?.(response, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const provider = createOpenAICompatible({
    name: 'local',
    baseURL: `http://127.0.0.1:${port}/v1`,
    apiKey: 'k',
    includeUsage: true,
  });
  return { model: provider('tiny-1'), bodies, userAgents, server };
}

function startStream(response: ServerResponse): (chunk: object) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return (chunk) =>
    void response.write(`data: ${JSON.stringify({ id: 'r', model: 'tiny-1-2026', ...chunk })}\n\n`);
}

const delta = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const usage = (prompt_tokens: number, completion_tokens: number) => ({
  choices: [],
  usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
});

function streamed(...chunks: object[]): Handler {
  return (response) => {
    const write = startStream(response);
    for (const chunk of chunks) write(chunk);
    response.end('data: [DONE]\n\n');
  };
}

const called = (name: string, args: string, id = 'call_0') =>
  delta({ tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: args } }] });

function failing(status: number, body: object, headers: Record<string, string> = {}): Handler {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

function createSession(
  model: LanguageModel,
  more: Partial<Parameters<typeof createAiSdkAgent>[0]> = {},
  tools = {},
) {
  const agent = createAiSdkAgent({ model, settings: { maxRetries: 0 }, ...more });
  return createAgentSession({ id: 's', agent, tools });
}

describe('createAiSdkAgent with a real provider', () => {
  it('the installed AI SDK and provider have the major version under test', async () => {
    const { model, userAgents } = await startEndpoint(streamed(delta({ content: 'Hello' }, 'stop')));
    await run(createSession(model), hello);
    const provider = { 6: '2', 7: '3' }[inject('aiSdk')];
    expect(userAgents).toEqual([expect.stringContaining(`openai-compatible/${provider}.`)]);
    expect(sdk.version).toMatch(new RegExp(`^${inject('aiSdk')}\\.`));
  });

  it('createAiSdkAgent streams text, reasoning and usage', async () => {
    const { model, bodies } = await startEndpoint(
      streamed(
        delta({ reasoning_content: 'Thinking' }),
        delta({ content: 'Hel' }),
        delta({ content: 'lo' }),
        delta({}, 'stop'),
        usage(7, 3),
      ),
    );
    const events = await run(createSession(model, { system: 'Be brief.' }), hello);
    expect(types(events)).toEqual([
      ...['start', 'reasoning-start', 'reasoning-delta', 'reasoning-end'],
      ...['text-start', 'text-delta', 'text-delta', 'text-end', 'usage', 'finish'],
    ]);
    expect(events.at(-2)).toMatchObject({
      usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10, model: 'tiny-1-2026' },
    });
    expect(events.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(bodies[0]).toMatchObject({
      model: 'tiny-1',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello' },
      ],
    });
  });

  it('createAiSdkAgent passes settings and provider options to the model', async () => {
    const { model, bodies } = await startEndpoint(streamed(delta({ content: 'Hello' }, 'stop')));
    const settings = { maxRetries: 0, temperature: 0.2 };
    const providerOptions = { local: { user: 'ada', service_tier: 'flex' } };
    await run(createSession(model, { settings, providerOptions }), hello);
    expect(bodies[0]).toMatchObject({ temperature: 0.2, user: 'ada', service_tier: 'flex' });
  });

  it('createAiSdkAgent declares tools, and the model gets the results of server tools and of the client', async () => {
    const { model, bodies } = await startEndpoint(
      streamed(
        delta({ content: 'One moment' }),
        called('add', '{"a":'),
        delta({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
        delta({
          tool_calls: [
            { index: 1, id: 'call_1', type: 'function', function: { name: 'ask', arguments: '{"q":"ok?"}' } },
          ],
        }),
        delta({}, 'tool_calls'),
        usage(10, 5),
      ),
      streamed(delta({ content: 'Done' }), delta({}, 'stop'), usage(20, 1)),
    );
    const session = createSession(
      model,
      {
        tools: {
          add: { description: 'Adds', inputSchema: z.object({ a: z.number() }) },
          ask: { inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] } },
        },
      },
      { add: ({ a }: Record<string, unknown>) => Number(a) + 1 },
    );
    const first = await run(session, hello);
    expect(
      withoutCursors(first).filter((event) => 'toolCallId' in event && event.toolCallId === 'call_0'),
    ).toEqual([
      { type: 'tool-input-start', toolCallId: 'call_0', toolName: 'add' },
      { type: 'tool-input-delta', toolCallId: 'call_0', inputTextDelta: '{"a":' },
      { type: 'tool-input-delta', toolCallId: 'call_0', inputTextDelta: '1}' },
      { type: 'tool-input-end', toolCallId: 'call_0' },
      { type: 'tool-input-available', toolCallId: 'call_0', toolName: 'add', input: { a: 1 } },
      { type: 'tool-output-available', toolCallId: 'call_0', output: 2 },
    ]);
    expect(first.at(-2)).toMatchObject({
      type: 'client-tool-request',
      toolCalls: [{ toolCallId: 'call_1', toolName: 'ask', args: { q: 'ok?' } }],
    });
    expect(bodies[0]?.tools).toMatchObject([
      {
        function: { name: 'add', description: 'Adds', parameters: { properties: { a: { type: 'number' } } } },
      },
      { function: { name: 'ask', parameters: { required: ['q'] } } },
    ]);

    const second = await run(
      session,
      continueWith(first, () => ({ yes: true })),
    );
    expect(second.find((event) => event.type === 'usage')).toMatchObject({
      usage: { inputTokens: 30, outputTokens: 6 },
    });
    expect(bodies[1]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'One moment', tool_calls: [{ id: 'call_0' }, { id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_0', content: '2' },
      { role: 'tool', tool_call_id: 'call_1', content: '{"yes":true}' },
    ]);
  });

  it('createAiSdkAgent gives each call its own id when the server counts ids anew in every response', async () => {
    const { model } = await startEndpoint(
      streamed(called('add', '{}'), delta({}, 'tool_calls')),
      streamed(called('add', '{}'), delta({}, 'tool_calls')),
      streamed(called('add', '{}'), delta({}, 'stop')),
      streamed(delta({ content: 'Enough' }), delta({}, 'stop')),
    );
    const events = await run(createSession(model, { tools: { add: {} } }, { add: () => 1 }), hello);
    expect(
      events.flatMap((event) => (event.type === 'tool-output-available' ? [event.toolCallId] : [])),
    ).toEqual(['call_0', 'call_0-2', 'call_0-3']);
    expect(events.at(-1)).toMatchObject({ finishReason: 'stop' });
  });

  it('createAiSdkAgent sends the model an error for invalid arguments and for unknown tools', async () => {
    const { model, bodies } = await startEndpoint(
      streamed(called('add', '{"a":"x"}'), delta({}, 'tool_calls')),
      streamed(called('nope', '{}', 'call_9'), delta({}, 'tool_calls')),
      streamed(delta({ content: 'Sorry' }), delta({}, 'stop')),
    );
    let ran = false;
    const tools = { add: { inputSchema: z.object({ a: z.number() }) } };
    const handlers = {
      add: () => {
        ran = true;
      },
    };
    const events = await run(createSession(model, { tools }, handlers), hello);
    expect(events.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(ran).toBe(false);
    expect(types(events).filter((type) => type === 'tool-output-error')).toHaveLength(2);
    const messages = bodies[2]?.messages as unknown as { role: string; content: string }[];
    const toolMessages = messages
      .filter((message) => message.role === 'tool')
      .map((message) => message.content);
    expect(toolMessages).toEqual([expect.stringContaining('add'), expect.stringContaining('nope')]);
  });

  it('createAiSdkAgent sends files and tool errors to the model', async () => {
    const { model, bodies } = await startEndpoint(
      streamed(called('ask', '{}'), delta({}, 'tool_calls')),
      streamed(delta({ content: 'ok' }), delta({}, 'stop')),
    );
    const session = createSession(model, { tools: { ask: {} } });
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    const input = { USER_MESSAGE: 'see', FILES: [{ id: 'f', mediaType: 'image/png', url }] };
    const { executionId } = (await run(session, { ...hello, input }))[0] as { executionId: string };
    const toolResults = [{ toolCallId: 'call_0', error: 'User cancelled' }];
    await run(session, { type: 'continue', executionId, toolResults });
    expect(bodies[1]?.messages).toMatchObject([
      {
        content: [
          { type: 'image_url', image_url: { url } },
          { type: 'text', text: 'see' },
        ],
      },
      { role: 'assistant' },
      { role: 'tool', content: 'User cancelled' },
    ]);
  });

  it('createAiSdkAgent sends the model a note instead of a file with a relative URL', async () => {
    const answer = streamed(delta({ content: 'ok' }), delta({}, 'stop'));
    const { model, bodies } = await startEndpoint(answer, answer);
    const session = createSession(model);
    const FILES = [{ id: 'f', mediaType: 'application/pdf', url: '/files/f', filename: 'offer.pdf' }];
    await run(session, { ...hello, input: { USER_MESSAGE: 'see', FILES } });
    const events = await run(session, hello);
    expect(types(events)).not.toContain('error');
    const note = '[The file "offer.pdf" cannot be read: its address "/files/f" is not an absolute URL.]';
    const hasNote = bodies.map(({ messages }) => JSON.stringify(messages).includes(JSON.stringify(note)));
    expect(hasNote).toEqual([true, true]);
  });

  it.each([
    [
      429,
      { error: { message: 'slow down', type: 'requests' } },
      { 'retry-after': '7' },
      'rate_limit_error',
      true,
    ],
    [429, { error: { message: 'pay', code: 'insufficient_quota' } }, {}, 'quota_exceeded_error', false],
    [401, { error: { message: 'bad key' } }, {}, 'authentication_error', false],
    [400, { error: { message: 'bad request' } }, {}, 'validation_error', false],
    [500, { error: { message: 'oops' } }, {}, 'provider_error', true],
    [503, { error: { message: 'busy' } }, {}, 'provider_overloaded', true],
  ] as const)(
    'createAiSdkAgent maps status %i %j to an error event',
    async (status, body, headers, errorType, retryable) => {
      const { model } = await startEndpoint(failing(status, body, headers));
      const event = (await run(createSession(model), hello)).at(-1);
      expect(event).toMatchObject({
        type: 'error',
        errorType,
        retryable,
        source: 'provider',
        message: body.error.message,
        provider: { name: 'local.chat', model: 'tiny-1', statusCode: status },
      });
      expect(event?.type === 'error' && event.retryAfter).toBe('retry-after' in headers ? 7 : undefined);
    },
  );

  it('createAiSdkAgent reports a provider that cannot be reached, and onError gets the error of the provider', async () => {
    const { model, server } = await startEndpoint();
    server.close();
    const reported: unknown[] = [];
    const onError = (thrown: unknown) => reported.push(thrown);
    expect((await run(createSession(model, { onError }), hello)).at(-1)).toMatchObject({
      type: 'error',
      errorType: 'provider_error',
      retryable: true,
    });
    expect(reported).toEqual([expect.objectContaining({ name: 'AI_APICallError' })]);
  });

  it('createAiSdkAgent aborts the request to the provider when the run ends', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const { model } = await startEndpoint((response) => {
      closed = once(response, 'close');
      startStream(response)(delta({ content: 'Hel' }));
    });
    const events = createSession(model).execute(hello);
    for await (const event of events) if (event.type === 'text-delta') break;
    await closed;
    expect((await events.next()).done).toBe(true);
  });
});

it.each([[undefined], [{}], [{ model: '' }], [{ model: null }]])(
  'createAiSdkAgent throws without a model: %j',
  (options) => {
    expect(() => createAiSdkAgent(options as never)).toThrow('createAiSdkAgent needs a model');
  },
);

describe('createAiSdkAgent with a mock model, for parts that no endpoint sends', () => {
  type Chunk = Parameters<typeof simulateReadableStream<MockChunk>>[0]['chunks'][number];
  type MockChunk =
    Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'] extends ReadableStream<infer Part>
      ? Part
      : never;

  const finish = (unified: 'stop' | 'other' | 'length'): Chunk => ({
    type: 'finish',
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: 4, noCache: 1, cacheRead: 3, cacheWrite: undefined },
      outputTokens: { total: 6, text: 1, reasoning: 5 },
    },
  });
  const mock = (...chunks: Chunk[]) =>
    new MockLanguageModelV3({
      doStream: { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) },
    });

  it('createAiSdkAgent forwards sources, files and detailed usage', async () => {
    const model = mock(
      { type: 'source', sourceType: 'url', id: 'u', url: 'https://example.com', title: 'Example' },
      {
        type: 'source',
        sourceType: 'document',
        id: 'd',
        mediaType: 'application/pdf',
        title: 'Paper',
        filename: 'p.pdf',
      },
      { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
      finish('length'),
    );
    const events = withoutCursors(await run(createSession(model), hello));
    expect(events.slice(1, -1)).toEqual([
      { type: 'source', sourceType: 'url', id: 'u', url: 'https://example.com', title: 'Example' },
      {
        type: 'source',
        sourceType: 'document',
        id: 'd',
        mediaType: 'application/pdf',
        title: 'Paper',
        filename: 'p.pdf',
      },
      {
        type: 'file-available',
        id: expect.any(String),
        mediaType: 'image/png',
        url: 'data:image/png;base64,iVBORw0KGgo=',
      },
      {
        type: 'usage',
        usage: {
          inputTokens: 4,
          outputTokens: 6,
          totalTokens: 10,
          reasoningTokens: 5,
          cachedInputTokens: 3,
          model: 'mock-model-id',
        },
      },
    ]);
    expect(events.at(-1)).toMatchObject({ finishReason: 'length' });
  });

  it('createAiSdkAgent forwards calls of provider tools, and the session does not run them', async () => {
    const model = mock(
      {
        type: 'tool-call',
        toolCallId: 'w',
        toolName: 'web',
        input: '{"q":"x"}',
        providerExecuted: true,
        dynamic: true,
      },
      { type: 'tool-result', toolCallId: 'w', toolName: 'web', result: { hits: 1 }, dynamic: true },
      finish('stop'),
    );
    const events = await run(createSession(model, {}, { web: () => 'never' }), hello);
    expect(types(events)).toEqual([
      'start',
      'tool-input-available',
      'tool-output-available',
      'usage',
      'finish',
    ]);
    expect(events[2]).toMatchObject({ output: { hits: 1 } });
  });

  it('createAiSdkAgent yields an error event for an error in the middle of a good response', async () => {
    const model = mock(
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Hm' },
      { type: 'error', error: new Error('stream broke') },
    );
    const events = await run(createSession(model), hello);
    await settle();
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      errorType: 'provider_error',
      message: 'stream broke',
    });
  });
});

describe('toModelMessages', () => {
  it('toModelMessages puts all answers of a batch into one message and leaves out empty text', () => {
    const answer = (toolCallId: string) => ({ role: 'tool', toolCallId, toolName: 't', result: 1 }) as const;
    const ask = (...ids: string[]) => {
      const toolCalls = ids.map((toolCallId) => ({ toolCallId, toolName: 't', args: {} }));
      return { role: 'assistant', content: '', toolCalls } as const;
    };
    const said = [ask('a', 'b'), answer('a'), answer('b'), ask('c'), answer('c')];
    expect(
      toModelMessages(said).map(({ role, content }) => [role, Array.isArray(content) && content.length]),
    ).toEqual([
      ['assistant', 2],
      ['tool', 2],
      ['assistant', 1],
      ['tool', 1],
    ]);
  });
});

declare module 'vitest' {
  interface ProvidedContext {
    /** The major version under test. */
    aiSdk: 6 | 7;
  }
}
