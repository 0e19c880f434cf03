/**
 * Resumes a run after a cut, for every transport with cursors: the engine reads one uninterrupted stream.
 *
 * | the response | then |
 * |---|---|
 * | ended with `finish`, `error`, or a `client-tool-request` that ends it | it is over |
 * | was cut, no cursor known | the stream just ends (the engine makes `stream_interrupted` of it), or throws what caused the cut, if that is an `AgentChatError` |
 * | was cut, cursor known | resume after it, with back-off; earlier events are filtered |
 * | was cut, answers may not have arrived | resume as well; if the run still waits for them, send them again |
 * | refused answers to calls that have answers already | resume as well, with a notice |
 * | attaching failed in a way that may pass | another attempt, up to `maxAttempts` without progress; holding for a while is progress |
 * | attaching was refused | `not_resumable`; missing permission stays the HTTP error it is |
 */

import type { ResumeCommand, RunCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { endsRun } from '../protocol/native-endings.ts';
import { answeredElsewhere } from '../protocol/notices.ts';
import { AgentChatError } from '../shared/errors.ts';
import { awaitNextAttempt, type RecoveryOptions } from './recovery.ts';
import { RunCursor } from './run-cursor.ts';

/** The number of non-numeric cursors that are remembered to recognise repeats. */
const REMEMBERED_CURSORS = 256;
/** A response that was open this long does not count as a failed attempt. */
const HELD_MS = 10_000;

export interface ResumeOptions<Command extends RunCommand> extends RecoveryOptions {
  /**
   * The first command. It may say where the run stands. A `resume` is itself an attach: its events may repeat and its failures
   * may pass. The answers of a `respond` may get lost: a server that has not got them ends an attached stream with the
   * `finish{client-tool-calls}` of the request; then they are sent again.
   */
  readonly command: Command;
  /** The response to `command`, or to one that goes on after a cursor. */
  readonly open: (command: Command | ResumeCommand) => AsyncIterator<readonly AgentEvent[], void>;
  /** True if a `client-tool-request` ends the response, as on the native wire. Default true. */
  readonly requestEndsResponse?: boolean;
}

/**
 * The events of a run over as many responses as it takes. No async generator, for the reasons that `readEventStream` has.
 */
export function readWithResume<Command extends RunCommand>(
  options: ResumeOptions<Command>,
): AsyncIterableIterator<readonly AgentEvent[], undefined> {
  const { io, clock } = options;
  const { signal } = io;
  const progress = new RunProgress(options);
  /** Undefined when it is over. */
  let command: Command | ResumeCommand | undefined = options.command;
  let attempt = 0;
  let isLeft = false;
  let openedAt: number;
  let response: AsyncIterator<readonly AgentEvent[], void> | undefined;

  /** What goes on with the run after a response, once it is due. */
  const toNext = async (failure: unknown, attached: boolean): Promise<typeof command> => {
    if (isLeft || signal.aborted || progress.isOver()) return;
    // A run is silent while a person is asked, and proxies close silent responses. A request may take equally long to fail.
    if (!AgentChatError.isInstance(failure) && clock.now() - openedAt >= HELD_MS) attempt = 0;
    const next = progress.next();
    if (next === options.command || (await awaitNextAttempt(failure, attached, next, attempt++, options)))
      return next;
    if (signal.aborted) return;
    for (const reason of [failure, (failure as Partial<Error> | undefined)?.cause])
      if (AgentChatError.isInstance(reason)) throw reason;
  };

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      while (command && !isLeft) {
        const attached = command.type === 'resume';
        let failure: unknown;
        try {
          if (!response) {
            openedAt = clock.now();
            response = options.open(command);
          }
          const { done, value } = await response.next();
          if (!done) {
            const events = progress.advance(value, attached);
            if (events.length === 0) continue;
            attempt = 0;
            return { done: false, value: events };
          }
        } catch (error) {
          failure = error;
        }
        response = command = undefined;
        command = await toNext(failure, attached);
      }
      return { done: true, value: undefined };
    },
    async return() {
      isLeft = true;
      await response?.return?.();
      return this.next();
    },
  };
}

/** Follows a run over its responses: drops events that were seen before, and knows how the run goes on. */
class RunProgress<Command extends RunCommand> {
  readonly #command: Command;
  readonly #requestEndsResponse: boolean;
  readonly #cursor: RunCursor;
  readonly #seenCursors: Set<string | undefined>;
  #latest: AgentEvent | undefined;
  #isOver = false;
  #undelivered: Command | undefined;
  /** False once two different events came with the same number: then the numbers do not count events. */
  #numbersCountEvents = true;

  constructor({ command, requestEndsResponse = true }: ResumeOptions<Command>) {
    this.#command = command;
    this.#requestEndsResponse = requestEndsResponse;
    this.#cursor = new RunCursor(command);
    const { value } = this.#cursor;
    this.#seenCursors = new Set(value ? [value] : []);
  }

  isOver(): boolean {
    return this.#isOver;
  }

  /** Returns the events that are new. After a resume any event can be a repeat; before that only one that comes twice in a row. */
  advance(events: readonly AgentEvent[], isResumed: boolean): readonly AgentEvent[] {
    return events.flatMap((event) => {
      if (isResumed ? this.#wasSeen(event.cursor) : this.#isEcho(event)) return [];
      const { value: cursor } = this.#cursor;
      // The answers were refused because the calls have answers. The resumed run shows which answers count.
      if (event.type === 'error' && event.code === 'already_answered' && cursor) return answeredElsewhere();
      this.#remember(event.cursor);
      // The run still waits although the answers were sent, so the answers did not arrive.
      if (isResumed && this.#command.type === 'respond' && isWaiting(event)) {
        this.#cursor.moveTo(event.cursor);
        this.#undelivered = this.#command;
        return [];
      }
      this.#latest = event;
      this.#cursor.advance(event);
      this.#isOver ||= endsRun(event) || (event.type === 'client-tool-request' && this.#requestEndsResponse);
      return event;
    });
  }

  /** Returns the command that goes on with the run: once the answers themselves, if they did not arrive, else a resume. */
  next(): Command | ResumeCommand | undefined {
    const undelivered = this.#undelivered;
    this.#undelivered = undefined;
    return undelivered ?? this.#cursor.toResumeCommand();
  }

  #wasSeen(next: string | undefined): boolean {
    const { value: cursor } = this.#cursor;
    if (isCount(next) && isCount(cursor)) return Number(next) <= Number(cursor);
    return this.#seenCursors.has(next);
  }

  /**
   * True if the event repeats the one before it. The same cursor alone does not say so: a name, a time or the number of a message may
   * stand for many events.
   */
  #isEcho(event: AgentEvent): boolean {
    if (event.cursor !== this.#latest?.cursor || !isCount(event.cursor)) return false;
    this.#numbersCountEvents &&= JSON.stringify(event) === JSON.stringify(this.#latest);
    return this.#numbersCountEvents;
  }

  #remember(cursor: string | undefined): void {
    if (!cursor || isCount(cursor)) return;
    this.#seenCursors.add(cursor);
    const [oldest] = this.#seenCursors;
    if (this.#seenCursors.size > REMEMBERED_CURSORS) this.#seenCursors.delete(oldest);
  }
}

/** True if the event says that the run waits for answers. */
function isWaiting(event: AgentEvent): boolean {
  return event.type === 'finish' && event.finishReason === 'client-tool-calls';
}

/** Sequence numbers are compared; any other cursor is opaque. */
function isCount(cursor: string | undefined): boolean {
  return cursor !== undefined && /^\d{1,15}$/.test(cursor);
}
