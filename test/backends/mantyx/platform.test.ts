/** The stand-in for the Mantyx platform, checked against the protocol page. */
import { afterEach, expect, test } from 'vitest';
import { createSseReader, type SseMessage } from '../../../src/core/wire/sse.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import {
  MANTYX_KEY,
  type MantyxPlatform,
  type MantyxPlatformOptions,
  startMantyxPlatform,
} from '../../support/mantyx-platform.ts';

const platforms: MantyxPlatform[] = [];
afterEach(async () => {
  for (const platform of platforms.splice(0)) await platform.close();
});

const SPEC = { systemPrompt: 'Be short.', prompt: 'Hi' };

async function start(options: MantyxPlatformOptions = {}) {
  const platform = await startMantyxPlatform(options);
  platforms.push(platform);
  const ask = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(`${platform.baseUrl}/api/v1/workspaces/acme/${path}`, {
      method,
      headers: { authorization: `Bearer ${MANTYX_KEY}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    platform,
    ask,
    /** All messages of a stream, and `broken` if it was cut. */
    async read(run: string, after = 0) {
      const response = await ask('GET', `agent-runs/${run}/stream`, undefined, {
        'last-event-id': String(after),
      });
      const reader = createSseReader();
      const messages: SseMessage[] = [];
      let end: 'closed' | 'broken' = 'closed';
      try {
        for await (const bytes of response.body ?? []) messages.push(...reader.feed(bytes));
      } catch {
        end = 'broken';
      }
      return { end, messages, events: messages.map(({ data }) => JSON.parse(data)) };
    },
  };
}

const ORDER: MantyxPlatformOptions['script'] = function* ({ answers }) {
  yield 'One moment.';
  yield { calls: [{ call: 'confirm', args: { price: 5 } }] };
  yield `You said ${answers.get('tu_1')?.result}.`;
};

test('the stand-in plays a run with nested frames, calls in the message of their turn, answers in the log, and usage at the end', async () => {
  const { platform, ask, read } = await start({ script: ORDER });
  const created = await ask('POST', 'agent-runs', SPEC);
  expect(created.status).toBe(202);
  expect(await created.json()).toEqual({
    runId: 'run_1',
    streamUrl: '/api/v1/workspaces/acme/agent-runs/run_1/stream',
  });
  const reading = read('run_1');
  const answered = await ask('POST', 'agent-runs/run_1/tool-results', { toolUseId: 'tu_1', result: 'yes' });
  expect(answered.status).toBe(204);
  const { end, messages, events } = await reading;
  expect(end).toBe('closed');
  expect(messages.map(({ id, event }) => `${id} ${event}`)).toEqual([
    '1 started',
    '2 assistant_delta',
    '3 assistant_delta',
    '4 assistant_message',
    '5 local_tool_call',
    '6 local_tool_result_in',
    '7 assistant_delta',
    '8 assistant_delta',
    '9 assistant_delta',
    '10 assistant_message',
    '11 result',
  ]);
  expect(events[3]).toEqual({
    seq: 4,
    type: 'assistant_message',
    data: {
      text: 'One moment.',
      turn: 0,
      finishReason: 'tool_use',
      toolCalls: [{ id: 'tu_1', name: 'confirm', input: { price: 5 } }],
    },
  });
  expect(events[10].data).toEqual({
    ok: true,
    text: 'You said yes.',
    tokens: { inputTokens: 120, cachedTokens: 20, reasoningTokens: 5, outputTokens: 30 },
    turns: 2,
    model: { id: 'platform:demo', provider: 'anthropic', vendorModelId: 'claude-test' },
  });
  expect(platform.transcript).toEqual([
    { user: 'Hi' },
    { call: 'tu_1', toolName: 'confirm' },
    { answer: 'tu_1', result: 'yes' },
  ]);
  expect((await read('run_1', 9)).events.map(({ seq }) => seq)).toEqual([10, 11]);
});

test('the stand-in plays the other variants: flat frames, no event line, 201 and 200, subtype and no usage', async () => {
  const { ask, read } = await start({
    script: ORDER,
    envelope: 'flat',
    createStatus: 201,
    postStatus: 200,
    resultShape: 'subtype',
    resultInShape: 'result',
    usage: false,
  });
  expect((await ask('POST', 'agent-runs', SPEC)).status).toBe(201);
  const answer = { toolUseId: 'tu_1', error: 'no' };
  expect((await ask('POST', 'agent-runs/run_1/tool-results', answer)).status).toBe(200);
  const { messages, events } = await read('run_1');
  expect(messages.at(-1)?.event).toBe('result');
  expect(events[5]).toEqual({ seq: 6, toolUseId: 'tu_1', error: 'no' });
  expect(events.at(-1)).toEqual({ seq: 11, subtype: 'success', text: 'You said undefined.' });
  const bare = await start({ eventLine: false });
  await bare.ask('POST', 'agent-runs', SPEC);
  const [first] = (await bare.read('run_1')).messages;
  expect(first).toMatchObject({ event: undefined, id: '1', data: '{"seq":1,"type":"started","data":{}}' });
});

test('the stand-in accepts a result once: unknown and answered calls get 404, an ended run 409, an invalid body 400', async () => {
  const { platform, ask } = await start({ script: ORDER });
  await ask('POST', 'agent-runs', SPEC);
  const post = async (body: object) => (await ask('POST', 'agent-runs/run_1/tool-results', body)).status;
  expect(await post({ toolUseId: 'tu_9', result: '' })).toBe(404);
  expect(await post({ toolUseId: 'tu_1' })).toBe(400);
  expect(await post({ toolUseId: 'tu_1', result: 'a', error: 'b' })).toBe(400);
  expect(await post({ result: 'a' })).toBe(400);
  expect(await post({ toolUseId: 'tu_1', result: { yes: true } })).toBe(400);
  expect(await post({ toolUseId: 'tu_1', result: 'ä'.repeat(2 ** 20 + 1) })).toBe(400);
  expect(await post({ toolUseId: 'tu_1', error: 'x'.repeat(8 * 1024 + 1) })).toBe(400);
  expect(await post({ toolUseId: 'tu_1', result: 'yes' })).toBe(204);
  await platform.run().ended;
  expect(await post({ toolUseId: 'tu_1', result: 'yes' })).toBe(409);
  expect(platform.transcript.filter((line) => 'answer' in line)).toHaveLength(1);
});

test.each(['in-frame', 'now', 'clean'] as const)(
  'the stand-in replays a stream cut %s after its last event id',
  async (how) => {
    const { ask, read } = await start({ script: () => ['One ', { cut: how }, 'two three'] });
    await ask('POST', 'agent-runs', SPEC);
    const first = await read('run_1');
    expect(first.end).toBe(how === 'clean' ? 'closed' : 'broken');
    expect(first.events.map(({ seq }) => seq)).toEqual([1, 2]);
    const second = await read('run_1', 2);
    expect(second.events.map(({ type }) => type)).toEqual([
      'assistant_delta',
      'assistant_delta',
      'assistant_message',
      'result',
    ]);
  },
);

test.each([
  ['continue', ['tu_1 timed out', 'result']],
  ['result', ['result']],
  ['error', ['error']],
] as const)('the stand-in times an unanswered call out with %s', async (outcome, expected) => {
  const clock = createManualClock();
  const { platform, ask, read } = await start({
    script: ORDER,
    clock,
    localTimeout: { afterMs: 60_000, outcome },
  });
  await ask('POST', 'agent-runs', SPEC);
  await clock.advance(60_000);
  await platform.run().ended;
  const seen = platform.transcript.flatMap((line) =>
    'timedOut' in line ? `${line.timedOut} timed out` : [],
  );
  const last = (await read('run_1')).events.at(-1);
  expect([...seen, last.type]).toEqual(expected);
  if (outcome === 'result') expect(last.data.subtype).toBe('error_local_tool_timeout');
  if (outcome === 'error') expect(last.data.errorClass).toBe('local_timeout');
  expect(clock.waiting).toBe(0);
});

test('a cancel of the stand-in waits for open calls and drops their answers', async () => {
  const { platform, ask, read } = await start({ script: ORDER });
  await ask('POST', 'agent-runs', SPEC);
  expect((await ask('POST', 'agent-runs/run_1/cancel')).status).toBe(200);
  expect(platform.run().status).toBe('running');
  const answer = { toolUseId: 'tu_1', result: 'late' };
  expect((await ask('POST', 'agent-runs/run_1/tool-results', answer)).status).toBe(204);
  expect((await read('run_1')).events.at(-1)).toEqual({ seq: 6, type: 'cancelled', data: {} });
  expect(platform.transcript.some((line) => 'answer' in line)).toBe(false);
});

test.each([
  ['cancelled', true],
  ['error', false],
])('a script that throws ends its run as %s, and the stand-in keeps serving', async (ending, isCancelled) => {
  const { platform, ask, read } = await start({
    script: async function* ({ signal }) {
      yield 'One moment.';
      if (!isCancelled) throw new Error('The script is broken');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      signal.throwIfAborted();
    },
  });
  await ask('POST', 'agent-runs', SPEC);
  if (isCancelled) await ask('POST', 'agent-runs/run_1/cancel');
  await platform.run().ended;
  expect((await read('run_1')).events.at(-1)).toMatchObject({ type: ending });
});

test('a session of the stand-in remembers messages, merges metadata for one run, and ends', async () => {
  const { platform, ask } = await start({ script: ({ text }) => [`${text}!`] });
  const made = await ask('POST', 'agent-sessions', {
    systemPrompt: 'Be short.',
    metadata: { env: 'test', who: 'a' },
  });
  expect(await made.json()).toMatchObject({ sessionId: 'ses_1' });
  await ask('POST', 'agent-sessions/ses_1/messages', { prompt: 'Hi', metadata: { who: 'b' } });
  await platform.run().ended;
  expect(platform.run().spec.metadata).toEqual({ env: 'test', who: 'b' });
  const described = await (await ask('GET', 'agent-sessions/ses_1')).json();
  expect(described).toMatchObject({
    status: 'active',
    metadata: { env: 'test', who: 'a' },
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hi!' },
    ],
  });
  expect((await ask('DELETE', 'agent-sessions/ses_1')).status).toBe(204);
  expect((await ask('POST', 'agent-sessions/ses_1/messages', { prompt: 'More' })).status).toBe(404);
});

test('an answer of another client is in the log of the stand-in, and the first page is too late', async () => {
  const { platform, ask } = await start({
    script: () => [
      {
        calls: [{ call: 'a' }, { call: 'b' }],
        meanwhile: [{ elsewhere: 'tu_1', result: 'by another' }],
      },
    ],
  });
  await ask('POST', 'agent-runs', SPEC);
  expect(platform.run().open).toEqual(['tu_2']);
  const late = { toolUseId: 'tu_1', result: 'mine' };
  expect((await ask('POST', 'agent-runs/run_1/tool-results', late)).status).toBe(404);
  platform.answerElsewhere('tu_2', { error: 'gone' });
  await platform.run().ended;
  expect(platform.transcript.slice(3)).toEqual([
    { answer: 'tu_1', result: 'by another' },
    { answer: 'tu_2', error: 'gone' },
  ]);
});

test('calls of the stand-in have the keys of the tool that declares them', async () => {
  const agentCard = { name: 'HR', url: 'https://hr.test/a2a', anything: 1 };
  const { ask, read } = await start({
    script: () => [
      {
        calls: [{ call: 'hr' }, { call: 'fs_read' }, { call: 'x', more: { kind: 'new' } }],
        meanwhile: [
          { elsewhere: 'tu_1', result: '' },
          { elsewhere: 'tu_2', result: '' },
          { elsewhere: 'tu_3', result: '' },
        ],
      },
    ],
  });
  await ask('POST', 'agent-runs', {
    ...SPEC,
    tools: [
      { kind: 'a2a_local', name: 'hr', agentCard },
      { kind: 'mcp_local', name: 'fs', serverInfo: { name: 'files' }, tools: [{ name: 'fs_read' }] },
    ],
  });
  const calls = (await read('run_1')).events.filter(({ type }) => type === 'local_tool_call');
  expect(calls.map(({ data }) => data)).toEqual([
    { toolUseId: 'tu_1', name: 'hr', args: {}, kind: 'a2a_local', agentCard },
    {
      toolUseId: 'tu_2',
      name: 'fs_read',
      args: {},
      kind: 'mcp_local',
      mcpServer: 'fs',
      mcpToolName: 'fs_read',
      mcpServerInfo: { name: 'files' },
    },
    { toolUseId: 'tu_3', name: 'x', args: {}, kind: 'new' },
  ]);
});

test('the stand-in sends a truncated text as message, its class in the error, and both in the snapshot', async () => {
  const payload = {
    error: 'Model output was truncated',
    code: 'truncation',
    errorClass: 'truncation',
    finishReason: 'max_tokens',
    partialText: '{"a":',
  };
  const { ask, read } = await start({ script: () => ['{"a":', { event: 'error', payload }] });
  await ask('POST', 'agent-runs', SPEC);
  const { events } = await read('run_1');
  expect(events.at(-2).data).toEqual({ text: '{"a":', turn: 0, finishReason: 'max_tokens' });
  expect(events.at(-1).data).toMatchObject({ ...payload, turns: 1 });
  expect(await (await ask('GET', 'agent-runs/run_1')).json()).toMatchObject({
    status: 'failed',
    finalText: '{"a":',
    error: 'Model output was truncated',
    failureReason: { errorClass: 'truncation', finishReason: 'max_tokens' },
  });
});

test('the stand-in applies faults to the next requests of a route, each once and in order', async () => {
  const { platform, ask } = await start();
  platform.failNext('create', {
    status: 429,
    body: { error: 'rate_limited' },
    headers: { 'retry-after': '2' },
  });
  platform.failNext('create', { lose: 'request' });
  platform.failNext('create', { lose: 'response' });
  const limited = await ask('POST', 'agent-runs', SPEC);
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '2']);
  await expect(ask('POST', 'agent-runs', SPEC)).rejects.toThrow('fetch failed');
  expect(platform.runs).toHaveLength(0);
  await expect(ask('POST', 'agent-runs', SPEC)).rejects.toThrow('fetch failed');
  expect(platform.runs).toHaveLength(1);
  expect((await ask('POST', 'agent-runs', SPEC)).status).toBe(202);
});

const long = (length: number) => 'x'.repeat(length);
const entries = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, value]));

test.each([
  ['both prompt and messages', { messages: [{ role: 'user', content: 'a' }] }],
  ['no prompt', { prompt: undefined }],
  ['no agent', { systemPrompt: undefined }],
  ['tool name', { tools: [{ kind: 'local', name: 'send-mail' }] }],
  ['header', { tools: [{ kind: 'mcp', name: 'a', url: 'https://a.test', headers: { a: long(8193) } }] }],
  ['catalogue', { tools: [{ kind: 'mcp_local', name: 'a', tools: [] }] }],
  ['long catalogue', { tools: [{ kind: 'mcp_local', name: 'a', tools: Array(65).fill({ name: 'b' }) }] }],
  ['reasoning', { reasoningLevel: 101 }],
  ['reasoning word', { reasoningLevel: 'max' }],
  ['output name', { outputSchema: { name: 'a b', schema: { type: 'object' } } }],
  ['output root', { outputSchema: { schema: [] } }],
  ['output size', { outputSchema: { schema: { type: 'object', description: long(32 * 1024) } } }],
  ['loop soft', { loopDetection: { consecutiveThreshold: 1 } }],
  ['loop hard', { loopDetection: { consecutiveThreshold: 6, hardCutoffThreshold: 6 } }],
  ['loop cap', { loopDetection: { hardCutoffThreshold: 101 } }],
  ['budget entries', { toolBudgets: entries(33, { maxCalls: 1 }) }],
  ['budget key', { toolBudgets: { [long(121)]: { maxCalls: 1 } } }],
  ['budget calls', { toolBudgets: { a: { maxCalls: 1001 } } }],
  ['metadata entries', { metadata: entries(17, 'a') }],
  ['metadata key', { metadata: { 'a b': 'c' } }],
  ['metadata value', { metadata: { a: long(257) } }],
  ['metadata size', { metadata: entries(16, 'ä'.repeat(256)) }],
  ['model', { modelId: 'unheard-of' }],
])('the stand-in refuses a spec beyond its limits with 400: %s', async (_, fault) => {
  const { platform, ask } = await start();
  expect((await ask('POST', 'agent-runs', { ...SPEC, ...fault })).status).toBe(400);
  expect(platform.refusals).toHaveLength(1);
  expect(platform.runs).toEqual([]);
});

test('the stand-in accepts a spec at its limits', async () => {
  const { platform, ask } = await start();
  const created = await ask('POST', 'agent-runs', {
    ...SPEC,
    modelId: 'claude-test',
    tools: [{ kind: 'local', name: long(64) }],
    reasoningLevel: 100,
    loopDetection: false,
    toolBudgets: {},
    metadata: { a: long(256) },
  });
  expect([created.status, platform.refusals]).toEqual([202, []]);
});

test('the stand-in answers 401 without a key and 404 for another workspace or run', async () => {
  const { platform, ask } = await start();
  const url = `${platform.baseUrl}/api/v1/workspaces`;
  expect((await fetch(`${url}/acme/models`)).status).toBe(401);
  expect((await fetch(`${url}/acme/models`, { headers: { 'x-api-key': MANTYX_KEY } })).status).toBe(200);
  expect((await fetch(`${url}/other/models`, { headers: { 'x-api-key': MANTYX_KEY } })).status).toBe(404);
  expect((await ask('GET', 'agent-runs/run_7')).status).toBe(404);
});
