import type { Clock } from '../../shared/clock.ts';
import { withTimeout } from '../../shared/with-timeout.ts';
import { type Frame, isTerminal } from './decode-frames.ts';

const SILENCE_MS = 250;

type Batches = AsyncIterable<readonly Frame[]>;

/**
 * Holds back a replay until it has caught up with the run. After a cut or a reload the stream replays old frames. A replayed call
 * needs an answer only if it was not answered meanwhile and the run continues, but no event marks the end of the replay (Mantyx
 * protocol 0.11, section 7). So from the first call on, all frames are held until the stream is silent for 250 ms and the
 * platform says that the run is not over. Held frames are dropped if the stream fails: their cursor was not passed on, so they
 * are replayed again.
 *
 * @param isOver asks the platform if the run is over; called at most once
 */
export async function* holdReplay(
  batches: Batches,
  clock: Clock,
  isOver: () => Promise<boolean>,
): AsyncGenerator<readonly Frame[], void, undefined> {
  const iterator = batches[Symbol.asyncIterator]();
  let held: readonly Frame[] = [];
  let mayBeOver = true;
  /** Reads ahead. The read may fail while the reader is busy or gone, which must not be an unhandled rejection. */
  const readNext = () => {
    const reading = iterator.next();
    reading.catch(() => {});
    return reading;
  };
  let next = readNext();
  try {
    for (;;) {
      const arrived = held.length > 0 && mayBeOver ? await unlessSilent(next, clock) : await next;
      if (arrived === 'silent') {
        mayBeOver = false;
        // The run is over: its terminal event will arrive, and the calls before it need no answer.
        if (await isOver()) continue;
        yield settleReplayed(held, false);
        break;
      }
      if (arrived.done) return;
      const isEnd = arrived.value.some(isTerminal);
      held = settleReplayed([...held, ...arrived.value], isEnd);
      // Nothing follows a terminal frame.
      if (!isEnd) next = readNext();
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

function unlessSilent<Result>(next: Promise<Result>, clock: Clock): Promise<Result | 'silent'> {
  return withTimeout(next, { clock, limitMs: SILENCE_MS, onTimeout: () => 'silent' as const });
}

/** Turns calls that were answered, or whose run is over, into calls of the platform, which need no answer of the page. */
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
