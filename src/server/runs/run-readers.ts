/** Who reads a run: one reader, who sets its pace, and followers beside it. A run that has neither ends after a while. */
import type { Clock } from '../../shared/clock.ts';
import { sessionError } from '../session-errors.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import type { AttachedReader } from '../store/live-run.ts';

/** A log in memory keeps this many events, so a client that resumes has missed none of them. */
const MAX_UNREAD_EVENTS = 10_000;

interface RunReadersOptions {
  readonly clock: Clock;
  pull(): Promise<LoggedEvent | null>;
  isEnded(): boolean;
  /** Ends the run, because nobody reads it any more. */
  end(): Promise<void>;
}

export function createRunReaders({ clock, pull, isEnded, end }: RunReadersOptions) {
  let reader: AttachedReader | null = null;
  let cancelWindow: (() => void) | null = null;
  /** How long the run waits since its reader left. */
  let waitMs = 0;
  const followers = new Set<() => void>();

  function stopWaiting(): void {
    cancelWindow?.();
    cancelWindow = null;
  }
  async function waitForReader(): Promise<void> {
    if (isEnded() || reader !== null || followers.size > 0) return;
    if (waitMs <= 0) return end();
    cancelWindow = clock.after(waitMs, () => void end());
  }
  return {
    /** To be called when the run has ended. */
    close: stopWaiting,
    /** Calls the followers. */
    notify() {
      for (const listener of followers) listener();
    },
    attach(next: AttachedReader) {
      stopWaiting();
      reader?.displace(resumedElsewhere);
      reader = next;
    },
    async detach(leaving: AttachedReader, windowMs: number) {
      if (reader !== leaving) return;
      reader = null;
      waitMs = windowMs;
      await waitForReader();
      if (!isEnded()) void pullUnread(pull, () => reader === null);
    },
    follow(listener: () => void) {
      stopWaiting();
      followers.add(listener);
      return () => {
        followers.delete(listener);
        void waitForReader();
      };
    },
  };
}

/** Lets the agent go on while no client reads. The log keeps the events for the client that resumes. */
async function pullUnread(pull: RunReadersOptions['pull'], isUnread: () => boolean): Promise<void> {
  try {
    for (let unread = 0; isUnread() && unread < MAX_UNREAD_EVENTS; unread += 1) {
      if ((await pull()) === null) return;
    }
  } catch {
    // The pump reported it, and the next reader finds the outcome in the record.
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
