import { expect, test } from 'vitest';
import type { WaitingSession } from '../../../../src/server/store/waiting-session.ts';
import { readWaitingSessions } from '../../../../src/server/stores/redis/read-waiting-sessions.ts';
import { createRedisKeys } from '../../../../src/server/stores/redis/redis-keys.ts';

/** Redis orders the ids of one time by their bytes. */
const IDS = ['a', 'a b', 'b', '\uffff', '😀'];

const sessions = IDS.map(
  (sessionId): WaitingSession => ({ sessionId, executionId: 'x', askedAt: 5, open: [], given: [] }),
);
const io = {
  keys: createRedisKeys('p:'),
  async run(_script: string, _keys: readonly string[], args: readonly (string | number)[]) {
    const [, skipped, count] = args.map(Number) as [number, number, number];
    const page = sessions.slice(skipped, skipped + count);
    return [page.length, ...page.map((session) => JSON.stringify(session))];
  },
};

test.each(IDS.map((sessionId, index) => [sessionId, index] as const))(
  'sessions of one time are read from the id %j on, over pages of two',
  async (sessionId, index) => {
    const read = await readWaitingSessions(io, { askedAt: 5, sessionId, index: 0 }, 2);
    expect(read.map((session) => session.sessionId)).toEqual(IDS.slice(index, index + 2));
  },
);
