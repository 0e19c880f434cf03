import { invalidOptions } from '../../../shared/errors.ts';
import { listOpenCalls } from '../../store/list-open-calls.ts';
import type { SessionStore } from '../../store/session-store.ts';
import { createPostgresChoices } from './create-postgres-choices.ts';
import { createPostgresEventLog } from './create-postgres-event-log.ts';
import { PostgresSessions } from './postgres-sessions.ts';
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

const NOW = 'select floor(extract(epoch from now()) * 1000)::bigint as now';

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

  const sessions = new PostgresSessions(query);
  const store: SessionStore = {
    load: (sessionId) => sessions.load(sessionId),
    save: (sessionId, record) => sessions.save(sessionId, record),
    openLog: (sessionId, executionId, lastSeq) =>
      createPostgresEventLog({ query, sessionId, executionId, lastSeq, maxEvents }),

    async now() {
      const [row] = (await query(NOW, [])) as readonly { readonly now: string | number | bigint }[];
      return Number(row?.now);
    },

    choices: createPostgresChoices(query),
    listOpenCalls: (options) =>
      listOpenCalls(store, (from, count) => sessions.readWaiting(from, count), options),
  };
  return store;
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
