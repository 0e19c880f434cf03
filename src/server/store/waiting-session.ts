import type { PendingToolCall } from '../../core/protocol/events.ts';
import type { OpenCall } from '../../core/protocol/open-calls.ts';
import { compact } from '../../shared/json.ts';
import type { Answerer } from '../../shared/principal.ts';
import { getCalls } from './call-keys.ts';
import { type CallRecord, toPendingCall } from './call-record.ts';
import type { SessionRecord } from './session-store.ts';

/** A session that waits for people, as a list of open calls needs it. JSON. A store keeps it beside the record, which may be large. */
export interface WaitingSession {
  readonly sessionId: string;
  readonly executionId: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly startedBy?: Answerer;
  /** All calls of the request: the place of a call in it stays the same while others are answered. */
  readonly open: readonly PendingToolCall[];
  /** The ids of the calls that have an answer. */
  readonly given: readonly string[];
}

/**
 * Returns the calls of a session that wait for people, or null if none does.
 *
 * @param askedAt for a record that has no time, because an earlier version stored it. Milliseconds since the epoch
 */
export function toWaitingSession(
  sessionId: string,
  { calls, execution }: Pick<SessionRecord, 'calls' | 'execution'>,
  askedAt = 0,
): WaitingSession | null {
  if (execution?.state !== 'waiting') return null;
  const { startedBy } = execution;
  const open = getCalls(calls, execution.open);
  return {
    sessionId,
    executionId: execution.id,
    askedAt: execution.askedAt ?? askedAt,
    // Other people read the list. The roles of a person are not for them.
    ...(startedBy && { startedBy: compact({ id: startedBy.id, name: startedBy.name }) }),
    open: open.map((call) => toPendingCall(call, calls)),
    given: open.flatMap(({ answer, toolCallId }) => (answer ? [toolCallId] : [])),
  };
}

/** The calls of a request that have no answer. */
export function waitingCalls({
  calls,
  execution,
}: Pick<SessionRecord, 'calls' | 'execution'>): readonly CallRecord[] {
  if (execution?.state !== 'waiting') return [];
  return getCalls(calls, execution.open).filter(({ answer }) => answer === undefined);
}

/** The calls without an answer, in the order of their request. */
export function toOpenCalls(session: WaitingSession): readonly OpenCall[] {
  const { open, given, ...shared } = session;
  return open.filter(({ toolCallId }) => !given.includes(toolCallId)).map((call) => ({ ...shared, call }));
}

/** Compares sessions by their place in the list of open calls: the one that has waited longest comes first. */
export function compareWaiting(
  one: Pick<WaitingSession, 'askedAt' | 'sessionId'>,
  other: Pick<WaitingSession, 'askedAt' | 'sessionId'>,
): number {
  if (one.askedAt !== other.askedAt) return one.askedAt - other.askedAt;
  if (one.sessionId === other.sessionId) return 0;
  return one.sessionId < other.sessionId ? -1 : 1;
}
