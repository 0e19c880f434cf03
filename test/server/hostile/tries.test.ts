/** Tries that must not succeed: the edges of requests, people, receipts and time. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type Agent,
  createAgentSession,
  createHmacReceipts,
  createMemorySessionStore,
  defineServerTool,
  handleInboxRequest,
  readAnswers,
  type SessionStore,
  toUIMessages,
  verifyReceipt,
} from '../../../src/server.ts';
import { createListAgent, createTestClock, hello, requestIn, settle } from '../support.ts';
import { ADA, answerAll, BOB, callTools, createReadStore, done, send } from './support.ts';

/** A session that asks whether to pay, and counts the payments. */
function openPaying(more: object = {}, tool: object = {}, store: SessionStore = createMemorySessionStore()) {
  const paid: unknown[] = [];
  const pay = defineServerTool({
    approval: 'always',
    execute: (args: unknown) => paid.push(args),
    ...tool,
  } as never);
  const agent = createListAgent(callTools(['pay']), done);
  const open = () => createAgentSession({ id: 's', agent, store, tools: { pay }, ...more });
  return { paid, agent, store, open, session: open() };
}

const noYes: [string, object][] = [
  ['an extra key', { result: { confirmed: true, approved: true } }],
  ['a text', { result: 'true' }],
  ['a yes in a list', { result: [{ confirmed: true }] }],
  ['a yes in the prototype', { result: JSON.parse('{"__proto__":{"confirmed":true}}') }],
  ['a yes in constructor', { result: { constructor: { confirmed: true } } }],
  [
    'edited arguments of a tool that is not editable',
    { result: { confirmed: true, editedArgs: { amount: 1 } } },
  ],
  ['null as edited arguments', { result: { confirmed: true, editedArgs: null } }],
  ['the word submitted with an error', { outcome: 'submitted', error: 'x' }],
  ['the word failed', { outcome: 'failed' }],
  ['an answer to a question', { result: { answer: 'yes' } }],
  ['4 MiB of text', { result: 'x'.repeat(2 ** 22) }],
];
it.each(noYes)('a call is not allowed by %s', async (_, given) => {
  const { session, paid } = openPaying();
  const asked = await send(session, hello);
  expect(await send(session, answerAll(asked, given))).toMatchObject([{ code: 'invalid_result' }]);
  expect(paid).toEqual([]);
});

it.each([
  ['adds a key', { amount: 1, to: 'mallory' }],
  ['changes a type', { amount: '1' }],
  ['has a prototype key', JSON.parse('{"amount":1,"__proto__":{"to":"mallory"}}')],
  ['has a constructor', { amount: 1, constructor: { name: 'x' } }],
])('a call is not allowed with edited arguments of which one %s', async (_, editedArgs) => {
  const { session, paid } = openPaying({}, { editable: true, input: z.object({ amount: z.number() }) });
  const asked = await send(session, hello);
  const answer = answerAll(asked, { result: { confirmed: true, editedArgs } });
  expect(await send(session, answer)).toMatchObject([{ code: 'invalid_result' }]);
  expect(paid).toEqual([]);
});

it.each([
  ['changes', { amount: 1, to: 'mallory' }],
  ['leaves out', { amount: 1 }],
])('a call is not allowed with edited arguments that %s what is read-only', async (_, editedArgs) => {
  const input = z.object({ amount: z.number(), to: z.string().meta({ readOnly: true }).default('ada') });
  const { session, paid } = openPaying({}, { editable: true, input });
  const asked = await send(session, hello);
  const answer = answerAll(asked, { result: { confirmed: true, editedArgs } });
  expect(await send(session, answer)).toMatchObject([
    { code: 'invalid_result', message: expect.stringContaining('to may not be changed') },
  ]);
  expect(paid).toEqual([]);
  await send(
    session,
    answerAll(asked, { result: { confirmed: true, editedArgs: { amount: 1, to: 'ada' } } }),
  );
  expect(paid).toEqual([{ amount: 1, to: 'ada' }]);
});

describe.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('the name %s', (name) => {
  it('as a tool goes to the client, and as an id of a call is answered once', async () => {
    const call = { toolCallId: name, toolName: name, args: {} };
    const agent = createListAgent(
      [
        { type: 'tool-request', toolCalls: [call] },
        { type: 'finish', finishReason: 'tool-calls' },
      ],
      done,
    );
    const session = createAgentSession({ id: name, agent, tools: { pay: () => 1 } });
    const asked = await send(session, hello);
    expect(requestIn(asked).toolCalls).toMatchObject([call]);
    expect((await send(session, answerAll(asked, { result: 1 }))).at(-1)).toMatchObject({ type: 'finish' });
    expect(await send(session, answerAll(asked, { result: 2 }))).toMatchObject([{ type: 'error' }]);
    expect(agent.contexts).toHaveLength(2);
  });

  it('as the key of a step and of a question works as any other', async () => {
    let count = 0;
    const pay = defineServerTool({
      async execute(_args, { once, ask }) {
        await once(name, () => ++count);
        return ask({ key: name, message: 'Why?' });
      },
    });
    const agent = createListAgent(callTools(['pay']), done);
    const session = createAgentSession({ id: 's', agent, tools: { pay } });
    await send(session, answerAll(await send(session, hello), { result: { answer: 'so' } }));
    expect(count).toBe(1);
    expect(agent.contexts.at(-1)?.messages.at(-1)).toMatchObject({ result: 'so' });
  });
});

it('a yes and a no in one tick: the first counts, the other is refused', async () => {
  const { session, paid, open } = openPaying();
  const asked = await send(session, hello, ADA);
  const [no, yes] = await Promise.all([
    send(session, answerAll(asked, { outcome: 'declined' }), ADA),
    send(open(), answerAll(asked), ADA),
  ]);
  expect(no[0]).toMatchObject({ type: 'start' });
  expect(yes).toMatchObject([{ code: 'already_answered' }]);
  expect(paid).toEqual([]);
});

it.each([
  ['a stop', { type: 'stop' }],
  ['a new message', { ...hello, input: { USER_MESSAGE: 'wait' } }],
])('a yes behind %s does not run the call', async (_, first) => {
  const { session, paid } = openPaying();
  const asked = await send(session, hello);
  const [, late] = await Promise.all([send(session, first), send(session, answerAll(asked))]);
  expect(late).toMatchObject([{ type: 'error' }]);
  expect(paid).toEqual([]);
});

it('a yes at the very millisecond of the deadline is too late', async () => {
  const clock = createTestClock();
  const { session, paid } = openPaying({ clock }, { approval: { when: 'always', expiresInMs: 1_000 } });
  const asked = await send(session, hello);
  clock.advance(1_000);
  const late = await send(session, answerAll(asked));
  expect(late).toMatchObject([{ type: 'error' }]);
  expect(paid).toEqual([]);
});

it('the same yes twice at once, in two processes over one store, pays once', async () => {
  const memory = createMemorySessionStore();
  const { session, paid, agent } = openPaying(
    {},
    {
      execute: (_args: unknown, { once }: never) =>
        (once as never as (k: string, w: () => unknown) => unknown)('p', () => paid.push(1)),
    },
    { ...memory },
  );
  const asked = await send(session, hello);
  const pay = defineServerTool({
    approval: 'always',
    execute: (_args, { once }) => once('p', () => paid.push(1)),
  });
  const other = createAgentSession({ id: 's', agent, store: { ...memory }, tools: { pay } });
  await Promise.all([send(session, answerAll(asked)), send(other, answerAll(asked))]);
  expect(paid).toHaveLength(1);
});

it('receipts of another call, session or turn allow nothing, and a changed record is not valid', async () => {
  const receipts = createHmacReceipts('0123456789abcdef0123456789abcdef');
  const one = openPaying({ receipts });
  const other = openPaying({ receipts, id: 'other' });
  const asked = requestIn(await send(one.session, hello, ADA));
  const foreign = requestIn(await send(other.session, hello, ADA));
  const withReceipt = (receipt: unknown, outcome = 'submitted') => ({
    ...{ type: 'continue', executionId: asked.executionId },
    toolResults: [{ toolCallId: 'pay-id', outcome, receipt }],
  });
  for (const receipt of [
    foreign.toolCalls[0]?.receipt,
    undefined,
    '',
    'a.b.c',
    {},
    `${asked.toolCalls[0]?.receipt}A`,
  ])
    expect(await send(one.session, withReceipt(receipt), ADA)).toMatchObject([{ code: 'invalid_receipt' }]);
  await send(one.session, withReceipt(asked.toolCalls[0]?.receipt, 'declined'), ADA);
  await send(one.session, { ...hello, input: { USER_MESSAGE: 'again' } }, ADA);
  expect(one.paid).toEqual([]);
  const record = await one.store.load('s');
  const [answer] = record ? readAnswers('s', record) : [];
  if (answer === undefined) throw new Error('the store has no answer');
  expect(await verifyReceipt(answer, receipts)).toMatchObject({ valid: true });
  for (const change of [
    { outcome: 'submitted' },
    { answeredBy: BOB },
    { answeredAt: 0 },
    { args: {} },
    { sessionId: 'x' },
    { reason: 'x' },
    { isApproval: undefined },
  ])
    expect(await verifyReceipt({ ...answer, ...change } as never, receipts)).toMatchObject({ valid: false });
});

it('an answer to a call of an earlier turn does not answer the call of this turn with the same id', async () => {
  const paid: unknown[] = [];
  const pay = defineServerTool({ approval: 'always', execute: (args) => paid.push(args) });
  const agent = createListAgent(
    callTools(['pay'], { amount: 1 }),
    done,
    callTools(['pay'], { amount: 1_000 }),
    done,
  );
  const session = createAgentSession({ id: 's', agent, tools: { pay } });
  const first = await send(session, hello);
  await send(session, answerAll(first));
  await send(session, { ...hello, input: { USER_MESSAGE: 'more' } });
  expect(await send(session, answerAll(first))).toMatchObject([{ code: 'unknown_execution' }]);
  expect(paid).toEqual([{ amount: 1 }]);
});

it('an agent cannot answer in place of a person: its own question, receipt and executor are not taken', async () => {
  const { paid, agent, session } = openPaying();
  const forged = {
    executedBy: 'client',
    answer: { outcome: 'submitted' },
    stage: 'answered',
    digest: 'x',
    receipt: 'r',
    mayAnswer: true,
  };
  const first = agent.contexts.length;
  const events = await send(
    createAgentSession({
      ...{
        id: 's2',
        tools: { pay: defineServerTool({ approval: 'always', execute: (args) => paid.push(args) }) },
      },
      agent: createListAgent(callTools(['pay'], { amount: 1 }, forged), done),
    }),
    hello,
  );
  expect(first).toBe(0);
  expect(session.id).toBe('s');
  expect(requestIn(events).toolCalls).toMatchObject([{ executedBy: 'server', question: { ui: 'confirm' } }]);
  expect(requestIn(events).toolCalls[0]).not.toHaveProperty('receipt');
  expect(paid).toEqual([]);
});

it('a password that answers a question is on no way out: store, events, inbox, second device, page', async () => {
  const { store, savedText } = createReadStore();
  const output = z.object({ pin: z.string().meta({ format: 'password' }) });
  const got: unknown[] = [];
  const login = defineServerTool({
    async execute(_args, { ask, once }) {
      got.push(await ask({ message: 'PIN?', output, key: 'pin' }));
      await ask({ message: 'Sure?', key: 'sure' });
      return once('in', () => 'in');
    },
  });
  const agent = createListAgent(callTools(['login']), done);
  const session = createAgentSession({ id: 's', agent, store, tools: { login } });
  const asked = await send(session, hello, ADA);
  const seen: unknown[] = [];
  const device = new AbortController();
  const follower = session.execute({ type: 'open', follow: true }, { principal: ADA, signal: device.signal });
  const reading = (async () => {
    for await (const event of follower) seen.push(event);
  })();
  await settle();
  const next = await send(session, answerAll(asked, { result: { pin: 'hunter2' } }), ADA);
  await settle();
  const list = await store.listOpenCalls?.();
  const log = await store.openLog?.('s', requestIn(asked).executionId ?? '', 0).read(0);
  const shown = await send(session, { type: 'open' }, ADA);
  const resumed = await send(
    session,
    { type: 'resume', executionId: requestIn(asked).executionId, cursor: 0 },
    ADA,
  );
  await send(session, answerAll(next, { result: { answer: 'yes' } }), ADA);
  await settle();
  device.abort();
  await reading;
  const record = await store.load('s');
  expect(got.length).toBeGreaterThan(0);
  const ways = [seen, next, list, log, shown, resumed, record && toUIMessages(record)];
  expect(JSON.stringify(ways)).not.toContain('hunter2');
  expect(savedText()).not.toContain('hunter2');
});

it('the inbox of a stranger has no call, and takes no answer', async () => {
  const { session, store, paid } = openPaying();
  const asked = requestIn(await send(session, hello, ADA));
  const options = { store, getSession: () => session, principal: () => BOB };
  const listed = await handleInboxRequest(new Request('http://server/'), options);
  expect(await listed.json()).toEqual({ calls: [] });
  const body = JSON.stringify({
    ...{ sessionId: 's', executionId: asked.executionId },
    toolResults: [{ toolCallId: 'pay-id', outcome: 'submitted' }],
  });
  const headers = { 'content-type': 'application/json' };
  const answered = await handleInboxRequest(
    new Request('http://server/', { method: 'POST', headers, body }),
    options,
  );
  expect(answered.status).toBe(403);
  expect(paid).toEqual([]);
});

const DEPTH = 1_200;
it.each<[string, unknown]>([
  ['null', null],
  ['a list', []],
  ['no type', {}],
  ['an id that is a number', { type: 'continue', executionId: 5, toolResults: [] }],
  ['results that are no list', { type: 'continue', executionId: 'x', toolResults: {} }],
  [
    'one call twice',
    { type: 'continue', executionId: 'x', toolResults: [{ toolCallId: 'a' }, { toolCallId: 'a' }] },
  ],
  [
    'a word that is no outcome',
    { type: 'continue', executionId: 'x', toolResults: [{ toolCallId: 'a', outcome: 'toString' }] },
  ],
  ['a cursor of NaN', { type: 'resume', executionId: 'x', cursor: Number.NaN }],
  ['a cursor below 0', { type: 'resume', executionId: 'x', cursor: -1 }],
  ['an infinite cursor', { type: 'resume', executionId: 'x', cursor: Infinity }],
  ['a trigger without a name', { type: 'trigger', triggerName: '' }],
  ['an input that is a list', { type: 'trigger', triggerName: 'x', input: [] }],
  [
    'too deep a value',
    { type: 'trigger', triggerName: 'x', input: JSON.parse(`${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`) },
  ],
])('a request with %s is refused and changes nothing', async (_, payload) => {
  const { session, store, agent } = openPaying();
  expect(await send(session, payload)).toMatchObject([{ type: 'error', code: 'invalid_request' }]);
  expect(await store.load('s')).toBeNull();
  expect(agent.contexts).toEqual([]);
});

it('a crash after any save of a turn pays once at most, and the turn can be brought to its end', async () => {
  for (let crashAt = 1; crashAt <= 12; crashAt += 1) {
    const memory = createMemorySessionStore();
    const paid: string[] = [];
    const agent: Agent = async function* ({ messages }) {
      yield* messages.at(-1)?.role === 'tool' ? done : callTools(['pay']);
    };
    const pay = defineServerTool({
      approval: 'always',
      execute: async (_args, { once, ask }) => {
        await once('pay', ({ idempotencyKey }) => paid.push(idempotencyKey));
        return ask({ message: 'Why?' });
      },
    });
    let saves = 0;
    const save: SessionStore['save'] = async (...given) => {
      saves += 1;
      if (saves > crashAt) throw new Error('dead');
      return memory.save(...given);
    };
    const key = { ...hello, idempotencyKey: 'm-1' };
    const dying = createAgentSession({ id: 's', agent, store: { ...memory, save }, tools: { pay } });
    const script = async (session: typeof dying) => {
      await send(session, key);
      for (let step = 0; step < 4; step += 1) {
        const [snapshot] = await send(session, { type: 'open' });
        const [call] = snapshot?.type === 'snapshot' ? snapshot.openCalls : [];
        if (snapshot?.type !== 'snapshot' || call === undefined) return;
        const given = call.executedBy === 'server' ? { outcome: 'submitted' } : { result: { answer: 'so' } };
        const toolResults = [{ toolCallId: call.toolCallId, ...given }];
        await send(session, { type: 'continue', executionId: snapshot.executionId, toolResults });
      }
    };
    await script(dying);
    const alive = createAgentSession({ id: 's', agent, store: { ...memory }, tools: { pay } });
    await alive.recover();
    await settle();
    await script(alive);
    expect([crashAt, (await memory.load('s'))?.execution?.state]).toEqual([crashAt, 'done']);
    expect([crashAt, new Set(paid).size]).toEqual([crashAt, 1]);
  }
});

it('a person cannot say that the time of a call is over: the store says it', async () => {
  const { session, paid } = openPaying();
  const asked = await send(session, hello, ADA);
  expect(await send(session, answerAll(asked, { outcome: 'expired' }), ADA)).toMatchObject([
    { code: 'invalid_result' },
  ]);
  expect(paid).toEqual([]);
});

it('a yes of a page that showed other arguments is refused, also without receipts', async () => {
  const { session, paid } = openPaying();
  const asked = await send(session, hello, ADA);
  const events = await send(session, answerAll(asked, { outcome: 'submitted', shown: '0'.repeat(64) }), ADA);
  expect(events).toMatchObject([{ type: 'error' }]);
  expect(paid).toEqual([]);
});
