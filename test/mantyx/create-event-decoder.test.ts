/** What the frames of a run say, one by one: the message a person sees, and what else the page hears. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEventDecoder } from '../../src/mantyx/create-event-decoder.ts';
import type { Frame } from '../../src/mantyx/decode-frames.ts';
import { createOutputReader } from '../../src/mantyx/output-schema.ts';
import type { AgentEvent } from '../../src/protocol/events.ts';
import { reduceStreamingMessage } from '../../src/state/reduce-streaming-message.ts';
import { createStreamingMessage } from '../../src/state/streaming-message.ts';

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
  // Without a position: what is looked at here is what a frame says.
  const events = sent.flatMap((frame) => decodeFrame({ ...frame, seq: undefined }));
  return { events, unknown };
}

/** The message so far, with the JSON of data: nothing ends it. */
const show = (sent: readonly Sent[], isData?: boolean) =>
  decode(sent, isData)
    .events.reduce(reduceStreamingMessage, createStreamingMessage('m', new Date(0)))
    .parts.map(({ part, json }) => (json === undefined ? part : { ...part, json }));

describe('text', () => {
  it('appears as it arrives, blanks included', () => {
    expect(show([said('One'), said(' '), said('two')])).toEqual([
      { type: 'text', text: 'One two', status: 'streaming' },
    ]);
  });

  it('of each turn is a part of its own, and so are the thoughts before it', () => {
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
  ])('after a call of %s is a part of its own, also where no turn is told as a whole', (_, called) => {
    const texts = (sent: readonly Sent[]) =>
      show(sent).map((part) => (part.type === 'text' ? part.text : part.type));
    const told = [said('Let me '), said('see.'), ...called, said('Do'), said('ne')];
    expect(texts(told).filter((each) => each !== 'tool-call')).toEqual(['Let me see.', 'Done']);
    expect(texts([...told, result({ text: 'Done' })]).at(-1)).toBe('Done');
    expect(texts([said('Let me'), ...called, message('Let me see.')])[0]).toBe('Let me see.');
  });

  it.each<[string, Sent[], string[]]>([
    ['nothing', [said('Answ'), result({ text: '' })], ['Answ']],
    ['blanks', [said('Answ'), result({ text: ' \n' })], ['Answ']],
    [
      'what was said before the tools ran',
      [message('Yes.'), toolResult({}), result({ text: 'Yes.' })],
      ['Yes.'],
    ],
    ['the rest of a turn that was told in part', [said('Answ'), result({ text: 'Answer.' })], ['Answer.']],
    ['an answer after a turn without words', [message(), result({ text: 'Answer.' })], ['Answer.']],
  ])('a result that says %s', (_what, sent, texts) => {
    expect(show(sent).flatMap((part) => (part.type === 'text' ? part.text : []))).toEqual(texts);
  });
});

describe('data', () => {
  it('appears as it arrives, also after a blank', () => {
    expect(show([said('\n'), said(' {"total":'), said(' 12')], true)).toMatchObject([
      { type: 'object', typeName: 'bill', json: ' {"total": 12', status: 'streaming' },
    ]);
  });

  it('is told from the prose before it', () => {
    expect(show([said(' '), said('Adding'), said(' '), said('{up}')], true)).toEqual([
      { type: 'text', text: 'Adding {up}', status: 'streaming' },
    ]);
  });

  it.each<[string, Sent[], string]>([
    ['the result says', [message('Three.'), result({ text: '{"total":3}' })], 'finish'],
    ['the last turn said, where the result says nothing', [message('{"total":3}'), result({})], 'finish'],
    ['neither says', [message('Three.'), result({})], 'error'],
    ['no turn said', [result({})], 'error'],
  ])('that %s is what is judged', (_what, sent, ending) => {
    expect(decode(sent, true).events.at(-1)?.type).toBe(ending);
  });
});

describe('a tool of the platform', () => {
  it.each<[string, object, object]>([
    ['found something', { result: { hits: 1 } }, { result: { hits: 1 }, status: 'done' }],
    ['found nothing', {}, { result: null, status: 'done' }],
    ['sums up', { ok: true, summary: '1 hit' }, { result: '1 hit', status: 'done' }],
    ['failed', { ok: false, summary: 'down' }, { error: 'down', status: 'error' }],
    ['failed without a word', { ok: false }, { error: 'The tool failed.', status: 'error' }],
  ])('that %s', (_what, said, shown) => {
    expect(show([toolResult(said)])).toMatchObject([{ toolCallId: 't', toolName: 'recall', ...shown }]);
  });

  it('that is told by its result alone has its arguments from the turn that called it', () => {
    const turn = message('', { toolCalls: [{ id: 't', name: 'recall', input: { topic: 'time' } }] });
    expect(show([turn, toolResult({ result: 'noon' })])).toMatchObject([
      { toolCallId: 't', toolName: 'recall', args: { topic: 'time' }, result: 'noon', status: 'done' },
    ]);
  });

  it('that begins is shown at work until its end', () => {
    const begun = [toolResult({ phase: 'start' })];
    expect(show(begun)).toMatchObject([{ toolCallId: 't', status: 'pending' }]);
    expect(show([...begun, toolResult({ phase: 'end', result: 1 })])).toMatchObject([
      { status: 'done', result: 1 },
    ]);
  });
});

describe('an answer from elsewhere', () => {
  const call: Sent = { type: 'tool_call', payload: { toolUseId: 't', name: 'ask', input: {} } };
  it.each<[object, object]>([
    [{ output: 'yes' }, { result: 'yes', status: 'done' }],
    [{ result: 'yes' }, { result: 'yes', status: 'done' }],
    [{}, { result: null, status: 'done' }],
    [{ error: 'gone' }, { error: 'gone', status: 'error' }],
  ])('%j', (said, shown) => {
    expect(show([call, answered(said)])).toMatchObject([{ toolCallId: 't', toolName: 'ask', ...shown }]);
  });
});

it('what names no call changes nothing', () => {
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
])('%s without words are no part of the message', (_what, sent) => {
  expect(show(sent)).toEqual([]);
});

it.each<[string, Sent, AgentEvent[]]>([
  ['an end that says no cost', result({}), [{ type: 'finish', finishReason: 'stop', executionId: 'r' }]],
  [
    'a run that was cancelled for no reason',
    { type: 'cancelled', payload: {} },
    [
      { type: 'notice', code: 'cancelled', text: 'The run was cancelled.' },
      { type: 'finish', finishReason: 'other', executionId: 'r' },
    ],
  ],
  [
    'a loop that was cut off',
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
    'a loop of nobody knows what',
    { type: 'loop_detected', payload: { consecutiveCount: 3 } },
    [{ type: 'notice', code: 'loop_detected', text: 'The agent called the same tools 3 times in a row.' }],
  ],
])('%s', (_what, frame, events) => {
  expect(decode([frame]).events).toEqual(events);
});

it('kinds of later versions are handed on', () => {
  expect(decode([{ type: 'hive_update', payload: { size: 2 } }])).toEqual({
    events: [],
    unknown: [{ type: 'hive_update', size: 2 }],
  });
});
