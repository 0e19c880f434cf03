import type { OpenCall, OpenCallList } from '../../core/protocol/open-calls.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { selectOpenCalls } from './call-checks.ts';
import type { ListOpenCallsOptions } from './list-options.ts';
import type { SessionStore } from './session-store.ts';
import { hostOf } from './store-host.ts';
import { toOpenCalls, type WaitingSession } from './waiting-session.ts';

/** The place of a call in the list: the sessions by `askedAt`, then by id, and the calls of a session in the order of their request. */
export interface ListPosition {
  readonly askedAt: number;
  readonly sessionId: string;
  /** The place of the call in the request. */
  readonly index: number;
}

/** Reads up to `count` waiting sessions in the order of the list. The first one is that of the position, or the next one after it. */
export type ReadWaitingSessions = (
  from: ListPosition,
  count: number,
) => Promise<readonly WaitingSession[]> | readonly WaitingSession[];

/** How long a list of open calls is if the request does not say. */
export const DEFAULT_LIMIT = 50;
/** How many sessions are read together. */
const BATCH = 100;
/** No time is earlier, and no id comes before the empty one. */
const BEGINNING: ListPosition = { askedAt: -1, sessionId: '', index: 0 };

/**
 * The `listOpenCalls` of a store that can read its waiting sessions in order.
 *
 * @param store the store itself: its sessions in this process know who may answer
 * @throws AgentChatError `invalid_options` when `limit` is not a whole number of 1 or more, or `after` is not the `next` of a list.
 */
export async function listOpenCalls(
  store: SessionStore,
  readSessions: ReadWaitingSessions,
  options: ListOpenCallsOptions = {},
): Promise<OpenCallList> {
  const { limit = DEFAULT_LIMIT, after } = options;
  if (!(Number.isInteger(limit) && limit >= 1)) {
    throw invalidOptions(`listOpenCalls: limit must be a whole number of 1 or more, not ${String(limit)}.`);
  }
  let from = after === undefined ? BEGINNING : decodePosition(after);
  let last = from;
  const now = await hostOf(store).now();
  const calls: OpenCall[] = [];
  for (;;) {
    const sessions = await readSessions(from, BATCH);
    const placed = sessions.flatMap(toPlacedCalls);
    const later = placed.filter(
      ({ position, openCall }) => isAfter(position, from) && !isExpired(openCall, now),
    );
    const selected = await selectOpenCalls(
      store,
      later.map(({ openCall }) => openCall),
      options,
    );
    for (const { position, openCall } of later) {
      if (!selected.has(openCall)) continue;
      if (calls.length === limit) return { calls, next: encodePosition(last) };
      calls.push(openCall);
      last = position;
    }
    const end = sessions.at(-1);
    if (end === undefined || sessions.length < BATCH) return { calls };
    from = { askedAt: end.askedAt, sessionId: end.sessionId, index: end.open.length };
  }
}

/** The place of a call counts all calls of the request: the open ones become fewer. */
function toPlacedCalls(session: WaitingSession) {
  const { askedAt, sessionId, open } = session;
  return toOpenCalls(session).map((openCall) => ({
    openCall,
    position: { askedAt, sessionId, index: open.indexOf(openCall.call) },
  }));
}

/** The sessions come in order, so only the first one can be that of the earlier position. */
function isAfter(position: ListPosition, earlier: ListPosition): boolean {
  const isSameSession = position.sessionId === earlier.sessionId && position.askedAt === earlier.askedAt;
  return !isSameSession || position.index > earlier.index;
}

/** The session answers an expired call when it is served next. Until then the record has the call. */
function isExpired({ call }: OpenCall, now: number): boolean {
  return call.deadline !== undefined && call.deadline <= now;
}

function encodePosition({ askedAt, index, sessionId }: ListPosition): string {
  return `${askedAt}.${index}.${sessionId}`;
}

function decodePosition(after: string): ListPosition {
  const [, askedAt, index, sessionId] = /^(\d+)\.(\d+)\.(.+)$/s.exec(after) ?? [];
  if (sessionId === undefined) {
    throw invalidOptions(
      `listOpenCalls: after must be the 'next' of an earlier list, not '${String(after).slice(0, 80)}'.`,
    );
  }
  return { askedAt: Number(askedAt), sessionId, index: Number(index) };
}
