import type { OpenCommand, ResumeCommand, RunCommand } from '../protocol/commands.ts';
import type { AgentEvent, ErrorEvent } from '../protocol/events.ts';
import { answeredElsewhere } from '../protocol/notices.ts';
import { toLostConnection } from './recovery.ts';
import { RunCursor } from './run-cursor.ts';

/** Cursors that are no numbers and that are remembered to recognise repeats. */
const MAX_SEEN_CURSORS = 256;
/** How often answers are sent again that did not arrive. A proxy may swallow all of them, for instance because they are long. */
const MAX_REPEATS = 5;

/** Follows a run over its responses: drops repeated events, and knows the command that goes on with the run. */
export class RunProgress<Command extends RunCommand | OpenCommand> {
  readonly #command: Command;
  readonly #requestEndsResponse: boolean;
  readonly #cursor: RunCursor<Command>;
  /** The cursors that came and are no numbers. */
  readonly #seen: Set<string | undefined>;
  #latest: AgentEvent | undefined;
  #isOver = false;
  #undelivered: Command | undefined;
  #repeats = 0;
  /** False once two different events had the same number. A number of a message or a time counts no events. */
  #numbersCountEvents = true;

  /** @param requestEndsResponse True if a `client-tool-request` ends the response, as on the native wire. */
  constructor(command: Command, requestEndsResponse: boolean) {
    this.#command = command;
    this.#requestEndsResponse = requestEndsResponse;
    this.#cursor = new RunCursor(command);
    const { value } = this.#cursor;
    this.#seen = new Set(value ? [value] : []);
  }

  isOver(): boolean {
    return this.#isOver;
  }

  /** Returns the new events. After a resume any event can be a repeat; before that only an event that comes twice in a row. */
  advance(events: readonly AgentEvent[], isResumed: boolean): readonly AgentEvent[] {
    return events.flatMap((event) => {
      // A snapshot begins anew: the events of a run that is under way come from its start.
      if (event.type === 'snapshot') this.#seen.clear();
      else if (isResumed ? this.#wasSeen(event.cursor) : this.#isEcho(event)) return [];
      // The server refused the answers because the calls have answers, or another page took the run over. The person gets no error, but the
      // words of the server, which may say who answered: the run has what came of them.
      if (event.type === 'error' && isElsewhere(event) && this.#cursor.value) {
        this.#cursor.isBeside = true;
        return event.code === 'resumed_elsewhere' ? [] : answeredElsewhere(event.tool?.callId, event.message);
      }
      this.#remember(event.cursor);
      // The run still waits, so the answers never arrived.
      if (isResumed && this.#command.type === 'respond' && !this.#cursor.isBeside && isWaiting(event)) {
        this.#cursor.moveTo(event.cursor);
        this.#undelivered = this.#command;
        return [];
      }
      this.#latest = event;
      this.#cursor.advance(event);
      this.#isOver ||=
        this.#cursor.isOver || (event.type === 'client-tool-request' && this.#requestEndsResponse);
      return event;
    });
  }

  /**
   * Returns the command that goes on with the run: once the answers themselves, if they did not arrive, else that of `RunCursor`.
   *
   * @throws AgentChatError `connection_lost` if the answers did not arrive however often they were sent
   */
  next(): Command | ResumeCommand | undefined {
    const undelivered = this.#undelivered;
    this.#undelivered = undefined;
    if (undelivered && ++this.#repeats > MAX_REPEATS) throw toLostConnection(MAX_REPEATS);
    return undelivered ?? this.#cursor.toNextCommand();
  }

  #wasSeen(next: string | undefined): boolean {
    const { value: cursor } = this.#cursor;
    if (isCount(next) && isCount(cursor)) return Number(next) <= Number(cursor);
    return this.#seen.has(next);
  }

  /**
   * Returns true if the event repeats the one before it. The same cursor alone does not show a repeat: all events of a message may have the
   * message's name, number or time as their cursor.
   */
  #isEcho(event: AgentEvent): boolean {
    if (event.cursor !== this.#latest?.cursor || !isCount(event.cursor)) return false;
    this.#numbersCountEvents &&= JSON.stringify(event) === JSON.stringify(this.#latest);
    return this.#numbersCountEvents;
  }

  #remember(cursor: string | undefined): void {
    if (!cursor || isCount(cursor)) return;
    this.#seen.add(cursor);
    const [oldest] = this.#seen;
    if (this.#seen.size > MAX_SEEN_CURSORS) this.#seen.delete(oldest);
  }
}

function isElsewhere({ code }: ErrorEvent): boolean {
  return code === 'already_answered' || code === 'resumed_elsewhere';
}

/** Returns true if the run waits for answers. */
function isWaiting(event: AgentEvent): boolean {
  return event.type === 'finish' && event.finishReason === 'client-tool-calls';
}

/** Returns true for a sequence number, which can be compared. Any other cursor is opaque. */
function isCount(cursor: string | undefined): boolean {
  return cursor !== undefined && /^\d{1,15}$/.test(cursor);
}
