/** Runs that follow each other on one socket, with a server that marks its frames and with one that does not. */

import { describe, expect, test } from 'vitest';
import { createSocketTransport } from '../../../src/core/transport/create-socket-transport.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import fc, { caseCount } from '../../support/fast-check.ts';
import { createFakeServer } from './fake-socket.ts';
import { createIO, read, respond, trigger } from './support.ts';

type Frame = Record<string, unknown> & { type: string };
const stopped: Frame = { type: 'finish', finishReason: 'stop' };
const text = (id: string, ...deltas: string[]): Frame[] => [
  { type: 'text-start', id },
  ...deltas.map((delta) => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
];
const request: Frame = {
  type: 'client-tool-request',
  executionId: 'e1',
  toolCalls: [{ toolCallId: 'c1', toolName: 't', args: {} }],
};

/** Run A says `first` and is interrupted by run B. */
async function interrupt(...first: Frame[]) {
  const server = createFakeServer();
  const clock = createManualClock();
  const transport = createSocketTransport({ connect: server.connect, clock });
  const io = createIO();
  const before = read(transport.run(trigger, io));
  await clock.advance(0);
  server.socket.say(...first);
  await clock.advance(0);
  io.abort();
  await transport.stop?.({ type: 'stop' });
  const after = read(transport.run(trigger, createIO()));
  await clock.advance(0);
  await before.done;
  expect(before.events).toHaveLength(first.length);
  return { server, clock, transport, after, say: server.socket.say.bind(server.socket) };
}

const runA: Frame[] = [{ type: 'start', executionId: 'a' }, ...text('a', 'old').slice(0, 2)];
const restOfA: Frame[] = [
  { type: 'text-delta', id: 'a', delta: 'er' },
  { type: 'text-end', id: 'a' },
  stopped,
];
const runB: Frame[] = [
  { type: 'start', executionId: 'b' },
  ...text('b', 'new', 'er'),
  { type: 'finish', finishReason: 'stop' },
];

describe('an interrupted run on a server that does not mark its frames', () => {
  test('sends the new request at once after the stop', async () => {
    const { server } = await interrupt(...runA);
    expect(server.socket.sent).toEqual([trigger, { type: 'stop' }, trigger]);
  });

  test.each<[string, Frame[]]>([
    ['the old run ends first', [...restOfA, ...runB]],
    ['the old run ends after the new one has started', [...runB.slice(0, 1), ...restOfA, ...runB.slice(1)]],
    ['the old run ends in the middle of the new one', [...runB.slice(0, 3), ...restOfA, ...runB.slice(3)]],
    ['the old run ends last', [...runB, ...restOfA]],
    ['the old run never ends', runB],
    ['the old run fails', [{ type: 'error', errorType: 'internal_error', message: 'm' }, ...runB]],
  ])('the new run gets its own events when %s', async (_name, frames) => {
    const { say, after, clock } = await interrupt(...runA);
    say(...frames);
    await clock.advance(3_000);
    await after.done;
    expect(after).toMatchObject({ events: runB, ending: 'returned' });
  });

  test('recognises a late finish of the old run by the events that follow it', async () => {
    const { say, after, clock } = await interrupt(...runA);
    say(...runB.slice(0, 3), stopped);
    await clock.advance(2_999);
    expect(after.ending).toBe('open');
    say(...runB.slice(3));
    await after.done;
    expect(after.events).toEqual(runB);
    expect(clock.waiting).toBe(0);
  });

  test('waits for the new run after the old run has ended', async () => {
    const { say, after, clock } = await interrupt(...runA);
    say(...runB.slice(0, 1), ...restOfA);
    await clock.advance(60_000);
    say(...runB.slice(1));
    await after.done;
    expect(after.events).toEqual(runB);
  });

  test('gives the new run the events of a part that no run began', async () => {
    const { say, after } = await interrupt(...runA);
    const file = { type: 'file-available', id: 'f', mediaType: 'text/plain', url: 'https://x/f' };
    const own: Frame[] = [...runB.slice(0, 1), file, { type: 'finish', finishReason: 'length' }];
    say(...own);
    await after.done;
    expect(after.events).toEqual(own);
  });

  test('does not fail the new run for a malformed request of the old run', async () => {
    const { say, after } = await interrupt(...runA);
    say(...runB.slice(0, 3), { ...request, executionId: 'a', toolCalls: 'x' }, ...restOfA, ...runB.slice(3));
    await after.done;
    expect(after).toMatchObject({ events: runB, ending: 'returned' });
  });

  test('expects no frames of earlier runs on a new connection', async () => {
    const { server, transport, after, clock } = await interrupt(...runA);
    server.socket.drop();
    await after.done;
    const next = read(transport.run(trigger, createIO()));
    await clock.advance(500);
    expect(server.socket.sent).toEqual([trigger]);
    server.socket.say({ type: 'error', errorType: 'validation_error', message: 'no' });
    await next.done;
    expect(next.types()).toEqual(['error']);
  });

  test('the new run may use an id of the old run', async () => {
    const { say, after } = await interrupt(...runA);
    const again: Frame[] = [
      { type: 'start' },
      ...text('a', 'new'),
      { type: 'finish', finishReason: 'length' },
    ];
    say(...again);
    await after.done;
    expect(after.events).toEqual(again);
  });

  test.each<[string, Frame, Frame]>([
    [
      'a tool call whose input comes bit by bit',
      { type: 'tool-input-start', toolCallId: 'c', toolName: 't' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 't', input: {} },
    ],
    [
      'a tool call whose input comes whole',
      { type: 'tool-input-available', toolCallId: 'c', toolName: 't', input: {} },
      { type: 'tool-output-available', toolCallId: 'c', output: 1 },
    ],
    ['reasoning', { type: 'reasoning-start', id: 'r' }, { type: 'reasoning-delta', id: 'r', delta: 'hm' }],
    [
      'a block',
      { type: 'block-start', blockId: 'k', blockName: 'n', blockType: 't', display: 'name' },
      { type: 'block-end', blockId: 'k' },
    ],
  ])('drops the rest of a part that the old run began: %s', async (_name, begun, late) => {
    const { say, after } = await interrupt({ type: 'start' }, begun);
    say(...runB.slice(0, 1), late, stopped, ...runB.slice(1));
    await after.done;
    expect(after.events).toEqual(runB);
  });

  /** Run B was cut short while run A still owes its end. */
  async function interruptAndEnd(...late: Frame[]) {
    const opened = await interrupt(...runA);
    const { say, after, transport, clock } = opened;
    say(...runB.slice(0, -1), { type: 'finish', finishReason: 'length' });
    await after.done;
    say(...late);
    const next = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    return { ...opened, next };
  }

  test('does not await the end of a run twice: the third run gets its refusal', async () => {
    const { say, next } = await interruptAndEnd(...restOfA);
    say({ type: 'error', errorType: 'validation_error', message: 'no' });
    await next.done;
    expect(next.types()).toEqual(['error']);
  });

  test('a late end of the first run does not end the third run', async () => {
    const { say, next } = await interruptAndEnd(...restOfA.slice(0, 1));
    say(...runB.slice(0, 3), stopped, ...runB.slice(3));
    await next.done;
    expect(next.events).toEqual(runB);
  });

  test('the new run gets its own events and its end, however the frames interleave', async () => {
    const places = fc.array(fc.nat({ max: runB.length }), {
      minLength: restOfA.length,
      maxLength: restOfA.length,
    });
    await fc.assert(
      fc.asyncProperty(places, async (unsorted) => {
        const at = unsorted.sort((a, b) => a - b);
        const frames = runB.flatMap((frame, index) => [
          ...restOfA.filter((_, rest) => at[rest] === index),
          frame,
        ]);
        const { say, after, clock } = await interrupt(...runA);
        say(...frames, ...restOfA.filter((_, rest) => at[rest] === runB.length));
        await clock.advance(3_000);
        await after.done;
        expect(after.events).toEqual(runB);
      }),
      { numRuns: caseCount(50) },
    );
  });

  test('keeps the events of three runs apart', async () => {
    const { server, transport, clock } = await interrupt(...runA);
    const io = createIO();
    const third = read(transport.run(trigger, io));
    await clock.advance(0);
    server.socket.say(stopped, ...runB.slice(0, 1), stopped, ...runB.slice(1));
    await third.done;
    expect(third.events).toEqual(runB);
  });
});

describe('an answer in the same tick as the request', () => {
  async function answerAtOnce(mark: (frame: Frame) => Frame) {
    const server = createFakeServer();
    const clock = createManualClock();
    const transport = createSocketTransport({ connect: server.connect, clock });
    const first = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(mark({ type: 'start', executionId: 'e1' }), mark(request));
    const second = read(transport.run(respond, createIO()));
    await clock.advance(0);
    expect(server.socket.sent).toHaveLength(2);
    await first.done;
    expect(first.types()).toEqual(['start', 'client-tool-request']);
    return { second, say: server.socket.say.bind(server.socket), mark };
  }
  const late: Frame = { type: 'finish', finishReason: 'client-tool-calls', executionId: 'e1' };
  let seq = 0;
  const marks: [string, (frame: Frame) => Frame][] = [
    ['that does not mark its frames', (frame) => frame],
    ['that marks its frames', (frame) => ({ ...frame, executionId: 'e1', seq: ++seq })],
  ];

  test.each(marks)('the late finish does not end the continuation, on a server %s', async (_name, mark) => {
    const { second, say } = await answerAtOnce(mark);
    say(...[late, { type: 'start', executionId: 'e1' }, ...text('b', 'x'), stopped].map(mark));
    await second.done;
    expect(second.types()).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'finish']);
  });

  test.each(marks)(
    'a continuation without a start that asks again keeps its own finish, on a server %s',
    async (_name, mark) => {
      const { second, say } = await answerAtOnce(mark);
      say(...[late, ...text('b', 'x'), request, late].map(mark));
      await second.done;
      expect(second.types()).toEqual([
        'text-start',
        'text-delta',
        'text-end',
        'client-tool-request',
        'finish',
      ]);
    },
  );

  test.each(marks)('a malformed request fails the continuation, on a server %s', async (_name, mark) => {
    const { second, say } = await answerAtOnce(mark);
    say(mark({ ...request, toolCalls: 'x' }));
    await second.done;
    expect(second.ending).toMatchObject({ code: 'invalid_event' });
  });

  test.each(marks)(
    'the continuation ends although the finish of its request never comes, on a server %s',
    async (_name, mark) => {
      const { second, say } = await answerAtOnce(mark);
      say(...[{ type: 'start' }, stopped].map(mark));
      await second.done;
      expect(second.types()).toEqual(['start', 'finish']);
    },
  );
});

describe('frames with the id of their run', () => {
  let seq = 0;
  const of = (executionId: string) => (frame: Frame) => ({ ...frame, executionId, seq: ++seq });
  const strip = (events: readonly object[]) =>
    events.map((event) => {
      const { seq: _seq, executionId: _id, cursor: _cursor, ...frame } = event as Frame;
      return frame;
    });

  const [a, b, other] = [of('e1'), of('e2'), of('e3')];
  test.each<[string, () => Frame[]]>([
    ['the old run ends first', () => [...restOfA.map(a), ...runB.map(b)]],
    [
      'the frames of both runs mix',
      () => [...runB.slice(0, 2).map(b), ...restOfA.map(a), ...runB.slice(2).map(b)],
    ],
    [
      'frames of an unknown run come as well',
      () => runB.flatMap((frame) => [b(frame), ...restOfA.map(other)]),
    ],
  ])('a frame with an executionId goes to its run only: %s', async (_name, frames) => {
    const { say, after } = await interrupt(...runA.map(a));
    say(...frames());
    await after.done;
    expect(strip(after.events)).toEqual(strip(runB));
  });

  test('does not take the late start of an interrupted run for the start of the new run', async () => {
    const { server, say, after } = await interrupt();
    expect(server.socket.sent).toEqual([trigger, { type: 'stop' }, { ...trigger, requestId: '1' }]);
    const startA = { type: 'start', executionId: 'e1', requestId: '' };
    say(...[startA, ...text('a', 'old'), request].map(of('e1')));
    say(...[{ ...startA, requestId: '1' }, ...text('b', 'new'), stopped].map(of('e2')));
    await after.done;
    expect(after.types()).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'finish']);
    expect(after.events[2]).toMatchObject({ delta: 'new' });
  });

  test('the refusal of an earlier request, which comes late, does not end the next run', async () => {
    const numbered = (frame: Frame, index: number) => ({ ...frame, seq: index + 1, executionId: 'e1' });
    const { server, say, after } = await interrupt(...runA.map(numbered));
    expect(server.socket.sent.at(-1)).toEqual({ ...trigger, requestId: '1' });
    say({ type: 'error', errorType: 'validation_error', message: 'No.', retryable: false, requestId: '' });
    say({ type: 'start', executionId: 'e2', requestId: '1' }, ...text('b', 'new'), stopped);
    await after.done;
    expect(after.types()).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'finish']);
  });

  test('an error that names no request ends the run', async () => {
    const { say, after } = await interrupt(...runA.map((frame) => ({ ...frame, seq: 1 })));
    say({ type: 'error', errorType: 'validation_error', message: 'Too long.', retryable: false });
    await after.done;
    expect(after.types()).toEqual(['error']);
  });

  test('a run that was stopped before its first frame does not end the next run', async () => {
    const { say, after } = await interrupt();
    say(...[{ type: 'start' }, stopped].map(of('e1')), ...runB.map(of('e2')));
    await after.done;
    expect(strip(after.events).slice(1)).toEqual(strip(runB));
    expect(after.events[0]).toMatchObject({ type: 'start', executionId: 'e1' });
  });

  test('ends a run without content while the end of the run before is still to come', async () => {
    const { say, after } = await interrupt(...runA.map(of('e1')));
    say(...[{ type: 'start' }, stopped].map(of('e2')));
    await after.done;
    expect(after.types()).toEqual(['start', 'finish']);
  });

  test('does not wait for the frames of a run that was stopped before its first frame', async () => {
    const { say, after } = await interrupt();
    say(...runB.map(of('e2')));
    await after.done;
    expect(strip(after.events)).toEqual(strip(runB));
  });

  test('a run that is resumed on the same connection goes on with its open parts', async () => {
    const { transport, clock, say } = await interrupt(...runA.map(of('e1')));
    if (transport.run === undefined) throw new Error('it cannot attach');
    const again = read(transport.run({ type: 'resume', executionId: 'e1', cursor: `${seq}` }, createIO()));
    await clock.advance(0);
    say(...restOfA.map(of('e1')));
    await again.done;
    expect(strip(again.events)).toEqual(restOfA);
  });

  test('the late finish of a resumed run does not end the continuation of its answers', async () => {
    const server = createFakeServer();
    const clock = createManualClock();
    const transport = createSocketTransport({ connect: server.connect, clock });
    if (transport.run === undefined) throw new Error('it cannot attach');
    const again = read(transport.run({ type: 'resume', executionId: 'e1', cursor: '7' }, createIO()));
    await clock.advance(0);
    const answer = read(transport.run(respond, createIO()));
    await clock.advance(0);
    await again.done;
    server.socket.say({ type: 'finish', finishReason: 'client-tool-calls', executionId: 'e1' });
    server.socket.say(...[{ type: 'start' }, ...text('b', 'x'), stopped].map(of('e1')));
    await answer.done;
    expect(answer.types()).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'finish']);
  });

  test('a repeated end of a run does not end the next request', async () => {
    const server = createFakeServer();
    const clock = createManualClock();
    const transport = createSocketTransport({ connect: server.connect, clock });
    const failed = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say(...runA, { type: 'error', errorType: 'provider_overloaded', message: 'busy' });
    await failed.done;
    const again = read(transport.run(trigger, createIO()));
    await clock.advance(0);
    server.socket.say({ type: 'finish', finishReason: 'error', executionId: 'a' }, ...runB);
    await again.done;
    expect(again.events).toEqual(runB);
  });

  test('gives an error without an executionId to the latest request', async () => {
    const { say, after } = await interrupt(...runA.map(of('e1')));
    say({
      type: 'error',
      errorType: 'validation_error',
      message: 'no',
      retryable: false,
      source: 'platform',
    });
    await after.done;
    expect(after.events).toMatchObject([{ type: 'error', message: 'no' }]);
  });
});
