import type { AgentEvent } from '../../../core/protocol/events.ts';
import type { EventLog } from '../../store/event-log.ts';
import { toKeyText } from '../../store/key-text.ts';

/** Two processes that complete the same log append the same event. */
const APPEND = `
insert into handrail_session_events (session_id, execution_id, seq, event)
values ($1, $2, $3, $4)
on conflict do nothing`;

/** Deletes all events but the last $3. */
const TRIM = `
delete from handrail_session_events
where session_id = $1 and execution_id = $2 and seq <= (
  select seq from handrail_session_events
  where session_id = $1 and execution_id = $2
  order by seq desc offset $3::bigint limit 1
)`;

/** The first row is there even if no event comes after $3, so that it tells which event of the log is the oldest. */
const READ = `
select oldest.seq as oldest, later.seq, later.event
from (
  select min(seq) as seq from handrail_session_events where session_id = $1 and execution_id = $2
) as oldest
left join handrail_session_events as later
  on later.session_id = $1 and later.execution_id = $2 and later.seq > $3
order by later.seq`;

/** Drivers return a bigint as a string, a number or a bigint. */
type Integer = string | number | bigint;

type ReadRow =
  | { readonly oldest: Integer | null; readonly seq: null; readonly event: null }
  | { readonly oldest: Integer; readonly seq: Integer; readonly event: string };

interface EventLogOptions {
  query(text: string, values: unknown[]): Promise<readonly object[]>;
  readonly sessionId: string;
  readonly executionId: string;
  /** The last sequence number that the record of the execution has. */
  readonly lastSeq: number;
  readonly maxEvents: number;
}

/** Opens the log of an execution in the table `handrail_session_events`. */
export function createPostgresEventLog(options: EventLogOptions): EventLog {
  const { query, lastSeq, maxEvents } = options;
  const key = [toKeyText(options.sessionId), toKeyText(options.executionId)];
  let appendsUntilTrim = 0;

  return {
    async append({ seq, event }) {
      await query(APPEND, [...key, seq, JSON.stringify(event)]);
      if (appendsUntilTrim > 0) {
        appendsUntilTrim -= 1;
        return;
      }
      // A trim reads `maxEvents` rows, so not every append trims. The first one does: each request of an execution opens a log anew.
      appendsUntilTrim = maxEvents - 1;
      await query(TRIM, [...key, maxEvents]);
    },

    async read(after) {
      const rows = (await query(READ, [...key, after])) as readonly ReadRow[];
      const oldest = rows[0]?.oldest ?? null;
      // Events are deleted from the oldest on, so a gap before the oldest one counts as deleted. A log without events has lost all that
      // the record counts.
      const lastDeleted = oldest === null ? lastSeq : Number(oldest) - 1;
      if (after < lastDeleted) return null;
      return rows.flatMap(({ seq, event }) =>
        event === null ? [] : { seq: Number(seq), event: JSON.parse(event) as AgentEvent },
      );
    },
  };
}
