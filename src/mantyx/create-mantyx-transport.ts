/** Mantyx agent runs as a backend (wire version 0.11): one stream per run, answers posted one by one while it stays open. */
import type { RespondCommand, ResumeCommand, TriggerCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { type Clock, systemClock } from '../shared/clock.ts';
import { AgentChatError } from '../shared/errors.ts';
import { untilAborted } from '../shared/until-aborted.ts';
import type { AgentEventStream, AgentTransport, TransportIO } from '../transport/agent-transport.ts';
import { readEventStream } from '../transport/read-event-stream.ts';
import { type ReconnectOptions, toReconnectPolicy } from '../transport/reconnect-policy.ts';
import { mayPass } from '../transport/recovery.ts';
import { readWithResume } from '../transport/resume.ts';
import { assertLimit, assertRecord, assertText } from './assert-limit.ts';
import { type ApiOptions, createApi } from './create-api.ts';
import { createEventDecoder } from './create-event-decoder.ts';
import { createRunStarter, type StartedRun, type StartOptions } from './create-run-starter.ts';
import { createStopSender } from './create-stop-sender.ts';
import { createToolSet, type MantyxTools } from './create-tool-set.ts';
import { decodeFrames, type Frame, isTerminal } from './decode-frames.ts';
import { holdReplay } from './hold-replay.ts';
import { postAnswer } from './post-answer.ts';

/** Options of {@link createMantyxTransport}. */
export interface MantyxTransportOptions extends ApiOptions, StartOptions {
  /**
   * Every tool the agent may call: `...localTools(clientTools)`, `localA2a(...)`, `localMcp(...)`, and references. Where
   * there are none besides, the app's `clientTools` themselves.
   */
  readonly tools?: MantyxTools;
  /**
   * Milliseconds the platform waits for an answer of this page, if you know: questions then show when they end, and end.
   * Default: unknown.
   */
  readonly toolDeadlineMs?: number;
  /**
   * How to go on after a cut or a failed delivery. Default: 500 ms doubling up to 30 s, 5 attempts without progress, then
   * `connection_lost` or what the delivery failed with. A stop that could not be delivered is told again before the next
   * run, or when the network is back. `false`: no further attempt.
   */
  readonly reconnect?: ReconnectOptions | false;
  /** For tests: time under your control. Default: the real clock. */
  readonly clock?: Clock;
  /** For tests: what jitter is made of, from 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

const MAX_ATTEMPTS = 5;
/** Before the first event of a run. */
const START = '0';
const OVER = /^(succeeded|completed|failed|error|cancelled|canceled|ended)$/;

/**
 * Talks to Mantyx. A key does not belong in a browser: let `baseUrl` be a route of yours that adds it (`handrail/server`
 * has one), or send short-lived credentials by `headers`.
 *
 * Tools of the page are run and asked by the chat's `clientTools` as with every backend; peers given as `localA2a` and
 * `localMcp` are called by the transport. The final text of a run with `outputSchema` is parsed and checked, and becomes an
 * `object` part. {@link readMantyxFailure} says more of a run that failed.
 *
 * Streams throw `invalid_options` for a spec or message that breaks a limit (nothing was sent), `http_error`,
 * `connection_failed`, `invalid_response`, `invalid_event`, and after a cut `connection_lost` or `not_resumable`.
 *
 * @throws AgentChatError `invalid_options` that names field, limit and value.
 */
export function createMantyxTransport(options: MantyxTransportOptions): AgentTransport {
  assertRecord(options, 'options');
  const { baseUrl, tools, toolDeadlineMs, reconnect, clock = systemClock, random = Math.random } = options;
  if (!(baseUrl instanceof URL)) assertText(baseUrl, 'baseUrl');
  assertText(options.workspace, 'workspace');
  const isDeadline = typeof toolDeadlineMs === 'number' && toolDeadlineMs > 0;
  assertLimit(toolDeadlineMs === undefined || isDeadline, 'toolDeadlineMs', 'more than 0', toolDeadlineMs);
  const policy = toReconnectPolicy(reconnect, MAX_ATTEMPTS);
  const api = createApi(options, clock);
  const toolSet = createToolSet(tools ?? [], toolDeadlineMs);
  const starter = createRunStarter(options, api, async (signal) => tools && toolSet.resolve(signal));

  const pathOf = (runId: string) => `agent-runs/${encodeURIComponent(runId)}`;

  const isOver = async (runId: string, signal: AbortSignal): Promise<boolean> => {
    try {
      const { status } = await api.ask({ path: pathOf(runId) }, signal);
      return typeof status === 'string' && OVER.test(status);
    } catch (thrown) {
      if (!AgentChatError.isInstance(thrown) || mayPass(thrown)) throw thrown;
      // Gone is over; a proxy that does not tell leaves it to the stream.
      return thrown.status === 404;
    }
  };

  const stops = createStopSender(
    async (runId) => {
      await api.ask({ path: `${pathOf(runId)}/cancel`, body: {} }, new AbortController().signal);
    },
    policy === false ? 0 : policy.maxAttempts,
  );

  const readFrames = (runId: string, cursor: string, io: TransportIO) =>
    readEventStream(
      () =>
        api.open(
          { path: `${pathOf(runId)}/stream`, ...(cursor === START ? {} : { lastEventId: cursor }) },
          io.signal,
        ),
      io,
      clock,
      decodeFrames,
    );

  const readRun = (
    { runId, output }: StartedRun,
    io: TransportIO,
    cursor: string,
    isLate: boolean,
  ): AgentEventStream => {
    const decode = createEventDecoder({
      runId,
      output,
      isLate,
      deadline: () => (toolDeadlineMs === undefined ? undefined : clock.now() + toolDeadlineMs),
      onUnknownEvent: io.onUnknownEvent,
    });
    const readAfter = (after: string) =>
      decodeBatches(
        holdReplay(readFrames(runId, after, io), clock, () => isOver(runId, io.signal)),
        decode,
      );
    const command: ResumeCommand = { type: 'resume', executionId: runId, cursor };
    return readWithResume({
      command,
      open: (next) =>
        isLate || next !== command
          ? readAfter(next.cursor)
          : decodeBatches(readFrames(runId, cursor, io), decode),
      io,
      policy,
      clock,
      random,
      requestEndsResponse: false,
    });
  };

  const start = async function* (command: TriggerCommand, io: TransportIO): MantyxEventStream {
    await untilAborted(stops.resend(), io.signal);
    if (io.signal.aborted) return;
    const starting = starter.start(command, io.signal);
    const run = await untilAborted(starting, io.signal);
    if (run === undefined) {
      // The turn was stopped before the run had a name: the run is cancelled as soon as it has one.
      starting.then(({ runId }) => stops.send(runId)).catch(() => {});
      return;
    }
    yield [{ type: 'start', executionId: run.runId, cursor: START }];
    yield* readRun(run, io, START, false);
  };

  const respond = async function* (
    { executionId, answers }: RespondCommand,
    io: TransportIO,
  ): MantyxEventStream {
    for (const answer of answers) {
      yield* postAnswer({ api, policy, clock, random, isOver }, executionId, answer, io);
    }
  };

  const resume = async function* (
    { executionId, cursor }: ResumeCommand,
    io: TransportIO,
  ): MantyxEventStream {
    const output = await starter.readOutput();
    yield* readRun({ runId: executionId, output }, io, cursor, true);
  };

  return {
    capabilities: {
      results: 'one-by-one',
      resume: true,
      stop: true,
      deadlines: toolDeadlineMs !== undefined,
    },
    run(command, io) {
      switch (command.type) {
        case 'trigger':
          return start(command, io);
        case 'respond':
          return respond(command, io);
        case 'resume':
          return resume(command, io);
      }
    },
    async stop({ executionId }) {
      if (executionId !== undefined) await stops.send(executionId);
    },
    clientTool: toolSet.find,
  };
}

type MantyxEventStream = AsyncGenerator<readonly AgentEvent[], void, undefined>;

async function* decodeBatches(
  batches: AsyncIterable<readonly Frame[]>,
  decode: ReturnType<typeof createEventDecoder>,
): MantyxEventStream {
  for await (const frames of batches) {
    const events: AgentEvent[] = [];
    try {
      for (const frame of frames) events.push(...decode(frame));
    } finally {
      // Also what came before a frame that breaks the stream.
      if (events.length > 0) yield events;
    }
    // Leaving closes the stream at once: nothing of a run hangs on it.
    if (frames.some(isTerminal)) return;
  }
}
