import type { AgentMessage } from './agent.ts';
import { SessionConflict } from './session-errors.ts';
import type { ExecutionRecord, SessionRecord, SessionStore } from './session-store.ts';

/** What to change in a session's record. */
export interface SessionChange {
  readonly messages?: readonly AgentMessage[];
  /** Changed fields of the current execution. */
  readonly execution?: Partial<ExecutionRecord>;
  /** A new current execution; the earlier one is forgotten. */
  readonly newExecution?: ExecutionRecord;
}

/** The record of a session, as loaded, and the one way to change it. */
export interface SessionState {
  getRecord(): SessionRecord;
  /** @throws SessionConflict when another process saved meanwhile; whatever the store throws. */
  save(change: SessionChange): Promise<void>;
  /** Whether another process has saved since: then nothing is saved here any more. A store that cannot be read says no. */
  isBehind(): Promise<boolean>;
}

/** Loads a session; one the store does not know begins empty. */
export async function loadSessionState(store: SessionStore, sessionId: string): Promise<SessionState> {
  let record: SessionRecord = (await store.load(sessionId)) ?? { revision: 0, messages: [], execution: null };
  let saving: Promise<unknown> | undefined;
  let behind = false;
  return {
    getRecord: () => record,
    async save({ messages, execution, newExecution }) {
      const current = newExecution ?? record.execution;
      const next: SessionRecord = {
        revision: record.revision + 1,
        messages: messages ?? record.messages,
        execution: current && { ...current, ...execution },
      };
      const saved = behind ? false : store.save(sessionId, next);
      saving = Promise.allSettled([saved]);
      if ((await saved) === false) throw new SessionConflict();
      record = next;
    },
    async isBehind() {
      try {
        const stored = await store.load(sessionId);
        await saving;
        behind ||= (stored?.revision ?? 0) > record.revision;
      } catch {
        // What is known here is still the best there is, and what is saved is compared.
      }
      return behind;
    },
  };
}
