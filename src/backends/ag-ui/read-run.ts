/** Reads the response to a run, and asks each question as soon as it is known. */
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import { readEventStream } from '../../core/transport/read-event-stream.ts';
import type { ForeignResponse } from '../../core/transport/translated-stream.ts';
import type { Clock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { decodeEvents } from './decode-events.ts';
import type { AgUiEvent } from './messages.ts';
import type { RunReader } from './run-reader.ts';

export interface ReadRunOptions {
  readonly io: TransportIO;
  readonly clock: Clock;
  readonly onEnd: () => void;
}

export function readRun(
  post: () => Promise<Response | undefined>,
  reader: RunReader,
  { io, clock, onEnd }: ReadRunOptions,
): ForeignResponse<AgUiEvent> {
  let hasEvents = false;
  return {
    chunks: readEventStream(post, io, clock, decodeEvents),
    read(events) {
      hasEvents = true;
      return reader.read(events);
    },
    silenceMs: () => reader.silenceMs(),
    readSilence: () => reader.readSilence(),
    end(failure) {
      if (failure === undefined) return { events: [...reader.end(), ...reader.askEarly()] };
      // A body that breaks off throws an error of the browser. The engine reports a run without an end as `stream_interrupted`.
      if (!hasEvents || AgentChatError.isInstance(failure)) return { events: [], error: failure };
      return { events: reader.askEarly() };
    },
    close() {
      reader.close();
      onEnd();
    },
  };
}
