import { expect, test, vi } from 'vitest';
import type { Frame } from '../../src/mantyx/decode-frames.ts';
import { holdReplay } from '../../src/mantyx/hold-replay.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createDeferred } from '../support/deferred.ts';

let seq = 0;
const frame = (type: string, payload: object): Frame => ({ seq: ++seq, type, payload: { ...payload } });
const says = (text: string) => frame('assistant_delta', { text });
const asks = (toolUseId: string) => frame('local_tool_call', { toolUseId, name: 'ask', args: { of: 1 } });
const hears = (toolUseId: string) => frame('local_tool_result_in', { toolUseId, output: 'yes' });
const ends = () => frame('result', { ok: true });
/** As it is shown when nobody is to answer it. */
const shown = ({ seq, payload }: Frame) => ({
  seq,
  type: 'tool_call',
  payload: { ...payload, input: { of: 1 } },
});

/** A stream that is read on, in the test's hands: what has come through so far. */
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

test('what is no call passes at once, and nothing is asked', async () => {
  const { passed, asked, send, clock, cut } = readOn();
  const [one, two] = [says('Hel'), says('lo')];
  await send(one);
  await clock.advance(10_000);
  await send(two);
  expect(passed).toEqual([one, two]);
  await cut();
  expect([asked.mock.calls.length, clock.waiting]).toEqual([0, 0]);
});

test('a call waits for a quarter of a second of silence, with all that follows it; then nothing waits any more', async () => {
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

test('a call that was answered meanwhile is shown and not asked, beside one that is open', async () => {
  const { passed, send, clock } = readOn();
  const [answered, open, answer] = [asks('a'), asks('b'), hears('a')];
  await send(answered, open);
  await send(answer);
  await clock.advance(250);
  expect(passed).toEqual([shown(answered), open, answer]);
});

test('once all that were called are answered there is nothing to wait for', async () => {
  const { passed, asked, send } = readOn();
  const [call, answer] = [asks('a'), hears('a')];
  await send(call);
  await send(answer);
  expect(passed).toEqual([shown(call), answer]);
  expect(asked).not.toHaveBeenCalled();
});

test('a run that is over by its state asks nobody, and is asked about once, however long its last event takes', async () => {
  const { passed, asked, send, clock, cut } = readOn(true);
  const [call, end] = [asks('a'), ends()];
  await send(call);
  await clock.advance(60_000);
  expect([passed, asked.mock.calls.length]).toEqual([[], 1]);
  await send(end);
  expect(passed).toEqual([shown(call), end]);
  await cut();
});

test('a call whose run ends in the same breath asks nobody', async () => {
  const { passed, send } = readOn();
  const [call, text, end] = [asks('a'), says('Too late.'), ends()];
  await send(call, text, end);
  expect(passed).toEqual([shown(call), text, end]);
});

test('what is held when the stream breaks is not passed on: it comes again', async () => {
  const { passed, send, clock, cut } = readOn();
  const before = says('Hello');
  await send(before);
  await send(asks('a'), says('…'));
  await cut();
  expect([passed, clock.waiting]).toEqual([[before], 0]);
});

test('of a stream whose run is over nothing more is asked', async () => {
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

/** What nobody handled of what happens in `act`. */
async function unhandledIn(act: () => Promise<unknown>) {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  await act();
  // Node tells of a rejection nobody handled once its microtasks are done.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  return unhandled.mock.calls;
}

/** A stream that says something and breaks when it is told to. */
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

test('a stream that breaks after the reader has left is nobody’s failure', async () => {
  const unhandled = await unhandledIn(async () => {
    const { replay, text, cut } = readUntilCut();
    expect(await replay.next()).toEqual({ done: false, value: [text] });
    await replay.return();
    cut();
  });
  expect(unhandled).toEqual([]);
});

test('a stream that breaks while the reader is busy fails when the reader is back, and not before', async () => {
  const { replay, cut } = readUntilCut();
  await replay.next();
  expect(await unhandledIn(async () => cut())).toEqual([]);
  await expect(replay.next()).rejects.toThrow('cut');
});
