/** Records and logs in Redis. */

import { createId } from '../../../shared/ids.ts';
import { toKeyText } from '../../store/key-text.ts';
import type { KnownRecords } from '../../store/known-records.ts';
import { findChangedParts, joinParts, toStoredParts } from '../../store/record-parts.ts';
import type { SessionRecord, SessionStore } from '../../store/session-store.ts';
import { toWaitingSession, waitingCalls } from '../../store/waiting-session.ts';
import type { RunScript } from './redis-connection.ts';
import { createRedisEventLog } from './redis-event-log.ts';
import type { RedisKeys } from './redis-keys.ts';
import { LOAD, OWN_FIELDS, SAVE } from './scripts.ts';

/** The token of a store that is used without a lease. */
export const NO_LEASE = 0;

interface AccessOptions {
  readonly run: RunScript;
  readonly keys: RedisKeys;
  readonly maxEvents: number;
  readonly known: KnownRecords;
}

/** A store whose writes carry a token. */
export type SessionAccess = Pick<SessionStore, 'load'> & Required<Pick<SessionStore, 'save' | 'openLog'>>;

/** @param onRefused called when Redis refuses a write because another lease came later */
export function createSessionAccess(
  { run, keys, maxEvents, known }: AccessOptions,
  token: number,
  onRefused: () => void,
): SessionAccess {
  /** Resolves to what the script returns. `whole` sends all parts, whatever Redis has. */
  async function saveParts(sessionId: string, record: SessionRecord, whole: boolean): Promise<unknown> {
    const { session, events } = keys.of(sessionId);
    const before = whole ? undefined : known.get(sessionId);
    const { parts, changed, removed } = findChangedParts(before?.parts ?? new Map(), record);
    const saveId = createId();
    const saved = await run(
      SAVE,
      [session, events, keys.waiting, keys.deadlines, keys.running],
      [
        ...[token, ...toSaved(sessionId, record), keys.saved, saveId, before?.saveId ?? ''],
        ...[removed.length, ...removed, ...[...changed].flat()],
      ],
    );
    if (saved === 1) known.set(sessionId, { saveId, parts });
    else known.delete(sessionId);
    return saved;
  }
  return {
    async load(sessionId) {
      const found = (await run(LOAD, [keys.of(sessionId).session], [])) as readonly string[];
      const fields = new Map(
        Array.from({ length: found.length / 2 }, (_, index) => [
          found[index * 2] ?? '',
          found[index * 2 + 1] ?? '',
        ]),
      );
      const [record, saveId] = [fields.get('record'), fields.get('save')];
      // Version 0.1 stored the record whole.
      if (record !== undefined) return JSON.parse(record) as SessionRecord;
      if (saveId === undefined) return null;
      for (const field of OWN_FIELDS) fields.delete(field);
      known.set(sessionId, { saveId, parts: toStoredParts(fields) });
      return joinParts<SessionRecord>(fields);
    },
    async save(sessionId, record) {
      let saved = await saveParts(sessionId, record, false);
      if (saved === -2) saved = await saveParts(sessionId, record, true);
      if (saved === -1) onRefused();
      return saved === 1;
    },
    openLog: (sessionId, executionId, lastSeq) =>
      createRedisEventLog({
        ...{ run, keys: keys.of(sessionId), executionId, lastSeq, maxEvents, token, onRefused },
      }),
  };
}

/** The arguments of the script that saves a record, from the revision to the deadline. */
function toSaved(sessionId: string, record: SessionRecord): (string | number)[] {
  const { revision, execution } = record;
  const waiting = toWaitingSession(sessionId, record);
  // The deadlines of other calls are for their clients.
  const deadlines = waitingCalls(record).flatMap(({ question, deadline = [] }) => (question ? deadline : []));
  return [
    revision,
    toKeyText(execution?.id ?? ''),
    toKeyText(sessionId),
    execution?.state === 'running' ? 1 : 0,
    waiting === null ? '' : JSON.stringify(waiting),
    waiting?.askedAt ?? 0,
    deadlines.length > 0 ? Math.min(...deadlines) : '',
  ];
}
