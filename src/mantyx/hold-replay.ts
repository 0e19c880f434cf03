/**
 * What is read after a cut or a reload may be old. A call in it is for us only if nobody answered it meanwhile and the run
 * goes on; but no event says where the old ends (Mantyx protocol 0.11, section 7). So from the first call on everything is
 * held back until 250 ms of silence, and a look at the run, say that the replay has caught up. What is held when the
 * stream breaks comes again: its position was not passed on.
 */
import type { Clock } from '../shared/clock.ts';
import { type Frame, isTerminal } from './decode-frames.ts';

const SILENCE_MS = 250;

type Batches = AsyncIterable<readonly Frame[]>;

/** @param isOver asks the platform whether the run is; asked at most once */
export async function* holdReplay(
  batches: Batches,
  clock: Clock,
  isOver: () => Promise<boolean>,
): AsyncGenerator<readonly Frame[], void, undefined> {
  const iterator = batches[Symbol.asyncIterator]();
  let held: readonly Frame[] = [];
  let mayBeOver = true;
  /** Asked for ahead: who has left, or is busy, does not care how it ends. */
  const ask = () => {
    const asked = iterator.next();
    asked.catch(() => {});
    return asked;
  };
  let next = ask();
  try {
    for (;;) {
      const arrived = held.length > 0 && mayBeOver ? await unlessSilent(next, clock) : await next;
      if (arrived === 'silent') {
        mayBeOver = false;
        // Over: its last event is on its way, and nobody waits for the calls before it.
        if (await isOver()) continue;
        yield settleReplayed(held, false);
        break;
      }
      if (arrived.done) return;
      const isEnd = arrived.value.some(isTerminal);
      held = settleReplayed([...held, ...arrived.value], isEnd);
      // Of a run that is over nothing more is asked for.
      if (!isEnd) next = ask();
      if (held.some(isCall)) continue;
      yield held;
      if (isEnd) return;
      held = [];
    }
    for (let arrived = await next; !arrived.done; arrived = await iterator.next()) yield arrived.value;
  } finally {
    void iterator.return?.();
  }
}

async function unlessSilent<Result>(next: Promise<Result>, clock: Clock): Promise<Result | 'silent'> {
  let callOff = () => {};
  const silence = new Promise<'silent'>((resolve) => {
    callOff = clock.after(SILENCE_MS, () => resolve('silent'));
  });
  try {
    return await Promise.race([next, silence]);
  } finally {
    callOff();
  }
}

/** A call that was answered, or whose run is over, is shown like one of the platform's own: nobody is to answer it. */
function settleReplayed(frames: readonly Frame[], isOver: boolean): readonly Frame[] {
  const answered = new Set(
    frames.filter(({ type }) => type === 'local_tool_result_in').map(({ payload }) => payload.toolUseId),
  );
  return frames.map((frame) => {
    const { seq, payload } = frame;
    if (!isCall(frame) || !(isOver || answered.has(payload.toolUseId))) return frame;
    return { seq, type: 'tool_call', payload: { ...payload, input: payload.args } };
  });
}

function isCall({ type }: Frame): boolean {
  return type === 'local_tool_call';
}
