import type { Clock } from '../../shared/clock.ts';
import { withTimeout } from '../../shared/with-timeout.ts';
import type { Frame } from './run-decoder.ts';
import { readRow } from './thread-row.ts';
import type { ThreadSocket } from './thread-socket.ts';

/** A server that has an answer begins to go on with it within this time, in milliseconds. */
const SETTLE_MS = 2_000;

/** Whether the thread has to be read, because the run may have ended. */
export type Look = 'none' | 'now' | 'after-silence';

/** Reads the frames of one connection, and tells when the thread itself has to be read. */
export class StreamReader {
  readonly #socket: ThreadSocket;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  /** The frames that are being waited for. A silence does not end the wait. */
  #next: Promise<readonly Frame[] | undefined> | undefined;
  #look: Look = 'now';
  /** The thread is idle and should go on soon. If it stays silent, the run has ended. */
  #isUnsettled = false;
  #tellsStatus = true;

  constructor(socket: ThreadSocket, clock: Clock, signal: AbortSignal) {
    this.#socket = socket;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Tells whether the thread has to be read before the next frames. */
  get look(): Look {
    return this.#look;
  }

  /**
   * Called after the thread was read. `tellsStatus`: the server says when the thread becomes idle. `meanwhile`: the frames that arrived
   * while it was read, which may say that the run has ended since.
   */
  onLooked(isUnsettled: boolean, tellsStatus: boolean, meanwhile: readonly Frame[]): void {
    this.#tellsStatus = tellsStatus;
    this.#isUnsettled = isUnsettled || meanwhile.some(isAnswer);
    this.#look = meanwhile.some((frame) => this.#mayEndRun(frame)) ? 'now' : 'none';
  }

  /** Returns the frames that have arrived and were not read, without waiting for one. */
  async take(): Promise<readonly Frame[]> {
    const none: readonly Frame[] = [];
    // The frames that ended a wait came before those that the socket has now.
    const first = this.#next === undefined ? none : await Promise.race([this.#next, none]);
    // The connection is over, which `read` has to tell.
    if (first === undefined) return none;
    if (first !== none) this.#next = undefined;
    return [...first, ...this.#socket.take()];
  }

  /** Returns the next frames, none after a silence that matters, or undefined if the connection is over. */
  async read(): Promise<readonly Frame[] | undefined> {
    this.#next ??= this.#socket.next(this.#signal);
    const silence = { clock: this.#clock, limitMs: SETTLE_MS, onTimeout: () => 'silent' as const };
    const frames = await (this.#isUnsettled ? withTimeout(this.#next, silence) : this.#next);
    if (frames === 'silent') {
      this.#look = 'after-silence';
      return [];
    }
    this.#next = undefined;
    this.#isUnsettled = frames?.some(isAnswer) ?? false;
    this.#look = frames?.some((frame) => this.#mayEndRun(frame)) ? 'now' : 'none';
    return frames;
  }

  #mayEndRun({ type, status, message }: Frame): boolean {
    if (this.#tellsStatus) return type === 'status' && status === 'idle';
    const row = type === 'message_data' ? readRow(message) : undefined;
    return row?.role === 'assistant' && row.status !== 'pending' && row.toolCalls.length === 0;
  }
}

/** After an answer, a thread that is idle goes on, unless the person stopped it on another page. */
function isAnswer({ type, eventType }: Frame): boolean {
  return type === 'custom' && eventType === 'client_tool_answered';
}
