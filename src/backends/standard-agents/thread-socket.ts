/** The stream of a thread: JSON frames over a WebSocket (AgentBuilder documentation, "Client"). */

import { toConnectionError } from '../../core/transport/http-error.ts';
import { openSocket } from '../../core/transport/open-socket.ts';
import { dismiss, isSocketOpen, type SocketLike } from '../../core/transport/socket-like.ts';
import { watchSilence } from '../../core/transport/watch-silence.ts';
import type { Clock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { isRecord, parseJson } from '../../shared/json.ts';
import { Mailbox } from '../../shared/mailbox.ts';
import type { Frame } from './run-decoder.ts';

/** Makes the socket of a stream. The address has the token. */
export type ConnectStream = (url: URL) => SocketLike | Promise<SocketLike>;

/** Makes a `WebSocket`, as browsers and Node from version 22 have it. */
export function connectWebSocket(url: URL): SocketLike {
  if (typeof globalThis.WebSocket === 'function') return new globalThis.WebSocket(url);
  throw new AgentChatError({
    code: 'connection_failed',
    message:
      'There is no WebSocket here. Give createStandardAgentsTransport a `connect` that makes one, such as `(url) => new WebSocket(url)` of the ws package.',
  });
}

/**
 * Opens the stream of a thread. Returns undefined when the signal aborts.
 *
 * @throws AgentChatError `connection_failed`
 */
export async function openThreadSocket(
  connect: () => SocketLike | Promise<SocketLike>,
  clock: Clock,
  signal: AbortSignal,
): Promise<ThreadSocket | undefined> {
  try {
    const socket = await openSocket(connect, clock, signal);
    return socket && new ThreadSocket(socket, clock);
  } catch (thrown) {
    if (signal.aborted) return undefined;
    throw toConnectionError(thrown);
  }
}

/** An open stream. It collects the frames that arrive until they are read. */
export class ThreadSocket {
  readonly #socket: SocketLike;
  readonly #silence;
  readonly #arrived = new Mailbox<Frame>();

  constructor(socket: SocketLike, clock: Clock) {
    this.#socket = socket;
    this.#silence = watchSilence(clock, () => this.close());
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = () => this.close();
    if ('onerror' in socket) socket.onerror = () => {};
    // It closed between its opening and now.
    if (!isSocketOpen(socket)) this.close();
  }

  /** Returns the frames that have arrived, or waits for some. Returns undefined after the last one, and when the signal aborts. */
  next(signal: AbortSignal): Promise<readonly Frame[] | undefined> {
    return this.#arrived.nextAll(signal);
  }

  /** Returns the frames that have arrived and were not read. */
  take(): readonly Frame[] {
    return this.#arrived.takeAll();
  }

  close(): void {
    if (this.#arrived.isClosed) return;
    this.#arrived.close();
    this.#silence.stop();
    dismiss(this.#socket);
  }

  #receive(data: unknown): void {
    this.#silence.reset();
    const frame = typeof data === 'string' ? parseJson(data) : undefined;
    // A frame that is no object may come from a proxy.
    if (!isRecord(frame)) return;
    if (frame.type === 'ping') {
      this.#silence.onHeartbeat();
      this.#socket.send(JSON.stringify({ type: 'pong' }));
    }
    this.#arrived.push(frame);
  }
}
