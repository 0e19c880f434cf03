import type { TransportIO } from '../../core/transport/agent-transport.ts';
import { lostConnection } from '../../core/transport/socket-link.ts';
import { streamCut } from '../../core/transport/socket-run.ts';
import { Mailbox } from '../../shared/mailbox.ts';
import { DONE, toChunk } from './decode-chunks.ts';
import type { AiSdkChunk } from './ui-message.ts';

type Frame = Readonly<Record<string, unknown>>;

/** One request on a socket: the chunks that arrived for it and were not read yet. */
export class SocketExchange {
  readonly io: TransportIO;
  readonly #onOver: () => void;
  /** The number that the next chunk must have. */
  #sequence: number;
  /** Each frame as the chunks that it brings: none, or one. */
  readonly #arrived = new Mailbox<readonly AiSdkChunk[]>();
  /** The first frames. */
  #first: readonly (readonly AiSdkChunk[])[] | undefined;
  #hasNone = false;

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
    // A frame without a chunk counts as well: `begun` waits for the first frame.
    this.#arrived.push([]);
    switch (frame.type) {
      case 'start':
        return;
      case 'chunk':
        return this.#take(frame);
      case 'end':
        return this.#end(DONE);
      case 'error':
        return this.#end({ type: 'error', errorText: frame.errorText ?? 'The server refused the request.' });
      case 'no-active':
        this.#hasNone = true;
        this.#arrived.close();
        return this.#onOver();
      default:
        this.io.onUnknownEvent(frame);
    }
  }

  /** Ends the response with an error, after the chunks that arrived before. */
  fail(failure: Error): void {
    this.#arrived.fail(failure);
  }

  /**
   * Resolves to true with the server's first frame, and to false when the signal aborts.
   *
   * @throws what `fail` got
   */
  async begun(): Promise<boolean> {
    try {
      this.#first = await this.#arrived.nextAll(this.io.signal);
      return this.#first !== undefined;
    } finally {
      if (this.#first === undefined) this.#onOver();
    }
  }

  async *read(): AsyncGenerator<readonly AiSdkChunk[], void> {
    const { signal } = this.io;
    try {
      let arrived = this.#first;
      while (arrived !== undefined && !signal.aborted) {
        const chunks = arrived.flat();
        if (chunks.length > 0) yield chunks;
        arrived = await this.#arrived.nextAll(signal);
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
    this.#arrived.push([toChunk(value) ?? { type: 'unknown', value }]);
  }

  #end(chunk: AiSdkChunk): void {
    this.#arrived.push([chunk]);
    this.#arrived.close();
  }
}
