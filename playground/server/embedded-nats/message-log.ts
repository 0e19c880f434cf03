/** The messages of one stream, in the order of their numbers. */
import type { NatsMessage } from './nats-message.ts';

export interface StoredMessage extends NatsMessage {
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** A time before every message, as Go writes it. */
const NO_TIME = '0001-01-01T00:00:00Z';

export class MessageLog {
  /** The number of the newest message, also after it was removed. */
  lastSequence = 0;
  #lastTime: number | undefined;
  #messages: StoredMessage[] = [];

  append({ subject, headers, data }: NatsMessage): StoredMessage {
    this.lastSequence += 1;
    this.#lastTime = Date.now();
    const stored = { subject, headers, data, sequence: this.lastSequence, time: this.#lastTime };
    this.#messages.push(stored);
    return stored;
  }

  get(sequence: number): StoredMessage | undefined {
    const message = this.#messages[this.#findIndex(sequence)];
    return message?.sequence === sequence ? message : undefined;
  }

  /** Returns the newest message of a subject. */
  findLast(subject: string): StoredMessage | undefined {
    return this.#messages.findLast((message) => message.subject === subject);
  }

  /** Returns the oldest message that matches and has this number or a higher one. */
  findNext(filter: string, from: number): StoredMessage | undefined {
    for (let index = this.#findIndex(from); index < this.#messages.length; index += 1) {
      const message = this.#messages[index];
      if (message && matchSubject(filter, message.subject)) return message;
    }
    return undefined;
  }

  /** Counts the messages that match and have this number or a higher one. */
  count(filter: string, from: number): number {
    return this.#messages.slice(this.#findIndex(from)).filter(({ subject }) => matchSubject(filter, subject))
      .length;
  }

  /** Returns the number of the newest message of each subject that matches, in ascending order. */
  listLastOfSubjects(filter: string): number[] {
    const newest = new Map(this.#messages.map(({ subject, sequence }) => [subject, sequence]));
    return [...newest]
      .filter(([subject]) => matchSubject(filter, subject))
      .map(([, sequence]) => sequence)
      .sort((one, other) => one - other);
  }

  /** Returns the number of the first message that was stored at this time or later, or the number of the next one to come. */
  findSequenceAt(time: number): number {
    return this.#messages.find((message) => message.time >= time)?.sequence ?? this.lastSequence + 1;
  }

  /** Removes the oldest messages of a subject, but for this many. */
  trimSubject(subject: string, limit: number): void {
    const sequences = this.#messages
      .filter((message) => message.subject === subject)
      .map(({ sequence }) => sequence);
    const surplus = new Set(sequences.slice(0, -limit));
    if (surplus.size > 0) this.#messages = this.#messages.filter(({ sequence }) => !surplus.has(sequence));
  }

  removeBefore(time: number): void {
    const [first] = this.#messages;
    if (first && first.time < time) this.#messages = this.#messages.filter((message) => message.time >= time);
  }

  /** The `state` of a stream, by its names on the wire. */
  get state() {
    const first = this.#messages[0];
    return {
      messages: this.#messages.length,
      bytes: this.#messages.reduce((sum, { data, headers = '' }) => sum + data.length + headers.length, 0),
      first_seq: first?.sequence ?? (this.lastSequence && this.lastSequence + 1),
      first_ts: first ? toIsoTime(first.time) : NO_TIME,
      last_seq: this.lastSequence,
      last_ts: this.#lastTime === undefined ? NO_TIME : toIsoTime(this.#lastTime),
    };
  }

  /** Returns the index of the first message with this number or a higher one. */
  #findIndex(sequence: number): number {
    let low = 0;
    let high = this.#messages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#messages[middle]?.sequence ?? 0) < sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function toIsoTime(time: number): string {
  return new Date(time).toISOString();
}

/** Returns true if the subject is one of those that the filter describes: `*` is any token, `>` is one or more at the end. */
function matchSubject(filter: string, subject: string): boolean {
  const tokens = subject.split('.');
  const pattern = filter.split('.');
  const isOpen = pattern.at(-1) === '>';
  if (isOpen ? tokens.length < pattern.length : tokens.length !== pattern.length) return false;
  return pattern.every((token, index) => token === '>' || token === '*' || token === tokens[index]);
}
