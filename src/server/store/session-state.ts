import { compact } from '../../shared/json.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { SessionConflict } from '../session-errors.ts';
import type { CallRecords } from './call-record.ts';
import { readRecord } from './read-record.ts';
import type {
  ExecutionRecord,
  MessageRecord,
  SessionRecord,
  SessionStore,
  TurnRecord,
} from './session-store.ts';
import { createStoredForm, type RedactStored } from './stored-form.ts';
import { keepWholeValues, type WholeCalls, withWholeValues } from './whole-values.ts';

/** A change of a session's record. */
export interface SessionChange {
  readonly messages?: readonly MessageRecord[];
  /** New and changed calls, by their keys. */
  readonly calls?: CallRecords;
  /** Changed fields of the current execution. */
  readonly execution?: Partial<ExecutionRecord>;
  /** A new current execution; it replaces the earlier one. */
  readonly newExecution?: ExecutionRecord;
  /** The new turn of `newExecution`. It replaces the turns that begin at or after it. */
  readonly newTurn?: TurnRecord;
}

/** The record of a session, as loaded, and the only way to change it. */
export interface SessionState {
  /** The whole record. Only the agent and the tools of this session may see it. */
  getRecord(): SessionRecord;
  /** The record without its secrets: for the store, and for clients. */
  getStored(): SessionRecord;
  /**
   * Saves a change. Changes are saved one after the other; one that depends on those before it is a function of the record.
   *
   * @throws SessionConflict when another process saved meanwhile; whatever the store throws.
   */
  save(change: SessionChange | ((record: SessionRecord) => SessionChange)): Promise<void>;
  /** Resolves to true if another process saved the session since; then this process saves nothing any more. */
  isOvertaken(): Promise<boolean>;
}

interface SessionStateOptions {
  readonly redactStored: RedactStored | undefined;
  /** What this process has kept of the session, see `whole-values.ts`. */
  readonly whole: WholeCalls;
  /** Called after each save with the record, and with what it was before. */
  onSaved(record: SessionRecord, before: SessionRecord): void;
  /** Called when another process has saved this revision. */
  onRefused(revision: number): void;
}

/** Loads a session. A session that the store does not know starts empty. */
export async function loadSessionState(
  store: SessionStore,
  sessionId: string,
  { redactStored, whole, onSaved, onRefused }: SessionStateOptions,
): Promise<SessionState> {
  const toStoredForm = createStoredForm(redactStored);
  const loaded = await readRecord(await store.load(sessionId));
  let record = withWholeValues(whole, loaded);
  let stored = toStoredForm(record);
  /** The highest revision this process has saved or is saving. */
  let reached = record.revision;
  let overtaken = false;
  const queue = new SerialQueue();

  function refuse(revision: number): never {
    onRefused(revision);
    throw new SessionConflict();
  }
  async function saveChange(change: SessionChange): Promise<void> {
    const next = changeRecord(record, change);
    if (overtaken) refuse(next.revision);
    const nextStored = toStoredForm(next);
    reached = next.revision;
    // A store that counts the rows which it wrote says 0 for none.
    if ((await store.save(sessionId, nextStored)) !== true) refuse(next.revision);
    const before = record;
    record = next;
    stored = nextStored;
    keepWholeValues(whole, record, stored);
    onSaved(record, before);
  }
  return {
    getRecord: () => record,
    getStored: () => stored,
    async isOvertaken() {
      try {
        overtaken ||= ((await store.load(sessionId))?.revision ?? 0) > reached;
      } catch {
        // A store that cannot be read must not prevent a person from stopping a run.
      }
      return overtaken;
    },
    save: (change) => queue.run(() => saveChange(typeof change === 'function' ? change(record) : change)),
  };
}

function changeRecord(record: SessionRecord, change: SessionChange): SessionRecord {
  const { messages = record.messages, calls, execution, newExecution, newTurn } = change;
  const current = newExecution ?? record.execution;
  const turns = record.turns ?? [];
  return compact({
    version: 2 as const,
    revision: record.revision + 1,
    messages,
    execution: current && compact({ ...current, ...execution }),
    calls: calls ? { ...record.calls, ...calls } : record.calls,
    receivedKeys: addKey(record.receivedKeys, newExecution?.idempotencyKey),
    turns: newTurn ? [...turns.filter(({ at }) => at < newTurn.at), newTurn] : record.turns,
  }) as SessionRecord;
}

/** A message that restarts its execution has a key that is known. */
function addKey(keys: readonly string[] = [], key: string | undefined): readonly string[] {
  return key === undefined || keys.includes(key) ? keys : [...keys, key];
}
