/** A run as the process has it that runs it. `runs/run.ts` makes one. */
import type { ErrorEvent } from '../../core/protocol/events.ts';
import type { LoggedEvent } from './event-log.ts';

/**
 * Why a run was ended before its agent was done.
 *
 * - `interrupted`: no client reads it any more; the request may be restarted
 * - `stopped`: a person stopped it
 * - `superseded`: a newer message took its place
 */
export type EndReason = 'interrupted' | 'stopped' | 'superseded';

/** The reader of a run. A run has one reader at a time. */
export interface AttachedReader {
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
  attach(reader: AttachedReader): void;
  /** The reader goes away: the run goes on and waits for another one for `windowMs`, and ends at once when that is 0. */
  detach(reader: AttachedReader, windowMs: number): Promise<void>;
  /**
   * Calls back after each event, and at the end. The run goes on as long as somebody follows it, with or without a reader. Returns the
   * function that ends it.
   */
  follow(listener: () => void): () => void;
  /** Runs to the end of the request without a reader. Never rejects. */
  finishUnread(): Promise<void>;
}
