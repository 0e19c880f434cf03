/** Records and logs in Redis. */

import { waitingCalls } from '../../runs/last-events.ts';
import type { SessionRecord, SessionStore } from '../../store/session-store.ts';
import { toWaitingSession } from '../../store/waiting-session.ts';
import type { RedisConnection, RunScript } from './redis-connection.ts';
import { createRedisEventLog } from './redis-event-log.ts';
import { type RedisKeys, toKeyText } from './redis-keys.ts';
import { SAVE } from './scripts.ts';

/** The token of a store that is used without a lease. */
export const NO_LEASE = 0;

interface AccessOptions {
  readonly client: RedisConnection;
  readonly run: RunScript;
  readonly keys: RedisKeys;
  readonly maxEvents: number;
}

/** A store whose writes carry a token. */
export type SessionAccess = Pick<SessionStore, 'load'> & Required<Pick<SessionStore, 'save' | 'openLog'>>;

/** @param onRefused called when Redis refuses a write because another lease came later */
export function createSessionAccess(
  { client, run, keys, maxEvents }: AccessOptions,
  token: number,
  onRefused: () => void,
): SessionAccess {
  return {
    async load(sessionId) {
      const record = await client.sendCommand(['HGET', keys.of(sessionId).session, 'record']);
      return record === null ? null : (JSON.parse(String(record)) as SessionRecord);
    },
    async save(sessionId, record) {
      const { session, events } = keys.of(sessionId);
      const changed = [session, events, keys.waiting, keys.deadlines, keys.running];
      const saved = await run(SAVE, changed, [token, ...toSaved(sessionId, record), keys.saved]);
      if (saved === -1) onRefused();
      return saved === 1;
    },
    openLog: (sessionId, executionId, lastSeq) =>
      createRedisEventLog({
        ...{ run, keys: keys.of(sessionId), executionId, lastSeq, maxEvents, token, onRefused },
      }),
  };
}

/** The arguments of the script that saves a record, from the revision on. */
function toSaved(sessionId: string, record: SessionRecord): (string | number)[] {
  const { revision, execution } = record;
  const waiting = toWaitingSession(sessionId, record);
  // The deadlines of other calls are for their clients.
  const deadlines = waitingCalls(record).flatMap(({ question, deadline = [] }) => (question ? deadline : []));
  return [
    revision,
    JSON.stringify(record),
    toKeyText(execution?.id ?? ''),
    toKeyText(sessionId),
    execution?.state === 'running' ? 1 : 0,
    waiting === null ? '' : JSON.stringify(waiting),
    waiting?.askedAt ?? 0,
    deadlines.length > 0 ? Math.min(...deadlines) : '',
  ];
}
