import { compact } from '../../shared/json.ts';
import type { AgentMessage } from '../agent.ts';
import { SessionConflict } from '../session-errors.ts';
import { type RedactStored, redactRecord } from './redact-stored.ts';
import type {
  AnswerRecord,
  ExecutionRecord,
  SessionRecord,
  SessionStore,
  TurnRecord,
} from './session-store.ts';

/** A change of a session's record. */
export interface SessionChange {
  readonly messages?: readonly AgentMessage[];
  /** Changed fields of the current execution. */
  readonly execution?: Partial<ExecutionRecord>;
  /** A new current execution; it replaces the earlier one. */
  readonly newExecution?: ExecutionRecord;
  /** The new turn of `newExecution`. It replaces the turns that begin at or after it. */
  readonly newTurn?: TurnRecord;
  /** Further answers of people. */
  readonly answers?: readonly AnswerRecord[];
}

/** The record of a session, as loaded, and the only way to change it. */
export interface SessionState {
  getRecord(): SessionRecord;
  /**
   * Saves a change. Changes are saved one after the other; one that depends on those before it is a function of the record.
   *
   * @throws SessionConflict when another process saved meanwhile; whatever the store throws.
   */
  save(change: SessionChange | ((record: SessionRecord) => SessionChange)): Promise<void>;
  /** Resolves to true if another process saved the session since; then this process saves nothing any more. */
  isOvertaken(): Promise<boolean>;
}

/**
 * Loads a session. A session that the store does not know starts empty.
 *
 * @param onSaved called with the record after each save
 */
export async function loadSessionState(
  store: SessionStore,
  sessionId: string,
  redactStored?: RedactStored,
  onSaved?: (record: SessionRecord) => void,
): Promise<SessionState> {
  let record: SessionRecord = (await store.load(sessionId)) ?? { revision: 0, messages: [], execution: null };
  /** The highest revision this process has saved or is saving. */
  let reached = record.revision;
  let overtaken = false;
  let saved: Promise<unknown> = Promise.resolve();

  async function saveChange(change: SessionChange): Promise<void> {
    const next = changeRecord(record, change);
    if (overtaken) throw new SessionConflict();
    // The record in memory stays whole: the agent of this request gets the secrets.
    const stored = redactRecord(next, redactStored);
    reached = next.revision;
    if ((await store.save(sessionId, stored)) === false) throw new SessionConflict();
    record = next;
    onSaved?.(record);
  }
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
    save(change) {
      const saving = saved.then(() => saveChange(typeof change === 'function' ? change(record) : change));
      saved = saving.catch(() => {});
      return saving;
    },
  };
}

function changeRecord(record: SessionRecord, change: SessionChange): SessionRecord {
  const { messages = record.messages, execution, newExecution, newTurn, answers = [] } = change;
  const current = newExecution ?? record.execution;
  const turns = record.turns ?? [];
  return compact({
    revision: record.revision + 1,
    messages,
    execution: current && compact({ ...current, ...execution }),
    receivedKeys: addKey(record.receivedKeys, newExecution?.idempotencyKey),
    answers: answers.length > 0 ? [...(record.answers ?? []), ...answers] : record.answers,
    turns: newTurn ? [...turns.filter(({ at }) => at < newTurn.at), newTurn] : record.turns,
  }) as SessionRecord;
}

/** A message that restarts its execution has a key that is known. */
function addKey(keys: readonly string[] = [], key: string | undefined): readonly string[] {
  return key === undefined || keys.includes(key) ? keys : [...keys, key];
}
