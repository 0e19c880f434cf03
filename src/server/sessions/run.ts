/** A request under way: its reader pulls the events, each event is logged, and the run ends when it has no reader any more. */
import type { AgentEvent, ErrorEvent } from '../../protocol/events.ts';
import { endsRun } from '../../protocol/native-endings.ts';
import type { Clock } from '../../shared/clock.ts';
import type { EventLog, LoggedEvent } from './event-log.ts';
import { sessionError } from './session-errors.ts';

/**
 * Why a run was ended before its agent was done.
 *
 * - `interrupted`: no client reads it any more; the request may be restarted
 * - `stopped`: a person stopped it
 * - `superseded`: a newer message took its place
 */
export type EndReason = 'interrupted' | 'stopped' | 'superseded';

/** The reason of the abort signal that agents and server tools get. Its name is `AbortError`, as with `fetch`. */
export class RunEnded extends Error {
  override readonly name = 'AbortError';
  readonly why: EndReason;

  constructor(why: EndReason) {
    super(`The run was ended: ${why}`);
    this.why = why;
  }
}

/** The reader of a run. A run has one reader at a time. */
export interface RunReader {
  /** Another reader took over the run. `last` is the last event this reader gets. */
  displace(last: ErrorEvent): void;
}

/** A request that was started in this process. */
export interface Run {
  readonly executionId: string;
  /** Sequence number of the last event. */
  position(): number;
  isEnded(): boolean;
  /**
   * The next event, or `null` at the end. The agent runs exactly as fast as its reader pulls. Calls made while an event is
   * awaited share that event.
   */
  pull(): Promise<LoggedEvent | null>;
  /** Events after `seq` that were sent already. */
  read(seq: number): Promise<readonly LoggedEvent[] | null>;
  /** Aborts agent and tools at once; resolves when the outcome is saved and logged, or when that failed. */
  end(why: EndReason): Promise<void>;
  /** Makes this the reader; the earlier reader is displaced. */
  attach(reader: RunReader): void;
  /** The reader goes away: the run goes on and waits for another one for `windowMs`, and ends at once when that is 0. */
  detach(reader: RunReader, windowMs: number): Promise<void>;
  /**
   * Calls back after each event, and at the end. The run goes on as long as somebody follows it, with or without a reader. Returns the
   * function that ends it.
   */
  follow(listener: () => void): () => void;
  /** Runs to the end of the request without a reader. Never rejects. */
  finishUnread(): Promise<void>;
}

interface RunOptions {
  readonly executionId: string;
  readonly log: EventLog;
  readonly lastSeq: number;
  readonly clock: Clock;
  /**
   * Makes the events, and throws what the store throws. `signal` aborts when the run is ended; `position` is the last
   * sequence number.
   */
  start(signal: AbortSignal, position: () => number): AsyncGenerator<AgentEvent, void, undefined>;
  onEnded(): void;
  /** The store or its log threw. */
  onStoreFailed(thrown: unknown): void;
}

/** A log in memory keeps this many events, so a client that resumes has missed none of them. */
const MAX_UNREAD_EVENTS = 10_000;

/** Starts a run; its first event is made when it is first pulled. */
export function createRun(options: RunOptions): Run {
  const { executionId, log, clock } = options;
  const controller = new AbortController();
  let ended = false;
  let reader: RunReader | null = null;
  let cancelWindow: (() => void) | null = null;
  /** How long the run waits since its reader left. */
  let waitMs = 0;
  const followers = new Set<() => void>();
  const notifyFollowers = () => {
    for (const listener of followers) listener();
  };

  function markEnded(): void {
    if (ended) return;
    ended = true;
    cancelWindow?.();
    options.onEnded();
    notifyFollowers();
  }
  const { position, pull } = createPump(options, controller, markEnded, notifyFollowers);

  async function end(why: EndReason): Promise<void> {
    controller.abort(new RunEnded(why));
    try {
      while ((await pull()) !== null) {
        // Pulls the remaining events, so that the log gets the end of the request.
      }
    } catch {
      // The pump reported it. The caller of end() continues from the record.
    }
  }

  /** Ends a run that nobody reads or follows, after its window. */
  async function waitForReader(): Promise<void> {
    if (ended || reader !== null || followers.size > 0) return;
    if (waitMs <= 0) return end('interrupted');
    cancelWindow = clock.after(waitMs, () => void end('interrupted'));
  }

  return {
    executionId,
    position,
    isEnded: () => ended,
    pull,
    async read(after) {
      try {
        const entries = await log.read(after);
        // The next request of the execution writes into the same log; its events are not part of this run.
        return entries?.filter((entry) => entry.seq <= position()) ?? null;
      } catch (thrown) {
        options.onStoreFailed(thrown);
        throw thrown;
      }
    },
    end,
    attach(next) {
      cancelWindow?.();
      cancelWindow = null;
      reader?.displace(resumedElsewhere);
      reader = next;
    },
    async detach(leaving, windowMs) {
      if (reader !== leaving) return;
      reader = null;
      waitMs = windowMs;
      await waitForReader();
      if (!ended) void pullUnread(pull, () => reader === null);
    },
    follow(listener) {
      cancelWindow?.();
      cancelWindow = null;
      followers.add(listener);
      return () => {
        followers.delete(listener);
        void waitForReader();
      };
    },
    async finishUnread() {
      try {
        while ((await pull()) !== null) {
          // A reader that comes meanwhile shares the events.
        }
      } catch {
        // The pump reported it.
      }
    },
  };
}

/** Lets the agent go on while no client reads. The log keeps the events for the client that resumes. */
async function pullUnread(pull: Run['pull'], isUnread: () => boolean): Promise<void> {
  try {
    for (let unread = 0; isUnread() && unread < MAX_UNREAD_EVENTS; unread += 1) {
      if ((await pull()) === null) return;
    }
  } catch {
    // The pump reported it, and the next reader finds the outcome in the record.
  }
}

/** Pulls the events of a run one at a time, numbers them and logs them. */
function createPump(
  { start, log, lastSeq, onStoreFailed }: RunOptions,
  controller: AbortController,
  markEnded: () => void,
  onLogged: () => void,
): Pick<Run, 'position' | 'pull'> {
  let seq = lastSeq;
  let inFlight: Promise<LoggedEvent | null> | null = null;
  const position = () => seq;
  const events = start(controller.signal, position);

  async function append(entry: LoggedEvent): Promise<void> {
    try {
      const logged = log.append(entry);
      if (logged !== undefined) await logged;
    } finally {
      // A log that failed may have stored the event all the same, so no other event may use this number.
      seq = entry.seq;
    }
  }
  async function step(): Promise<LoggedEvent | null> {
    try {
      const { done, value } = await events.next();
      if (done) {
        markEnded();
        return null;
      }
      const entry = { seq: seq + 1, event: value };
      await append(entry);
      onLogged();
      // Do not wait for one more pull: the reader may have left, and a run kept open for a resume would refuse the retry.
      if (endsRun(value)) markEnded();
      return entry;
    } catch (thrown) {
      // A resume needs the log, so the run ends here. This failure is not an event of the run: the store may have saved the
      // outcome all the same, and the saved events have their numbers.
      onStoreFailed(thrown);
      controller.abort(new RunEnded('interrupted'));
      await drain(events, onStoreFailed);
      markEnded();
      throw thrown;
    } finally {
      inFlight = null;
    }
  }
  return {
    position,
    pull() {
      inFlight ??= step();
      return inFlight;
    },
  };
}

/** Lets an aborted request cancel its agent and save its outcome. The events are dropped and get no number. */
async function drain(
  events: AsyncGenerator<AgentEvent, void, undefined>,
  onStoreFailed: (thrown: unknown) => void,
): Promise<void> {
  try {
    while (!(await events.next()).done);
  } catch (thrown) {
    onStoreFailed(thrown);
  }
}

/**
 * The last event of a displaced reader. Without an error the reader would take the silent end for a cut and resume, and two
 * readers would displace each other for ever.
 */
const resumedElsewhere = sessionError(
  'resumed_elsewhere',
  'execution_error',
  'Another connection took over this run and reads it now.',
);
