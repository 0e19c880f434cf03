import type { Clock } from '../../shared/clock.ts';
import type { ServerSocket } from './listen-to-socket.ts';

const OPEN = 1;
/** Sockets have no event for a drained buffer, so the buffer is polled: soon at first, then less and less often. */
const MAX_DRAIN_POLL_MS = 20;
/**
 * UTF-16 code units after which other work gets a turn. An agent that never waits would block it: the socket would not notice that its
 * peer has left, and the heap would fill with frames for that peer.
 */
const MAX_SENT_IN_TURN = 2 ** 16;

/** Where the frames for one client go. */
interface FrameSender {
  /** Sends a frame as soon as the socket has room. Resolves when the socket may take the next one, or the sender was stopped. */
  send(frame: object): Promise<void>;
  startHeartbeat(): void;
  /** Counts a frame of the client. One that a proxy swallows is missing in the count, which the heartbeats carry. */
  count(): void;
  stop(): void;
  isStopped(): boolean;
}

interface FrameSenderSettings {
  /** 0: no heartbeat. */
  readonly heartbeatMs: number;
  readonly maxBufferedBytes: number;
  readonly clock: Clock;
}

/** Sends frames and heartbeats, which say how many frames of the client have arrived. Calls `onClosed` if the socket turns out to be closed. */
export function createFrameSender(
  socket: ServerSocket,
  { heartbeatMs, maxBufferedBytes, clock }: FrameSenderSettings,
  onClosed: () => void,
): FrameSender {
  let stopped = false;
  let lastSentAt = clock.now();
  let sentInTurn = 0;
  let received = 0;
  let stopHeartbeat = () => {};

  const isFull = () => !stopped && (socket.bufferedAmount ?? 0) > maxBufferedBytes;
  const pause = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

  async function waitForRoom(): Promise<void> {
    for (let ms = 1; isFull(); ms = Math.min(ms * 2, MAX_DRAIN_POLL_MS)) await pause(ms);
  }
  function write(frame: object): void {
    if (stopped || (socket.readyState ?? OPEN) !== OPEN) return;
    lastSentAt = clock.now();
    const text = JSON.stringify(frame);
    sentInTurn += text.length;
    try {
      socket.send(text);
    } catch {
      // Some closed sockets throw before their close event, or have no such event. A rethrown error would end the process.
      onClosed();
    }
  }
  function beat(): void {
    // The socket may have closed while the app looked up the user: its close event came before there was a listener.
    if ((socket.readyState ?? OPEN) > OPEN) onClosed();
    // One timer that checks the time of the last frame is cheaper than a timer that is reset with every frame.
    const idleFor = clock.now() - lastSentAt;
    // A client that does not read needs no further heartbeat: it has not read the frames before.
    if (idleFor >= heartbeatMs && !isFull()) write({ type: 'heartbeat', received });
    if (stopped) return;
    const wait = idleFor >= heartbeatMs ? heartbeatMs : heartbeatMs - idleFor;
    stopHeartbeat = clock.after(wait, beat);
  }
  return {
    async send(frame) {
      // The check and the write are one step: of several streams that wait, only one uses the room.
      while (isFull()) await waitForRoom();
      write(frame);
      if (sentInTurn > MAX_SENT_IN_TURN) {
        sentInTurn = 0;
        await pause(0);
      }
      while (isFull()) await waitForRoom();
    },
    count() {
      received += 1;
    },
    startHeartbeat() {
      if (heartbeatMs > 0) beat();
    },
    stop() {
      stopped = true;
      stopHeartbeat();
    },
    isStopped: () => stopped,
  };
}
