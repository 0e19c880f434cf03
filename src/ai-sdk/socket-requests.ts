/** The requests of a chat over one WebSocket, in the frames of `WebSocketChatTransport` of `ai` 7. */
import type { Clock } from '../shared/clock.ts';
import { createId } from '../shared/ids.ts';
import { isRecord } from '../shared/json.ts';
import { untilAborted } from '../shared/until-aborted.ts';
import type { TransportIO } from '../transport/agent-transport.ts';
import { made } from '../transport/create-sender.ts';
import { type SocketUrlOptions, toConnect } from '../transport/open-socket.ts';
import type { ReconnectPolicy } from '../transport/reconnect-policy.ts';
import { lostConnection, SocketLink } from '../transport/socket-link.ts';
import { streamCut } from '../transport/socket-run.ts';
import type { AiSdkRequestOptions, Requests } from './requests.ts';
import { SocketExchange } from './socket-exchange.ts';

/** The silence after which the connection to a server that sends `heartbeat` frames counts as dead. */
const SILENCE_MS = 35_000;

export interface SocketRequestsOptions extends AiSdkRequestOptions {
  readonly socketUrl: SocketUrlOptions['url'];
  readonly policy: ReconnectPolicy | false;
  readonly clock: Clock;
  readonly random: () => number;
}

/** @throws AgentChatError `invalid_options` without an address */
export function createSocketRequests(options: SocketRequestsOptions): Requests {
  const { socketUrl, policy, clock, random } = options;
  const exchanges = new Map<string, SocketExchange>();
  const link = new SocketLink({
    connect: toConnect({ url: async () => toSocketUrl(await made(socketUrl)) }),
    policy,
    silenceMs: SILENCE_MS,
    clock,
    random,
    // Before its first token a model may be silent for as long as it likes.
    expectsFrame: () => false,
    onFrame(frame) {
      const { requestId, type } = isRecord(frame) ? frame : {};
      const exchange = typeof requestId === 'string' ? exchanges.get(requestId) : undefined;
      if (exchange !== undefined) exchange.receive(frame as Readonly<Record<string, unknown>>);
      // A frame for a request that is over is late. One without a request may be news of the server's own.
      else if (typeof requestId !== 'string' && type !== 'heartbeat')
        for (const { io } of exchanges.values()) io.onUnknownEvent(frame);
    },
    onClosed(reason, deliberate) {
      for (const exchange of exchanges.values()) exchange.fail(deliberate ? reason : streamCut(reason));
    },
  });

  /** Sends a request frame. Resolves once the server has reacted to it; to undefined when the signal aborts. */
  const exchange = async (
    frame: Readonly<Record<string, unknown>>,
    received: number,
    io: TransportIO,
  ): Promise<SocketExchange | undefined> => {
    const socket = await untilAborted(link.open(), io.signal);
    const [headers, body] = await Promise.all([made(options.headers), made(options.body)]);
    if (socket === undefined || io.signal.aborted) return undefined;
    const requestId = createId();
    const request = { requestId, headers: Object.fromEntries(new Headers(headers)), body: body ?? {} };
    const send = (message: object) => socket.send(JSON.stringify(message));
    const started = new SocketExchange(io, received, () => {
      exchanges.delete(requestId);
      // Only a response that this client still wanted to read is given up.
      if (io.signal.aborted && link.current() === socket) send({ type: 'abort', requestId });
    });
    exchanges.set(requestId, started);
    try {
      send({ ...frame, ...request });
    } catch {
      // A socket that refuses to send is closing, and its `onclose` comes later.
      started.fail(streamCut(lostConnection('a request could not be sent')));
    }
    return (await started.begun()) ? started : undefined;
  };

  return {
    connection: {
      getStatus: () => link.getStatus(),
      subscribe: (listener) => link.subscribe(listener),
      connect: () => link.open().then(() => {}),
      disconnect: () => link.close(),
    },
    async post(chat, io) {
      return (await exchange({ type: 'send', ...chat }, 0, io))?.read();
    },
    async resume(chatId, received, io) {
      // `lastSequence` is left out to get the whole response.
      const position = received > 0 ? { lastSequence: received - 1 } : {};
      const frame = { type: 'resume', id: chatId, ...position };
      const resumed = await exchange(frame, received, io);
      if (resumed === undefined) return undefined;
      return resumed.hasNone ? null : { chunks: resumed.read(), isReplay: received === 0 };
    },
  };
}

/** Addresses of pages become those of sockets, and relative ones are of the page's own server. */
function toSocketUrl(url: string | URL | undefined): string {
  const { href } = new URL(url ?? '', globalThis.location?.href);
  return href.replace(/^http/, 'ws');
}
