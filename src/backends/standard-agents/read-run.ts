/** Reads a run from the stream of its thread, over as many connections as it takes. */
import type { ResumeCommand } from '../../core/protocol/commands.ts';
import type { AgentEvent } from '../../core/protocol/events.ts';
import type { AgentEventStream, TransportIO } from '../../core/transport/agent-transport.ts';
import type { RetrySettings } from '../../core/transport/create-one-by-one-transport.ts';
import { readWithResume } from '../../core/transport/resume.ts';
import type { ThreadApi } from './create-thread-api.ts';
import { RunDecoder } from './run-decoder.ts';
import type { RunName } from './run-name.ts';
import { RunPosition } from './run-position.ts';
import { StreamReader } from './stream-reader.ts';
import type { ThreadSnapshot } from './thread-snapshot.ts';
import { type ConnectStream, openThreadSocket, type ThreadSocket } from './thread-socket.ts';

export interface RunReaderContext extends RetrySettings {
  readonly api: ThreadApi;
  readonly connect: ConnectStream;
  /** The calls whose answers are on their way. */
  readonly answering: ReadonlySet<string>;
}

/** The run to read, and the place to begin. */
interface RunToRead {
  readonly run: RunName;
  readonly cursor: string;
  /** The stream that was opened before the message was posted, so that no chunk is missed. */
  readonly socket?: ThreadSocket;
  /** Called before the run ends with an error. */
  readonly onFailed: () => void;
}

/** Reads a run to its end. The cursor of a run that begins is {@link START}. */
export function readRun(context: RunReaderContext, read: RunToRead, io: TransportIO): AgentEventStream {
  const { run, cursor } = read;
  const decoder = new RunDecoder({
    run,
    position: new RunPosition(cursor),
    threadUrl: context.api.urlOf(run.threadId),
    onUnknownEvent: io.onUnknownEvent,
  });
  const command: ResumeCommand = { type: 'resume', executionId: run.executionId, cursor };
  let { socket } = read;
  return readWithResume({
    command,
    open: () => {
      const opened = socket;
      socket = undefined;
      return readStream(context, { ...read, decoder, opened }, io);
    },
    io,
    policy: context.policy,
    clock: context.clock,
    random: context.random,
    requestEndsResponse: false,
  });
}

/** The cursor before the first event of a run. */
export const START = '{}';

/**
 * Opens the stream of a thread. The page cannot see why a socket was refused, but the same request over HTTP tells.
 *
 * @throws AgentChatError `connection_failed`, or `http_error` of a server that can be reached
 */
export async function openStream(
  { api, connect, clock }: RunReaderContext,
  threadId: string,
  signal: AbortSignal,
): Promise<ThreadSocket | undefined> {
  try {
    return await openThreadSocket(async () => connect(await api.streamUrl(threadId)), clock, signal);
  } catch (thrown) {
    await api.ask({ method: 'GET', path: `/${encodeURIComponent(threadId)}` }, signal);
    throw thrown;
  }
}

interface OpenRun extends RunToRead {
  readonly decoder: RunDecoder;
  readonly opened: ThreadSocket | undefined;
}

/** Reads one connection: first the thread as it is, then the frames that arrive. */
async function* readStream(
  context: RunReaderContext,
  { run, decoder, opened, onFailed }: OpenRun,
  { signal }: TransportIO,
): AsyncGenerator<readonly AgentEvent[], void> {
  const socket = opened ?? (await openStream(context, run.threadId, signal));
  if (socket === undefined) return;
  const stream = new StreamReader(socket, context.clock, signal);
  try {
    for (;;) {
      if (stream.look !== 'none') {
        const wasSilent = stream.look === 'after-silence';
        const early = await stream.take();
        const snapshot = await context.api.readSnapshot(run.threadId, signal);
        if (snapshot === undefined) return;
        // The snapshot lacks the chunks of the messages that are being written, and all that is in no row, such as the usage.
        const meanwhile = await stream.take();
        yield* filled(decoder.decodeSnapshot(snapshot));
        yield* filled([...early, ...meanwhile].map((frame) => decoder.decodeFrame(frame)));
        const state = decoder.judge(snapshot);
        if (state === 'failed') {
          onFailed();
          return yield [toError(snapshot)];
        }
        // The server may need longer for an answer that it has not acknowledged.
        const isSilent = wasSilent && context.answering.size === 0;
        if (state === 'finished' || (state === 'unsettled' && isSilent)) {
          return yield [{ type: 'finish', finishReason: 'stop', executionId: run.executionId }];
        }
        stream.onLooked(state === 'unsettled', snapshot.status !== undefined, meanwhile);
        continue;
      }
      const frames = await stream.read();
      if (frames === undefined) return;
      yield* filled(frames.map((frame) => decoder.decodeFrame(frame)));
    }
  } finally {
    socket.close();
  }
}

function* filled(batches: Iterable<readonly AgentEvent[]>): Generator<readonly AgentEvent[]> {
  for (const events of batches) if (events.length > 0) yield events;
}

function toError({ rows }: ThreadSnapshot): AgentEvent {
  const row = rows.findLast(({ depth, status }) => depth === 0 && status === 'failed');
  return {
    type: 'error',
    errorType: 'execution_error',
    message: row?.error ?? 'The agent failed without saying why.',
    retryable: true,
    source: 'platform',
    raw: row,
  };
}
