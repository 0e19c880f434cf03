/** A leg under way: pulled by its reader, logged, and ended when nobody wants it any more. */
import type { AgentEvent, ErrorEvent } from '../../protocol/events.ts';
import { endsRun } from '../../protocol/native-endings.ts';
import type { Clock } from '../../shared/clock.ts';
import type { EventLog, LoggedEvent } from './event-log.ts';
import { type EndReason, RunEnded } from './run-ended.ts';
import { sessionError } from './session-errors.ts';

/** Whoever reads a run. One at a time. */
export interface RunReader {
  /** The reader has lost the run to another one and gets this as its last event. */
  displace(last: ErrorEvent): void;
}

/** A leg that was started in this process. */
export interface Run {
  readonly executionId: string;
  /** Sequence number of the last event. */
  position(): number;
  isEnded(): boolean;
  /**
   * The next event, or `null` at the end. Nothing happens without being asked for: the agent runs exactly as fast
   * as its reader reads. Calls made while an event is awaited share it.
   */
  pull(): Promise<LoggedEvent | null>;
  /** Events after `seq` that were sent already. */
  read(seq: number): Promise<readonly LoggedEvent[] | null>;
  /** Aborts agent and tools at once; resolves when the outcome is saved and logged, or that has failed. */
  end(why: EndReason): Promise<void>;
  /** Makes this the reader; the earlier one is displaced. */
  attach(reader: RunReader): void;
  /** The reader goes away: the run is kept for `windowMs`, or ended at once when that is 0. */
  detach(reader: RunReader, windowMs: number): Promise<void>;
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

/** Starts a run; its first event is made when it is first pulled. */
export function createRun(options: RunOptions): Run {
  const { log, clock } = options;
  const controller = new AbortController();
  let seq = options.lastSeq;
  let ended = false;
  let inFlight: Promise<LoggedEvent | null> | null = null;
  let reader: RunReader | null = null;
  let cancelWindow: (() => void) | null = null;
  const events = options.start(controller.signal, () => seq);

  function markEnded(): void {
    if (ended) return;
    ended = true;
    cancelWindow?.();
    options.onEnded();
  }
  async function step(): Promise<LoggedEvent | null> {
    try {
      const { done, value } = await events.next();
      if (done) {
        markEnded();
        return null;
      }
      const entry = { seq: seq + 1, event: value };
      try {
        const logged = log.append(entry);
        if (logged !== undefined) await logged;
      } finally {
        // Also when the log failed: it may have the event all the same, and no other may have this number.
        seq = entry.seq;
      }
      // The last of a leg, also where its reader takes no more: one that is kept for a resume would refuse the retry.
      if (endsRun(value)) markEnded();
      return entry;
    } catch (thrown) {
      // Going on without a log would break the promise of a resume, so the run ends here. That is no event of the run: what
      // was to be saved may be there all the same, and has its numbers.
      options.onStoreFailed(thrown);
      controller.abort(new RunEnded('interrupted'));
      await leaveRest();
      markEnded();
      throw thrown;
    } finally {
      inFlight = null;
    }
  }
  /** The agent is let go of, and the outcome saved. Nobody hears the rest. */
  async function leaveRest(): Promise<void> {
    try {
      while (!(await events.next()).done) {
        // Has no number.
      }
    } catch (thrown) {
      options.onStoreFailed(thrown);
    }
  }
  function pull(): Promise<LoggedEvent | null> {
    inFlight ??= step();
    return inFlight;
  }
  async function end(why: EndReason): Promise<void> {
    controller.abort(new RunEnded(why));
    try {
      while ((await pull()) !== null) {
        // What is left: the end of the leg.
      }
    } catch {
      // Reported. Whoever wanted the end goes on from what the record says.
    }
  }

  return {
    executionId: options.executionId,
    position: () => seq,
    isEnded: () => ended,
    pull,
    async read(after) {
      try {
        const entries = await log.read(after);
        // The log goes on with the next leg; this run is over before it.
        return entries?.filter((entry) => entry.seq <= seq) ?? null;
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
      if (ended) return;
      if (windowMs <= 0) return end('interrupted');
      cancelWindow = clock.after(windowMs, () => void end('interrupted'));
    },
  };
}

/** Without it the older of two readers would take a silent end for a cut, resume, and so on in turns for ever. */
const resumedElsewhere = sessionError(
  'resumed_elsewhere',
  'execution_error',
  'Another connection took over this run and reads it now.',
);
