import { invalidOptions } from '../../../shared/errors.ts';
import { type ListPosition, listOpenCalls } from '../../store/list-open-calls.ts';
import type { SessionRecord, SessionStore } from '../../store/session-store.ts';
import { toWaitingSession, type WaitingSession } from '../../store/waiting-session.ts';
import { createPostgresChoices } from './create-postgres-choices.ts';
import { createPostgresEventLog } from './create-postgres-event-log.ts';
import { SESSION_TABLES } from './session-tables.ts';
import { fromStoredText, toStoredText } from './to-stored-text.ts';

/** Options of {@link createPostgresSessionStore}. A `Pool` of `pg` or a PGlite has their shape, too. */
export interface PostgresSessionStoreOptions {
  /**
   * Runs one SQL statement in a transaction of its own: `(text, values) => pool.query(text, values)` with a `Pool` of `pg` or with
   * PGlite. Tables are found, and made, by the `search_path` of the connection.
   */
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly object[] }>;
  /** Events that are stored of a session's current execution, and for a while up to twice as many. Default 10,000. */
  readonly maxEvents?: number;
}

const LOAD = 'select record from handrail_sessions where session_id = $1';

/**
 * The save is one statement, and so one transaction. Of two processes that save the same revision, the second one waits for the row, and
 * then finds the revision taken. The events of earlier executions are deleted only if the save wins.
 */
const SAVE = `
with
  saved as (
    insert into handrail_sessions as stored (session_id, revision, record, asked_at, waiting)
    values ($1::text, $2::bigint, $3::text, $5::bigint, $6::text)
    on conflict (session_id) do update
      set revision = excluded.revision, record = excluded.record, updated_at = excluded.updated_at,
        asked_at = excluded.asked_at, waiting = excluded.waiting
      where stored.revision < excluded.revision
    returning session_id
  ),
  deleted as (
    delete from handrail_session_events as event using saved
    where event.session_id = saved.session_id and event.execution_id is distinct from $4::text
  )
select session_id from saved`;

const LIST_WAITING = `
select session_id, asked_at, coalesce(waiting, record) as stored
from handrail_sessions
where asked_at is not null and (asked_at, session_id) >= ($1::bigint, $2::text)
order by asked_at, session_id
limit $3::int`;

interface WaitingRow {
  readonly session_id: string;
  /** Drivers return a bigint as a string, a number or a bigint. */
  readonly asked_at: string | number | bigint;
  /** A `WaitingSession`, or the record of a session that an earlier version stored. */
  readonly stored: string;
}

/**
 * Creates a session store in PostgreSQL: the records in the table `handrail_sessions`, and the events of the current execution of each
 * session in `handrail_session_events`. Remembered choices are in `handrail_choices`. The first use creates the tables if they are missing.
 *
 * Sessions live through a restart of the process, with their open questions and the events that a page missed. Several processes may
 * share the database: an answer that two of them accept at the same time is saved once. Runs are in the memory of one process, though.
 * Another process takes a run that is under way for interrupted (see `SessionStore`), and neither relays its events nor stops it. So
 * send the requests of one session to one process; after that process has died, any other one continues its sessions.
 *
 * No session is deleted by itself. `delete from handrail_sessions where updated_at < ...` deletes sessions with their events.
 *
 * Rejections of `query` reject the call of the store; the session reports them to its `onError`.
 *
 * @throws AgentChatError `invalid_options` when `query` is not a function or `maxEvents` is not a whole number of 1 or more.
 */
export function createPostgresSessionStore(options: PostgresSessionStoreOptions): SessionStore {
  const { maxEvents = 10_000 } = checkOptions(options);
  let tables: Promise<unknown> | undefined;

  async function query(text: string, values: unknown[]): Promise<readonly object[]> {
    tables ??= options.query(SESSION_TABLES, []);
    try {
      await tables;
    } catch (thrown) {
      // The database may be there at the next use.
      tables = undefined;
      throw thrown;
    }
    const { rows } = await options.query(text, values);
    return rows;
  }

  const store: SessionStore = {
    async load(sessionId) {
      const [row] = (await query(LOAD, [toStoredText(sessionId)])) as readonly { readonly record: string }[];
      return row === undefined ? null : (JSON.parse(row.record) as SessionRecord);
    },

    async save(sessionId, record) {
      const { revision, execution } = record;
      const executionId = execution && toStoredText(execution.id);
      const waiting = toWaitingSession(sessionId, record);
      const saved = await query(SAVE, [
        toStoredText(sessionId),
        revision,
        JSON.stringify(record),
        executionId,
        waiting?.askedAt ?? null,
        waiting && JSON.stringify(waiting),
      ]);
      return saved.length > 0;
    },

    openLog: (sessionId, executionId, lastSeq) =>
      createPostgresEventLog({ query, sessionId, executionId, lastSeq, maxEvents }),

    choices: createPostgresChoices(query),
    listOpenCalls: (options) => listOpenCalls(store, readWaitingSessions, options),
  };
  return store;

  async function readWaitingSessions({ askedAt, sessionId }: ListPosition, count: number) {
    const rows = await query(LIST_WAITING, [askedAt, toStoredText(sessionId), count]);
    return (rows as readonly WaitingRow[]).map(toSession);
  }
}

function toSession({ session_id, asked_at, stored }: WaitingRow): WaitingSession {
  const parsed = JSON.parse(stored) as WaitingSession | SessionRecord;
  if ('open' in parsed) return parsed;
  const [sessionId, askedAt] = [fromStoredText(session_id), Number(asked_at)];
  const nobodyWaits = { sessionId, executionId: '', askedAt, open: [], given: [] };
  return toWaitingSession(sessionId, parsed, askedAt) ?? nobodyWaits;
}

function checkOptions(options: PostgresSessionStoreOptions): PostgresSessionStoreOptions {
  const { query, maxEvents = 1 } = options ?? {};
  if (typeof query !== 'function') {
    throw invalidOptions(
      'createPostgresSessionStore: query must be a function, such as (text, values) => pool.query(text, values).',
    );
  }
  if (!(Number.isInteger(maxEvents) && maxEvents >= 1)) {
    throw invalidOptions(
      `createPostgresSessionStore: maxEvents must be a whole number of 1 or more, not ${String(maxEvents)}.`,
    );
  }
  return options;
}
