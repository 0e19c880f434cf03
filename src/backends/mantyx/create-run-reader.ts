import type { ResumeCommand } from '../../core/protocol/commands.ts';
import type { AgentEvent } from '../../core/protocol/events.ts';
import type { AgentEventStream, TransportIO } from '../../core/transport/agent-transport.ts';
import type { RetrySettings } from '../../core/transport/create-one-by-one-transport.ts';
import { readEventStream } from '../../core/transport/read-event-stream.ts';
import { readWithResume } from '../../core/transport/resume.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { mayPass } from '../../shared/wait-before-retry.ts';
import type { Api } from './create-api.ts';
import { createEventDecoder } from './create-event-decoder.ts';
import type { StartedRun } from './create-run-starter.ts';
import { decodeFrames, type Frame, isTerminal } from './decode-frames.ts';
import { holdReplay } from './hold-replay.ts';

/** The cursor before the first event of a run. */
export const START = '0';

const OVER = /^(succeeded|completed|failed|error|cancelled|canceled|ended)$/;

interface RunReaderOptions extends RetrySettings {
  readonly api: Api;
  readonly toolDeadlineMs: number | undefined;
}

/** Reads the streams of runs, and resumes them after a cut. */
export interface RunReader {
  /** @param isLate true for a reader that starts in the middle of the run, such as after a reload */
  read(run: StartedRun, io: TransportIO, cursor: string, isLate: boolean): AgentEventStream;
  /** Asks the platform if the run is over. */
  isOver(runId: string, signal: AbortSignal): Promise<boolean>;
}

export function createRunReader(options: RunReaderOptions): RunReader {
  const { api, policy, clock, random, toolDeadlineMs } = options;

  const isOver = async (runId: string, signal: AbortSignal): Promise<boolean> => {
    try {
      const { status } = await api.ask({ path: toRunPath(runId) }, signal);
      return typeof status === 'string' && OVER.test(status);
    } catch (thrown) {
      if (!AgentChatError.isInstance(thrown) || mayPass(thrown)) throw thrown;
      // A missing run is over. If a proxy refuses to show the state, the stream will show the end.
      return thrown.status === 404;
    }
  };

  const readFrames = (runId: string, cursor: string, io: TransportIO) => {
    const call = {
      path: `${toRunPath(runId)}/stream`,
      ...(cursor === START ? {} : { lastEventId: cursor }),
    };
    return readEventStream(() => api.open(call, io.signal), io, clock, decodeFrames);
  };

  return {
    isOver,
    read({ runId, output }, io, cursor, isLate) {
      const decode = createEventDecoder({
        runId,
        output,
        isLate,
        deadline: () => (toolDeadlineMs === undefined ? undefined : clock.now() + toolDeadlineMs),
        onUnknownEvent: io.onUnknownEvent,
      });
      const readReplay = (after: string) =>
        holdReplay(readFrames(runId, after, io), clock, () => isOver(runId, io.signal));
      const command: ResumeCommand = { type: 'resume', executionId: runId, cursor };
      return readWithResume({
        command,
        open: (next) =>
          decodeBatches(
            isLate || next !== command ? readReplay(next.cursor) : readFrames(runId, cursor, io),
            decode,
          ),
        io,
        policy,
        clock,
        random,
        requestEndsResponse: false,
      });
    },
  };
}

export function toRunPath(runId: string): string {
  return `agent-runs/${encodeURIComponent(runId)}`;
}

async function* decodeBatches(
  batches: AsyncIterable<readonly Frame[]>,
  decode: ReturnType<typeof createEventDecoder>,
): AsyncGenerator<readonly AgentEvent[], void, undefined> {
  for await (const frames of batches) {
    const events: AgentEvent[] = [];
    try {
      for (const frame of frames) events.push(...decode(frame));
    } finally {
      // Yields the events before a frame that cannot be decoded, too.
      if (events.length > 0) yield events;
    }
    // Returning closes the stream at once. The run does not need the stream any more.
    if (frames.some(isTerminal)) return;
  }
}
