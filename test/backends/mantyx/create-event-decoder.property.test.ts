/** The message is the same for any cuts of the stream, either envelope and any place of a reload. */

import { expect, it } from 'vitest';
import { createEventDecoder } from '../../../src/backends/mantyx/create-event-decoder.ts';
import { decodeFrames, type Frame } from '../../../src/backends/mantyx/decode-frames.ts';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { finaliseMessage } from '../../../src/core/state/finalise.ts';
import { reduceStreamingMessage } from '../../../src/core/state/reduce-streaming-message.ts';
import { createStreamingMessage } from '../../../src/core/state/streaming-message.ts';
import { createSseReader } from '../../../src/core/wire/sse.ts';
import { createIO } from '../../core/transport/support.ts';
import fc from '../../support/fast-check.ts';

interface Sent {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 });

/** A turn of a model: thinking, text deltas, complete text, and calls. */
const turn = (maxCalls: number) =>
  fc
    .record({
      thoughts: fc.array(word, { maxLength: 3 }),
      words: fc.array(word, { maxLength: 4 }),
      /** The completed text may differ from the deltas. */
      changed: fc.boolean(),
      calls: fc.array(fc.constantFrom('local', 'platform', 'announced', 'elsewhere'), {
        maxLength: maxCalls,
      }),
    })
    .map(({ thoughts, words, changed, calls }) => (index: number): Sent[] => [
      ...thoughts.map((text) => ({ type: 'thinking_delta', payload: { text } })),
      ...words.map((text) => ({ type: 'assistant_delta', payload: { text } })),
      {
        type: 'assistant_message',
        payload: {
          text: words.join('') + (changed ? '!' : ''),
          turn: index,
          toolCalls: calls.map((_, at) => ({ id: `${index}-${at}`, name: 'tool', input: { at } })),
        },
      },
      ...calls.flatMap((kind, at) => callOf(kind, `${index}-${at}`, at)),
    ]);

function callOf(kind: string, toolUseId: string, at: number): Sent[] {
  const call = { toolUseId, name: 'tool' };
  const result = { type: 'tool_result', payload: { ...call, result: `of ${toolUseId}` } };
  switch (kind) {
    case 'local':
      return [{ type: 'local_tool_call', payload: { ...call, args: { at } } }];
    case 'platform':
      return [{ type: 'tool_call', payload: { ...call, input: { at } } }, result];
    case 'announced':
      return [result];
    default:
      return [
        { type: 'tool_call', payload: { ...call, input: { at } } },
        { type: 'local_tool_result_in', payload: { toolUseId, output: 'by another' } },
      ];
  }
}

/** The last turn has no calls, because calls would be followed by another turn. */
const run = fc.tuple(fc.array(turn(3), { maxLength: 2 }), turn(0)).map(([turns, last]): readonly Sent[] => {
  const events = [
    { type: 'started', payload: {} },
    ...[...turns, last].flatMap((take, index) => take(index)),
  ];
  const said: Sent['payload'] = events.at(-1)?.payload ?? {};
  return [...events, { type: 'result', payload: { ok: true, text: said.text } }];
});

const encode = (sent: readonly Sent[], envelope: 'nested' | 'flat', first = 1) =>
  sent
    .map(({ type, payload }, index) => {
      const seq = first + index;
      const json = envelope === 'nested' ? { seq, type, data: payload } : { seq, ...payload };
      return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(json)}\n\n`;
    })
    .join('');

/** @param cuts places where the bytes are cut, as fractions of the length */
function read(text: string, cuts: readonly number[] = []) {
  const bytes = new TextEncoder().encode(text);
  const places = [
    0,
    ...cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b),
    bytes.length,
  ];
  const io = createIO();
  const sse = createSseReader();
  const frames = places
    .slice(1)
    .flatMap((end, index) => decodeFrames(sse.feed(bytes.subarray(places[index], end)), io).events);
  return { frames, unknown: io.unknown };
}

const decoder = (isLate: boolean) =>
  createEventDecoder({
    runId: 'r',
    output: undefined,
    isLate,
    deadline: () => undefined,
    onUnknownEvent: () => {},
  });

const decode = (frames: readonly Frame[], isLate = false) => frames.flatMap(decoder(isLate));

function partsOf(events: readonly AgentEvent[]) {
  const draft = events.reduce(reduceStreamingMessage, createStreamingMessage('m', new Date(0)));
  return finaliseMessage(draft, 'finished').parts;
}

it('decodeFrames gives the same frames for any cut and either envelope', () => {
  fc.assert(
    fc.property(
      run,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
      (sent, cuts) => {
        const whole = decode(read(encode(sent, 'nested')).frames);
        expect(decode(read(encode(sent, 'nested'), cuts).frames)).toEqual(whole);
        expect(decode(read(encode(sent, 'flat'), cuts).frames)).toEqual(whole);
        expect(whole.at(-1)).toMatchObject({
          type: 'finish',
          finishReason: 'stop',
          cursor: String(sent.length),
        });
      },
    ),
  );
});

it('createEventDecoder gives no events for repeated frames', () => {
  fc.assert(
    fc.property(run, fc.nat(), (sent, at) => {
      const { frames } = read(encode(sent, 'nested'));
      const again = frames.slice(0, at % frames.length);
      expect(decode([...again, ...frames])).toEqual(decode(frames));
      const place = at % frames.length;
      expect(decode([...frames.slice(0, place), ...frames.slice(Math.max(0, place - 3))])).toEqual(
        decode(frames),
      );
    }),
  );
});

it('a decoder that starts in the middle of a run continues the same message', () => {
  fc.assert(
    fc.property(run, fc.nat(), (sent, at) => {
      const { frames } = read(encode(sent, 'nested'));
      const place = at % frames.length;
      const events = [...decode(frames.slice(0, place)), ...decode(frames.slice(place), true)];
      expect(partsOf(events)).toEqual(partsOf(decode(frames)));
    }),
  );
});

it('createEventDecoder throws for no frame except a call without a usable id', () => {
  const payload = fc.dictionary(
    fc.constantFrom(
      'toolUseId',
      'name',
      'text',
      'args',
      'tokens',
      'model',
      'toolCalls',
      'tools',
      'error',
      'ok',
    ),
    fc.jsonValue(),
  );
  const type = fc.constantFrom(
    ...['started', 'assistant_delta', 'thinking_delta', 'assistant_message', 'tool_call', 'tool_result'],
    ...[
      'local_tool_result_in',
      'loop_detected',
      'tool_budget_exceeded',
      'result',
      'error',
      'cancelled',
      'new',
    ],
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(type, payload)), (frames) => {
      const events = decode(frames.map(([name, data], seq) => ({ seq, type: name, payload: data })));
      expect(partsOf(events).every((part) => !('status' in part) || part.status !== 'streaming')).toBe(true);
    }),
  );
});

it.each([
  { name: 'x' },
  { toolUseId: '', name: 'x' },
  { toolUseId: 'tu' },
  { toolUseId: 'tu', name: 'x', args: [1] },
])('createEventDecoder throws for the call %j, which cannot be answered', (payload) => {
  const call = { seq: 1, type: 'local_tool_call', payload };
  expect(() => decode([call])).toThrow(expect.objectContaining({ code: 'invalid_event' }));
});

it.each([null, undefined])('createEventDecoder gives a call whose arguments are %s no arguments', (args) => {
  const call = { seq: 1, type: 'local_tool_call', payload: { toolUseId: 'tu', name: 'x', args } };
  expect(decode([call])).toMatchObject([{ toolCalls: [{ toolCallId: 'tu', toolName: 'x', args: {} }] }]);
});

it('decodeFrames passes invalid frames to onUnknownEvent and continues', () => {
  const { frames, unknown } = read(
    'data: not json\n\ndata: [1]\n\ndata: {"seq":6}\n\n: comment\n\nid: 7\ndata: {"type":"started"}\n\n',
  );
  expect(frames).toEqual([{ seq: 7, type: 'started', payload: { type: 'started' } }]);
  expect(unknown).toEqual(['not json', '[1]', '{"seq":6}']);
});

it('decodeFrames ignores an invalid sequence number', () => {
  const { frames } = read(
    'data: {"type":"new","seq":-1}\n\nid: 8\ndata: {"type":"new","seq":1.5}\n\nid: x\ndata: {"type":"new"}\n\n',
  );
  expect(frames.map(({ seq }) => seq)).toEqual([undefined, 8, undefined]);
});

it('the text of a result is added unless the last turn had it', () => {
  const textsOf = (...sent: Sent[]) =>
    partsOf(decode(read(encode(sent, 'nested')).frames)).flatMap((part) =>
      part.type === 'text' ? [part.text] : [],
    );
  const message = (text: string) => ({ type: 'assistant_message', payload: { text } });
  const result = { type: 'result', payload: { ok: true, text: 'Answer.' } };
  const toolResult = { type: 'tool_result', payload: { toolUseId: 't', name: 'recall', result: '' } };
  expect(textsOf(result)).toEqual(['Answer.']);
  expect(textsOf(message('Answer. '), result)).toEqual(['Answer. ']);
  expect(textsOf(message('Other words.'), result)).toEqual(['Other words.']);
  expect(textsOf(message(''), result)).toEqual(['Answer.']);
  expect(textsOf(message('Let me see.'), toolResult, result)).toEqual(['Let me see.', 'Answer.']);
  expect(textsOf({ type: 'assistant_delta', payload: { text: 'Answ' } }, result)).toEqual(['Answer.']);
});
