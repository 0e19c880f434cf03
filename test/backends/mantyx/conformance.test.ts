/** The conformance checklist of the protocol (wire protocol section 13, agent-runs protocol section 11), item by item. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { readMantyxFailure } from '../../../src/backends/mantyx/decode-ending.ts';
import { localA2a } from '../../../src/backends/mantyx/local-tools/local-a2a.ts';
import { localMcp } from '../../../src/backends/mantyx/local-tools/local-mcp.ts';
import { localTools } from '../../../src/backends/mantyx/local-tools/local-tools.ts';
import type { MantyxSpec } from '../../../src/backends/mantyx/spec.ts';
import { defineClientTool } from '../../../src/core.ts';
import { findPending, isAwaiting, readText } from '../../integration/open-chat.ts';
import { agentMessage, startA2aPeer } from '../../support/a2a-peer.ts';
import type { MantyxPlatform } from '../../support/mantyx-platform.ts';
import type { MantyxScript } from '../../support/mantyx-platform-script.ts';
import { startMcpPeer } from '../../support/mcp-peer.ts';
import { bodiesOf, openMantyx } from './open-mantyx.ts';

const base = { systemPrompt: 'Be short.' };

/** The spec as it reached the platform. */
async function sent(spec: Partial<MantyxSpec>) {
  const { chat, platform } = await openMantyx({}, { spec: { ...base, ...spec } });
  await chat.sendMessage('Hi');
  expect(platform.refusals).toEqual([]);
  return bodiesOf(platform, 'create')[0];
}

/** The posted answer of each call. The calls of a batch are answered as they arrive. */
const answersIn = (platform: MantyxPlatform) =>
  Object.fromEntries(
    bodiesOf(platform, 'results').map(({ toolUseId, ...answer }) => [String(toolUseId), answer]),
  );

async function startPeers() {
  const agent = await startA2aPeer((context) => agentMessage(context, 'Five days.'));
  const server = await startMcpPeer((mcp) => {
    mcp.registerTool(
      'read',
      { description: 'Reads', inputSchema: z.object({ path: z.string() }) },
      ({ path }) => ({
        content: [{ type: 'text', text: `content of ${path}` }],
      }),
    );
  });
  onTestFinished(async () => {
    await agent.close();
    await server.close();
  });
  return { agent, server };
}

const clientTools = {
  locate: defineClientTool({
    description: 'Where the person is',
    input: z.object({ precise: z.boolean().default(false) }),
    output: z.object({ lat: z.number() }),
    execute: ({ precise }) => ({ lat: precise ? 48.21 : 48 }),
  }),
  confirm: 'interactive',
} as const;

describe('conformance', () => {
  it.each(['off', 'high', 0, 57] as const)(
    '1: reasoningLevel %s leaves unchanged',
    async (reasoningLevel) => {
      expect(await sent({ reasoningLevel })).toEqual({ ...base, prompt: 'Hi', reasoningLevel });
    },
  );

  it('2: outputSchema leaves unchanged; the text is parsed and validated after the terminal event', async () => {
    const schema = { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] };
    const outputSchema = { name: 'bill', schema };
    const script: MantyxScript = ({ attempt }) => [attempt === 1 ? '{"total": 12}' : '{"total": "twelve"}'];
    const { chat, platform } = await openMantyx({ script }, { spec: { ...base, outputSchema } });
    await chat.sendMessage('Hi');
    expect(bodiesOf(platform, 'create')[0]?.outputSchema).toEqual(outputSchema);
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([
      { type: 'object', typeName: 'bill', object: { total: 12 }, status: 'done' },
    ]);
    await chat.sendMessage('Hi');
    expect(chat.getState().error).toMatchObject({
      code: 'backend_error',
      backendCode: 'invalid_output',
      message: expect.stringContaining('total'),
    });
    const [part] = chat.getState().messages.at(-1)?.parts ?? [];
    expect(part).toMatchObject({ partial: { total: 'twelve' }, status: 'error' });
    expect(part).not.toHaveProperty('object');
  });

  it.each([
    [{}, {}],
    [
      { loopDetection: false, toolBudgets: {} },
      { loopDetection: false, toolBudgets: {} },
    ],
    [
      { loopDetection: { consecutiveThreshold: 2 }, toolBudgets: { recall: { maxCalls: 0 } } },
      { loopDetection: { consecutiveThreshold: 2 }, toolBudgets: { recall: { maxCalls: 0 } } },
    ],
  ] as const)('3: loopDetection and toolBudgets of %j reach the wire as given', async (given, wire) => {
    expect(await sent(given)).toEqual({ ...base, prompt: 'Hi', ...wire });
  });

  it('4: loop_detected and tool_budget_exceeded only inform; reading continues to the terminal event', async () => {
    const { chat } = await openMantyx({
      script: () => [
        { event: 'loop_detected', payload: { consecutiveCount: 3, hardCutoff: false, tools: ['recall'] } },
        { event: 'tool_budget_exceeded', payload: { tool: 'recall', maxCalls: 2, callIndex: 3 } },
        'Done.',
      ],
    });
    await chat.sendMessage('Hi');
    expect(chat.getState().notices).toEqual([
      { code: 'loop_detected', text: 'The agent called recall 3 times in a row.' },
      {
        code: 'tool_budget_exceeded',
        text: "The agent's call number 3 of recall is over its limit of 2.",
      },
    ]);
    expect(readText(chat.getState())).toBe('Done.');
    expect(chat.getState().status).toBe('idle');
  });

  it('5, 9: three registries (local by name, A2A by card, MCP by server) run their own calls, and the results are posted', async () => {
    const { agent, server } = await startPeers();
    const { chat, platform } = await openMantyx(
      {
        script: function* ({ answers }) {
          yield {
            calls: [
              { call: 'locate', args: { precise: true } },
              { call: 'hr', args: { message: 'How much leave?' } },
              { call: 'read', args: { path: '/a' } },
              { call: 'nobody' },
            ],
          };
          yield [...answers.values()].map(({ result, error }) => result ?? `(${error})`).join(' ');
        },
      },
      {
        clientTools,
        tools: [
          ...localTools(clientTools),
          localA2a({ name: 'hr', agentCard: agent.cardUrl }),
          localMcp({ name: 'files', url: server.url }),
        ],
      },
    );
    await chat.sendMessage('Hi');
    expect(answersIn(platform)).toEqual({
      tu_1: { result: '{"lat":48.21}' },
      tu_2: { result: 'Five days.' },
      tu_3: { result: 'content of /a' },
      tu_4: { error: 'No client handler for tool: nobody' },
    });
    const parts = chat.getState().messages[1]?.parts.filter(({ type }) => type === 'tool-call');
    expect(parts).toMatchObject([
      { toolName: 'locate', status: 'done', executedBy: 'client' },
      { toolName: 'hr', status: 'done', executedBy: 'client', result: 'Five days.' },
      { toolName: 'read', status: 'done', executedBy: 'client', result: 'content of /a' },
      { toolName: 'nobody', status: 'error' },
    ]);
    expect(readText(chat.getState())).toContain('Five days.');
  });

  it('6: developer schemas become JSON Schema; outputSchema and longRunning are forwarded', async () => {
    const { chat, platform } = await openMantyx({}, { tools: localTools(clientTools) });
    await chat.sendMessage('Hi');
    expect(bodiesOf(platform, 'create')[0]?.tools).toMatchObject([
      {
        kind: 'local',
        name: 'locate',
        description: 'Where the person is',
        parameters: { type: 'object', properties: { precise: { type: 'boolean', default: false } } },
        outputSchema: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] },
      },
      { kind: 'local', name: 'confirm', parameters: { type: 'object' }, longRunning: true },
    ]);
  });

  it('7, 8: the page resolves the A2A card, MCP initialize and tools/list and sends them verbatim', async () => {
    const { agent, server } = await startPeers();
    const { chat, platform } = await openMantyx(
      {},
      {
        tools: [
          localA2a({ name: 'hr', agentCard: agent.cardUrl }),
          localMcp({ name: 'files', url: server.url }),
        ],
      },
    );
    await chat.sendMessage('Hi');
    const card: unknown = await (await fetch(agent.cardUrl)).json();
    const [created] = bodiesOf(platform, 'create');
    expect(created?.tools).toEqual([
      { kind: 'a2a_local', name: 'hr', agentCard: card },
      expect.objectContaining({ kind: 'mcp_local', name: 'files' }),
    ]);
    const read = { name: 'read', description: 'Reads', inputSchema: { required: ['path'] } };
    expect(created?.tools).toMatchObject([{}, { serverInfo: { name: 'files' }, tools: [read] }]);
  });

  it('9: arguments are parsed by the developer’s schema; a failed parse is answered with an error', async () => {
    const { chat, platform } = await openMantyx(
      {
        script: () => [{ calls: [{ call: 'locate' }, { call: 'locate', args: { precise: 'very' } }] }, 'Ok.'],
      },
      { clientTools, tools: localTools(clientTools) },
    );
    await chat.sendMessage('Hi');
    expect(answersIn(platform)).toEqual({
      tu_1: { result: '{"lat":48}' },
      tu_2: { error: expect.stringContaining('precise') },
    });
  });

  it('10: the transport closes the stream on a terminal event, whatever follows it', async () => {
    const { chat, platform, callbacks } = await openMantyx();
    await chat.sendMessage('Hi');
    expect(callbacks).toEqual(['finish stop']);
    expect(platform.requests.map(({ route }) => route)).toEqual(['create', 'stream']);
  });

  it('10: the transport closes the stream at once when the platform leaves it open', async () => {
    let isClosed = false;
    const send: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).endsWith('/stream')) return response;
      const events = new Uint8Array(await response.arrayBuffer());
      return new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(events),
          cancel() {
            isClosed = true;
          },
        }),
      );
    };
    const { chat } = await openMantyx({}, { fetch: send });
    await chat.sendMessage('Hi');
    expect(isClosed).toBe(true);
  });

  it('11: one POST per toolUseId; 409 is normal', async () => {
    const { chat, platform, until, callbacks } = await openMantyx(
      { script: () => [{ calls: [{ call: 'confirm' }] }, 'Thanks.'] },
      { clientTools, tools: localTools(clientTools) },
    );
    void chat.sendMessage('Hi');
    const tool = findPending(await until(isAwaiting), 'confirm');
    platform.failNext('results', { status: 409, body: { error: 'run_terminal' } });
    expect(tool.submit('yes')).toEqual({ settled: true });
    expect(tool.submit('yes')).toEqual({ settled: false, reason: 'already-settled' });
    await until(
      ({ messages }) =>
        messages.at(-1)?.parts.some((part) => part.type === 'tool-call' && part.outcome === 'expired') ===
        true,
    );
    expect(bodiesOf(platform, 'results')).toHaveLength(1);
    expect(callbacks).toEqual([]);
    expect(chat.getState().notices).toMatchObject([{ code: 'answer_expired', toolCallId: 'tu_1' }]);
  });

  it.each(['now', 'in-frame', 'clean'] as const)(
    '12: after a connection that ended %s, Last-Event-ID fills the gap',
    async (cut) => {
      const { chat, platform } = await openMantyx({ script: () => ['One two ', { cut }, 'three four.'] });
      await chat.sendMessage('Hi');
      expect(readText(chat.getState())).toBe('One two three four.');
      const [first, second] = platform.requests.filter(({ route }) => route === 'stream');
      expect(first?.headers).not.toHaveProperty('last-event-id');
      expect(Number(second?.headers['last-event-id'])).toBeGreaterThan(0);
    },
  );

  it('13: thinking is a separate part; success resolves, failure has class, reason and partial text', async () => {
    const { chat, callbacks } = await openMantyx({
      script: ({ attempt }) =>
        attempt === 1
          ? [{ thinking: 'Hm.' }, 'Yes.']
          : [
              'Half an',
              {
                event: 'error',
                payload: {
                  error: 'The answer was cut off.',
                  code: 'truncation',
                  errorClass: 'truncation',
                  finishReason: 'max_tokens',
                  partialText: 'Half an',
                },
              },
            ],
    });
    await chat.sendMessage('Hi');
    expect(chat.getState().messages[1]?.parts).toEqual([
      { type: 'reasoning', text: 'Hm.', status: 'done' },
      { type: 'text', text: 'Yes.', status: 'done' },
    ]);
    expect(callbacks).toEqual(['finish stop']);
    await chat.sendMessage('Hi');
    const { error } = chat.getState();
    expect(error).toMatchObject({ errorType: 'execution_error', backendCode: 'truncation' });
    expect(error && readMantyxFailure(error)).toEqual({
      errorClass: 'truncation',
      finishReason: 'max_tokens',
      partialText: 'Half an',
    });
    expect(readText(chat.getState())).toBe('Half an');
  });
});
