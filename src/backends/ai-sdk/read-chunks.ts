import type { AgentEvent } from '../../core/protocol/events.ts';
import type { Clock } from '../../shared/clock.ts';
import { withTimeout } from '../../shared/with-timeout.ts';
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
      const limitMs = reader.dueInMs();
      const next =
        limitMs === undefined
          ? await arriving
          : await withTimeout(arriving, { clock, limitMs, onTimeout: () => undefined });
      if (next !== undefined) arriving = undefined;
      if (next?.done) break;
      const isFirst = reader.received === 0;
      const events = next ? reader.read(next.value) : reader.ask(false);
      // From here on the request has arrived, also for a page that is opened later.
      if (isFirst) reader.save();
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
