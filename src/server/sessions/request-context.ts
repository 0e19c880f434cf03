/** The session as the handler of a request sees it. */
import type { ToolResultAcknowledgedEvent } from '../../core/protocol/events.ts';
import type { Principal } from '../../shared/principal.ts';
import type { SessionSettings } from '../runs/session-settings.ts';
import type { EventLog, LoggedEvent } from '../store/event-log.ts';
import type { EventSource } from '../store/event-source.ts';
import type { Run } from '../store/live-run.ts';
import type { LiveSession } from '../store/live-session.ts';
import type { SessionState } from '../store/session-state.ts';
import type { ExecutionRecord } from '../store/session-store.ts';

/** How one request is read. */
export interface ReadOptions {
  readonly signal: AbortSignal | undefined;
  /** How long the run waits when its reader goes away. Undefined: a minute if its client names its messages, else not at all. */
  readonly windowMs: number | undefined;
  /** The person who sent the request, where the app says so. */
  readonly principal: Principal | undefined;
}

/** A session handles its requests one at a time; each saves its change before the change takes effect. */
export interface RequestContext {
  readonly live: LiveSession;
  readonly state: SessionState;
  /** True if another process saved during an earlier attempt: a run in the record may be alive in that process. */
  readonly contended: boolean;
  readonly settings: SessionSettings;
  /** Who sent the request, where the app says so. */
  readonly principal: Principal | undefined;
  openLog(execution: ExecutionRecord): EventLog;
  /** Starts the next request of the current execution. */
  startRun(acknowledge: readonly ToolResultAcknowledgedEvent[], lastSeq: number): Run;
  /** Starts the next request of the current execution and reads it. `own` are the calls that its reader has answered. */
  startRequest(
    acknowledge: readonly ToolResultAcknowledgedEvent[],
    lastSeq: number,
    own: readonly string[],
  ): EventSource;
  /** Reads a run that is under way, after a replay. */
  readRun(run: Run, replay: readonly LoggedEvent[], after: number): EventSource;
}

/** Once a request waits for the client or has ended, only its last events are left to pull; they go to the log. */
export async function settleWaitingRun({ live, state }: RequestContext): Promise<void> {
  const run = live.getRun();
  if (run === null || state.getRecord().execution?.state === 'running') return;
  while ((await run.pull()) !== null) {
    // The run logs the event, and its reader finds it in the log.
  }
}

/** If the record says `running` but this process has no such run, the process that ran it died: the run was interrupted. */
export function asInterrupted(
  context: RequestContext,
  execution: ExecutionRecord | null,
): ExecutionRecord | null {
  if (execution?.state !== 'running' || context.live.getRun() !== null || context.contended) return execution;
  return { ...execution, state: 'interrupted' };
}

/**
 * Returns true for a client that has events of an attempt at the request that was interrupted, while another attempt was started, perhaps
 * without this client. The other attempt begins anew.
 */
export function hasFailedAttempt({ answeredSeq, requestStart }: ExecutionRecord, after: number): boolean {
  return after > answeredSeq && after < requestStart;
}
