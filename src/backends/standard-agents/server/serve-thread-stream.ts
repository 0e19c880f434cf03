/** Sends the frames of a thread over a WebSocket. */

import { listenToSocket, readFrameText, type ServerSocket } from '../../../server/socket/listen-to-socket.ts';
import type { Clock } from '../../../shared/clock.ts';
import { isRecord, parseJson } from '../../../shared/json.ts';
import type { OpenThread } from './open-thread.ts';
import type { ThreadFrame } from './thread-frames.ts';

/** A socket without traffic for a minute is closed by many proxies. */
const PING_MS = 25_000;
const OPEN = 1;

/** Serves until the socket closes or the returned function is called, which does not close the socket. */
export function serveThreadStream(
  socket: ServerSocket,
  { thread, runner }: OpenThread,
  clock: Clock,
): () => void {
  let stopPings = () => {};
  const stopListening = listenToSocket(socket, onMessage, () => dispose());
  const stopFrames = thread.listen(send);
  const dispose = () => {
    stopPings();
    stopFrames();
    stopListening();
  };

  function send(frame: ThreadFrame): void {
    if ((socket.readyState ?? OPEN) !== OPEN) return;
    try {
      socket.send(JSON.stringify(frame));
    } catch {
      // Some closed sockets throw before their close event, or have no such event.
      dispose();
    }
  }
  function onMessage(data: unknown): void {
    const frame = parseJson(readFrameText(data) ?? '');
    if (isRecord(frame) && frame.type === 'ping') send({ type: 'pong' });
  }
  function ping(): void {
    // A socket that fails to send stops the timer, so the timer is set first.
    stopPings = clock.after(PING_MS, ping);
    send({ type: 'ping' });
  }

  stopPings = clock.after(PING_MS, ping);
  send({ type: 'status', status: runner.isRunning ? 'running' : 'idle' });
  return dispose;
}
