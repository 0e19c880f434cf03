import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChatStorage } from '../../../src/core/persistence/chat-storage.ts';
import { createAuditTrail } from '../../../src/core/policies/create-audit-trail.ts';
import type { SettledCall } from '../../../src/core/tools/settled-call.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';

const paid: SettledCall = {
  key: '["run-1","c1"]',
  toolCallId: 'c1',
  toolName: 'pay',
  args: { amount: 5, cardNumber: '4111 1111 1111 1111' },
  outcome: 'submitted',
  result: { receipt: 'r-1', token: 'abc' },
  requestedAt: new Date('2026-01-05T10:00:00Z'),
  settledAt: new Date('2026-01-05T10:00:09Z'),
  answeredBy: 'automatic',
  allowedBy: 'person',
};

const written = {
  key: '["run-1","c1"]',
  toolCallId: 'c1',
  toolName: 'pay',
  args: { amount: 5, cardNumber: '••••••' },
  outcome: 'submitted',
  result: { receipt: 'r-1', token: '••••••' },
  requestedAt: '2026-01-05T10:00:00.000Z',
  settledAt: '2026-01-05T10:00:09.000Z',
  answeredBy: 'automatic',
  allowedBy: 'person',
};

afterEach(() => vi.unstubAllGlobals());

describe('an audit trail', () => {
  it('an audit trail records who answered what, when and how, without secrets', async () => {
    const trail = createAuditTrail();
    await trail.record(paid);
    expect(trail.getEntries()).toEqual([written]);
  });

  it('an audit trail writes no secrets to its storage, also those with names of the app', async () => {
    const storage = createMemoryStorage();
    const trail = createAuditTrail({ storage, isSecret: (name) => name === 'amount' });
    await trail.record(paid);
    const stored = [...storage.entries.values()].join();
    expect(stored).toContain('"amount":"••••••"');
    expect(stored).not.toMatch(/4111|abc/);
  });

  it('an audit trail reads the actor for each entry', async () => {
    let user: string | undefined = 'ada';
    const trail = createAuditTrail({ actor: () => user });
    await trail.record(paid);
    user = undefined;
    await trail.record({ ...paid, key: '2' });
    expect(trail.getEntries().map(({ actor }) => actor)).toEqual(['ada', undefined]);
  });

  it('an entry whose write was stored but failed stands once, also after a write of another tab', async () => {
    vi.stubGlobal('reportError', vi.fn());
    const memory = createMemoryStorage();
    let isUncertain = true;
    const save: ChatStorage['save'] = async (key, text) => {
      await memory.save(key, text);
      if (isUncertain) throw new Error('no answer');
    };
    const trail = createAuditTrail({ storage: { ...memory, save } });
    await trail.record(paid);
    isUncertain = false;
    const elsewhere = { ...paid, key: '["run-2","c1"]' };
    await createAuditTrail({ storage: memory }).record(elsewhere);
    const later = { ...paid, settledAt: new Date('2026-01-05T10:00:10Z') };
    await trail.record(later);
    await trail.record({ ...later, outcome: 'expired' });
    const iso = later.settledAt.toISOString();
    expect(trail.getEntries()).toEqual([
      written,
      { ...written, key: elsewhere.key },
      { ...written, settledAt: iso },
      { ...written, settledAt: iso, outcome: 'expired' },
    ]);
    expect(JSON.parse(memory.entries.get('handrail-audit') ?? '')).toEqual(trail.getEntries());
  });

  it('an actor function that throws loses no entry', async () => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    const signedOut = new Error('signed out');
    const trail = createAuditTrail({
      actor() {
        throw signedOut;
      },
    });
    await trail.record(paid);
    expect([trail.getEntries(), report.mock.calls]).toEqual([[written], [[signedOut]]]);
  });

  it('an audit trail notifies its subscribers of each entry, also without events of other tabs', async () => {
    const trail = createAuditTrail();
    const shown: number[] = [];
    const unsubscribe = trail.subscribe(() => shown.push(trail.getEntries().length));
    await trail.record(paid);
    unsubscribe();
    await trail.record({ ...paid, key: '2' });
    expect(shown).toEqual([1]);
  });

  it('a subscriber that throws is reported, and affects neither the other subscribers nor the entry', async () => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    const trail = createAuditTrail({ storage: createMemoryStorage() });
    const broken = new Error('no such element');
    let shown = 0;
    trail.subscribe(() => {
      throw broken;
    });
    trail.subscribe(() => {
      shown += 1;
    });
    await trail.record(paid);
    await trail.record({ ...paid, key: '2' });
    expect(trail.getEntries().map(({ key }) => key)).toEqual(['["run-1","c1"]', '2']);
    expect([shown, report.mock.calls]).toEqual([2, [[broken], [broken]]]);
  });

  it('an audit trail survives a reload, and chats may write to it at the same time', async () => {
    const storage = createMemoryStorage();
    const [one, other] = [createAuditTrail({ storage }), createAuditTrail({ storage })];
    await one.record(paid);
    await other.record({ ...paid, key: '2' });
    const later = createAuditTrail({ storage });
    await later.record({ ...paid, key: '3' });
    expect(later.getEntries().map(({ key }) => key)).toEqual(['["run-1","c1"]', '2', '3']);
  });

  it('a stored value that is no entry is set aside, and the other entries stay', async () => {
    vi.stubGlobal('reportError', vi.fn());
    const storage = createMemoryStorage();
    const { answeredBy: _, ...part } = written;
    storage.save('handrail-audit', JSON.stringify([null, written, part]));
    const trail = createAuditTrail({ storage });
    await trail.record({ ...paid, key: '2' });
    expect(trail.getEntries().map(({ key }) => key)).toEqual(['["run-1","c1"]', '2']);
    expect(storage.entries.get('handrail-audit.rejected')).toContain('[null,');
  });

  it('a lock that is stolen during a write neither loses nor doubles an entry', async () => {
    const stolen = new DOMException('Stolen', 'AbortError');
    const request = async (_: string, act: () => Promise<void>) => {
      void act();
      throw stolen;
    };
    vi.stubGlobal('navigator', { locks: { request } });
    const trail = createAuditTrail({ storage: createMemoryStorage() });
    await trail.record(paid);
    expect(trail.getEntries()).toEqual([written]);
  });

  it.each([
    [1, ['3']],
    [2, ['2', '3']],
  ])('an audit trail retains at most maxEntries entries: %s', async (maxEntries, expected) => {
    const trail = createAuditTrail({ maxEntries });
    for (const key of ['1', '2', '3']) await trail.record({ ...paid, key });
    expect(trail.getEntries().map(({ key }) => key)).toEqual(expected);
    await trail.clear();
    expect(trail.getEntries()).toEqual([]);
  });

  it.each([0, -1, Number.NaN])('an audit trail refuses maxEntries of %s', (maxEntries) => {
    expect(() => createAuditTrail({ maxEntries })).toThrow(
      `maxEntries must be 1 or more, not ${maxEntries}.`,
    );
  });
});

describe('export', () => {
  it('the JSON export parses to the entries', async () => {
    const trail = createAuditTrail();
    await trail.record(paid);
    expect(JSON.parse(trail.toJson())).toEqual([written]);
  });

  it('the CSV export has a header and one row per entry', async () => {
    const trail = createAuditTrail({ actor: 'Ada, of Ockham' });
    await trail.record(paid);
    expect(trail.toCsv()).toBe(
      'settledAt,actor,toolName,outcome,answeredBy,allowedBy,person,tabId,requestedAt,receipt,toolCallId,args,result,error,reason,originalArgs\r\n' +
        '2026-01-05T10:00:09.000Z,"Ada, of Ockham",pay,submitted,automatic,person,,,2026-01-05T10:00:00.000Z,,c1,' +
        '"{""amount"":5,""cardNumber"":""••••••""}","{""receipt"":""r-1"",""token"":""••••••""}",,,\r\n',
    );
  });

  it('an answer from another device keeps its person and the receipt of the question', async () => {
    const trail = createAuditTrail();
    await trail.record({ ...paid, person: { id: 'bob', name: 'Bob' }, receipt: 'signed' });
    expect(trail.getEntries()).toMatchObject([{ person: { id: 'bob', name: 'Bob' }, receipt: 'signed' }]);
    expect(trail.toCsv()).toContain(',"{""id"":""bob"",""name"":""Bob""}",');
    expect(trail.toCsv()).toContain(',signed,c1,');
  });

  it.each([
    ['=HYPERLINK("http://evil.test")', `"'=HYPERLINK(""http://evil.test"")"`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['two\nlines', '"two\nlines"'],
  ])('the CSV export makes %j plain text for a spreadsheet', async (error, cell) => {
    const trail = createAuditTrail();
    const { result: _, ...failed } = paid;
    await trail.record({ ...failed, args: {}, outcome: 'failed', error });
    expect(trail.toCsv().split('\r\n').slice(1).join('\r\n')).toMatch(
      new RegExp(`,c1,\\{\\},,${cell.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')},,\\r\\n$`),
    );
  });
});
