import type { AgentEvent } from '../../core/protocol/events.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ChunkStream } from './requests.ts';
import type { ResponseReader } from './response-reader.ts';

/**
 * Reads the chunks of a response, and asks while the server is silent.
 *
 * @param isLast a response that is cut is not resumed: what it leaves open is asked at once
 */
export async function* readChunks(
  chunks: ChunkStream,
  reader: ResponseReader,
  {
    clock,
    signal,
    isLast,
  }: { readonly clock: Clock; readonly signal: AbortSignal; readonly isLast: boolean },
): AsyncGenerator<readonly AgentEvent[], void> {
  const iterator = chunks[Symbol.asyncIterator]();
  let arriving: ReturnType<typeof iterator.next> | undefined;
  let failure: unknown;
  try {
    while (!signal.aborted) {
      arriving ??= iterator.next();
      const next = await before(arriving, reader.dueInMs(), clock);
      if (next !== undefined) arriving = undefined;
      if (next?.done) break;
      const events = next ? reader.read(next.value) : reader.ask(false);
      if (events.length > 0) yield events;
    }
  } catch (thrown) {
    arriving = undefined;
    failure = thrown;
  } finally {
    // A read that is under way ends by the signal.
    if (arriving === undefined) await iterator.return?.();
  }
  if (signal.aborted) return;
  const rest = reader.isComplete || !isLast ? reader.end() : reader.ask(true);
  if (rest.length > 0) yield rest;
  if (failure !== undefined) throw failure;
}

/** Resolves to undefined if the promise takes longer than `ms`. */
async function before<Value>(promise: Promise<Value>, ms: number | undefined, clock: Clock) {
  if (ms === undefined) return promise;
  let cancel = () => {};
  const over = new Promise<undefined>((resolve) => {
    cancel = clock.after(ms, () => resolve(undefined));
  });
  return Promise.race([promise, over]).finally(() => cancel());
}
