/** A request under way: its reader pulls the events, each event is logged, and the run ends when it has no reader any more. */
import type { AgentEvent } from '../../core/protocol/events.ts';
import { endsRun } from '../../core/protocol/native-endings.ts';
import type { Clock } from '../../shared/clock.ts';
import type { EventLog, LoggedEvent } from '../store/event-log.ts';
import type { EndReason, Run } from '../store/live-run.ts';
import { createRunReaders } from './run-readers.ts';

/** The reason of the abort signal that agents and server tools get. Its name is `AbortError`, as with `fetch`. */
export class RunEnded extends Error {
  override readonly name = 'AbortError';
  readonly why: EndReason;

  constructor(why: EndReason) {
    super(`The run was ended: ${why}`);
    this.why = why;
  }
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
  const { executionId, log, clock } = options;
  const controller = new AbortController();
  let ended = false;

  function markEnded(): void {
    if (ended) return;
    ended = true;
    readers.close();
    options.onEnded();
    readers.notify();
  }
  const { position, pull } = createPump(options, controller, markEnded, () => readers.notify());
  const readers = createRunReaders({ clock, pull, isEnded: () => ended, end: () => end('interrupted') });

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
    attach: readers.attach,
    detach: readers.detach,
    follow: readers.follow,
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
