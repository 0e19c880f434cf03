import { describe, expect, test } from 'vitest';
import type { CallRecord } from '../../../src/server/store/call-record.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { LeasedStore } from '../../../src/server/store/session-cluster.ts';
import { hostOf } from '../../../src/server/store/store-host.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createDeferred } from '../../support/deferred.ts';
import { settle } from '../support.ts';

/** The store as the owner of a session sees it. `lose` ends its lease, as when another process has taken the session. */
function lease(shared = createMemorySessionStore()) {
  const holders = new Set<() => void>();
  const store: LeasedStore = {
    ...shared,
    shared,
    lease: {
      hold(onLost = () => {}) {
        holders.add(onLost);
        return () => void holders.delete(onLost);
      },
    },
  };
  return {
    store,
    holders,
    lose: () => {
      for (const onLost of holders) onLost();
    },
  };
}

describe('the host of a store', () => {
  test('is the same for the store and for the store of each lease', () => {
    const shared = createMemorySessionStore();
    expect(hostOf(lease(shared).store)).toBe(hostOf(shared));
    expect(hostOf(createMemorySessionStore())).not.toBe(hostOf(shared));
  });

  test('keeps the whole values of a session until they are taken out', async () => {
    const store = createMemorySessionStore();
    const host = hostOf(store);
    const call: CallRecord = {
      ...{ toolCallId: 'call', executionId: 'e', turnId: 't', toolName: 'ask', args: {}, digest: '' },
      ...{ executedBy: 'client', stage: 'answered' },
    };
    host.whole('s').set('call', call);
    await host.handle(store, 's', async () => {});
    expect(host.whole('s').get('call')).toBe(call);
    expect(host.whole('other').size).toBe(0);
  });

  test('handles the requests of a session one after the other, and holds its lease meanwhile', async () => {
    const { store, holders } = lease();
    const gate = createDeferred();
    const order: string[] = [];
    const first = hostOf(store).handle(store, 's', async () => {
      order.push('first begins');
      await gate.promise;
      order.push('first ends');
    });
    const second = hostOf(store).handle(store, 's', async () => void order.push('second'));
    await settle();
    expect(holders.size).toBe(1);
    gate.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(['first begins', 'first ends', 'second']);
    expect(holders.size).toBe(0);
  });

  test('does not let a request of a new lease wait for one of a lease that was lost', async () => {
    const shared = createMemorySessionStore();
    const [old, current] = [lease(shared), lease(shared)];
    const host = hostOf(shared);
    const gate = createDeferred();
    const late = host.handle(old.store, 's', () => gate.promise);
    expect(await host.handle(current.store, 's', async () => 'handled')).toBe('handled');
    gate.resolve();
    await late;
    expect([old.holders.size, current.holders.size]).toEqual([0, 0]);
  });
});

describe('the deadline of a session', () => {
  const open = (ahead = 0) => {
    const clock = createManualClock();
    const storeClock = createManualClock(clock.now() - ahead);
    const store = createMemorySessionStore({ clock: storeClock });
    const expired: string[] = [];
    const setDeadline = (ms: number | undefined, name = 'expired') =>
      hostOf(store).setDeadline(
        's',
        ms === undefined ? ms : storeClock.now() + ms,
        clock,
        () => void expired.push(name),
      );
    return { clock, expired, setDeadline };
  };

  test('comes when the time of the store has come, whatever the clock of the process says', async () => {
    const { clock, expired, setDeadline } = open(3_600_000);
    await setDeadline(1_000);
    await clock.advance(999);
    expect(expired).toEqual([]);
    await clock.advance(1);
    expect(expired).toEqual(['expired']);
  });

  test.each([undefined, Infinity])('never comes when it is %s', async (ms) => {
    const { clock, setDeadline } = open();
    await setDeadline(ms);
    expect(clock.waiting).toBe(0);
  });

  test('takes the place of the one before, also while the store is asked for its time', async () => {
    const { clock, expired, setDeadline } = open();
    await Promise.all([setDeadline(1_000, 'first'), setDeadline(2_000, 'second')]);
    await setDeadline(3_000, 'third');
    await clock.advance(10_000);
    expect(expired).toEqual(['third']);
    await setDeadline(1_000);
    await setDeadline(undefined);
    expect(clock.waiting).toBe(0);
  });
});
