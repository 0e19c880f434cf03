import { describe, expect, test } from 'vitest';
import type { OpenCall } from '../../../src/core/protocol/open-calls.ts';
import {
  handleInboxRequest,
  type InboxRequestOptions,
} from '../../../src/server/inbox/handle-inbox-request.ts';
import type { InboxQuery, InboxReceipt, InboxSource } from '../../../src/server/inbox/inbox-source.ts';
import { pageOpenCalls } from '../../../src/server/inbox/page-open-calls.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createSampleRecord } from '../../../src/testing/session-store/sample-record.ts';
import { createListAgent, stop } from '../support.ts';

const ADA = { id: 'ada' };

/** A source whose calls were asked at these times. */
function createSource(
  prefix: string,
  times: readonly number[],
  receipt: InboxReceipt = { status: 'accepted' },
) {
  const listeners = new Set<() => void>();
  const taken: unknown[] = [];
  let calls: readonly OpenCall[] = times.map((askedAt) => toCall(prefix, askedAt));
  const source: InboxSource = {
    prefix,
    list: async (query) => pageOpenCalls(calls, query),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async answer(answer, principal) {
      taken.push([answer, principal]);
      return receipt;
    },
  };
  return {
    ...{ source, taken, listeners },
    change(next: readonly number[]) {
      calls = next.map((askedAt) => toCall(prefix, askedAt));
      for (const listener of listeners) listener();
    },
  };
}

const toCall = (prefix: string, askedAt: number): OpenCall => ({
  sessionId: `${prefix}s`,
  executionId: 'e',
  askedAt,
  call: { toolCallId: `call-${askedAt}`, toolName: 'ask', args: {} },
});

function setup(options: Partial<InboxRequestOptions>) {
  const clock = createManualClock();
  const handle = (request: Request) =>
    handleInboxRequest(request, { clock, principal: () => ADA, ...options });
  return {
    clock,
    handle,
    list: async (query = '') => (await handle(new Request(`http://localhost/inbox${query}`))).json(),
    answer: (sessionId: string) =>
      handle(
        new Request('http://localhost/inbox', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            sessionId,
            executionId: 'e',
            toolResults: [{ toolCallId: 'c', result: 1 }],
          }),
        }),
      ),
  };
}

/** Opens a stream of the list. `followed` resolves to the times of its next list. */
async function follow(options: Partial<InboxRequestOptions>) {
  const { handle, clock } = setup(options);
  const headers = { accept: 'text/event-stream' };
  const { body } = await handle(new Request('http://localhost/inbox', { headers }));
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const followed = async () => {
    const { value } = await reader.read();
    return timesOf(JSON.parse(new TextDecoder().decode(value).slice('data: '.length)));
  };
  return { clock, reader, followed };
}

async function createStoreWith(times: readonly number[]) {
  const store = createMemorySessionStore();
  for (const askedAt of times) {
    const open = [{ toolCallId: 'c', toolName: 'ask', args: {} }];
    await store.save(`session-${askedAt}`, createSampleRecord(1, 'Hi', { open, askedAt, startedBy: ADA }));
  }
  const agent = createListAgent([stop]);
  return { store, getSession: (id = '') => createAgentSession({ id, store, agent }) };
}

const timesOf = ({ calls }: { readonly calls: readonly OpenCall[] }) => calls.map(({ askedAt }) => askedAt);

describe('GET', () => {
  test('the calls of the sessions and of two other sources are one list, the oldest first', async () => {
    const sources = [createSource('a/', [1, 4, 7]).source, createSource('b/', [2, 5]).source];
    const { list } = setup({ ...(await createStoreWith([3, 6])), sources });
    const all = await list();
    expect(timesOf(all)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(all.next).toBeUndefined();
  });

  test.each([1, 2, 3, 5])('pages of %i bring every call of every source once, in order', async (limit) => {
    const sources = [createSource('a/', [1, 2, 3, 9]).source, createSource('b/', [4, 8]).source];
    const { list } = setup({ ...(await createStoreWith([5, 6, 7])), sources });
    const times: number[] = [];
    let next: string | undefined = '';
    while (next !== undefined) {
      const after: string = next === '' ? '' : `&after=${encodeURIComponent(next)}`;
      const page = await list(`?limit=${limit}${after}`);
      expect(page.calls.length).toBeLessThanOrEqual(limit);
      times.push(...timesOf(page));
      next = page.next;
    }
    expect(times).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('an app without sessions lists its sources alone', async () => {
    const { list } = setup({ sources: [createSource('a/', [1, 2, 3]).source] });
    const { calls, next } = await list('?limit=2');
    expect(timesOf({ calls })).toEqual([1, 2]);
    expect(timesOf(await list(`?after=${encodeURIComponent(next)}`))).toEqual([3]);
  });

  test.each(['1', '{"a/":1}', 'here'])('the position %s, which no list gave, is refused', async (after) => {
    const sources = [createSource('a/', [1]).source, createSource('b/', [2]).source];
    const { handle } = setup({ sources });
    const response = await handle(new Request(`http://localhost/inbox?after=${encodeURIComponent(after)}`));
    expect([response.status, (await response.json()).code]).toEqual([400, 'invalid_request']);
  });

  test('a stream has the list again when any source has changed', async () => {
    const [a, b] = [createSource('a/', [1]), createSource('b/', [])];
    const { clock, followed, reader } = await follow({ sources: [a.source, b.source] });
    expect(await followed()).toEqual([1]);
    const second = followed();
    b.change([2]);
    await clock.advance(50);
    expect(await second).toEqual([1, 2]);
    await reader.cancel();
    expect([a.listeners.size, b.listeners.size]).toEqual([0, 0]);
  });
});

describe('a source that fails', () => {
  const DOWN = new Error('no route to db.internal');
  const rejects = () => Promise.reject(DOWN);
  const throws = () => {
    throw DOWN;
  };

  test.each([
    ['rejects', rejects],
    ['throws', throws],
  ])('costs the list its own calls alone when it %s, and its error goes to onError', async (_, fail) => {
    const failures: unknown[] = [];
    const broken = { ...createSource('a/', [1]).source, list: fail };
    const { handle } = setup({
      ...(await createStoreWith([2, 3])),
      ...{ sources: [broken], onError: (thrown) => failures.push(thrown) },
    });
    const response = await handle(new Request('http://localhost/inbox'));
    expect([response.status, timesOf(await response.json()), failures]).toEqual([200, [2, 3], [DOWN]]);
  });

  test('costs its own calls alone when it hangs, after twenty seconds', async () => {
    const failures: unknown[] = [];
    const { source } = createSource('a/', [1]);
    const hanging = { ...source, list: () => new Promise<never>(() => {}) };
    const { list, clock } = setup({
      sources: [hanging, createSource('b/', [2]).source],
      onError: (thrown) => failures.push(thrown),
    });
    const listed = list();
    await clock.advance(20_000);
    expect(timesOf(await listed)).toEqual([2]);
    expect(String(failures)).toContain('The source a/ of the inbox did not list its calls within 20 seconds');
  });

  test('is asked again from where it was by the next page: no call is lost, none comes twice', async () => {
    const { source } = createSource('a/', [1, 3, 5]);
    let isBroken = false;
    const flaky = { ...source, list: (query: InboxQuery) => (isBroken ? rejects() : source.list(query)) };
    const { list } = setup({ sources: [flaky, createSource('b/', [2, 4, 6]).source] });
    const pages = [];
    let next = '';
    for (const broken of [false, true, false, false]) {
      isBroken = broken;
      const page = await list(`?limit=2${next && `&after=${encodeURIComponent(next)}`}`);
      pages.push(timesOf(page));
      next = page.next ?? '';
    }
    expect(pages).toEqual([
      [1, 2],
      [4, 6],
      [3, 5],
      [1, 2],
    ]);
  });

  test('leaves the server no list if the others fail too', async () => {
    const failures: unknown[] = [];
    const sources = ['a/', 'b/'].map((prefix) => ({ ...createSource(prefix, []).source, list: rejects }));
    const { handle } = setup({ sources, onError: (thrown) => failures.push(thrown) });
    const response = await handle(new Request('http://localhost/inbox'));
    expect([response.status, await response.text()]).toEqual([
      503,
      expect.not.stringContaining('db.internal'),
    ]);
    expect(failures).toEqual([DOWN, DOWN]);
  });

  test('keeps its calls in a stream that had them, and is read again after five seconds', async () => {
    const failures: unknown[] = [];
    const [a, b] = [createSource('a/', [1]), createSource('b/', [2])];
    let isBroken = false;
    const flaky = { ...a.source, list: (query: InboxQuery) => (isBroken ? rejects() : a.source.list(query)) };
    const { followed, clock } = await follow({
      sources: [flaky, b.source],
      onError: (thrown) => failures.push(thrown),
    });
    expect(await followed()).toEqual([1, 2]);
    isBroken = true;
    const second = followed();
    b.change([2, 3]);
    await clock.advance(50);
    expect([await second, failures]).toEqual([[1, 2, 3], [DOWN]]);
    isBroken = false;
    a.change([4]);
    const third = followed();
    await clock.advance(5_050);
    expect(await third).toEqual([2, 3, 4]);
  });

  test('is read again in a stream without a change of any source', async () => {
    const { source } = createSource('a/', [1]);
    let isBroken = true;
    const flaky = { ...source, list: (query: InboxQuery) => (isBroken ? rejects() : source.list(query)) };
    const { followed, clock } = await follow({ sources: [flaky, createSource('b/', [2]).source] });
    expect(await followed()).toEqual([2]);
    isBroken = false;
    const second = followed();
    await clock.advance(5_050);
    expect(await second).toEqual([1, 2]);
  });

  test('to tell of its changes costs a stream nothing else', async () => {
    const failures: unknown[] = [];
    const { source } = createSource('a/', [1]);
    const { followed } = await follow({
      sources: [{ ...source, subscribe: throws }, createSource('b/', [2]).source],
      onError: (thrown) => failures.push(thrown),
    });
    expect([await followed(), failures]).toEqual([[1, 2], [DOWN]]);
  });
});

describe('POST', () => {
  test('an answer goes to the source whose prefix its sessionId has, with the person who gave it', async () => {
    const [a, b] = [createSource('a/', [1]), createSource('b/', [2])];
    const { answer } = setup({ ...(await createStoreWith([])), sources: [a.source, b.source] });
    expect(await (await answer('b/s')).json()).toEqual({ status: 'accepted' });
    expect(a.taken).toEqual([]);
    expect(b.taken).toMatchObject([
      [{ sessionId: 'b/s', executionId: 'e', toolResults: [{ toolCallId: 'c', result: 1 }] }, ADA],
    ]);
  });

  test.each([
    ['not_allowed', 403],
    ['call_expired', 409],
    ['unknown_session', 404],
  ])('a source refuses an answer as %s with the status %i', async (code, status) => {
    const { source } = createSource('a/', [1], { status: 'refused', code, message: 'No.' });
    const response = await setup({ sources: [source] }).answer('a/s');
    expect([response.status, await response.json()]).toEqual([status, { error: 'No.', code }]);
  });

  test('an answer that has neither a source nor sessions is refused', async () => {
    const response = await setup({ sources: [createSource('a/', []).source] }).answer('s');
    expect([response.status, (await response.json()).code]).toEqual([404, 'unknown_session']);
  });

  test('a source that throws is asked again by the client, and its error goes to onError alone', async () => {
    const failures: unknown[] = [];
    const { source } = createSource('a/', []);
    const broken = { ...source, answer: () => Promise.reject(new Error('no route to db.internal')) };
    const { answer } = setup({ sources: [broken], onError: (thrown) => failures.push(thrown) });
    const response = await answer('a/s');
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('db.internal');
    expect(failures).toEqual([new Error('no route to db.internal')]);
  });
});

test.each([
  ['no store and no source', {}, 'pass store and getSession, or sources alone'],
  ['a store without getSession', { store: createMemorySessionStore() }, 'pass store and getSession'],
  [
    'two sources with one prefix',
    { sources: [createSource('a/', []).source, createSource('a/', []).source] },
    "two sources have calls whose sessionId begins with 'a/'",
  ],
])('an inbox with %s is a mistake that names the fix', async (_, options, message) => {
  await expect(setup(options).list()).rejects.toThrow(message);
});
