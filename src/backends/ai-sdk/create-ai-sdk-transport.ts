/**
 * Servers of the AI SDK as a backend: the UI message stream of `ai` 6 and 7 over HTTP, as `DefaultChatTransport` speaks it, or over a
 * socket, as `WebSocketChatTransport` does.
 */
import type { RespondCommand, ResumeCommand, RunCommand } from '../../core/protocol/commands.ts';
import type { AgentEvent } from '../../core/protocol/events.ts';
import type { AgentTransport, TransportIO } from '../../core/transport/agent-transport.ts';
import type { SocketUrlOptions } from '../../core/transport/open-socket.ts';
import { type ReconnectOptions, toReconnectPolicy } from '../../core/transport/reconnect-policy.ts';
import { readWithResume } from '../../core/transport/resume.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { createResponseReader, type ResponseReader } from './create-response-reader.ts';
import { createHttpRequests } from './http-requests.ts';
import { type AiSdkMemory, type FirstMemory, readMemory, writeMemory } from './memory.ts';
import { prepareAnswers, prepareMessage } from './prepare-request.ts';
import type { AiSdkRequestOptions, ChunkStream, Requests } from './requests.ts';
import { skipEarlier } from './skip-earlier.ts';
import { SocketRequests } from './socket-requests.ts';
import { type AiSdkApproval, type AiSdkMessage, isToolPart } from './ui-message.ts';

/** Options of {@link createAiSdkTransport}. */
export interface AiSdkTransportOptions extends AiSdkRequestOptions {
  /** The route of the chat. Default `/api/chat`. */
  readonly api?: string | URL;
  /** The id of the chat on the server; then the transport serves one chat. Default: random, and kept with the conversation. */
  readonly chatId?: string;
  /**
   * The history before the first request: messages of the AI SDK (`UIMessage[]`), such as a server has stored them. They are posted as they
   * are, and then kept with the conversation; calls without a result are closed first. The transport then serves one chat. `initialMessages`
   * of the chat are what the page shows of them. Default: none.
   */
  readonly messages?: readonly AiSdkMessage[];
  /**
   * The address of a server of `WebSocketChatTransport`, in place of `api`. `http:` counts as `ws:`, and a path is one of the page's own
   * server. The transport calls a function before each attempt to connect, for instance for a fresh token.
   */
  readonly socketUrl?: SocketUrlOptions['url'];
  /**
   * True if the server keeps the streams of its responses: `GET {api}/{id}/stream` replays the one that is going on from its first
   * chunk, or answers 204. Then an answer that was cut goes on, also after a reload. Default: true with `socketUrl`, else false.
   */
  readonly resume?: boolean;
  /**
   * Attempts to resume after a cut, and to connect a socket again. Default: 500 ms doubling up to 30 s, 5 attempts without progress, then
   * `connection_lost`. `false`: a stream that was cut is an error at once.
   */
  readonly reconnect?: ReconnectOptions | false;
  /** For tests: time under your control. Default: the real clock. */
  readonly clock?: Clock;
  /** For tests: the source of jitter, from 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/**
 * Talks to a route that answers with `toUIMessageStreamResponse()` or `createUIMessageStreamResponse()`.
 *
 * The history is kept on the client, as with `useChat`: every request posts all messages. It is persisted with the conversation, with the
 * metadata of the provider, and without secrets: a secret is posted once, with its answer. A tool without `execute` on the server is
 * answered by `clientTools`. An approval that the server asks for is a question of its own: `submit` approves, `decline` and
 * `cancel` do not.
 *
 * A stop aborts the request. Over HTTP, a server that keeps its streams goes on until its own end; the answer is not read any more.
 *
 * Streams throw `invalid_options` for a trigger that is no message, `http_error`, `connection_failed`, `invalid_response`, and after a cut
 * `connection_lost` or `not_resumable`.
 *
 * @throws AgentChatError `invalid_options` if `api` is empty, and for a number of `reconnect` that is not 0 or more
 */
export function createAiSdkTransport(options: AiSdkTransportOptions = {}): AgentTransport {
  const { socketUrl, reconnect, clock = systemClock, random = Math.random } = options;
  const { resume = socketUrl !== undefined } = options;
  const attempts = toReconnectPolicy(reconnect);
  const policy = resume && attempts;
  const requests =
    socketUrl === undefined
      ? createHttpRequests(options, clock)
      : new SocketRequests({ ...options, socketUrl, policy: attempts, clock, random });

  return {
    ...(requests.connection && { connection: requests.connection }),
    capabilities: { results: 'together', resume, stop: false, deadlines: false, rewind: true },
    run(command, io) {
      if (command.type === 'respond' && command.beforeMessage) return keepAnswers(command, io, options);
      return readWithResume<RunCommand>({
        command,
        open: createOpener(requests, io, options),
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
  first: FirstMemory,
): AsyncGenerator<readonly AgentEvent[], void> {
  const { kept } = prepareAnswers(command, readMemory(io.memory, first), io);
  writeMemory(io.memory, kept);
  yield [];
}

/** Returns the function that opens the responses of one run, one after the other. */
function createOpener(requests: Requests, io: TransportIO, first: FirstMemory) {
  const recall = () => readMemory(io.memory, first);
  /** Reads the response that is going on. A server that can goes on where it was cut. */
  let reader: ResponseReader | undefined;

  async function* read(chunks: ChunkStream): AsyncGenerator<readonly AgentEvent[], void> {
    const current = reader ?? createResponseReader(recall(), io);
    reader = current;
    try {
      for await (const batch of chunks) {
        const events = current.read(batch);
        if (events.length > 0) yield events;
      }
      if (!io.signal.aborted) yield current.end();
    } finally {
      current.save();
    }
  }

  async function* resume({ executionId }: ResumeCommand): AsyncGenerator<readonly AgentEvent[], void> {
    const memory = recall();
    const resumed = await requests.resume(memory.chatId, reader?.received ?? 0, io);
    if (resumed === undefined) return;
    let chunks = resumed?.chunks;
    if (resumed?.isReplay) reader = undefined;
    if (chunks && isUnheard(memory)) chunks = await skipEarlier(chunks, memory);
    if (chunks) return yield* read(chunks);
    // A page that was reloaded over an open question has all of the response. The server forgets a response that has ended.
    if (!memory.isWaiting && !mayPostAgain(memory)) throw nothingToResume();
    yield [{ type: 'finish', finishReason: 'client-tool-calls', executionId }];
  }

  return async function* open(command: RunCommand): AsyncGenerator<readonly AgentEvent[], void> {
    if (command.type === 'resume') return yield* resume(command);
    const memory = recall();
    const { kept, messages, trigger } =
      command.type === 'trigger' ? prepareMessage(command, memory) : prepareAnswers(command, memory, io);
    writeMemory(io.memory, kept);
    reader = undefined;
    const messageId = command.type === 'respond' ? messages.at(-1)?.id : undefined;
    const chat = { id: kept.chatId, messages, trigger, messageId };
    const chunks = await requests.post(chat, io);
    if (chunks === undefined) return;
    // From here on a response that is cut can be resumed. Answers are resumed from the cursor before them.
    if (command.type === 'trigger')
      yield [{ type: 'start', executionId: kept.executionId ?? '', cursor: String(kept.base) }];
    yield* read(chunks);
  };
}

/** True if the latest request carried answers and nothing of its response is here. Nobody knows if they arrived. */
function isUnheard({ posted, answer }: AiSdkMemory): boolean {
  return posted.at(-1)?.role === 'assistant' && answer === undefined;
}

/** True if the latest request may be sent again. Not with a yes: if that arrived, the server would execute the call twice. */
function mayPostAgain(memory: AiSdkMemory): boolean {
  const parts = memory.posted.at(-1)?.parts ?? [];
  const allows = parts.some(
    (part) => isToolPart(part) && part.state === 'approval-responded' && part.approval?.approved === true,
  );
  return isUnheard(memory) && !allows;
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
