/** Servers of the AI SDK as a backend: the UI message stream of `ai` 6 and 7 over HTTP, as `DefaultChatTransport` speaks it. */
import type { RespondCommand, ResumeCommand, RunCommand, TriggerCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { type Clock, systemClock } from '../shared/clock.ts';
import { AgentChatError } from '../shared/errors.ts';
import { createId } from '../shared/ids.ts';
import { isRecord } from '../shared/json.ts';
import type { AgentTransport, TransportIO } from '../transport/agent-transport.ts';
import { readEventStream } from '../transport/read-event-stream.ts';
import { type ReconnectOptions, toReconnectPolicy } from '../transport/reconnect-policy.ts';
import { readWithResume } from '../transport/resume.ts';
import { closeHistory } from './close-history.ts';
import { createResponseReader } from './create-response-reader.ts';
import { decodeChunks } from './decode-chunks.ts';
import { type AiSdkMemory, readMemory, toHistory, writeMemory } from './memory.ts';
import { type AiSdkRequestOptions, createRequests, type Requests } from './requests.ts';
import { toUserMessage } from './to-user-message.ts';
import type { AiSdkApproval, AiSdkMessage } from './ui-message.ts';
import { writeAnswers } from './write-answers.ts';

/** Options of {@link createAiSdkTransport}. */
export interface AiSdkTransportOptions extends AiSdkRequestOptions {
  /**
   * True if the server keeps the streams of its responses: `GET {api}/{id}/stream` replays the one that is going on from its first
   * chunk, or answers 204. Then an answer that was cut goes on, also after a reload. Default false.
   */
  readonly resume?: boolean;
  /**
   * Attempts to resume after a cut. Default: 500 ms doubling up to 30 s, 5 attempts without progress, then `connection_lost`. `false`: a
   * stream that was cut is an error at once.
   */
  readonly reconnect?: ReconnectOptions | false;
  /** For tests: time under your control. Default: the real clock. */
  readonly clock?: Clock;
  /** For tests: the source of jitter, from 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

const MAX_ATTEMPTS = 5;

/**
 * Talks to a route that answers with `toUIMessageStreamResponse()` or `createUIMessageStreamResponse()`.
 *
 * The history is kept on the client, as with `useChat`: every request posts all messages. It is persisted with the conversation, with the
 * metadata of the provider, and without secrets: a secret is posted once, with its answer. A tool without `execute` on the server is
 * answered by `clientTools`. An approval that the server asks for is a question of its own: `submit` approves, `decline` and
 * `cancel` do not.
 *
 * A stop aborts the request. A server that keeps its streams goes on until its own end; the answer is not read any more.
 *
 * Streams throw `invalid_options` for a trigger that is no message, `http_error`, `connection_failed`, `invalid_response`, and after a cut
 * `connection_lost` or `not_resumable`.
 *
 * @throws AgentChatError `invalid_options` without an address, and for a number of `reconnect` that is not 0 or more
 */
export function createAiSdkTransport(options: AiSdkTransportOptions = {}): AgentTransport {
  const { resume = false, reconnect, clock = systemClock, random = Math.random } = options;
  const requests = createRequests(options, clock);
  const policy = resume && toReconnectPolicy(reconnect, MAX_ATTEMPTS);

  return {
    capabilities: { results: 'together', resume, stop: false, deadlines: false },
    run(command, io) {
      if (command.type === 'respond' && command.beforeMessage) return keepAnswers(command, io);
      return readWithResume<RunCommand>({
        command,
        open: (next) => openResponse(requests, next, io, clock),
        io,
        policy,
        clock,
        random,
      });
    },
    clientTool(call) {
      const { approval } = call as { readonly approval?: AiSdkApproval };
      if (approval === undefined) return undefined;
      const { requestReason } = approval;
      const description = typeof requestReason === 'string' ? { description: requestReason } : {};
      return { interactive: true, ui: 'confirm', ...description };
    },
  };
}

/** The message that follows carries these answers with it, so that the agent does not react to them on their own. */
async function* keepAnswers(
  command: RespondCommand,
  io: TransportIO,
): AsyncGenerator<readonly AgentEvent[], void> {
  const { kept } = prepareAnswers(command, readMemory(io.memory), io);
  writeMemory(io.memory, kept);
  yield [];
}

async function* openResponse(
  requests: Requests,
  command: RunCommand,
  io: TransportIO,
  clock: Clock,
): AsyncGenerator<readonly AgentEvent[], void> {
  const memory = readMemory(io.memory);
  if (command.type === 'resume') return yield* resume(requests, command, memory, io, clock);
  const { kept, messages } =
    command.type === 'trigger' ? prepareMessage(command, memory) : prepareAnswers(command, memory, io);
  writeMemory(io.memory, kept);
  const messageId = command.type === 'respond' ? messages.at(-1)?.id : undefined;
  const response = await requests.post({ id: kept.chatId, messages, messageId }, io.signal);
  if (response === undefined) return;
  // From here on a response that is cut can be resumed. Answers are resumed from the cursor before them.
  if (command.type === 'trigger')
    yield [{ type: 'start', executionId: kept.executionId ?? '', cursor: String(kept.base) }];
  yield* readResponse(response, kept, io, clock);
}

async function* readResponse(
  response: Response,
  memory: AiSdkMemory,
  io: TransportIO,
  clock: Clock,
): AsyncGenerator<readonly AgentEvent[], void> {
  const reader = createResponseReader(memory, io);
  try {
    for await (const chunks of readEventStream(async () => response, io, clock, decodeChunks)) {
      const events = reader.read(chunks);
      if (events.length > 0) yield events;
    }
    if (!io.signal.aborted) yield reader.end();
  } finally {
    reader.save();
  }
}

async function* resume(
  requests: Requests,
  command: ResumeCommand,
  memory: AiSdkMemory,
  io: TransportIO,
  clock: Clock,
): AsyncGenerator<readonly AgentEvent[], void> {
  const response = await requests.resume(memory.chatId, io.signal);
  if (response === undefined) return;
  if (response.status !== 204) return yield* readResponse(response, memory, io, clock);
  if (!mayPostAgain(memory)) throw nothingToResume();
  yield [{ type: 'finish', finishReason: 'client-tool-calls', executionId: command.executionId }];
}

/**
 * True if the latest request carried outputs that may not have arrived. It is sent again. An approval is not: nobody knows if it
 * arrived, and the server would execute the call twice.
 */
function mayPostAgain({ posted, answer }: AiSdkMemory): boolean {
  const parts = posted.at(-1)?.role === 'assistant' ? (posted.at(-1)?.parts ?? []) : [];
  const approves = parts.some(({ state }) => state === 'approval-responded');
  return answer === undefined && parts.length > 0 && !approves;
}

interface Prepared {
  /** The memory while the request is under way. */
  readonly kept: AiSdkMemory;
  /** The messages to post. */
  readonly messages: readonly AiSdkMessage[];
}

/** A message that is sent again takes the place of what the first attempt left. */
function prepareMessage(command: TriggerCommand, memory: AiSdkMemory): Prepared {
  const key = command.idempotencyKey ?? createId();
  const history = toHistory(memory);
  const index = history.findIndex(({ id }) => id === key);
  const messages =
    index < 0 ? [...closeHistory(history), toUserMessage(command, key)] : history.slice(0, index + 1);
  return {
    kept: { chatId: memory.chatId, posted: messages, request: key, executionId: key, base: 0 },
    messages,
  };
}

/** Answers that are sent again take the place of what the first attempt left. */
function prepareAnswers(command: RespondCommand, memory: AiSdkMemory, io: TransportIO): Prepared {
  const { executionId, answers, cursor } = command;
  const request = JSON.stringify([executionId, ...answers.map(({ toolCallId }) => toolCallId)]);
  const history = memory.request === request ? memory.posted : toHistory(memory);
  const hasHandler = (toolName: string) => isHandler(io.clientTools?.()[toolName]);
  const [posted, messages] = [true, false].map((isRedacted) =>
    writeAnswers(history, answers, { isRedacted, hasHandler }),
  ) as [readonly AiSdkMessage[], readonly AiSdkMessage[]];
  const [root, round = 0] = executionId.split('#');
  const next = `${root}#${Number(round) + 1}`;
  return {
    kept: { chatId: memory.chatId, posted, request, executionId: next, base: Number(cursor ?? 0) },
    messages,
  };
}

function isHandler(tool: unknown): boolean {
  return typeof tool === 'function' || (isRecord(tool) && typeof tool.execute === 'function');
}

function nothingToResume(): AgentChatError {
  return new AgentChatError({
    code: 'not_resumable',
    message:
      'The connection was cut, and the server does not have the response any more. retry() asks again.',
    errorType: 'not_found_error',
    retryable: true,
  });
}
