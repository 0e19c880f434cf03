/**
 * Servers of the AI SDK as a backend: the UI message stream of `ai` 6 and 7 over HTTP, as `DefaultChatTransport` speaks it, or over a
 * socket, as `WebSocketChatTransport` does.
 */
import type { RunCommand } from '../../core/protocol/commands.ts';
import type { AgentTransport, TransportIO } from '../../core/transport/agent-transport.ts';
import type { SocketUrlOptions } from '../../core/transport/open-socket.ts';
import { readFiles } from '../../core/transport/read-files.ts';
import { type ReconnectOptions, toReconnectPolicy } from '../../core/transport/reconnect-policy.ts';
import { readWithResume } from '../../core/transport/resume.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { createHttpRequests } from './http-requests.ts';
import type { AiSdkRequestOptions } from './requests.ts';
import { type Readings, Responses } from './responses.ts';
import { SocketRequests } from './socket-requests.ts';
import type { AiSdkApproval, AiSdkMessage } from './ui-message.ts';

/** Options of {@link createAiSdkTransport}. */
export interface AiSdkTransportOptions extends AiSdkRequestOptions {
  /** The route of the chat. Default `/api/chat`. */
  readonly api?: string | URL;
  /** The id of the chat on the server; then the transport serves one chat. Default: the `id` of the chat. */
  readonly chatId?: string;
  /**
   * The history before the first request: messages of the AI SDK (`UIMessage[]`), such as a server has stored them. They are posted as they
   * are, and then kept with the conversation; a question that the last one leaves open is asked, and other calls without a result are
   * closed. The transport then serves one chat. Default: the `initialMessages` of the chat, which the page shows as well.
   */
  readonly messages?: readonly AiSdkMessage[];
  /**
   * The address of a server of `WebSocketChatTransport`, in place of `api`. `http:` counts as `ws:`, and a path is one of the page's own
   * server. The transport calls a function before each attempt to connect, for instance for a fresh token.
   */
  readonly socketUrl?: SocketUrlOptions['url'];
  /**
   * True if the server keeps the streams of its responses: `GET {api}/{id}/stream` replays the one that is going on from its first
   * chunk, or answers 204. Then an answer that was cut goes on, also after a reload, and a new page of a chat with an `id` joins the one
   * that goes on, as `useChat({ id, messages, resume: true })` does. Default: true with `socketUrl`, else false.
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
  const reading: Readings = new Map();
  const goesOn = policy !== false;
  const toResponses = (io: TransportIO) =>
    new Responses({ requests, io, clock, resume, goesOn, reading, first: options });
  const readRun = (command: RunCommand, responses: Responses) =>
    readWithResume<RunCommand>({
      command,
      open: (next) => responses.open(next),
      io: responses.io,
      policy,
      clock,
      random,
      // The answers to a question wait for the end of its response.
      requestEndsResponse: false,
    });

  return {
    ...(requests.connection && { connection: requests.connection }),
    capabilities: { results: 'together', resume, stop: false, deadlines: false, rewind: true, joins: true },
    run(command, io) {
      const responses = toResponses(io);
      if (command.type === 'respond' && command.beforeMessage) return responses.keepAnswers(command);
      return readRun(command, responses);
    },
    open(_, io) {
      const responses = toResponses(io);
      return responses.join((command) => readRun(command, responses));
    },
    readFiles,
    clientTool(call) {
      const { approval } = call as { readonly approval?: AiSdkApproval };
      if (approval === undefined) return undefined;
      const { requestReason } = approval;
      const description = typeof requestReason === 'string' ? { description: requestReason } : {};
      return { interactive: true, ui: 'confirm', ...description };
    },
  };
}
