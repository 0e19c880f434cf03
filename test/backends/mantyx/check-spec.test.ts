/** Every limit of a spec: our checks refuse the same specs as the stand-in for the platform, and name field, limit and value. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkMessage, checkSpec } from '../../../src/backends/mantyx/check-spec.ts';
import { checkTools } from '../../../src/backends/mantyx/check-tools.ts';
import {
  createMantyxTransport,
  type MantyxTransportOptions,
} from '../../../src/backends/mantyx/create-mantyx-transport.ts';
import { localTools } from '../../../src/backends/mantyx/local-tools/local-tools.ts';
import type { ToolRef } from '../../../src/backends/mantyx/spec.ts';
import { defineClientTool } from '../../../src/core.ts';
import { findSpecProblem } from '../../support/mantyx-platform-rules.ts';
import { bodiesOf, openMantyx } from './open-mantyx.ts';

const base = { systemPrompt: 'Be short.' };
const object = { type: 'object' };
const circle = {};
Object.assign(circle, { circle });
const times = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index));
const budgets = (count: number, key = (index: number) => `t${index}`) =>
  Object.fromEntries(times(count, (index) => [key(index), { maxCalls: 1 }]));
const notes = (count: number, value = 'v') =>
  Object.fromEntries(times(count, (index) => [`k${index}`, value]));
/** A schema of 32 KB and `more` bytes when serialised. */
const schemaOf = (more: number) => {
  const empty = JSON.stringify({ schema: { type: 'object', description: '' } }).length;
  return { schema: { type: 'object', description: 'x'.repeat(32 * 1024 - empty + more) } };
};

/** The field and limit in the error text, and the spec. */
const REFUSED: readonly (readonly [string, string, unknown])[] = [
  ['spec', 'agentId or a systemPrompt', { systemPrompt: '' }],
  ['reasoningLevel', '0 to 100', { ...base, reasoningLevel: 101 }],
  ['agentId', 'a text, not 7', { agentId: 7 }],
  ['agentId', 'a text, not 8', { agentId: 8n }],
  ['agentId', 'a text, not [object Object]', { agentId: circle }],
  ['reasoningLevel', '-1', { ...base, reasoningLevel: -1 }],
  ['reasoningLevel', '1.5', { ...base, reasoningLevel: 1.5 }],
  ['reasoningLevel', 'not NaN', { ...base, reasoningLevel: Number.NaN }],
  ['reasoningLevel', '"extreme"', { ...base, reasoningLevel: 'extreme' }],
  ['budgets.maxToolTurns', '1 to 100', { ...base, budgets: { maxToolTurns: 0 } }],
  ['budgets.maxToolTurns', '101', { ...base, budgets: { maxToolTurns: 101 } }],
  ['budgets.maxToolTurns', '1.5', { ...base, budgets: { maxToolTurns: 1.5 } }],
  ['budgets', 'an object', { ...base, budgets: 32 }],
  ['outputSchema', 'an object', { ...base, outputSchema: [] }],
  ['outputSchema.name', '65 characters', { ...base, outputSchema: { name: 'x'.repeat(65), schema: object } }],
  ['outputSchema.name', 'a b', { ...base, outputSchema: { name: 'a b', schema: object } }],
  ['outputSchema.schema', 'object', { ...base, outputSchema: { schema: [] } }],
  ['outputSchema.schema.type', 'array', { ...base, outputSchema: { schema: { type: 'array' } } }],
  ['outputSchema', '32769 bytes', { ...base, outputSchema: schemaOf(1) }],
  ['loopDetection.consecutiveThreshold', '2 to 100', { ...base, loopDetection: { consecutiveThreshold: 1 } }],
  ['loopDetection.hardCutoffThreshold', '3 to 100', { ...base, loopDetection: { hardCutoffThreshold: 101 } }],
  [
    'loopDetection.hardCutoffThreshold',
    'more than consecutiveThreshold (6)',
    { ...base, loopDetection: { consecutiveThreshold: 6 } },
  ],
  ['loopDetection.hardCutoffThreshold', '3 to 100', { ...base, loopDetection: { hardCutoffThreshold: 2 } }],
  ['loopDetection.consecutiveThreshold', '2.5', { ...base, loopDetection: { consecutiveThreshold: 2.5 } }],
  ['loopDetection.consecutiveThreshold', '101', { ...base, loopDetection: { consecutiveThreshold: 101 } }],
  ['loopDetection', 'an object', { ...base, loopDetection: true }],
  ['toolBudgets', 'an object', { ...base, toolBudgets: [] }],
  ['a key of toolBudgets', '1 to 120', { ...base, toolBudgets: { '': { maxCalls: 1 } } }],
  ['toolBudgets.t', 'an object', { ...base, toolBudgets: { t: 1 } }],
  ['toolBudgets.t.maxCalls', '0 to 1000', { ...base, toolBudgets: { t: { maxCalls: -1 } } }],
  ['toolBudgets', '32 entries', { ...base, toolBudgets: budgets(33) }],
  ['toolBudgets', '120 characters', { ...base, toolBudgets: budgets(1, () => 'x'.repeat(121)) }],
  ['toolBudgets.t.maxCalls', '1001', { ...base, toolBudgets: { t: { maxCalls: 1001 } } }],
  ['metadata', '16 entries', { ...base, metadata: notes(17) }],
  ['metadata', 'a key', { ...base, metadata: { 'a key': 'v' } }],
  ['metadata', '65 characters', { ...base, metadata: { ['k'.repeat(65)]: 'v' } }],
  ['metadata', 'an object', { ...base, metadata: ['v'] }],
  ['metadata.k', 'a text', { ...base, metadata: { k: 1 } }],
  ['metadata.k', '256 characters', { ...base, metadata: { k: 'x'.repeat(257) } }],
  ['metadata', '4 KB', { ...base, metadata: notes(16, 'é'.repeat(200)) }],
];

const TAKEN: readonly object[] = [
  { agentId: 'a' },
  { ...base, reasoningLevel: 0 },
  { ...base, reasoningLevel: 100 },
  { ...base, reasoningLevel: 'medium' },
  { ...base, budgets: {} },
  { ...base, budgets: { maxToolTurns: 1 } },
  { ...base, budgets: { maxToolTurns: 100 } },
  { ...base, outputSchema: schemaOf(0) },
  { ...base, outputSchema: { name: 'x'.repeat(64), schema: {} } },
  { ...base, loopDetection: { consecutiveThreshold: 99, hardCutoffThreshold: 100 } },
  { ...base, loopDetection: { consecutiveThreshold: 2, hardCutoffThreshold: 3 } },
  { ...base, loopDetection: { consecutiveThreshold: 2, hardCutoffThreshold: undefined } },
  { ...base, loopDetection: false },
  { ...base, toolBudgets: budgets(32, (index) => `${index}`.padEnd(120, 'x')) },
  { ...base, toolBudgets: { t: { maxCalls: 0 }, u: { maxCalls: 1000 } } },
  { ...base, toolBudgets: {} },
  { ...base, metadata: notes(15, 'x'.repeat(256)) },
  { ...base, metadata: { ...notes(15), ['k'.repeat(64)]: '' } },
];

const REFUSED_TOOLS: readonly (readonly [string, string, unknown])[] = [
  ['tools[0].name', 'get-location', { kind: 'local', name: 'get-location' }],
  ['tools[0].name', '65 characters', { kind: 'local', name: 'x'.repeat(65) }],
  ['tools[0].id', 'not empty', { kind: 'mantyx', id: '' }],
  ['tools[0]', 'an object', 'read'],
  ['tools[0].name', 'not empty', { kind: 'mantyx_plugin' }],
  ['tools[0].name', 'undefined', { kind: 'a2a', agentCardUrl: 'u' }],
  ['tools[0].agentCardUrl', 'not empty', { kind: 'a2a', name: 'a' }],
  ['tools[0].url', 'not empty', { kind: 'mcp', name: 'a' }],
  [
    'tools[0].headers.x',
    '8193 bytes',
    { kind: 'mcp', name: 'a', url: 'u', headers: { x: 'x'.repeat(8193) } },
  ],
  [
    'tools[0].headers.x',
    '8193 bytes',
    { kind: 'a2a', name: 'a', agentCardUrl: 'u', headers: { x: 'x'.repeat(8193) } },
  ],
  ['tools[0].headers.x', 'a text', { kind: 'mcp', name: 'a', url: 'u', headers: { x: 1 } }],
  ['tools[0].agentCard', 'object', { kind: 'a2a_local', name: 'a' }],
  ['tools[0].tools', '1 to 64 tools, not undefined', { kind: 'mcp_local', name: 'a' }],
  ['tools[0].tools[0].name', 'undefined', { kind: 'mcp_local', name: 'a', tools: [null] }],
  ['tools[0].tools', '1 to 64 tools, not 0', { kind: 'mcp_local', name: 'a', tools: [] }],
  [
    'tools[0].tools',
    'not 65',
    { kind: 'mcp_local', name: 'a', tools: times(65, (index) => ({ name: `t${index}` })) },
  ],
  ['tools[0].tools[0].name', 'a.b', { kind: 'mcp_local', name: 'a', tools: [{ name: 'a.b' }] }],
  ['tools[0].kind', 'carrier_pigeon', { kind: 'carrier_pigeon', name: 'a' }],
];

/** Valid together: each tool is at the platform's limits and has a unique name. */
const TAKEN_TOOLS: readonly ToolRef[] = [
  { kind: 'mantyx', id: 'tool_1' },
  { kind: 'mantyx', id: 'tool_1' },
  { kind: 'mantyx_plugin', name: 'acme/search.v2' },
  { kind: 'a2a', name: 'hr', agentCardUrl: 'u', headers: {} },
  { kind: 'mcp', name: 'read', url: 'u', headers: { x: 'x'.repeat(8192) } },
  { kind: 'local', name: 'x'.repeat(64) },
  { kind: 'a2a_local', name: 'it', agentCard: {} },
  {
    kind: 'mcp_local',
    name: 'it',
    tools: times(63, (index) => ({ name: `t${index}` })).concat({ name: 'read' }),
  },
];

const refusal = (...texts: readonly string[]) =>
  expect.objectContaining({
    code: 'invalid_options',
    message: expect.stringMatching(
      new RegExp(texts.map((text) => `(?=.*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`).join('')),
    ),
  });

describe('a spec', () => {
  it.each(REFUSED)('checkSpec refuses a spec and names %s and %s', (field, limit, spec) => {
    expect(() => checkSpec(spec as never)).toThrow(refusal(field, limit));
    expect(findSpecProblem(spec as never, 'session')).toEqual(expect.any(String));
  });

  it.each(TAKEN.map((spec) => [spec] as const))('checkSpec accepts %j', (spec) => {
    expect(() => checkSpec(spec as never)).not.toThrow();
    expect(findSpecProblem(spec as never, 'session')).toBeUndefined();
  });

  it.each([
    ['both', { prompt: 'a', messages: [{ role: 'user', content: 'a' }] }, false],
    ['exactly one', {}, false],
    ['messages[0]', { messages: [{ role: 'robot', content: 'a' }] }, false],
    ['prompt', { prompt: '' }, false],
    ['messages', { messages: [] }, false],
    ['messages', { messages: 'Hi' }, false],
    ['messages[0]', { messages: [null] }, false],
    [
      'messages[1]',
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'user', content: 7 },
        ],
      },
      false,
    ],
    ['metadata.k', { prompt: 'a', metadata: { k: 1 } }, true],
    ['session', { messages: [{ role: 'user', content: 'a' }] }, true],
  ] as const)('checkMessage refuses a message and names %s', (field, message, inSession) => {
    const named = field === 'both' ? 'exactly one' : field;
    expect(() => checkMessage(message as never, inSession)).toThrow(refusal(named));
    expect(findSpecProblem({ ...base, ...message }, inSession ? 'message' : 'run')).toEqual(
      expect.any(String),
    );
  });
});

it('checkMessage accepts messages of all roles', () => {
  const messages = (['system', 'user', 'assistant'] as const).map((role) => ({ role, content: '' }));
  expect(() => checkMessage({ messages }, false)).not.toThrow();
  expect(findSpecProblem({ ...base, messages }, 'run')).toBeUndefined();
});

describe('a tool', () => {
  it.each(REFUSED_TOOLS)('checkTools refuses a tool and names %s and %s', (field, limit, tool) => {
    expect(() => checkTools([tool as ToolRef])).toThrow(refusal(field, limit));
    expect(findSpecProblem({ ...base, tools: [tool] }, 'session')).toEqual(expect.any(String));
  });

  it('checkTools accepts tools of each kind', () => {
    expect(() => checkTools(TAKEN_TOOLS)).not.toThrow();
    expect(findSpecProblem({ ...base, tools: TAKEN_TOOLS }, 'session')).toBeUndefined();
  });

  it('checkTools refuses two tools with the same name', () => {
    const refs: ToolRef[] = [
      { kind: 'local', name: 'read' },
      { kind: 'mcp_local', name: 'files', tools: [{ name: 'read' }] },
    ];
    expect(() => checkTools(refs)).toThrow(refusal('"read"', 'Rename'));
  });

  it('localTools accepts anything for a schema that JSON Schema cannot express, and overrides win', () => {
    const clientTools = {
      when: defineClientTool({ input: z.object({ at: z.date() }), execute: () => null }),
      plain: () => null,
    };
    const parameters = { type: 'object', properties: { x: { type: 'number' } } };
    expect(localTools(clientTools, { plain: { parameters, longRunning: true } })).toMatchObject([
      { name: 'when', parameters: { type: 'object', properties: { at: {} } } },
      { name: 'plain', parameters, longRunning: true },
    ]);
    expect(() => localTools(clientTools, { gone: {} })).toThrow(refusal('gone'));
    expect(() => localTools({ 'get-location': () => null })).toThrow(refusal('get-location'));
  });
});

it('localTools makes references from definitions, and interactive tools are longRunning', () => {
  const number = z.object({ n: z.number() });
  const schema = {
    type: 'object',
    properties: { n: { type: 'number' } },
    required: ['n'],
  };
  const clientTools = {
    plain: () => null,
    ask: 'interactive',
    pick: defineClientTool({ interactive: true, description: 'Picks one', input: number }),
    count: defineClientTool({ output: number, execute: () => ({ n: 1 }) }),
    // The platform would drop a schema without an object at its root.
    title: defineClientTool({ output: z.string(), execute: () => document.title }),
  } as const;
  const any = { type: 'object' };
  expect(localTools(clientTools)).toStrictEqual([
    { kind: 'local', name: 'plain', parameters: any },
    { kind: 'local', name: 'ask', parameters: any, longRunning: true },
    {
      kind: 'local',
      name: 'pick',
      description: 'Picks one',
      parameters: expect.objectContaining(schema),
      longRunning: true,
    },
    { kind: 'local', name: 'count', parameters: any, outputSchema: expect.objectContaining(schema) },
    { kind: 'local', name: 'title', parameters: any },
  ]);
});

describe('options of createMantyxTransport', () => {
  const given = { baseUrl: '/api/mantyx', workspace: 'acme' };
  /** A Standard Schema that cannot describe itself. */
  const bare = { '~standard': { version: 1, vendor: 'acme', validate: () => ({ value: null }) } };

  it.each<readonly [string, string, unknown]>([
    ['options', 'an object', undefined],
    ['baseUrl', 'not empty', { workspace: 'acme' }],
    ['baseUrl', '5', { ...given, baseUrl: 5 }],
    ['workspace', 'not empty', { ...given, workspace: '' }],
    ['toolDeadlineMs', '"5"', { ...given, toolDeadlineMs: '5' }],
    ['toolDeadlineMs', 'more than 0', { ...given, toolDeadlineMs: Number.NaN }],
    ['tools', 'a list', { ...given, tools: 'confirm' }],
    ['tools[0]', 'an object', { ...given, tools: [null] }],
    ['session', 'true, false', { ...given, session: null }],
    ['session.id', 'null', { ...given, session: { id: null } }],
    ['outputSchema.schema', 'null', { ...given, spec: { ...base, outputSchema: { schema: null } } }],
    ['outputSchema.schema', 'undefined', { ...given, spec: { ...base, outputSchema: {} } }],
    ['outputSchema.schema', 'JSON Schema', { ...given, spec: { ...base, outputSchema: { schema: bare } } }],
    ['outputSchema', 'null', { ...given, spec: { ...base, outputSchema: null } }],
  ])('createMantyxTransport refuses options and names %s and %s', (field, limit, options) => {
    expect(() => createMantyxTransport(options as MantyxTransportOptions)).toThrow(refusal(field, limit));
  });

  it('createMantyxTransport accepts clientTools as tools, and Standard Schemas in references', async () => {
    const input = z.object({ at: z.string().default('now') });
    const clientTools = { locate: defineClientTool({ input, execute: () => null }) };
    const ref = { kind: 'local', name: 'locate' } as const;
    const parameters = { type: 'object', properties: { at: { type: 'string', default: 'now' } } };
    for (const tools of [clientTools, [{ ...ref, parameters: input, outputSchema: input }]]) {
      const { chat, platform } = await openMantyx({}, { tools });
      await chat.sendMessage('Hi');
      expect(bodiesOf(platform, 'create')[0]?.tools).toMatchObject([{ ...ref, parameters }]);
      expect(JSON.stringify(bodiesOf(platform, 'create'))).not.toContain('~standard');
    }
  });
});

it('a message that breaks a limit is not sent', async () => {
  const { chat, platform } = await openMantyx(
    {},
    { message: () => ({ prompt: 'Hi', metadata: { k: 'x'.repeat(257) } }) },
  );
  await chat.sendMessage('Hi');
  expect(chat.getState().error).toEqual(refusal('metadata.k', '256'));
  expect(platform.requests).toEqual([]);
});

it('a message whose output schema cannot be checked on the page is not sent', async () => {
  const schema = { type: 'object', properties: { bill: { $ref: 'https://acme.example/bill.json' } } };
  const { chat, platform } = await openMantyx({}, { spec: { ...base, outputSchema: { schema } } });
  await chat.sendMessage('Hi');
  expect(chat.getState().error).toEqual(refusal('outputSchema.schema', 'Standard Schema'));
  expect(platform.requests).toEqual([]);
});

it.each([
  [
    'files',
    { USER_MESSAGE: 'Hi', FILES: [{ id: 'f', mediaType: 'text/plain', url: 'https://files.example/f' }] },
  ],
  ['USER_MESSAGE', { topic: 'lamps' }],
])('a trigger without a prompt is refused and the error names %s', async (named, input) => {
  const { chat, platform } = await openMantyx();
  await chat.send('ask', input);
  expect(chat.getState().error).toEqual(refusal(named, 'message'));
  expect(platform.requests).toEqual([]);
});
