/** The events of each frame of a run, and the message they build. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEventDecoder } from '../../../src/backends/mantyx/create-event-decoder.ts';
import type { Frame } from '../../../src/backends/mantyx/decode-frames.ts';
import { createOutputReader } from '../../../src/backends/mantyx/output-schema.ts';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { reduceStreamingMessage } from '../../../src/core/state/reduce-streaming-message.ts';
import { createStreamingMessage } from '../../../src/core/state/streaming-message.ts';

type Sent = Omit<Frame, 'seq'>;

const said = (text: string): Sent => ({ type: 'assistant_delta', payload: { text } });
const thought = (text: string): Sent => ({ type: 'thinking_delta', payload: { text } });
const message = (text?: string, more = {}): Sent => ({
  type: 'assistant_message',
  payload: { text, ...more },
});
const toolResult = (more: object): Sent => ({
  type: 'tool_result',
  payload: { toolUseId: 't', name: 'recall', ...more },
});
const answered = (more: object): Sent => ({
  type: 'local_tool_result_in',
  payload: { toolUseId: 't', ...more },
});
const result = (more: object): Sent => ({ type: 'result', payload: { ok: true, ...more } });

const bill = await createOutputReader({ name: 'bill', schema: z.object({ total: z.number() }) });

function decode(sent: readonly Sent[], isData = false) {
  const unknown: unknown[] = [];
  const decodeFrame = createEventDecoder({
    runId: 'r',
    output: isData ? bill : undefined,
    isLate: false,
    deadline: () => undefined,
    onUnknownEvent: (event) => unknown.push(event),
  });
  // Without sequence numbers, because these tests check only the contents of frames.
  const events = sent.flatMap((frame) => decodeFrame({ ...frame, seq: undefined }));
  return { events, unknown };
}

/** The parts of the streaming message, with the JSON of objects. */
const show = (sent: readonly Sent[], isData?: boolean) =>
  decode(sent, isData)
    .events.reduce(reduceStreamingMessage, createStreamingMessage('m', new Date(0)))
    .parts.map(({ part, json }) => (json === undefined ? part : { ...part, json }));

describe('text', () => {
  it('text appears as it arrives, including white space', () => {
    expect(show([said('One'), said(' '), said('two')])).toEqual([
      { type: 'text', text: 'One two', status: 'streaming' },
    ]);
  });

  it('the text of each turn is a separate part, and so is its reasoning', () => {
    expect(
      show([
        thought('Hm.'),
        said('Let me see.'),
        message('Let me see.'),
        thought('So.'),
        said('Yes'),
        message('Yes.'),
      ]),
    ).toEqual([
      { type: 'reasoning', text: 'Hm.', status: 'done' },
      { type: 'text', text: 'Let me see.', status: 'done' },
      { type: 'reasoning', text: 'So.', status: 'done' },
      { type: 'text', text: 'Yes.', status: 'done' },
    ]);
  });

  const call: Sent = { type: 'local_tool_call', payload: { toolUseId: 'l', name: 'ask', args: {} } };
  const toolCall: Sent = { type: 'tool_call', payload: { toolUseId: 't', name: 'recall', input: {} } };

  it.each([
    ['this page', [call]],
    ['the platform', [toolCall, toolResult({ result: 'found' })]],
  ])('text after a call of %s is a separate part, also without an assistant_message', (_, called) => {
    const texts = (sent: readonly Sent[]) =>
      show(sent).map((part) => (part.type === 'text' ? part.text : part.type));
    const deltas = [said('Let me '), said('see.'), ...called, said('Do'), said('ne')];
    expect(texts(deltas).filter((each) => each !== 'tool-call')).toEqual(['Let me see.', 'Done']);
    expect(texts([...deltas, result({ text: 'Done' })]).at(-1)).toBe('Done');
    expect(texts([said('Let me'), ...called, message('Let me see.')])[0]).toBe('Let me see.');
  });

  it.each<[string, Sent[], string[]]>([
    ['nothing', [said('Answ'), result({ text: '' })], ['Answ']],
    ['white space', [said('Answ'), result({ text: ' \n' })], ['Answ']],
    ['the text before the tools ran', [message('Yes.'), toolResult({}), result({ text: 'Yes.' })], ['Yes.']],
    ['the complete text of a partial turn', [said('Answ'), result({ text: 'Answer.' })], ['Answer.']],
    ['a text after a turn without text', [message(), result({ text: 'Answer.' })], ['Answer.']],
  ])('a result with %s sets the text of the message', (_case, sent, texts) => {
    expect(show(sent).flatMap((part) => (part.type === 'text' ? part.text : []))).toEqual(texts);
  });
});

describe('data', () => {
  it('data appears as it arrives, also after white space', () => {
    expect(show([said('\n'), said(' {"total":'), said(' 12')], true)).toMatchObject([
      { type: 'object', typeName: 'bill', json: ' {"total": 12', status: 'streaming' },
    ]);
  });

  it('data is distinguished from prose before it', () => {
    expect(show([said(' '), said('Adding'), said(' '), said('{up}')], true)).toEqual([
      { type: 'text', text: 'Adding {up}', status: 'streaming' },
    ]);
  });

  it.each<[string, Sent[], string]>([
    ['the text of the result', [message('Three.'), result({ text: '{"total":3}' })], 'finish'],
    ['the text of the last turn, if the result has none', [message('{"total":3}'), result({})], 'finish'],
    ['a text without data', [message('Three.'), result({})], 'error'],
    ['no text', [result({})], 'error'],
  ])('the output schema checks %s', (_case, sent, ending) => {
    expect(decode(sent, true).events.at(-1)?.type).toBe(ending);
  });
});

describe('a tool of the platform', () => {
  it.each<[string, object, object]>([
    ['found something', { result: { hits: 1 } }, { result: { hits: 1 }, status: 'done' }],
    ['found nothing', {}, { result: null, status: 'done' }],
    ['has a summary', { ok: true, summary: '1 hit' }, { result: '1 hit', status: 'done' }],
    ['failed', { ok: false, summary: 'down' }, { error: 'down', status: 'error' }],
    ['failed without a text', { ok: false }, { error: 'The tool failed.', status: 'error' }],
  ])('a platform tool that %s settles its call', (_case, said, shown) => {
    expect(show([toolResult(said)])).toMatchObject([{ toolCallId: 't', toolName: 'recall', ...shown }]);
  });

  it('a platform tool without a tool_call frame gets its arguments from the assistant_message', () => {
    const turn = message('', { toolCalls: [{ id: 't', name: 'recall', input: { topic: 'time' } }] });
    expect(show([turn, toolResult({ result: 'noon' })])).toMatchObject([
      { toolCallId: 't', toolName: 'recall', args: { topic: 'time' }, result: 'noon', status: 'done' },
    ]);
  });

  it('a platform tool that starts is running until its result', () => {
    const begun = [toolResult({ phase: 'start' })];
    expect(show(begun)).toMatchObject([{ toolCallId: 't', status: 'pending' }]);
    expect(show([...begun, toolResult({ phase: 'end', result: 1 })])).toMatchObject([
      { status: 'done', result: 1 },
    ]);
  });
});

describe('an answer of another page', () => {
  const call: Sent = { type: 'tool_call', payload: { toolUseId: 't', name: 'ask', input: {} } };
  it.each<[object, object]>([
    [{ output: 'yes' }, { result: 'yes', status: 'done' }],
    [{ result: 'yes' }, { result: 'yes', status: 'done' }],
    [{}, { result: null, status: 'done' }],
    [{ error: 'gone' }, { error: 'gone', status: 'error' }],
  ])('the answer %j of another page settles the call', (said, shown) => {
    expect(show([call, answered(said)])).toMatchObject([{ toolCallId: 't', toolName: 'ask', ...shown }]);
  });
});

it('results and calls without an id change nothing', () => {
  const nameless = { toolUseId: undefined };
  expect(decode([toolResult(nameless), answered(nameless)]).events).toEqual([]);
  expect(decode([message('', { toolCalls: [null, { id: 1, name: 'a' }, { id: 'a' }] })]).events).toEqual([
    { type: 'text-end', id: 'answer', text: '' },
  ]);
  const { events, unknown } = decode([{ type: 'tool_call', payload: { name: 'recall' } }]);
  expect(events).toEqual([]);
  expect(unknown).toEqual([{ type: 'tool_call', name: 'recall' }]);
});

it.each<[string, Sent[]]>([
  ['deltas', [said(''), { type: 'assistant_delta', payload: {} }, { type: 'thinking_delta', payload: {} }]],
  ['a turn', [message(), { type: 'assistant_message', payload: { text: 7 } }]],
])('%s without text add no part to the message', (_case, sent) => {
  expect(show(sent)).toEqual([]);
});

it.each<[string, Sent]>([
  ['an assistant_delta without text', { type: 'assistant_delta', payload: { chars: 3 } }],
  ['a thinking_delta whose text is a number', { type: 'thinking_delta', payload: { text: 7 } }],
  ['a tool_result without an id', { type: 'tool_result', payload: { name: 'recall' } }],
  ['a local_tool_result_in without an id', { type: 'local_tool_result_in', payload: { output: 1 } }],
])('%s is passed to onUnknownEvent', (_case, frame) => {
  expect(decode([frame])).toEqual({ events: [], unknown: [{ type: frame.type, ...frame.payload }] });
});

it.each<[unknown, string]>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'stop'],
  [null, 'stop'],
  [undefined, 'stop'],
  ['max_tokens', 'length'],
  ['refusal', 'content-filter'],
  ['malformed_function_call', 'other'],
  ['pause_turn', 'other'],
  [7, 'other'],
])('a run whose last turn ended with %j finishes with %s', (reason, finishReason) => {
  const { events } = decode([message('Yes.', { finishReason: reason }), result({})]);
  expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason });
});

it.each<[string, Sent, AgentEvent[]]>([
  [
    'a result without usage becomes a finish',
    result({}),
    [{ type: 'finish', finishReason: 'stop', executionId: 'r' }],
  ],
  [
    'a cancelled run without a reason becomes a notice and a finish',
    { type: 'cancelled', payload: {} },
    [
      { type: 'notice', code: 'cancelled', text: 'The run was cancelled.' },
      { type: 'finish', finishReason: 'other', executionId: 'r' },
    ],
  ],
  [
    'a loop at its hard cutoff becomes a notice',
    {
      type: 'loop_detected',
      payload: { consecutiveCount: 6, hardCutoff: true, tools: ['recall', 'traverse'] },
    },
    [
      {
        type: 'notice',
        code: 'loop_detected',
        text: 'The agent called recall, traverse 6 times in a row and was made to answer.',
      },
    ],
  ],
  [
    'a loop without tool names becomes a notice',
    { type: 'loop_detected', payload: { consecutiveCount: 3 } },
    [{ type: 'notice', code: 'loop_detected', text: 'The agent called the same tools 3 times in a row.' }],
  ],
])('%s', (_case, frame, events) => {
  expect(decode([frame]).events).toEqual(events);
});

it('frames of later versions are passed to onUnknownEvent', () => {
  expect(decode([{ type: 'hive_update', payload: { size: 2 } }])).toEqual({
    events: [],
    unknown: [{ type: 'hive_update', size: 2 }],
  });
});
