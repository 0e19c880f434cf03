import type { AgentMessage } from '../agent.ts';
import { notifySaved } from './live-session.ts';
import { type RedactStored, redactRecord } from './redact-stored.ts';
import { SessionConflict } from './session-errors.ts';
import type { ExecutionRecord, SessionRecord, SessionStore } from './session-store.ts';

/** A change of a session's record. */
export interface SessionChange {
  readonly messages?: readonly AgentMessage[];
  /** Changed fields of the current execution. */
  readonly execution?: Partial<ExecutionRecord>;
  /** A new current execution; it replaces the earlier one. */
  readonly newExecution?: ExecutionRecord;
}

/** The record of a session, as loaded, and the only way to change it. */
export interface SessionState {
  getRecord(): SessionRecord;
  /** @throws SessionConflict when another process saved meanwhile; whatever the store throws. */
  save(change: SessionChange): Promise<void>;
  /** Resolves to true if another process saved the session since; then this process saves nothing any more. */
  isOvertaken(): Promise<boolean>;
}

/** Loads a session. A session that the store does not know starts empty. */
export async function loadSessionState(
  store: SessionStore,
  sessionId: string,
  redactStored?: RedactStored,
): Promise<SessionState> {
  let record: SessionRecord = (await store.load(sessionId)) ?? { revision: 0, messages: [], execution: null };
  /** The highest revision this process has saved or is saving. */
  let reached = record.revision;
  let overtaken = false;
  return {
    getRecord: () => record,
    async isOvertaken() {
      try {
        overtaken ||= ((await store.load(sessionId))?.revision ?? 0) > reached;
      } catch {
        // A store that cannot be read must not prevent a person from stopping a run.
      }
      return overtaken;
    },
    async save({ messages, execution, newExecution }) {
      const current = newExecution ?? record.execution;
      const next: SessionRecord = {
        revision: record.revision + 1,
        messages: messages ?? record.messages,
        execution: current && { ...current, ...execution },
        receivedKeys: addKey(record.receivedKeys, newExecution?.idempotencyKey),
      };
      if (overtaken) throw new SessionConflict();
      // The record in memory stays whole: the agent of this request gets the secrets.
      const stored = redactRecord(next, redactStored);
      reached = next.revision;
      if ((await store.save(sessionId, stored)) === false) throw new SessionConflict();
      record = next;
      notifySaved(store, sessionId);
    },
  };
}

/** A message that restarts its execution has a key that is known. */
function addKey(keys: readonly string[] = [], key: string | undefined): readonly string[] {
  return key === undefined || keys.includes(key) ? keys : [...keys, key];
}
