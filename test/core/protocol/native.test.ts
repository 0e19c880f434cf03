import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { decodeNativeEvent } from '../../../src/core/protocol/native.ts';
import { AgentChatError } from '../../../src/shared/errors.ts';
import fc, { caseCount } from '../../support/fast-check.ts';

/** Of a frame that is an event. */
function decodeEvent(raw: unknown): AgentEvent {
  const event = decodeNativeEvent(raw);
  if (event === undefined || event instanceof Error) throw event ?? new Error('The frame was not understood');
  return event;
}

const call = { toolCallId: 'c1', toolName: 'confirm', args: { a: 1 } };
const request = { type: 'client-tool-request', executionId: 'e1', toolCalls: [call] };

/** Every kind with all its optional fields. */
const complete: Record<string, unknown>[] = [
  { type: 'start', messageId: 'm', executionId: 'e', sessionId: 's', lastMessageId: 'l' },
  { type: 'finish', finishReason: 'client-tool-calls', executionId: 'e' },
  {
    type: 'error',
    errorType: 'rate_limit_error',
    message: 'slow down',
    retryable: true,
    source: 'provider',
    retryAfter: 3,
    code: 'SESSION_BUSY',
    provider: { name: 'p', model: 'm', statusCode: 429, errorType: 'x', requestId: 'r', details: '{}' },
    tool: { name: 't', callId: 'c' },
  },
  { type: 'text-start', id: 't', responseType: 'Order' },
  { type: 'text-delta', id: 't', delta: '' },
  { type: 'text-end', id: 't', text: 'whole', error: 'e' },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'hm' },
  { type: 'reasoning-end', id: 'r' },
  { type: 'tool-input-start', toolCallId: 'c', toolName: 't', title: 'T', display: 'title' },
  { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{' },
  { type: 'tool-input-end', toolCallId: 'c' },
  {
    type: 'tool-input-available',
    toolCallId: 'c',
    toolName: 't',
    input: null,
    title: 'T',
    providerExecuted: true,
  },
  { type: 'tool-output-available', toolCallId: 'c', output: [1] },
  { type: 'tool-output-error', toolCallId: 'c', error: 'no' },
  { type: 'source', sourceType: 'url', id: 's', url: 'u', title: 'T' },
  { type: 'source', sourceType: 'document', id: 's', mediaType: 'm', title: 'T', filename: 'f' },
  {
    type: 'block-start',
    blockId: 'b',
    blockName: 'n',
    blockType: 'x',
    display: 'stream',
    description: 'd',
    outputToChat: false,
    thread: 'side',
  },
  { type: 'block-end', blockId: 'b', summary: 's' },
  { type: 'resource-update', name: 'R', value: null },
  { ...request, serverToolResults: [{ toolCallId: 'c0', result: 1 }] },
  { type: 'file-available', id: 'f', mediaType: 'm', url: 'u', filename: 'n', size: 2, toolCallId: 'c' },
  { type: 'todo-update', todos: [{ id: '1', content: 'Read', status: 'in_progress' }] },
  { type: 'usage', usage: { inputTokens: 1, outputTokens: 2, model: 'm' } },
  { type: 'notice', code: 'n', text: 't', toolCallId: 'c' },
  { type: 'tool-result-acknowledged', toolCallId: 'c', status: 'expired' },
  {
    ...{ type: 'tool-result-acknowledged', toolCallId: 'c', status: 'accepted', outcome: 'submitted' },
    files: [{ id: 'f', mediaType: 'text/csv', url: 'https://files.example/a.csv', filename: 'a.csv' }],
  },
];
const nameOf = (raw: Record<string, unknown>) => [raw.type, raw.sourceType].filter(Boolean).join(' ');
const requiredKeys: Record<string, string[]> = {
  'text-start': ['id'],
  'text-delta': ['id', 'delta'],
  'text-end': ['id'],
  'reasoning-start': ['id'],
  'reasoning-delta': ['id', 'delta'],
  'reasoning-end': ['id'],
  'tool-input-start': ['toolCallId', 'toolName'],
  'tool-input-delta': ['toolCallId', 'inputTextDelta'],
  'tool-input-end': ['toolCallId'],
  'tool-input-available': ['toolCallId', 'toolName', 'input'],
  'tool-output-available': ['toolCallId'],
  'tool-output-error': ['toolCallId', 'error'],
  'source url': ['sourceType', 'id', 'url'],
  'source document': ['sourceType', 'id', 'mediaType', 'title'],
  'client-tool-request': ['executionId', 'toolCalls'],
  'block-start': ['blockId', 'blockName', 'blockType', 'display'],
  'block-end': ['blockId'],
  'resource-update': ['name', 'value'],
  'file-available': ['id', 'mediaType', 'url'],
  'todo-update': ['todos'],
  usage: ['usage'],
  notice: ['code', 'text'],
  'tool-result-acknowledged': ['toolCallId', 'status'],
};

describe('decodeNativeEvent', () => {
  test.each(complete.map((raw) => [nameOf(raw), raw]))('decodes every field of %s', (_name, raw) => {
    expect(decodeNativeEvent(structuredClone(raw))).toStrictEqual(raw);
  });

  test.each(complete.map((raw) => [nameOf(raw), raw]))('ignores unknown fields of %s', (_name, raw) => {
    const event = decodeEvent({ ...structuredClone(raw), unheardOf: 'w', cursor: 'forged' });
    expect(event).toMatchObject(raw);
    expect(event).not.toHaveProperty('cursor');
  });

  test.each(complete.map((raw) => [nameOf(raw), raw]))(
    'treats null in an optional field of %s as absent',
    (_name, raw) => {
      const required = ['type', ...(requiredKeys[nameOf(raw)] ?? [])];
      const kept = Object.entries(raw).filter(([key]) => required.includes(key));
      const nulls = Object.keys(raw).filter((key) => !required.includes(key));
      const nulled = Object.fromEntries([...kept, ...nulls.map((key) => [key, null])]);
      expect(decodeNativeEvent(nulled)).toStrictEqual(decodeNativeEvent(Object.fromEntries(kept)));
      expect(decodeEvent(nulled).type).toBe(raw.type);
    },
  );

  const faults = complete.flatMap((raw) =>
    (raw.type === 'client-tool-request' ? [] : (requiredKeys[nameOf(raw)] ?? [])).map(
      (key) => [nameOf(raw), key, raw] as const,
    ),
  );
  test.each(faults)('treats %s without %s as unknown', (_name, key, raw) => {
    const { [key]: _, ...broken } = raw;
    expect(decodeNativeEvent(broken)).toBeUndefined();
  });

  test('ignores an optional field of a wrong type', () => {
    const block = { type: 'block-start', blockId: 'b', blockName: 'n', blockType: 't', display: 'name' };
    expect(decodeNativeEvent({ ...block, outputToChat: 'no', thread: 5 })).toStrictEqual(block);
  });
});

test('returns the frame of a delta itself, without a copy', () => {
  for (const raw of complete.filter(({ type }) => String(type).endsWith('-delta'))) {
    expect(decodeNativeEvent(raw)).toBe(raw);
  }
});

test('decodes a missing tool output as null', () => {
  const event = decodeEvent({ type: 'tool-output-available', toolCallId: 'c' });
  expect(event).toStrictEqual({ type: 'tool-output-available', toolCallId: 'c', output: null });
});

test.each([[{}], [{ name: '' }], [{ name: 5 }]])('drops a provider or tool of an error that is %j', (raw) => {
  const event = decodeEvent({ type: 'error', message: 'Slow down', provider: raw, tool: raw });
  expect(event).toMatchObject({ type: 'error', message: 'Slow down' });
  for (const key of ['provider', 'tool']) expect(event).not.toHaveProperty(key);
});

describe('unknown words', () => {
  test.each([
    ['finishReason', { type: 'finish', finishReason: 'aliens' }, { finishReason: 'other' }],
    ['a missing finishReason', { type: 'finish' }, { finishReason: 'other' }],
    [
      'a missing errorType',
      { type: 'error', message: 'm' },
      { errorType: 'unknown_error', retryable: false, source: 'platform' },
    ],
    [
      'source of an error',
      { type: 'error', errorType: 'tool_error', message: 'm', source: 'moon' },
      { source: 'platform' },
    ],
    [
      'an error without a message',
      { type: 'error' },
      { errorType: 'unknown_error', message: 'The agent failed without saying why.' },
    ],
  ])('replaces an unknown word by the word for all others: %s', (_name, raw, expected) => {
    expect(decodeNativeEvent(raw)).toMatchObject(expected);
  });

  test.each([
    ['an event of a later version', { type: 'step-started' }],
    ['a request that goes to application servers only', { type: 'tool-request', toolCalls: [call] }],
    ['an object without a type', { id: 't' }],
    ['a type that is a name of the prototype', { type: 'constructor' }],
    ['a type that is a list', { type: ['start'] }],
    ['text', 'hello'],
    ['null', null],
    ['a list', [{ type: 'start' }]],
    ['a number', 7],
  ])('treats %s as unknown', (_name, raw) => {
    expect(decodeNativeEvent(raw)).toBeUndefined();
  });
});

test.each([
  ['no list', { todos: 'x' }],
  ['an item without a status', { todos: [{ id: '1', content: 'Read' }] }],
])('treats a list of tasks that is %s as unknown', (_name, fields) => {
  expect(decodeNativeEvent({ type: 'todo-update', ...fields })).toBeUndefined();
});

test('passes on a kind of error that only a later server knows', () => {
  const event = decodeEvent({ type: 'error', errorType: 'unsupported_error', message: 'No images' });
  expect(event).toMatchObject({ errorType: 'unsupported_error' });
});

describe('a worker (Octavus 6.4)', () => {
  const call = { toolCallId: 'w', toolName: 'reader', title: 'Reads' };
  const worker = { workerId: 'w', workerSlug: 'reader', description: 'Reads' };

  test.each([
    ['that is called', { type: 'worker-input-start', ...worker }, { type: 'tool-input-start', ...call }],
    [
      'whose input arrives',
      { type: 'worker-input-delta', workerId: 'w', delta: '{' },
      { type: 'tool-input-delta', toolCallId: 'w', inputTextDelta: '{' },
    ],
    [
      'whose input is complete',
      { type: 'worker-input-ready', workerId: 'w', input: { a: 1 } },
      { type: 'tool-input-available', toolCallId: 'w', toolName: 'w', input: { a: 1 } },
    ],
    [
      'that starts without an input to show',
      { type: 'worker-start', ...worker },
      { type: 'tool-input-available', ...call, input: {} },
    ],
    [
      'that is done',
      { type: 'worker-result', workerId: 'w', output: [1] },
      { type: 'tool-output-available', toolCallId: 'w', output: [1] },
    ],
    [
      'that returns nothing',
      { type: 'worker-result', workerId: 'w' },
      { type: 'tool-output-available', toolCallId: 'w', output: null },
    ],
    [
      'that failed',
      { type: 'worker-result', workerId: 'w', error: 'No' },
      { type: 'tool-output-error', toolCallId: 'w', error: 'No' },
    ],
  ])('%s is decoded as a call', (_name, frame, expected) => {
    expect(decodeNativeEvent(frame)).toStrictEqual(expected);
  });

  test.each([
    ['no id', { type: 'worker-start', workerSlug: 'reader' }],
    ['an id that is a number', { type: 'worker-result', workerId: 5 }],
  ])('with %s is unknown', (_name, frame) => {
    expect(decodeNativeEvent(frame)).toBeUndefined();
  });
});

describe('a malformed client-tool-request', () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      'no executionId',
      { ...request, executionId: undefined },
      'executionId is undefined, expected a non-empty string',
    ],
    ['an empty executionId', { ...request, executionId: '' }, 'executionId is ""'],
    ['no calls', { ...request, toolCalls: undefined }, 'toolCalls is undefined, expected a list'],
    ['calls that are no list', { ...request, toolCalls: {} }, 'toolCalls is {}, expected a list'],
    ['an empty list', { ...request, toolCalls: [] }, 'toolCalls is empty'],
    ['a call that is null', { ...request, toolCalls: [null] }, 'toolCalls[0] is null, expected an object'],
    [
      'no call id',
      { ...request, toolCalls: [call, { ...call, toolCallId: 5 }] },
      'toolCalls[1].toolCallId is 5',
    ],
    ['no tool name', { ...request, toolCalls: [{ ...call, toolName: '' }] }, 'toolCalls[0].toolName is ""'],
    ['no args', { ...request, toolCalls: [{ ...call, args: undefined }] }, 'toolCalls[0].args is undefined'],
    ['args as text', { ...request, toolCalls: [{ ...call, args: '{}' }] }, 'toolCalls[0].args is "{}"'],
    ['args as a list', { ...request, toolCalls: [{ ...call, args: [] }] }, 'toolCalls[0].args is []'],
    ['bad server results', { ...request, serverToolResults: 'x' }, 'serverToolResults is "x"'],
    [
      'a server result without id',
      { ...request, serverToolResults: [{}] },
      'serverToolResults[0].toolCallId is undefined',
    ],
  ])('returns an error that names the fault and has the frame as its cause: %s', (_name, raw, message) => {
    const error = decodeNativeEvent(raw);
    expect(error).toBeInstanceOf(AgentChatError);
    expect(error).toMatchObject({ code: 'invalid_event', errorType: 'protocol_error', cause: raw });
    expect(error).toHaveProperty('message', expect.stringContaining(message));
  });
});

test('cuts a long value in the error of a malformed client-tool-request', () => {
  const error = decodeNativeEvent({ ...request, toolCalls: [{ ...call, args: 'x'.repeat(5000) }] });
  expect((error as AgentChatError).message.length).toBeLessThan(400);
});

describe('a pending call', () => {
  const decodeCall = (extra: object) => {
    const event = decodeEvent({ ...request, toolCalls: [{ ...call, ...extra }] });
    return event.type === 'client-tool-request' ? event.toolCalls[0] : undefined;
  };

  test('keeps the fields of a call that its result repeats as they came', () => {
    const fields = { outputVariable: 1, blockIndex: '0', thread: 't', workerId: 'w', extra: { deep: [1] } };
    expect(decodeCall(fields)).toStrictEqual({ ...call, ...fields });
  });

  test.each([
    ['null in optional fields', { source: null, outputVariable: null, blockIndex: null, deadline: null }, {}],
    ['a call of a block', { source: 'block' }, { source: 'block' }],
    ['a call of the model', { source: 'llm' }, { source: 'llm' }],
    ['a deadline in milliseconds', { deadline: 1_700_000_000_000 }, { deadline: 1_700_000_000_000 }],
    ['a deadline as a date', { deadline: '2026-01-01T00:00:00Z' }, { deadline: Date.UTC(2026, 0) }],
    ['expiresAt', { expiresAt: '2026-01-01T00:00:00Z' }, { deadline: Date.UTC(2026, 0) }],
    ['a deadline that is no time', { deadline: 'soon' }, {}],
  ])('decodes a call with %s', (_name, extra, expected) => {
    expect(decodeCall(extra)).toStrictEqual({ ...call, ...expected });
  });

  test('keeps __proto__ in arguments as an own key', () => {
    const text = `{"type":"client-tool-request","executionId":"e","toolCalls":[{"toolCallId":"c","toolName":"t","args":{"__proto__":{"polluted":1}},"__proto__":{"polluted":1}}]}`;
    const event = decodeEvent(JSON.parse(text));
    const decoded = event.type === 'client-tool-request' ? event.toolCalls[0] : undefined;
    expect(Object.keys(decoded?.args ?? {})).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('keeps server results as they came, without fields that are null', () => {
    const event = decodeEvent({
      ...request,
      serverToolResults: [{ toolCallId: 'c0', result: null, error: null, blockIndex: null, files: [1] }],
    });
    expect(event).toMatchObject({ serverToolResults: [{ toolCallId: 'c0', result: null, files: [1] }] });
    const [result] = (event.type === 'client-tool-request' && event.serverToolResults) || [];
    expect(Object.keys(result ?? {})).toEqual(['toolCallId', 'result', 'files']);
  });
});

test('never throws, and returns an event of the type of the frame, an error or undefined', () => {
  const keys = fc.constantFrom(
    'id',
    'delta',
    'toolCallId',
    'toolName',
    'args',
    'toolCalls',
    'executionId',
    'error',
    'provider',
  );
  const types = fc.constantFrom<unknown>(...complete.map(({ type }) => type), 'nope', undefined, 5);
  const frame = fc
    .tuple(types, fc.dictionary(keys, fc.oneof(fc.string(), fc.jsonValue(), fc.constant(undefined))))
    .map(([type, fields]) => ({ ...fields, type }));
  fc.assert(
    fc.property(fc.oneof(frame, fc.jsonValue()), (raw) => {
      const decoded = decodeNativeEvent(raw);
      if (decoded === undefined) return;
      const { type } = raw as { type?: unknown };
      if (decoded instanceof AgentChatError) expect(type).toBe('client-tool-request');
      else expect(decoded.type).toBe(type);
    }),
    { numRuns: caseCount(300) },
  );
});

describe('the words of a call that guard', () => {
  const decoded = (fields: object) => {
    const toolCalls = [{ toolCallId: 'c', toolName: 't', args: {}, ...fields }];
    const event = decodeNativeEvent({ type: 'client-tool-request', executionId: 'e', toolCalls });
    return event && 'toolCalls' in event ? event.toolCalls[0] : undefined;
  };

  test.each([
    [{ severity: 'destrucitve' }, { severity: 'destructive' }],
    [{ severity: 7 }, { severity: 'destructive' }],
    [{ severity: 'caution' }, { severity: 'caution' }],
    [{ severity: null }, {}],
    [{ ui: 'confrim', editable: 'false', remember: 'false' }, {}],
    [{ reason: 'required' }, { reason: 'required' }],
    [{ reason: 'requierd' }, { reason: 'required' }],
    [{ title: 7, inputSchema: 'x' }, {}],
    [
      { title: 'Pay', inputSchema: { type: 'object' } },
      { title: 'Pay', inputSchema: { type: 'object' } },
    ],
    [
      { ui: 'confirm', editable: true, remember: true, later: 1 },
      { ui: 'confirm', editable: true, remember: true, later: 1 },
    ],
  ])('the question %j is read as %j', (question, expected) => {
    expect(decoded({ question })?.question).toStrictEqual(expected);
  });

  test.each([
    [{ amount: 89 }, { originalArgs: { amount: 89 } }],
    ['89', {}],
    [null, {}],
  ])('the original arguments %j are read as %j', (originalArgs, expected) => {
    expect(decoded({ originalArgs })).toStrictEqual({
      toolCallId: 'c',
      toolName: 't',
      args: {},
      ...expected,
    });
  });

  test('a call that no known word gives to this person or to the server is neither', () => {
    expect(decoded({ mayAnswer: 'no', executedBy: 'sever' })).toStrictEqual({
      toolCallId: 'c',
      toolName: 't',
      args: {},
      mayAnswer: false,
    });
    expect(decoded({ mayAnswer: true, executedBy: 'server' })).toMatchObject({ executedBy: 'server' });
  });
});
