import { createId } from '../../../shared/ids.ts';
import { fromKeyText, toKeyText } from '../../store/key-text.ts';
import { KnownRecords } from '../../store/known-records.ts';
import type { ListPosition } from '../../store/list-open-calls.ts';
import { findChangedParts, joinParts, toStoredParts } from '../../store/record-parts.ts';
import type { RecordV1 } from '../../store/record-v1.ts';
import type { SessionRecord } from '../../store/session-store.ts';
import { upgradeRecord } from '../../store/upgrade-record.ts';
import { toWaitingSession, type WaitingSession } from '../../store/waiting-session.ts';

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
  /** A `WaitingSession`, or the whole record of a session that version 0.1 stored. */
  readonly stored: string;
}

/** Runs a statement when the tables are there. */
export type Query = (text: string, values: unknown[]) => Promise<readonly object[]>;

/** Reads and writes the records of sessions. The database has them in parts, so that a save costs what has changed. */
export class PostgresSessions {
  readonly #query: Query;
  readonly #known = new KnownRecords();

  constructor(query: Query) {
    this.#query = query;
  }

  async load(sessionId: string): Promise<SessionRecord | null> {
    const rows = (await this.#query(LOAD, [toKeyText(sessionId)])) as readonly LoadedRow[];
    const [row] = rows;
    if (row === undefined) return null;
    if (row.save_id === null) return JSON.parse(row.record) as SessionRecord;
    const texts = new Map(rows.map(({ name, part }) => [name ?? '', part ?? '']));
    this.#known.set(sessionId, { saveId: row.save_id, parts: toStoredParts(texts) });
    return joinParts<SessionRecord>(texts);
  }

  /** Resolves to false if the revision is taken. */
  async save(sessionId: string, record: SessionRecord): Promise<boolean> {
    if (await this.#saveParts(sessionId, record, this.#known.get(sessionId))) return true;
    // Another process may have saved since: then the revision is taken. If the session was deleted and made anew, it is not.
    return this.#saveParts(sessionId, record, undefined);
  }

  async readWaiting({ askedAt, sessionId }: ListPosition, count: number): Promise<readonly WaitingSession[]> {
    const rows = await this.#query(LIST_WAITING, [askedAt, toKeyText(sessionId), count]);
    return (rows as readonly WaitingRow[]).map(toSession);
  }

  /** Resolves to false if the revision is taken, or the database has not the save `before`. */
  async #saveParts(
    sessionId: string,
    record: SessionRecord,
    before: ReturnType<KnownRecords['get']>,
  ): Promise<boolean> {
    const { revision, execution } = record;
    const { parts, changed, removed } = findChangedParts(before?.parts ?? new Map(), record);
    const waiting = toWaitingSession(sessionId, record);
    const saveId = createId();
    const saved = await this.#query(SAVE, [
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
    if (saved.length > 0) this.#known.set(sessionId, { saveId, parts });
    else this.#known.delete(sessionId);
    return saved.length > 0;
  }
}

function toSession({ session_id, asked_at, stored }: WaitingRow): WaitingSession {
  const parsed = JSON.parse(stored) as WaitingSession | SessionRecord | RecordV1;
  if ('open' in parsed) return parsed;
  const [sessionId, askedAt] = [fromKeyText(session_id), Number(asked_at)];
  const nobodyWaits = { sessionId, executionId: '', askedAt, open: [], given: [] };
  return toWaitingSession(sessionId, upgradeRecord(parsed), askedAt) ?? nobodyWaits;
}
