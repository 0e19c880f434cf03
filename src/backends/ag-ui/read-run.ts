/** Reads the response to a run, and asks each question as soon as it is known. */
import type { AgentEvent } from '../../core/protocol/events.ts';
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import { readEventStream } from '../../core/transport/read-event-stream.ts';
import type { Clock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { withTimeout } from '../../shared/with-timeout.ts';
import { decodeEvents } from './decode-events.ts';
import type { RunReader } from './run-reader.ts';

/** Milliseconds after the end of a run in which another run may begin in the same response. */
const NEXT_RUN_MS = 50;
/** Milliseconds of silence after which a call that is complete is asked about: until then the server may do it itself, or ask for an approval. */
const SILENCE_MS = 500;

export async function* readRun(
  post: () => Promise<Response | undefined>,
  reader: RunReader,
  io: TransportIO,
  clock: Clock,
): AsyncGenerator<readonly AgentEvent[], void> {
  let hasEvents = false;
  try {
    const batches = readEventStream(post, io, clock, decodeEvents);
    let next = batches.next();
    for (;;) {
      const limitMs = reader.isFinished ? NEXT_RUN_MS : SILENCE_MS;
      const arrived = await withTimeout(next, { clock, limitMs, onTimeout: () => undefined });
      if (arrived === undefined) {
        const events = reader.isFinished ? reader.end() : reader.askInSilence();
        if (events.length > 0) yield events;
        await next;
        continue;
      }
      if (arrived.done) break;
      next = batches.next();
      hasEvents = true;
      yield reader.read(arrived.value);
    }
    if (!io.signal.aborted) yield [...reader.end(), ...reader.askEarly()];
  } catch (thrown) {
    // A body that breaks off throws an error of the browser. The engine reports a run without an end as `stream_interrupted`.
    if (!hasEvents || AgentChatError.isInstance(thrown)) throw thrown;
    if (!io.signal.aborted) yield reader.askEarly();
  } finally {
    reader.close();
  }
}
