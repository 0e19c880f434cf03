/**
 * Reading on after a drop, for every transport that knows where it stood: the engine sees one uninterrupted stream.
 *
 * | the response | then |
 * |---|---|
 * | ended with `finish`, `error`, or a `client-tool-request` that ends it | it is over |
 * | was cut, no cursor known | the stream just ends (the engine makes `stream_interrupted` of it), or throws the {@link StreamCut}'s reason |
 * | was cut, cursor known | attach after it, with back-off; events seen before are filtered |
 * | answers that may not have arrived | attach as well; when the run still waits for them, send them again |
 * | answers to calls that have been answered, from here or elsewhere | attach as well, with a notice |
 * | attaching failed in a way that may pass | another attempt, up to `maxAttempts` without progress; holding for a while is progress |
 * | attaching was refused | `not_resumable`; missing permission stays the HTTP error it is |
 */
import type { RespondCommand, ResumeCommand, TriggerCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { endsRun } from '../protocol/native-endings.ts';
import { answeredElsewhere } from '../protocol/notices.ts';
import { AgentChatError } from '../shared/errors.ts';
import type { AgentEventStream } from './agent-transport.ts';
import { awaitNextAttempt, type RecoveryOptions } from './recovery.ts';

/** How many cursors that are no numbers are remembered to recognise repeats. */
const REMEMBERED_CURSORS = 256;
/** A response that held this long was no failed attempt. */
const HELD_MS = 10_000;

export interface ResumeOptions extends RecoveryOptions {
  /**
   * What `open` sends. It may say where the run stands. A `resume` is itself an attach: its events may repeat and its failures
   * may pass. The answers of a `respond` may get lost: a server that has not got them ends an attached stream with the
   * `finish{client-tool-calls}` of the request; then they are sent again.
   */
  readonly command: TriggerCommand | RespondCommand | ResumeCommand;
  /** The first response. */
  readonly open: () => AgentEventStream;
  /** A response that goes on after the cursor. */
  readonly attach: (command: ResumeCommand) => AgentEventStream;
  /** Whether a `client-tool-request` ends the response, as on the native wire. Default true. */
  readonly requestEndsResponse?: boolean;
}

/** The events of a run over as many responses as it takes. */
export async function* readWithResume(
  options: ResumeOptions,
): AsyncGenerator<readonly AgentEvent[], void, undefined> {
  const { io, clock } = options;
  const { signal } = io;
  const position = createPosition(options);
  let stream = options.open;
  let attached = options.command.type === 'resume';
  let attempt = 0;
  for (;;) {
    let failure: unknown;
    const openedAt = clock.now();
    try {
      for await (const received of stream()) {
        const events = position.advance(Array.isArray(received) ? received : [received], attached);
        if (events.length === 0) continue;
        attempt = 0;
        yield events;
      }
    } catch (error) {
      failure = error;
    }
    if (signal.aborted || position.isOver()) return;
    // While a person is asked a run is silent, and proxies close what is silent. A request may take as long to fail.
    if (!AgentChatError.isInstance(failure) && clock.now() - openedAt >= HELD_MS) attempt = 0;
    const next = position.next();
    if (next?.type === 'respond') {
      stream = options.open;
      attached = false;
    } else if (await awaitNextAttempt({ failure, attached, command: next, attempt }, options)) {
      attempt += 1;
      stream = () => options.attach(next as ResumeCommand);
      attached = true;
    } else {
      if (signal.aborted) return;
      if (AgentChatError.isInstance(failure)) throw failure;
      if (failure instanceof StreamCut) throw failure.reason;
      return;
    }
  }
}

/** Where a run stands, and which of its events were seen. */
function createPosition(options: ResumeOptions) {
  const { command, requestEndsResponse = true } = options;
  let { executionId, cursor } = command as Partial<Omit<ResumeCommand, 'type'>>;
  let latest: AgentEvent | undefined;
  const remembered = new Set<string | undefined>(cursor ? [cursor] : []);
  let over = false;
  let undelivered: RespondCommand | undefined;
  /** No number has come with two different events. */
  let counts = true;

  const isRepeat = (next: string | undefined) => {
    if (isCount(next) && isCount(cursor)) return Number(next) <= Number(cursor);
    return remembered.has(next);
  };
  /** A name may stand for many events of a run, and so may a number: a time, a message. Of those two may say the same. */
  const isEcho = (event: AgentEvent) => {
    if (!isCount(event.cursor) || event.cursor !== latest?.cursor) return false;
    counts &&= JSON.stringify(event) === JSON.stringify(latest);
    return counts;
  };
  const moveTo = (next: string | undefined) => {
    if (!next) return;
    cursor = next;
    if (isCount(next)) return;
    remembered.add(next);
    if (remembered.size > REMEMBERED_CURSORS)
      for (const oldest of remembered) return void remembered.delete(oldest);
  };
  const accept = (event: AgentEvent) => {
    latest = event;
    moveTo(event.cursor);
    if (event.type === 'start') executionId = event.executionId ?? executionId;
    over ||= endsRun(event) || (event.type === 'client-tool-request' && requestEndsResponse);
  };

  return {
    /** The events that are new. Anything that follows an attach can repeat, before that only an event that comes twice in a row. */
    advance(events: readonly AgentEvent[], attached: boolean): readonly AgentEvent[] {
      const news: AgentEvent[] = [];
      for (const event of events) {
        if (attached ? isRepeat(event.cursor) : isEcho(event)) continue;
        const isWaiting = event.type === 'finish' && event.finishReason === 'client-tool-calls';
        // The leg asked for nothing yet (that would have ended it), so this is the end of the leg it answers.
        if (isWaiting && attached && command.type === 'respond') {
          undelivered = command;
          moveTo(event.cursor);
        } else if (event.type === 'error' && event.code === 'already_answered' && cursor) {
          // The run is there to tell what came of them.
          news.push(answeredElsewhere());
        } else {
          accept(event);
          news.push(event);
        }
      }
      return news;
    },
    isOver: () => over,
    /** What goes on with the run: once the answers themselves, when it turns out that they did not arrive. */
    next(): RespondCommand | ResumeCommand | undefined {
      const lost = undelivered;
      undelivered = undefined;
      return lost ?? (executionId && cursor ? { type: 'resume', executionId, cursor } : undefined);
    },
  };
}

/** Sequence numbers are compared; any other cursor is opaque. */
function isCount(cursor: string | undefined): boolean {
  return /^\d{1,15}$/.test(cursor as string);
}

/** Thrown inside a transport when a response that was accepted broke off. `reason` is for when that is the end. */
export class StreamCut extends Error {
  readonly reason: AgentChatError;

  constructor(reason: AgentChatError) {
    super(reason.message);
    this.reason = reason;
  }
}
