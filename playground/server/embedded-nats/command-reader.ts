/** Turns the bytes of a client into its commands. */
import type { NatsMessage } from './nats-message.ts';

export type ClientCommand =
  | { readonly verb: 'publish'; readonly message: NatsMessage }
  | { readonly verb: 'subscribe'; readonly id: string; readonly filter: string; readonly queue?: string }
  | { readonly verb: 'unsubscribe'; readonly id: string; readonly after: number }
  | { readonly verb: 'ping' | 'ignore' };

const LINE_END = '\r\n';

export class CommandReader {
  #bytes = Buffer.alloc(0);

  /** Returns the commands that are complete with this chunk. @throws Error for a command that this server does not know. */
  *read(chunk: Buffer): Generator<ClientCommand> {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    for (let command = this.#next(); command; command = this.#next()) yield command;
  }

  /** Takes one command from the bytes. Returns undefined if a part of it is missing. */
  #next(): ClientCommand | undefined {
    const end = this.#bytes.indexOf(LINE_END);
    if (end === -1) return undefined;
    const line = this.#bytes.toString('utf8', 0, end);
    const [verb = '', ...fields] = line.split(/\s+/);
    const start = end + LINE_END.length;
    switch (verb.toUpperCase()) {
      case 'PUB':
        return this.#takeMessage(fields.slice(0, -1), start, 0, Number(fields.at(-1)));
      case 'HPUB':
        return this.#takeMessage(fields.slice(0, -2), start, Number(fields.at(-2)), Number(fields.at(-1)));
      case 'SUB':
        return this.#take(start, toSubscribe(fields));
      case 'UNSUB':
        return this.#take(start, { verb: 'unsubscribe', id: fields[0] ?? '', after: Number(fields[1] ?? 0) });
      case 'PING':
        return this.#take(start, { verb: 'ping' });
      case 'CONNECT':
      case 'PONG':
        return this.#take(start, { verb: 'ignore' });
      default:
        throw new Error(`Unknown Protocol Operation: ${verb}`);
    }
  }

  /** `size` counts the headers as well. `start` is where they begin, or the data if there are none. */
  #takeMessage(
    [subject = '', reply]: readonly string[],
    start: number,
    headerSize: number,
    size: number,
  ): ClientCommand | undefined {
    const end = start + size;
    if (this.#bytes.length < end + LINE_END.length) return undefined;
    const headers = headerSize > 0 ? this.#bytes.toString('utf8', start, start + headerSize) : undefined;
    // A copy, as streams keep the data and the chunk holds more than that.
    const data = Buffer.from(this.#bytes.subarray(start + headerSize, end));
    return this.#take(end + LINE_END.length, {
      verb: 'publish',
      message: { subject, reply, headers, data },
    });
  }

  #take(length: number, command: ClientCommand): ClientCommand {
    this.#bytes = this.#bytes.subarray(length);
    return command;
  }
}

function toSubscribe(fields: readonly string[]): ClientCommand {
  const [filter = '', queueOrId = '', id] = fields;
  return id === undefined
    ? { verb: 'subscribe', filter, id: queueOrId }
    : { verb: 'subscribe', filter, id, queue: queueOrId };
}
