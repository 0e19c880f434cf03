import { invalidOptions } from '../../../shared/errors.ts';
import { createId } from '../../../shared/ids.ts';
import { fromKeyText, toKeyText } from '../../store/key-text.ts';
import { KnownRecords } from '../../store/known-records.ts';
import { type ListPosition, listOpenCalls } from '../../store/list-open-calls.ts';
import { findChangedParts, joinParts, toStoredParts } from '../../store/record-parts.ts';
import type { SessionRecord, SessionStore } from '../../store/session-store.ts';
import { toWaitingSession, type WaitingSession } from '../../store/waiting-session.ts';
import { createPostgresChoices } from './create-postgres-choices.ts';
import { createPostgresEventLog } from './create-postgres-event-log.ts';
import { SESSION_TABLES } from './session-tables.ts';

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

const LOAD = `
select session.record, session.save_id, part.name, part.part
from handrail_sessions as session
left join handrail_session_parts as part on part.session_id = session.session_id
where session.session_id = $1`;

/** The first row is there for a session without parts, too. */
interface LoadedRow {
  readonly record: string;
  readonly save_id: string | null;
  readonly name: string | null;
  readonly part: string | null;
}

/**
 * The save is one statement, and so one transaction. Of two processes that save the same revision, the second one waits for the row, and
 * then finds the revision taken. The events of earlier executions are deleted only if the save wins.
 *
 * $5 is an object with the parts to write and $6 a list of the parts to delete. They are changes of the save that $7 names. Without $7 they
 * are the whole record, and all other parts are deleted.
 */
const SAVE = `
with
  saved as (
    insert into handrail_sessions as stored (session_id, revision, record, asked_at, waiting, save_id)
    values ($1::text, $2::bigint, '', $4::bigint, $8::text, $9::text)
    on conflict (session_id) do update
      set revision = excluded.revision, record = excluded.record, updated_at = excluded.updated_at,
        asked_at = excluded.asked_at, waiting = excluded.waiting, save_id = excluded.save_id
      where stored.revision < excluded.revision and ($7::text is null or stored.save_id = $7::text)
    returning session_id
  ),
  deleted_events as (
    delete from handrail_session_events as event using saved
    where event.session_id = saved.session_id and event.execution_id is distinct from $3::text
  ),
  written as (select key as name, value as part from json_each_text($5::text::json)),
  deleted_parts as (
    delete from handrail_session_parts as part using saved
    where part.session_id = saved.session_id and case
      when $7::text is null then part.name not in (select name from written)
      else part.name in (select json_array_elements_text($6::text::json))
    end
  ),
  written_parts as (
    insert into handrail_session_parts (session_id, name, part)
    select saved.session_id, written.name, written.part from saved, written
    on conflict (session_id, name) do update set part = excluded.part
  )
select session_id from saved`;

const NOW = 'select floor(extract(epoch from now()) * 1000)::bigint as now';

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
 * Creates a session store in PostgreSQL: the sessions in the table `handrail_sessions`, the parts of their records in
 * `handrail_session_parts`, and the events of the current execution of each session in `handrail_session_events`. Remembered choices are in `handrail_choices`. The first use creates the tables if they are missing.
 *
 * Sessions live through a restart of the process, with their open questions and the events that a page missed. Several processes may
 * share the database: an answer that two of them accept at the same time is saved once. Runs are in the memory of one process, though.
 * Another process takes a run that is under way for interrupted (see `SessionStore`), and neither relays its events nor stops it. So
 * send the requests of one session to one process; after that process has died, any other one continues its sessions.
 *
 * No session is deleted by itself. `delete from handrail_sessions where updated_at < ...` deletes sessions with their parts and events.
 *
 * Rejections of `query` reject the call of the store; the session reports them to its `onError`.
 *
 * @throws AgentChatError `invalid_options` when `query` is not a function or `maxEvents` is not a whole number of 1 or more.
 */
export function createPostgresSessionStore(options: PostgresSessionStoreOptions): SessionStore {
  const { maxEvents = 10_000 } = checkOptions(options);
  const known = new KnownRecords();
  const query = withTables(options);

  /** Resolves to false if the revision is taken, or the database has not the save `before`. */
  async function saveParts(
    sessionId: string,
    record: SessionRecord,
    before: ReturnType<typeof known.get>,
  ): Promise<boolean> {
    const { revision, execution } = record;
    const { parts, changed, removed } = findChangedParts(before?.parts ?? new Map(), record);
    const waiting = toWaitingSession(sessionId, record);
    const saveId = createId();
    const saved = await query(SAVE, [
      toKeyText(sessionId),
      revision,
      execution && toKeyText(execution.id),
      waiting?.askedAt ?? null,
      JSON.stringify(Object.fromEntries(changed)),
      JSON.stringify(removed),
      before?.saveId ?? null,
      waiting && JSON.stringify(waiting),
      saveId,
    ]);
    if (saved.length > 0) known.set(sessionId, { saveId, parts });
    else known.delete(sessionId);
    return saved.length > 0;
  }

  const store: SessionStore = {
    async load(sessionId) {
      const rows = (await query(LOAD, [toKeyText(sessionId)])) as readonly LoadedRow[];
      const [row] = rows;
      if (row === undefined) return null;
      if (row.save_id === null) return JSON.parse(row.record) as SessionRecord;
      const texts = new Map(rows.map(({ name, part }) => [name ?? '', part ?? '']));
      known.set(sessionId, { saveId: row.save_id, parts: toStoredParts(texts) });
      return joinParts<SessionRecord>(texts);
    },

    async save(sessionId, record) {
      if (await saveParts(sessionId, record, known.get(sessionId))) return true;
      // Another process may have saved since: then the revision is taken. If the session was deleted and made anew, it is not.
      return saveParts(sessionId, record, undefined);
    },

    openLog: (sessionId, executionId, lastSeq) =>
      createPostgresEventLog({ query, sessionId, executionId, lastSeq, maxEvents }),

    async now() {
      const [row] = (await query(NOW, [])) as readonly { readonly now: string | number | bigint }[];
      return Number(row?.now);
    },

    choices: createPostgresChoices(query),
    listOpenCalls: (options) => listOpenCalls(store, readWaitingSessions, options),
  };
  return store;

  async function readWaitingSessions({ askedAt, sessionId }: ListPosition, count: number) {
    const rows = await query(LIST_WAITING, [askedAt, toKeyText(sessionId), count]);
    return (rows as readonly WaitingRow[]).map(toSession);
  }
}

/** Returns a `query` whose first use creates the tables if they are missing. */
function withTables(options: PostgresSessionStoreOptions) {
  let tables: Promise<unknown> | undefined;

  return async (text: string, values: unknown[]): Promise<readonly object[]> => {
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
  };
}

function toSession({ session_id, asked_at, stored }: WaitingRow): WaitingSession {
  const parsed = JSON.parse(stored) as WaitingSession | SessionRecord;
  if ('open' in parsed) return parsed;
  const [sessionId, askedAt] = [fromKeyText(session_id), Number(asked_at)];
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
