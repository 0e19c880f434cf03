import { expect, test, vi } from 'vitest';
import type { Frame } from '../../../src/backends/mantyx/decode-frames.ts';
import { holdReplay } from '../../../src/backends/mantyx/hold-replay.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createDeferred } from '../../support/deferred.ts';

let seq = 0;
const frame = (type: string, payload: object): Frame => ({ seq: ++seq, type, payload: { ...payload } });
const says = (text: string) => frame('assistant_delta', { text });
const asks = (toolUseId: string) => frame('local_tool_call', { toolUseId, name: 'ask', args: { of: 1 } });
const answers = (toolUseId: string) => frame('local_tool_result_in', { toolUseId, output: 'yes' });
const ends = () => frame('result', { ok: true });
/** The frame of a call that needs no answer. */
const shown = ({ seq, payload }: Frame) => ({
  seq,
  type: 'tool_call',
  payload: { ...payload, input: { of: 1 } },
});

/** A resumed stream that the test controls, and the frames that passed so far. */
function readOn(isOver = false) {
  const clock = createManualClock();
  const asked = vi.fn(async () => isOver);
  const batches: (readonly Frame[])[] = [];
  let wake = () => {};
  let isCut = false;
  async function* stream() {
    for (;;) {
      const batch = batches.shift();
      if (batch !== undefined) yield batch;
      else if (isCut) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  const passed: Frame[] = [];
  const done = (async () => {
    for await (const frames of holdReplay(stream(), clock, asked)) passed.push(...frames);
  })();
  return {
    passed,
    asked,
    clock,
    async send(...frames: Frame[]) {
      batches.push(frames);
      wake();
      await clock.advance(0);
    },
    async cut() {
      isCut = true;
      wake();
      await done;
    },
  };
}

test('holdReplay passes frames without calls at once and does not ask for the state of the run', async () => {
  const { passed, asked, send, clock, cut } = readOn();
  const [one, two] = [says('Hel'), says('lo')];
  await send(one);
  await clock.advance(10_000);
  await send(two);
  expect(passed).toEqual([one, two]);
  await cut();
  expect([asked.mock.calls.length, clock.waiting]).toEqual([0, 0]);
});

test('holdReplay holds a call and later frames until 250 ms of silence, and later frames pass at once', async () => {
  const { passed, asked, send, clock, cut } = readOn();
  const [before, call, after] = [says('One moment.'), asks('a'), says('…')];
  await send(before, call);
  await clock.advance(249);
  await send(after);
  await clock.advance(249);
  expect([passed, asked.mock.calls.length]).toEqual([[], 0]);
  await clock.advance(1);
  expect(passed).toEqual([before, call, after]);
  const next = asks('b');
  await send(next);
  expect(passed).toEqual([before, call, after, next]);
  await cut();
  expect([asked.mock.calls.length, clock.waiting]).toEqual([1, 0]);
});

test('holdReplay turns an answered call into one that needs no answer, beside an open one', async () => {
  const { passed, send, clock } = readOn();
  const [answered, open, answer] = [asks('a'), asks('b'), answers('a')];
  await send(answered, open);
  await send(answer);
  await clock.advance(250);
  expect(passed).toEqual([shown(answered), open, answer]);
});

test('holdReplay passes its frames once all held calls are answered', async () => {
  const { passed, asked, send } = readOn();
  const [call, answer] = [asks('a'), answers('a')];
  await send(call);
  await send(answer);
  expect(passed).toEqual([shown(call), answer]);
  expect(asked).not.toHaveBeenCalled();
});

test('holdReplay asks once for the state of the run, and calls of an ended run need no answer', async () => {
  const { passed, asked, send, clock, cut } = readOn(true);
  const [call, end] = [asks('a'), ends()];
  await send(call);
  await clock.advance(60_000);
  expect([passed, asked.mock.calls.length]).toEqual([[], 1]);
  await send(end);
  expect(passed).toEqual([shown(call), end]);
  await cut();
});

test('a call whose run ends in the same batch needs no answer', async () => {
  const { passed, send } = readOn();
  const [call, text, end] = [asks('a'), says('Too late.'), ends()];
  await send(call, text, end);
  expect(passed).toEqual([shown(call), text, end]);
});

test('holdReplay drops held frames when the stream fails, because they are replayed', async () => {
  const { passed, send, clock, cut } = readOn();
  const before = says('Hello');
  await send(before);
  await send(asks('a'), says('…'));
  await cut();
  expect([passed, clock.waiting]).toEqual([[before], 0]);
});

test('holdReplay reads nothing more after the end of the run', async () => {
  let isPulled = false;
  async function* read() {
    yield [ends()];
    isPulled = true;
  }
  const replay = holdReplay(read(), createManualClock(), async () => false);
  await replay.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isPulled).toBe(false);
  expect(await replay.next()).toEqual({ done: true, value: undefined });
});

/** The unhandled rejections during `act`. */
async function unhandledIn(act: () => Promise<unknown>) {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  await act();
  // Node reports an unhandled rejection after the microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  return unhandled.mock.calls;
}

/** A stream that yields a batch and fails when the test tells it to. */
function readUntilCut() {
  const text = says('Hi');
  const cut = createDeferred<never>();
  async function* read() {
    yield [text];
    yield await cut.promise;
  }
  const replay = holdReplay(read(), createManualClock(), async () => false);
  return { replay, text, cut: () => cut.reject(new Error('cut')) };
}

test('a stream that fails after the reader has left causes no unhandled rejection', async () => {
  const unhandled = await unhandledIn(async () => {
    const { replay, text, cut } = readUntilCut();
    expect(await replay.next()).toEqual({ done: false, value: [text] });
    await replay.return();
    cut();
  });
  expect(unhandled).toEqual([]);
});

test('a stream that fails while the reader is busy rejects the next read, and causes no unhandled rejection', async () => {
  const { replay, cut } = readUntilCut();
  await replay.next();
  expect(await unhandledIn(async () => cut())).toEqual([]);
  await expect(replay.next()).rejects.toThrow('cut');
});
