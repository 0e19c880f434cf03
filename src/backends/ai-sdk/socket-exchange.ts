import type { TransportIO } from '../../core/transport/agent-transport.ts';
import { lostConnection } from '../../core/transport/socket-link.ts';
import { streamCut } from '../../core/transport/socket-run.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import { DONE, toChunk } from './decode-chunks.ts';
import type { AiSdkChunk } from './ui-message.ts';

type Frame = Readonly<Record<string, unknown>>;

/** One request on a socket: the chunks that arrived for it and were not read yet. */
export class SocketExchange {
  readonly io: TransportIO;
  readonly #onOver: () => void;
  /** The number that the next chunk must have. */
  #sequence: number;
  #arrived: AiSdkChunk[] = [];
  #hasBegun = false;
  #isOver = false;
  #hasNone = false;
  #failure: Error | undefined;
  #wake = () => {};

  /**
   * @param received the number of chunks that an earlier response brought
   * @param onOver called when nobody reads the response any more
   */
  constructor(io: TransportIO, received: number, onOver: () => void) {
    this.io = io;
    this.#sequence = received;
    this.#onOver = onOver;
  }

  /** True if the server has nothing to resume. */
  get hasNone(): boolean {
    return this.#hasNone;
  }

  receive(frame: Frame): void {
    this.#hasBegun = true;
    switch (frame.type) {
      case 'start':
        break;
      case 'chunk':
        this.#take(frame);
        break;
      case 'end':
        this.#end(DONE);
        break;
      case 'error':
        this.#end({ type: 'error', errorText: frame.errorText ?? 'The server refused the request.' });
        break;
      case 'no-active':
        this.#hasNone = this.#isOver = true;
        this.#onOver();
        break;
      default:
        this.io.onUnknownEvent(frame);
    }
    this.#wake();
  }

  /** Ends the response with an error, after the chunks that arrived before. */
  fail(failure: Error): void {
    this.#failure = failure;
    this.#wake();
  }

  /**
   * Resolves to true with the server's first frame, and to false when the signal aborts.
   *
   * @throws what `fail` got
   */
  async begun(): Promise<boolean> {
    while (!this.#hasBegun && this.#failure === undefined && !this.io.signal.aborted) await this.#changed();
    if (this.#hasBegun && !this.io.signal.aborted) return true;
    this.#onOver();
    if (this.#failure !== undefined && !this.io.signal.aborted) throw this.#failure;
    return false;
  }

  async *read(): AsyncGenerator<readonly AiSdkChunk[], void> {
    const { signal } = this.io;
    try {
      while (!signal.aborted) {
        if (this.#arrived.length > 0) {
          const chunks = this.#arrived;
          this.#arrived = [];
          yield chunks;
        } else if (this.#isOver) return;
        else if (this.#failure !== undefined) throw this.#failure;
        else await this.#changed();
      }
    } finally {
      this.#onOver();
    }
  }

  /** A server that leaves nothing out may send the chunks before as well. */
  #take({ sequence, chunk: value }: Frame): void {
    if (Number(sequence) < this.#sequence) return;
    if (sequence !== this.#sequence)
      return this.fail(streamCut(lostConnection(`chunk ${this.#sequence} of a response is missing`)));
    this.#sequence += 1;
    // Anything else counts as well: the position to resume from is the number of chunks that were read.
    this.#arrived.push(toChunk(value) ?? { type: 'unknown', value });
  }

  #end(chunk: AiSdkChunk): void {
    this.#arrived.push(chunk);
    this.#isOver = true;
  }

  #changed(): Promise<unknown> {
    const change = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    return untilAborted(change, this.io.signal);
  }
}
