import type { AgentEvent } from '../../../core/protocol/events.ts';
import { SessionConflict } from '../../session-errors.ts';
import type { EventLog } from '../../store/event-log.ts';
import { toKeyText } from '../../store/key-text.ts';
import type { RunScript } from './redis-connection.ts';
import type { SessionKeys } from './redis-keys.ts';
import { APPEND, READ } from './scripts.ts';

interface EventLogOptions {
  readonly run: RunScript;
  readonly keys: SessionKeys;
  readonly executionId: string;
  /** The last sequence number that the record of the execution has. */
  readonly lastSeq: number;
  readonly maxEvents: number;
  /** The token of the lease, or 0 without a lease. */
  readonly token: number;
  /** Called when an append was refused because another process has owned the session since. */
  onRefused(): void;
}

/** Opens the log of an execution in the stream of its session. */
export function createRedisEventLog(options: EventLogOptions): EventLog {
  const { run, lastSeq, maxEvents, token } = options;
  const { session, events } = options.keys;
  const executionId = toKeyText(options.executionId);
  return {
    async append({ seq, event }) {
      const args = [token, executionId, seq, JSON.stringify(event), maxEvents];
      if ((await run(APPEND, [session, events], args)) !== -1) return;
      options.onRefused();
      throw new SessionConflict();
    },

    async read(after) {
      const found = (await run(READ, [session, events], [executionId, after])) as readonly string[] | null;
      // The log of an earlier execution was deleted.
      if (found === null) return null;
      const [oldest = '', ...rest] = found;
      // Events are deleted from the oldest on, so a gap before the oldest one counts as deleted. A log without events has lost all that
      // the record counts.
      const lastDeleted = oldest === '' ? lastSeq : toSeq(oldest) - 1;
      if (after < lastDeleted) return null;
      return Array.from({ length: rest.length / 2 }, (_, index) => ({
        seq: toSeq(rest[index * 2] ?? ''),
        event: JSON.parse(rest[index * 2 + 1] ?? '') as AgentEvent,
      }));
    },
  };
}

/** Returns the sequence number in the id of an entry, which is `<seq>-0`. */
function toSeq(id: string): number {
  return Number.parseInt(id, 10);
}
