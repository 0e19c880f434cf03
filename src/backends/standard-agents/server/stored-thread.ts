/**
 * The stored form of a thread: a session record, because session stores save those part by part. The rows are its messages, and whatever
 * else a thread has are fields of its execution, each of which is a part of its own.
 */
import type { ExecutionRecord, MessageRecord, SessionRecord } from '../../../server/store/session-store.ts';
import { compact } from '../../../shared/json.ts';
import type { StoredFile, ThreadRecord } from './thread-record.ts';

/** The version of a record that is no session. A session that finds it refuses to go on, see `upgrade-record.ts`. */
const THREAD_VERSION = 'thread-1';

/** Begins the fields of files: a file that is added must not save all the others again. */
const FILE = 'file ';

type StoredFields = Omit<ThreadRecord, 'messages' | 'files'>;

export function toSessionRecord(record: ThreadRecord, revision: number): SessionRecord {
  const { messages, files, ...fields } = record;
  const named = Object.entries(files).map(([path, file]) => [FILE + path, file]);
  const execution = { ...compact({ ...fields }), ...Object.fromEntries(named), state: 'done' };
  return {
    version: THREAD_VERSION as unknown as 2,
    revision,
    messages: messages as readonly unknown[] as readonly MessageRecord[],
    execution: execution as unknown as ExecutionRecord,
    calls: {},
  };
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
  const { state: _, ...others } = Object.fromEntries(fields.filter(([name]) => !name.startsWith(FILE)));
  return {
    ...(others as unknown as StoredFields),
    messages: messages as readonly unknown[] as ThreadRecord['messages'],
    files: Object.fromEntries(files),
  };
}
