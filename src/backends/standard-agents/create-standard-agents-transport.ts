/** Threads of a Standard Agents server as a backend: REST for commands, one WebSocket for each run, answers posted one by one. */
import type { ResumeCommand, TriggerCommand } from '../../core/protocol/commands.ts';
import type { AgentEvent } from '../../core/protocol/events.ts';
import type { AgentTransport, TransportIO } from '../../core/transport/agent-transport.ts';
import {
  createOneByOneTransport,
  type OneByOneOptions,
  toRetrySettings,
} from '../../core/transport/create-one-by-one-transport.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import {
  createThread,
  createThreadApi,
  type NewMessage,
  postMessage,
  type ThreadApiOptions,
} from './create-thread-api.ts';
import { postAnswer } from './post-answer.ts';
import { openStream, type RunReaderContext, readRun, START } from './read-run.ts';
import { readRunName, toRunName } from './run-name.ts';
import { StopSender } from './stop-sender.ts';
import { toAttachments } from './thread-files.ts';
import { noteFailedRun, readMemory, type ThreadMemory, toMessageId, writeThread } from './thread-memory.ts';
import { type ConnectStream, connectWebSocket } from './thread-socket.ts';

/** Options of {@link createStandardAgentsTransport}. */
export interface StandardAgentsTransportOptions extends ThreadApiOptions, OneByOneOptions {
  /** The agent of the threads that the transport creates. */
  readonly agentId: string;
  /** The thread to go on with. Default: the first message creates one, which the conversation remembers over reloads. */
  readonly threadId?: string;
  /** Makes the socket of a stream. Default: `(url) => new WebSocket(url)`. */
  readonly connect?: ConnectStream;
}

/**
 * Creates a transport to a server of the Standard Agents specification (package 0.15). Tools of the page need the endpoints of
 * `standardAgentsKit` (`handrail/standard-agents/server`) there, because the specification has no tools of clients.
 *
 * Each message is posted under its idempotency key, so that the server takes it once. A run ends when the thread is idle and no call
 * of the page waits. Custom events of the kit become calls, the event `resource-update` with `{ name, value }` a resource, and any
 * other goes to `onUnknownEvent`.
 *
 * Streams throw `http_error`, `connection_failed`, `invalid_response`, and after a cut `connection_lost` or `not_resumable`.
 *
 * @throws AgentChatError `invalid_options` without `endpoint`, `agentId` or `token`
 */
export function createStandardAgentsTransport(options: StandardAgentsTransportOptions): AgentTransport {
  const { connect = connectWebSocket } = checked(options);
  const retry = toRetrySettings(options);
  const api = createThreadApi(options, retry.clock);
  const answering = new Set<string>();
  const context: StartContext = {
    options,
    stops: new StopSender(api),
    connection: { api, connect, answering, ...retry },
  };
  return createOneByOneTransport(
    {
      capabilities: { deadlines: true },
      start: (command, io) => start(context, command, io),
      read: (command, io) => resume(context, command, io),
      post: (request, io) => postAnswer(api, request, io),
      stop: ({ executionId }) =>
        context.stops.send(executionId === undefined ? undefined : readRunName(executionId).threadId),
    },
    retry,
    answering,
  );
}

function checked(options: StandardAgentsTransportOptions): StandardAgentsTransportOptions {
  const { endpoint, agentId, token } = options ?? {};
  const isAddress = endpoint instanceof URL || typeof endpoint === 'string';
  if (!isAddress)
    throw invalidOptions('createStandardAgentsTransport needs `endpoint`, the address of the server.');
  if (typeof agentId !== 'string' || agentId === '')
    throw invalidOptions('createStandardAgentsTransport needs `agentId`, the agent of new threads.');
  if (typeof token !== 'string' && typeof token !== 'function')
    throw invalidOptions(
      'createStandardAgentsTransport needs `token`: a text, or a function that returns one.',
    );
  return options;
}

interface StartContext {
  readonly options: StandardAgentsTransportOptions;
  readonly stops: StopSender;
  readonly connection: RunReaderContext;
}

type EventStream = AsyncGenerator<readonly AgentEvent[], void>;

async function* start(
  { options, stops, connection }: StartContext,
  command: TriggerCommand,
  io: TransportIO,
): EventStream {
  const { api } = connection;
  const { signal } = io;
  // A stop that arrives later would end this run, because a stop names only the thread.
  await untilAborted(stops.settled(), signal);
  if (signal.aborted) return;
  const memory = readMemory(io.memory);
  const threadId = options.threadId ?? memory.threadId ?? (await createThread(api, options.agentId, signal));
  if (threadId === undefined || signal.aborted) return;
  const message = toMessage(command, memory, api.urlOf(threadId));
  writeThread(io.memory, threadId);
  const socket = await openStream(connection, threadId, signal);
  if (socket === undefined) return;
  try {
    // The signal does not abort the request, because an aborted one may arrive all the same: the stop comes after it.
    const posting = postMessage(api, threadId, message, new AbortController().signal);
    stops.onPosting(threadId, posting);
    await untilAborted(posting, signal);
    if (signal.aborted) return;
    const run = toRunName(threadId, message.id);
    yield [{ type: 'start', executionId: run.executionId, cursor: START }];
    const onFailed = () => noteFailedRun(io.memory, threadId, message.id);
    yield* readRun(connection, { run, cursor: START, socket, onFailed }, io);
  } finally {
    socket.close();
  }
}

async function* resume(
  { connection }: StartContext,
  { executionId, cursor }: ResumeCommand,
  io: TransportIO,
): EventStream {
  const run = readRunName(executionId);
  const onFailed = () => noteFailedRun(io.memory, run.threadId, run.messageId);
  yield* readRun(connection, { run, cursor, onFailed }, io);
}

/** @throws AgentChatError `invalid_options` for a trigger without a message */
function toMessage(
  { triggerName, input = {}, idempotencyKey }: TriggerCommand,
  memory: ThreadMemory,
  threadUrl: string,
): NewMessage {
  const { USER_MESSAGE: given, FILES: files } = input;
  if (typeof given !== 'string' && !isRecord(given)) {
    throw invalidOptions(
      `Standard Agents: the trigger ${JSON.stringify(triggerName)} has no USER_MESSAGE, and a thread takes nothing else. Nothing was sent.`,
    );
  }
  return {
    id: toMessageId(memory, idempotencyKey),
    content: typeof given === 'string' ? given : JSON.stringify(given),
    attachments: toAttachments(files, threadUrl),
  };
}
