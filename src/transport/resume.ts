/**
 * Reading on after a drop, for every transport that knows where it stood: the engine sees one uninterrupted stream.
 *
 * | the response | then |
 * |---|---|
 * | ended with `finish`, `error`, or a `client-tool-request` that ends it | it is over |
 * | was cut, no cursor known | the stream just ends (the engine makes `stream_interrupted` of it), or throws what caused the cut, if that is an `AgentChatError` |
 * | was cut, cursor known | attach after it, with back-off; events seen before are filtered |
 * | answers that may not have arrived | attach as well; when the run still waits for them, send them again |
 * | answers to calls that have been answered, from here or elsewhere | attach as well, with a notice |
 * | attaching failed in a way that may pass | another attempt, up to `maxAttempts` without progress; holding for a while is progress |
 * | attaching was refused | `not_resumable`; missing permission stays the HTTP error it is |
 */

import type { ResumeCommand, RunCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { endsRun } from '../protocol/native-endings.ts';
import { answeredElsewhere } from '../protocol/notices.ts';
import { AgentChatError } from '../shared/errors.ts';
import { awaitNextAttempt, type RecoveryOptions } from './recovery.ts';

/** How many cursors that are no numbers are remembered to recognise repeats. */
const REMEMBERED_CURSORS = 256;
/** A response that held this long was no failed attempt. */
const HELD_MS = 10_000;

export interface ResumeOptions<Command extends RunCommand> extends RecoveryOptions {
  /**
   * What is sent first. It may say where the run stands. A `resume` is itself an attach: its events may repeat and its failures
   * may pass. The answers of a `respond` may get lost: a server that has not got them ends an attached stream with the
   * `finish{client-tool-calls}` of the request; then they are sent again.
   */
  readonly command: Command;
  /** The response to `command`, or to one that goes on after a cursor. */
  readonly open: (command: Command | ResumeCommand) => AsyncIterator<readonly AgentEvent[], void>;
  /** Whether a `client-tool-request` ends the response, as on the native wire. Default true. */
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
  const position = createPosition(options);
  /** Undefined when it is over. */
  let command: Command | ResumeCommand | undefined = options.command;
  let attempt = 0;
  let isLeft = false;
  let openedAt: number;
  let response: AsyncIterator<readonly AgentEvent[], void> | undefined;

  /** What goes on with the run after a response, once it is due. */
  const toNext = async (failure: unknown, attached: boolean): Promise<typeof command> => {
    if (isLeft || signal.aborted || position.isOver()) return;
    // While a person is asked a run is silent, and proxies close what is silent. A request may take as long to fail.
    if (!AgentChatError.isInstance(failure) && clock.now() - openedAt >= HELD_MS) attempt = 0;
    const next = position.next();
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
            const events = position.advance(value, attached);
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

/** Where a run stands, and which of its events were seen. */
function createPosition<Command extends RunCommand>(options: ResumeOptions<Command>) {
  const { command, requestEndsResponse = true } = options;
  let { executionId, cursor } = command as Partial<Omit<ResumeCommand, 'type'>>;
  let latest: AgentEvent | undefined;
  const remembered = new Set<string | undefined>(cursor ? [cursor] : []);
  let over = false;
  let undelivered: Command | undefined;
  /** No number has come with two different events. */
  let counts = true;

  const isRepeat = (next: string | undefined) => {
    if (isCount(next) && isCount(cursor)) return Number(next) <= Number(cursor);
    return remembered.has(next);
  };
  /** A name may stand for many events of a run, and so may a number: a time, a message. Of those two may say the same. */
  const isEcho = (event: AgentEvent) => {
    if (event.cursor !== latest?.cursor || !isCount(event.cursor)) return false;
    counts &&= JSON.stringify(event) === JSON.stringify(latest);
    return counts;
  };
  const moveTo = (next: string | undefined) => {
    if (!next) return;
    cursor = next;
    if (isCount(next)) return;
    remembered.add(next);
    const [oldest] = remembered;
    if (remembered.size > REMEMBERED_CURSORS) remembered.delete(oldest);
  };

  return {
    /** The events that are new. Anything that follows an attach can repeat, before that only an event that comes twice in a row. */
    advance: (events: readonly AgentEvent[], attached: boolean): readonly AgentEvent[] =>
      events.flatMap((event) => {
        if (attached ? isRepeat(event.cursor) : isEcho(event)) return [];
        // The run is there to tell what came of them.
        if (event.type === 'error' && event.code === 'already_answered' && cursor) return answeredElsewhere();
        moveTo(event.cursor);
        // The leg asked for nothing yet (that would have ended it), so this is the end of the leg it answers.
        if (attached && command.type === 'respond' && isWaiting(event)) {
          undelivered = command;
          return [];
        }
        latest = event;
        if (event.type === 'start') executionId = event.executionId ?? executionId;
        over ||= endsRun(event) || (event.type === 'client-tool-request' && requestEndsResponse);
        return event;
      }),
    isOver: () => over,
    /** What goes on with the run: once the answers themselves, when it turns out that they did not arrive. */
    next(): Command | ResumeCommand | undefined {
      const lost = undelivered;
      undelivered = undefined;
      return lost ?? (executionId && cursor ? { type: 'resume', executionId, cursor } : undefined);
    },
  };
}

/** Whether the run says that it waits for answers. */
function isWaiting(event: AgentEvent): boolean {
  return event.type === 'finish' && event.finishReason === 'client-tool-calls';
}

/** Sequence numbers are compared; any other cursor is opaque. */
function isCount(cursor: string | undefined): boolean {
  return cursor !== undefined && /^\d{1,15}$/.test(cursor);
}
