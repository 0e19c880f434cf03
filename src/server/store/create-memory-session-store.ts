import type { Clock } from '../../shared/clock.ts';
import { listOpenCalls } from './list-open-calls.ts';
import { createMemoryChoices } from './memory-choices.ts';
import { createMemoryLogs, DEFAULT_MAX_SESSIONS, type MemoryLogLimits } from './memory-logs.ts';
import { findChangedParts, joinParts, type StoredParts, textsOf } from './record-parts.ts';
import type { SessionRecord, SessionStore } from './session-store.ts';
import { compareWaiting, toWaitingSession, type WaitingSession } from './waiting-session.ts';
import { warnOfSecondStore } from './warn-of-second-store.ts';

/** Options of {@link createMemorySessionStore}. */
export interface MemorySessionStoreOptions extends MemoryLogLimits {
  /** The time of the store. Default: each session has that of its own `clock`. */
  readonly clock?: Clock;
}

/**
 * A store in memory. Share one between the sessions of a server; its contents are lost when the process ends. When it is full, the
 * least recently used session is dropped. Sessions with an open question are dropped last, and only for each other.
 */
export function createMemorySessionStore(options: MemorySessionStoreOptions = {}): SessionStore {
  const { maxSessions = DEFAULT_MAX_SESSIONS, clock } = options;
  // The store of one session alone, or of one runtime that limits it by itself, is not shared by routes.
  if (maxSessions > 1 && Number.isFinite(maxSessions)) warnOfSecondStore();
  /** In both maps the least recently used session comes first. */
  const waiting = new Map<string, StoredRecord>();
  const others = new Map<string, StoredRecord>();
  const get = (sessionId: string) => waiting.get(sessionId) ?? others.get(sessionId);
  const put = (sessionId: string, stored: StoredRecord) => {
    waiting.delete(sessionId);
    others.delete(sessionId);
    (stored.waitingJson === null ? others : waiting).set(sessionId, stored);
  };
  const dropOneBut = (sessionId: string) => {
    for (const records of [others, waiting]) {
      for (const oldest of records.keys()) {
        if (oldest !== sessionId) return records.delete(oldest);
      }
    }
    return false;
  };
  const readWaiting = () =>
    [...waiting.values()].map(({ waitingJson }) => JSON.parse(waitingJson ?? '') as WaitingSession);
  const store: SessionStore = {
    async load(sessionId) {
      const stored = get(sessionId);
      if (stored === undefined) return null;
      put(sessionId, stored);
      return joinParts<SessionRecord>(textsOf(stored.parts));
    },
    async save(sessionId, record) {
      const before = get(sessionId);
      if ((before?.revision ?? 0) >= record.revision) return false;
      const { parts } = findChangedParts(before?.parts ?? new Map(), record);
      put(sessionId, { revision: record.revision, waitingJson: toWaitingJson(sessionId, record), parts });
      while (waiting.size + others.size > maxSessions && dropOneBut(sessionId)) {
        // The condition drops one session at a time.
      }
      return true;
    },
    openLog: createMemoryLogs(options),
    choices: createMemoryChoices(maxSessions),
    ...(clock && { now: async () => clock.now() }),
    listOpenCalls: (options) =>
      listOpenCalls(
        store,
        (from, count) =>
          readWaiting()
            .filter((session) => compareWaiting(session, from) >= 0)
            .sort(compareWaiting)
            .slice(0, count),
        options,
      ),
  };
  return store;
}

/** A record in memory. It is text, so that an agent that changes an object which it yielded or got does not change the record. */
interface StoredRecord {
  readonly revision: number;
  /** The {@link WaitingSession} of the record, or null if the session does not wait. */
  readonly waitingJson: string | null;
  readonly parts: StoredParts;
}

function toWaitingJson(sessionId: string, record: SessionRecord): string | null {
  const waiting = toWaitingSession(sessionId, record);
  return waiting && JSON.stringify(waiting);
}
