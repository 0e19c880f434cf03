/** The rules for `listOpenCalls`. A store without it passes, because then there is no inbox. */
import type {
  ListOpenCallsOptions,
  OpenCall,
  OpenCallList,
  SessionStore,
} from '../../server/store/session-store.ts';
import { createId } from '../../shared/ids.ts';
import { createSampleRecord, type SampleChange } from './sample-record.ts';
import { assertEqual, type OpenSessionStore, type StoreCheck } from './store-check.ts';

export const inboxChecks: readonly StoreCheck[] = [
  {
    name: 'the open calls are those of waiting sessions that have no answer and have not expired',
    check: (openStore) => withList(openStore, listOpen),
  },
  {
    name: 'the open calls come with the oldest first, page by page',
    check: (openStore) => withList(openStore, listPages),
  },
  {
    name: 'a page begins after the last call of the page before although that call was answered meanwhile',
    check: (openStore) => withList(openStore, listAfterAnswer),
  },
  {
    name: 'a list for a person has only the calls that the session lets this person answer',
    check: (openStore) => withList(openStore, listForPerson),
  },
];

/** Another process lists the calls that one process saved. */
export const durableInboxChecks: readonly StoreCheck[] = [
  {
    name: 'another process lists the open calls',
    async check(openStore) {
      const store = await openStore();
      const other = await openStore();
      if (!hasList(store) || !hasList(other)) return;
      const sessionId = createId();
      await save(store, sessionId, 1, { open: [createCall('a')] });
      assertEqual(
        namesOf(await other.listOpenCalls(EVERYTHING), sessionId),
        ['a'],
        'Another process must list the call a',
      );
    },
  },
];

type StoreWithList = SessionStore & Required<Pick<SessionStore, 'listOpenCalls'>>;

/** The store may have open calls of other checks. */
const EVERYTHING: ListOpenCallsOptions = { limit: 100_000 };
const HOUR = 3_600_000;

async function withList(
  openStore: OpenSessionStore,
  check: (store: StoreWithList) => Promise<void>,
): Promise<void> {
  const store = await openStore();
  if (hasList(store)) await check(store);
}

function hasList(store: SessionStore): store is StoreWithList {
  return store.listOpenCalls !== undefined;
}

function createCall(toolCallId: string, deadline?: number) {
  return { toolCallId, toolName: 'ask', args: { of: toolCallId }, ...(deadline && { deadline }) };
}

function save(
  store: SessionStore,
  sessionId: string,
  revision: number,
  change: SampleChange,
): Promise<boolean> {
  return store.save(sessionId, createSampleRecord(revision, 'Hi', { askedAt: 1_000, ...change }));
}

function callsOf({ calls }: OpenCallList, ...sessionIds: readonly string[]): readonly OpenCall[] {
  return calls.filter(({ sessionId }) => sessionIds.includes(sessionId));
}

function namesOf(list: OpenCallList, ...sessionIds: readonly string[]): readonly string[] {
  return callsOf(list, ...sessionIds).map(({ call }) => call.toolCallId);
}

async function listOpen(store: StoreWithList): Promise<void> {
  const sessionId = `\u0000 ${createId()}`;
  const now = (await store.now?.()) ?? Date.now();
  const open = [
    createCall('given'),
    createCall('expired', now - HOUR),
    createCall('late', now + HOUR),
    createCall('b'),
  ];
  const waiting = {
    open,
    startedBy: { id: 'ada', name: 'Ada' },
    given: ['given'],
  };
  await save(store, sessionId, 1, waiting);
  const shared = { sessionId, executionId: 'execution-1', askedAt: 1_000, startedBy: waiting.startedBy };
  assertEqual(
    callsOf(await store.listOpenCalls(EVERYTHING), sessionId),
    [
      { ...shared, call: open[2] },
      { ...shared, call: open[3] },
    ],
    'listOpenCalls() must list the calls without an answer that have not expired',
  );
  for (const [index, state] of (['running', 'interrupted', 'failed', 'done', 'stopped'] as const).entries()) {
    await save(store, sessionId, index + 2, { ...waiting, state });
    const listed = namesOf(await store.listOpenCalls(EVERYTHING), sessionId);
    assertEqual(listed, [], `listOpenCalls() must list no call of an execution in the state '${state}'`);
  }
}

async function listPages(store: StoreWithList): Promise<void> {
  const [late, early] = [createId(), createId()];
  await save(store, late, 1, { open: [createCall('3')], askedAt: 2_000 });
  await save(store, early, 1, { open: [createCall('1'), createCall('2')], askedAt: 1_500 });
  const pages: string[] = [];
  for await (const page of readPages(store, 1)) pages.push(...namesOf(page, late, early));
  assertEqual(pages, ['1', '2', '3'], 'Pages of one call must have every call once, the oldest first');
  const whole = await store.listOpenCalls(EVERYTHING);
  assertEqual(namesOf(whole, late, early), ['1', '2', '3'], 'A long page must have the same calls');
  assertEqual('next' in whole, false, 'The last page must have no `next`');
}

async function* readPages(store: StoreWithList, limit: number): AsyncGenerator<OpenCallList, void> {
  for (let after: string | undefined; ; ) {
    const page: OpenCallList = await store.listOpenCalls({ limit, ...(after !== undefined && { after }) });
    yield page;
    if (page.next === undefined) return;
    if (page.next === after) throw new Error('The `next` of a page must not be that of the page before.');
    after = page.next;
  }
}

async function listAfterAnswer(store: StoreWithList): Promise<void> {
  const sessionId = createId();
  const open = ['a', 'b', 'c'].map((name) => createCall(name));
  await save(store, sessionId, 1, { open });
  let next: string | undefined;
  for await (const page of readPages(store, 1)) {
    next = page.next;
    if (namesOf(page, sessionId).includes('b')) break;
  }
  await save(store, sessionId, 2, { open, given: ['a', 'b'] });
  const rest = await store.listOpenCalls({ ...EVERYTHING, ...(next !== undefined && { after: next }) });
  assertEqual(namesOf(rest, sessionId), ['c'], 'The page after the call b must begin with the call c');
}

async function listForPerson(store: StoreWithList): Promise<void> {
  const [mine, other, closed] = [createId(), createId(), createId()];
  for (const sessionId of [mine, other, closed]) {
    await save(store, sessionId, 1, { open: [createCall('a'), createCall('b')] });
  }
  const list = await store.listOpenCalls({
    ...EVERYTHING,
    principal: { id: 'grace' },
    openSession: (sessionId) =>
      sessionId === closed
        ? undefined
        : {
            mayAnswer: ({ id }, { call }) => id === 'grace' && sessionId === mine && call.toolCallId === 'b',
          },
  });
  assertEqual(namesOf(list, mine, other, closed), ['b'], 'The list must have the call b of one session');
}
