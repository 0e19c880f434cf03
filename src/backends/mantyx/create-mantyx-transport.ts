/** Mantyx agent runs as a backend (wire version 0.11): one stream per run, and answers are posted one by one while it is open. */
import type { ResumeCommand, TriggerCommand } from '../../core/protocol/commands.ts';
import type { AgentEvent } from '../../core/protocol/events.ts';
import type { AgentTransport, TransportIO } from '../../core/transport/agent-transport.ts';
import {
  createOneByOneTransport,
  type OneByOneOptions,
  toRetrySettings,
} from '../../core/transport/create-one-by-one-transport.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import { assertLimit, assertRecord, assertText } from './assert-limit.ts';
import { type ApiOptions, createApi } from './create-api.ts';
import { createRunReader, type RunReader, START, toRunPath } from './create-run-reader.ts';
import { createRunStarter, type RunStarter, type StartOptions } from './create-run-starter.ts';
import { createStopSender, type StopSender } from './create-stop-sender.ts';
import { createToolSet, type MantyxTools } from './create-tool-set.ts';
import { postAnswer, toSizeNotice } from './post-answer.ts';

/** Options of {@link createMantyxTransport}. */
export interface MantyxTransportOptions extends ApiOptions, StartOptions, OneByOneOptions {
  /**
   * Every tool the agent may call: `...localTools(clientTools)`, `localA2a(...)`, `localMcp(...)`, and references. If there are
   * only tools of the page, the app's `clientTools` themselves.
   */
  readonly tools?: MantyxTools;
  /**
   * Milliseconds the platform waits for an answer of this page, if you know it: questions then show a countdown and expire.
   * Default: unknown.
   */
  readonly toolDeadlineMs?: number;
}

/**
 * Creates a transport to Mantyx. A key must not be in a browser: let `baseUrl` be a route of yours that adds the key
 * (`createMantyxProxy` of `handrail/server`), or send short-lived credentials in `headers`.
 *
 * The chat runs tools of the page by its `clientTools` as with every backend; the transport calls peers given as `localA2a` and
 * `localMcp`. The final text of a run with `outputSchema` is parsed and checked, and becomes an `object` part.
 * {@link readMantyxFailure} reads the details of a failed run.
 *
 * A failed stop is sent again before the next run, or when the network is back.
 *
 * Streams throw `invalid_options` for a spec or message that breaks a limit (nothing was sent), `http_error`,
 * `connection_failed`, `invalid_response`, `invalid_event`, and after a cut `connection_lost` or `not_resumable`.
 *
 * @throws AgentChatError `invalid_options` that names field, limit and value.
 */
export function createMantyxTransport(options: MantyxTransportOptions): AgentTransport {
  assertRecord(options, 'options');
  const { baseUrl, tools, toolDeadlineMs } = options;
  if (!(baseUrl instanceof URL)) assertText(baseUrl, 'baseUrl');
  assertText(options.workspace, 'workspace');
  const isDeadline = typeof toolDeadlineMs === 'number' && toolDeadlineMs > 0;
  assertLimit(toolDeadlineMs === undefined || isDeadline, 'toolDeadlineMs', 'more than 0', toolDeadlineMs);
  const retry = toRetrySettings(options);
  const { policy } = retry;
  const api = createApi(options, retry.clock);
  const runs = createRunReader({ api, ...retry, toolDeadlineMs });
  const toolSet = createToolSet(tools ?? [], toolDeadlineMs);
  const starter = createRunStarter(options, api, async (signal) => tools && toolSet.resolve(signal));
  const stops = createStopSender(
    async (runId) => {
      await api.ask({ path: `${toRunPath(runId)}/cancel`, body: {} }, new AbortController().signal);
    },
    policy === false ? 0 : policy.maxAttempts,
  );
  const { isOver } = runs;
  const transport = createOneByOneTransport(
    {
      capabilities: { deadlines: toolDeadlineMs !== undefined },
      start: (command, io) => start({ runs, starter, stops }, command, io),
      read: (command, io) => resume({ runs, starter }, command, io),
      noticeOf: toSizeNotice,
      post: (request, io) => postAnswer({ api, isOver }, request, io),
      async stop({ executionId }) {
        if (executionId !== undefined) await stops.send(executionId);
      },
    },
    retry,
  );
  return { ...transport, clientTool: toolSet.find };
}

interface RunContext {
  readonly runs: RunReader;
  readonly starter: RunStarter;
  readonly stops: StopSender;
}

type MantyxEventStream = AsyncGenerator<readonly AgentEvent[], void, undefined>;

async function* start(
  { runs, starter, stops }: RunContext,
  command: TriggerCommand,
  io: TransportIO,
): MantyxEventStream {
  await untilAborted(stops.resend(), io.signal);
  if (io.signal.aborted) return;
  const starting = starter.start(command, io.signal);
  const run = await untilAborted(starting, io.signal);
  if (run === undefined) {
    // The turn was stopped before the run had an id: the run is cancelled as soon as it has one.
    starting.then(({ runId }) => stops.send(runId)).catch(() => {});
    return;
  }
  yield [{ type: 'start', executionId: run.runId, cursor: START }];
  yield* runs.read(run, io, START, false);
}

async function* resume(
  { runs, starter }: Pick<RunContext, 'runs' | 'starter'>,
  { executionId, cursor }: ResumeCommand,
  io: TransportIO,
): MantyxEventStream {
  const output = await starter.readOutput();
  yield* runs.read({ runId: executionId, output }, io, cursor, true);
}
