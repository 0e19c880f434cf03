import { toKeyText } from '../../store/key-text.ts';
import type { ListPosition } from '../../store/list-open-calls.ts';
import type { WaitingSession } from '../../store/waiting-session.ts';
import type { RunScript } from './redis-connection.ts';
import type { RedisKeys } from './redis-keys.ts';
import { LIST_WAITING } from './scripts.ts';

/** Reads up to `count` waiting sessions from a position on, in the order of Redis: by the time of asking, then by the bytes of the id. */
export async function readWaitingSessions(
  { run, keys }: { readonly run: RunScript; readonly keys: RedisKeys },
  from: ListPosition,
  count: number,
): Promise<readonly WaitingSession[]> {
  const sessions: WaitingSession[] = [];
  for (let skipped = 0; ; ) {
    const args = [from.askedAt, skipped, count, keys.of('').session];
    const [size, ...found] = (await run(LIST_WAITING, [keys.waiting], args)) as readonly [
      number,
      ...string[],
    ];
    const read = found.map((text) => JSON.parse(text) as WaitingSession);
    sessions.push(...read.filter((session) => !isBefore(session, from)));
    if (sessions.length >= count || size < count) return sessions.slice(0, count);
    // Sessions that left the list are not skipped.
    skipped += found.length;
  }
}

function isBefore(session: WaitingSession, { askedAt, sessionId }: ListPosition): boolean {
  if (session.askedAt !== askedAt) return session.askedAt < askedAt;
  const [one, other] = [toBytes(session.sessionId), toBytes(sessionId)];
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return at < 0 ? one.length < other.length : (one[at] ?? 0) < (other[at] ?? 0);
}

function toBytes(sessionId: string): Uint8Array {
  return new TextEncoder().encode(toKeyText(sessionId));
}
