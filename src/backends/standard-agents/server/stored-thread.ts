/**
 * The stored form of a thread: a session record, because session stores save those part by part. The rows are its messages, and whatever
 * else a thread has are fields of its execution, each of which is a part of its own.
 */
import type { CallRecord, CallRecords } from '../../../server/store/call-record.ts';
import type { ExecutionRecord, MessageRecord, SessionRecord } from '../../../server/store/session-store.ts';
import { compact } from '../../../shared/json.ts';
import { readPendingCalls } from './kit/client-calls.ts';
import { readSecretTexts, redactValue } from './redact-secrets.ts';
import type { StoredFile, ThreadRecord } from './thread-record.ts';

/** The version of a record that is no session. A session that finds it refuses to go on, see `read-record.ts`. */
const THREAD_VERSION = 'thread-1';

/** Begins the fields of files: a file that is added must not save all the others again. */
const FILE = 'file ';

type StoredFields = Omit<ThreadRecord, 'messages' | 'files'>;

export function toSessionRecord(record: ThreadRecord, revision: number): SessionRecord {
  const { messages, files, ...fields } = record;
  const named = Object.entries(files).map(([path, file]) => [FILE + path, file]);
  const { calls, waiting } = toWaiting(record);
  const execution = { ...compact({ ...fields }), ...Object.fromEntries(named), ...waiting };
  return {
    version: THREAD_VERSION as unknown as 2,
    revision,
    messages: messages as readonly unknown[] as readonly MessageRecord[],
    execution: execution as unknown as ExecutionRecord,
    calls,
  };
}

type Waiting = Pick<ExecutionRecord, 'state' | 'open' | 'askedAt' | 'startedBy'>;

/** The questions of the kit are open calls of the record: by them the store lists it among those that wait for people. */
function toWaiting(thread: ThreadRecord): {
  readonly calls: CallRecords;
  readonly waiting: Partial<Waiting>;
} {
  const { id, user_id } = thread;
  const pending = readPendingCalls(thread.values);
  const [first] = pending;
  if (first === undefined) return { calls: {}, waiting: { state: 'done' } };
  // The list is for pages.
  const texts = readSecretTexts(thread);
  const calls = pending.map((call): [string, CallRecord] => {
    const args = redactValue(call.args, texts) as CallRecord['args'];
    const asked = { toolCallId: call.id, toolName: call.name, args, deadline: call.deadline };
    const record = { ...asked, executionId: id, turnId: id, executedBy: 'client', stage: 'asked' } as const;
    return [call.id, compact(record) as CallRecord];
  });
  const open = pending.map((call) => call.id);
  const waiting = { state: 'waiting', open, askedAt: first.requestedAt, startedBy: { id: user_id } } as const;
  return { calls: Object.fromEntries(calls), waiting };
}

/** @throws TypeError if the record is that of a session. */
export function fromSessionRecord({ version, messages, execution }: SessionRecord): ThreadRecord {
  if ((version as unknown) !== THREAD_VERSION || execution === null) {
    throw new TypeError(
      'The store has a session in place of this thread. Give threads and sessions ids of their own',
    );
  }
  const fields: [string, unknown][] = Object.entries(execution);
  const files = fields.flatMap(([name, value]) =>
    name.startsWith(FILE) ? [[name.slice(FILE.length), value as StoredFile] as const] : [],
  );
  const waiting: readonly string[] = ['state', 'open', 'askedAt', 'startedBy'] satisfies (keyof Waiting)[];
  const others = Object.fromEntries(
    fields.filter(([name]) => !name.startsWith(FILE) && !waiting.includes(name)),
  );
  return {
    ...(others as unknown as StoredFields),
    messages: messages as readonly unknown[] as ThreadRecord['messages'],
    files: Object.fromEntries(files),
  };
}
