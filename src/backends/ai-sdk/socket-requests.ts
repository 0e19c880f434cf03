/** The requests of a chat over one WebSocket, in the frames of `WebSocketChatTransport` of `ai` 7. */

import type { Connection, TransportIO } from '../../core/transport/agent-transport.ts';
import { made } from '../../core/transport/create-sender.ts';
import { type SocketUrlOptions, toConnect } from '../../core/transport/open-socket.ts';
import type { ReconnectPolicy } from '../../core/transport/reconnect-policy.ts';
import { lostConnection, SocketLink } from '../../core/transport/socket-link.ts';
import { streamCut } from '../../core/transport/socket-run.ts';
import type { Clock } from '../../shared/clock.ts';
import { createId } from '../../shared/ids.ts';
import { isRecord } from '../../shared/json.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import {
  type AiSdkRequestOptions,
  type ChunkStream,
  type PostedChat,
  type Requests,
  type ResumedStream,
  toOutgoing,
} from './requests.ts';
import { SocketExchange } from './socket-exchange.ts';

/** The silence after which the connection to a server that sends `heartbeat` frames counts as dead. */
const SILENCE_MS = 35_000;

export interface SocketRequestsOptions extends AiSdkRequestOptions {
  readonly socketUrl: SocketUrlOptions['url'];
  readonly policy: ReconnectPolicy | false;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Sends the requests of a chat, each in a frame, and gives the frames of the server to the exchange that they belong to. */
export class SocketRequests implements Requests {
  readonly connection: Connection;
  readonly #options: SocketRequestsOptions;
  readonly #link: SocketLink;
  readonly #exchanges = new Map<string, SocketExchange>();

  constructor(options: SocketRequestsOptions) {
    const { socketUrl, policy, clock, random } = options;
    this.#options = options;
    this.#link = new SocketLink({
      connect: toConnect({ url: async () => toSocketUrl(await made(socketUrl)) }),
      policy,
      silenceMs: SILENCE_MS,
      clock,
      random,
      // Before its first token a model may be silent for as long as it likes.
      expectsFrame: () => false,
      // Not every server can resume.
      needsConnection: () => this.#exchanges.size > 0,
      onFrame: (frame) => this.#receive(frame),
      onClosed: (reason, deliberate) => {
        for (const exchange of this.#exchanges.values())
          exchange.fail(deliberate ? reason : streamCut(reason));
      },
    });
    this.connection = {
      getStatus: () => this.#link.getStatus(),
      subscribe: (listener) => this.#link.subscribe(listener),
      connect: () => this.#link.open().then(() => {}),
      disconnect: () => this.#link.close(),
    };
  }

  async post(chat: PostedChat, io: TransportIO): Promise<ChunkStream | undefined> {
    const { body, more, headers } = await toOutgoing(this.#options, chat);
    return (await this.#exchange({ type: 'send', ...chat, headers, body: body ?? more }, 0, io))?.read();
  }

  async resume(chatId: string, received: number, io: TransportIO): Promise<ResumedStream | null | undefined> {
    // `lastSequence` is left out to get the whole response.
    const position = received > 0 ? { lastSequence: received - 1 } : {};
    const [headers, body = {}] = await Promise.all([made(this.#options.headers), made(this.#options.body)]);
    const own = { headers: Object.fromEntries(new Headers(headers)), body };
    const resumed = await this.#exchange({ type: 'resume', id: chatId, ...position, ...own }, received, io);
    if (resumed === undefined) return undefined;
    return resumed.hasNone ? null : { chunks: resumed.read(), isReplay: received === 0 };
  }

  /** Sends a request. Resolves once the server has reacted to it, to undefined when the signal aborts. */
  async #exchange(
    frame: Readonly<Record<string, unknown>>,
    received: number,
    io: TransportIO,
  ): Promise<SocketExchange | undefined> {
    const socket = await untilAborted(this.#link.open(), io.signal);
    if (socket === undefined || io.signal.aborted) return undefined;
    const requestId = createId();
    const send = (message: object) => socket.send(JSON.stringify({ ...message, requestId }));
    const exchange = new SocketExchange(io, received, () => {
      this.#exchanges.delete(requestId);
      if (io.signal.aborted && this.#link.current() === socket) send({ type: 'abort' });
    });
    this.#exchanges.set(requestId, exchange);
    try {
      send(frame);
    } catch {
      // A socket that refuses to send is closing, and its `onclose` comes later.
      exchange.fail(streamCut(lostConnection('a request could not be sent')));
    }
    return (await exchange.begun()) ? exchange : undefined;
  }

  #receive(frame: unknown): void {
    const { requestId, type } = isRecord(frame) ? frame : {};
    if (typeof requestId === 'string') {
      // A frame of a request that is over is late.
      this.#exchanges.get(requestId)?.receive(frame as Readonly<Record<string, unknown>>);
    } else if (type !== 'heartbeat') {
      for (const { io } of this.#exchanges.values()) io.onUnknownEvent(frame);
    }
  }
}

/** Addresses of pages become those of sockets, and relative ones are of the page's own server. */
function toSocketUrl(url: string | URL | undefined): string {
  const { href } = new URL(url ?? '', globalThis.location?.href);
  return href.replace(/^http/, 'ws');
}
