/** Runs that fail: unanswered calls, refusals, streams without an end, invalid structured output. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createMantyxTransport } from '../../../src/backends/mantyx/create-mantyx-transport.ts';
import { localMcp } from '../../../src/backends/mantyx/local-tools/local-mcp.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { collect, createIO } from '../../core/transport/support.ts';
import { findPending, isAwaiting, readText } from '../../integration/open-chat.ts';
import { startMcpPeer } from '../../support/mcp-peer.ts';
import { asking, bodiesOf, clientTools, openMantyx } from './open-mantyx.ts';

describe('a call that is not answered in time', () => {
  const missed = async (outcome: 'continue' | 'result' | 'error', toolDeadlineMs?: number) => {
    const clock = createManualClock();
    const opened = await openMantyx(
      { script: asking, clock, localTimeout: { afterMs: 60_000, outcome } },
      { clientTools, clock, ...(toolDeadlineMs === undefined ? {} : { toolDeadlineMs }) },
    );
    void opened.chat.sendMessage('Hi');
    const state = await opened.until(isAwaiting);
    return { ...opened, clock, tool: findPending(state, 'ask') };
  };

  it('a call that is not answered in time expires, and the run continues if the platform continues it', async () => {
    const { clock, tool, until, platform } = await missed('continue', 60_000);
    expect(tool.expiresAt?.getTime()).toBeGreaterThan(clock.now());
    await clock.advance(60_000);
    const state = await until(({ status }) => status === 'idle');
    expect(tool.submit('late')).toEqual({ settled: false, reason: 'expired' });
    expect(readText(state)).toMatch(/^Answer: /);
    expect(bodiesOf(platform, 'results')).toEqual([]);
  });

  it.each(['result', 'error'] as const)(
    'a call that is not answered in time fails the turn when the platform ends the run by %s',
    async (outcome) => {
      const { clock, tool, until } = await missed(outcome);
      expect(tool.expiresAt).toBeUndefined();
      await clock.advance(60_000);
      const state = await until(({ status }) => status === 'error');
      expect(state.error).toMatchObject({ code: 'backend_error', errorType: 'tool_error', source: 'tool' });
      expect(state.messages[1]?.parts).toMatchObject([{ outcome: 'expired' }]);
      expect(tool.submit('late')).toEqual({ settled: false, reason: 'expired' });
    },
  );
});

it.each([
  ['max_tokens', 'length'],
  ['refusal', 'content-filter'],
  ['end_turn', 'stop'],
])('a run whose last turn ended with %s finishes with %s', async (said, finishReason) => {
  const frames = [
    { seq: 1, type: 'assistant_message', text: 'As far as', turn: 0, finishReason: said },
    { seq: 2, type: 'result', subtype: 'success', text: 'As far as' },
  ];
  const transport = createMantyxTransport({
    baseUrl: 'https://mantyx.test',
    workspace: 'w',
    fetch: async () => new Response(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')),
  });
  const events = await collect(transport.run({ type: 'resume', executionId: 'r1', cursor: '0' }, createIO()));
  expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason });
});

describe('an error', () => {
  it.each([
    [
      400,
      { error: 'invalid_model', message: 'No such model.', candidates: ['a', 'b'] },
      'validation_error',
      'invalid_model',
      'No such model. Candidates: a, b.',
    ],
    [401, { error: 'unauthorized' }, 'authentication_error', 'unauthorized', 'unauthorized'],
    [
      403,
      { error: 'insufficient_scope', required: ['runs:write'] },
      'permission_error',
      'insufficient_scope',
      'Required: runs:write.',
    ],
    [
      403,
      { error: 'Upgrade first.', code: 'api_keys_plan' },
      'permission_error',
      'api_keys_plan',
      'Upgrade first.',
    ],
    [404, { error: 'not_found', hint: 'Check the slug.' }, 'not_found_error', 'not_found', 'Check the slug.'],
  ] as const)(
    'a refusal with %i %j becomes a typed error',
    async (status, body, errorType, backendCode, text) => {
      const { chat, platform } = await openMantyx();
      platform.failNext('create', { status, body });
      await chat.sendMessage('Hi');
      expect(chat.getState().error).toMatchObject({
        code: 'http_error',
        status,
        errorType,
        backendCode,
        retryable: false,
        message: expect.stringContaining(text),
      });
    },
  );

  it('a refusal with 429 is retryable after its Retry-After', async () => {
    const { chat, platform } = await openMantyx();
    platform.failNext('create', {
      status: 429,
      body: { error: 'rate_limited' },
      headers: { 'retry-after': '7' },
    });
    await chat.sendMessage('Hi');
    expect(chat.getState().error).toMatchObject({
      errorType: 'rate_limit_error',
      retryable: true,
      retryAfter: 7,
    });
  });

  it('a stream that closes without an end is reopened a limited number of times', async () => {
    const { chat, platform } = await openMantyx({ script: () => [{ hold: () => new Promise(() => {}) }] });
    for (let count = 0; count < 8; count += 1)
      platform.failNext('stream', { status: 200, headers: { 'content-type': 'text/event-stream' } });
    await chat.sendMessage('Hi');
    expect(chat.getState().error).toMatchObject({ code: 'connection_lost', retryable: true });
    expect(platform.requests.filter(({ route }) => route === 'stream')).toHaveLength(6);
  });
});

it('structured output may come after prose, and prose alone is an error', async () => {
  const outputSchema = { schema: z.object({ total: z.number() }) };
  const { chat, platform } = await openMantyx(
    {
      script: ({ attempt }) =>
        attempt === 1 ? ['Adding up. ', { calls: [{ call: 'now' }] }, ' {"total": 3}'] : ['Three.'],
    },
    { clientTools, spec: { systemPrompt: 'Add.', outputSchema } },
  );
  await chat.sendMessage('Hi');
  expect(bodiesOf(platform, 'create')[0]?.outputSchema).toMatchObject({
    schema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
  });
  expect(chat.getState().messages[1]?.parts).toMatchObject([
    { type: 'text', text: 'Adding up. ' },
    { type: 'tool-call' },
    { type: 'object', typeName: 'output', object: { total: 3 } },
  ]);
  await chat.sendMessage('Hi');
  expect(chat.getState().error?.message).toContain('it is not JSON');
});

describe('a peer', () => {
  it('a peer that refuses a call sends the agent its error text', async () => {
    const server = await startMcpPeer((mcp) => {
      mcp.registerTool('read', {}, () => ({ content: [{ type: 'text', text: 'No access' }], isError: true }));
    });
    onTestFinished(server.close);
    const { chat, platform } = await openMantyx(
      { script: () => [{ calls: [{ call: 'read' }] }, 'Ok.'] },
      { tools: [localMcp({ name: 'files', url: server.url })] },
    );
    await chat.sendMessage('Read it');
    expect(bodiesOf(platform, 'results')).toEqual([{ toolUseId: 'tu_1', error: 'No access' }]);
    expect(chat.getState().messages[1]?.parts[0]).toMatchObject({ status: 'error', error: 'No access' });
  });

  it.each([undefined, 300_000])(
    'a peer has the toolDeadlineMs of the transport as its timeout: %s',
    (toolDeadlineMs) => {
      const { clientTool } = createMantyxTransport({
        baseUrl: 'https://mantyx.test',
        workspace: 'w',
        tools: [localMcp({ name: 'files', url: 'https://files.test' })],
        ...(toolDeadlineMs === undefined ? {} : { toolDeadlineMs }),
      });
      const call = { toolCallId: 'tu_1', toolName: 'read', args: {}, kind: 'mcp_local', mcpServer: 'files' };
      expect(clientTool?.(call)).toEqual({ execute: expect.any(Function), timeoutMs: toolDeadlineMs });
      const own = { ...call, kind: 'local' };
      expect(clientTool?.(own)).toBeUndefined();
    },
  );

  it('a peer that disappears before its call is reported to the agent and onError, and the turn continues', async () => {
    const server = await startMcpPeer((mcp) => {
      mcp.registerTool('read', {}, () => ({ content: [{ type: 'text', text: 'content' }] }));
    });
    const { chat, platform, callbacks } = await openMantyx(
      { script: () => [{ calls: [{ call: 'read' }] }, 'Ok.'] },
      { tools: [localMcp({ name: 'files', url: server.url })] },
    );
    await chat.sendMessage('Read it');
    await server.close();
    await chat.sendMessage('Once more');
    expect(bodiesOf(platform, 'results')).toMatchObject([
      { result: 'content' },
      { error: expect.stringContaining('The tool read could not be called') },
    ]);
    expect(callbacks).toEqual(['finish stop', 'error connection_failed', 'finish stop']);
    expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
  });
});
