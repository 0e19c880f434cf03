/** Several processes serve one session. */

import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import type { AgentEvent } from '../../../../src/core/protocol/events.ts';
import type { SettledCall } from '../../../../src/core/tools/settled-call.ts';
import type { Agent } from '../../../../src/server/agent.ts';
import { readAnswers } from '../../../../src/server/receipts/answer-record.ts';
import { createAgentSession } from '../../../../src/server/sessions/create-agent-session.ts';
import type { SessionRecord } from '../../../../src/server/store/session-store.ts';
import { defineServerTool } from '../../../../src/server/tools/define-server-tool.ts';
import { systemClock } from '../../../../src/shared/clock.ts';
import { createManualClock } from '../../../../src/testing/manual-clock.ts';
import { createDeferred } from '../../../support/deferred.ts';
import { callParts, firstCall, lastText, type Page, YES } from '../../../support/open-pages.ts';
import { type RedisServer, startRedisServer } from '../../../support/redis-server.ts';
import { openDevice } from '../../../support/shared-session.ts';
import { untilStatus } from '../../../support/until-status.ts';
import {
  calls,
  collect,
  continueWith,
  createListAgent,
  hello,
  requestIn,
  run,
  stop,
  text,
  types,
} from '../../support.ts';
import { LEASE_MS, type Nodes, openNodes } from './nodes.ts';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer();
  return () => server.stop();
});

let cluster: Nodes;
beforeEach(async () => {
  cluster = await openNodes(server);
});
afterEach(() => cluster.close());

const keyed = (key: string) => ({ ...hello, input: { USER_MESSAGE: key }, idempotencyKey: key });

const executionIdOf = (event: AgentEvent | undefined) =>
  event?.type === 'start' ? event.executionId : undefined;

/** An agent that stops in the middle of its text until it is released. It notes how its signal ended. */
function createHeldAgent() {
  const reached = createDeferred<void>();
  const released = createDeferred<void>();
  const ended = createDeferred<string>();
  const agent: Agent = async function* ({ signal }) {
    signal.addEventListener('abort', () => ended.resolve((signal.reason as { why: string }).why));
    yield { type: 'text-start', id: 't' };
    yield { type: 'text-delta', id: 't', delta: 'one ' };
    reached.resolve();
    await released.promise;
    yield { type: 'text-delta', id: 't', delta: 'two' };
    yield { type: 'text-end', id: 't' };
    yield stop;
  };
  return { agent, reached: reached.promise, release: () => released.resolve(), ended: ended.promise };
}

/** Reads until the agent is held. */
async function readHeld(events: AsyncGenerator<AgentEvent, void>) {
  const read: AgentEvent[] = [];
  while (read.at(-1)?.type !== 'text-delta') {
    const { value } = await events.next();
    if (value) read.push(value);
  }
  return read;
}

/** Reads what a follower gets up to the end of the turn, and leaves. */
async function readTurn(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const got: AgentEvent[] = [];
  for await (const event of events) {
    got.push(event);
    if (event.type === 'finish' && event.finishReason !== 'client-tool-calls') break;
  }
  return got;
}

describe('a request at a process that does not own the session', () => {
  test('reads the events of a run of the owner, those before it and those after', async () => {
    const [first, second] = cluster.nodes;
    const { agent, release } = createHeldAgent();
    const events = first.open(agent).execute(keyed('k'));
    const read = await readHeld(events);
    const other = second
      .open(agent)
      .execute({ type: 'resume', executionId: executionIdOf(read[0]), cursor: read[0]?.cursor });
    expect((await other.next()).value).toEqual(read[1]);
    expect((await other.next()).value).toEqual(read[2]);
    release();
    expect(types(await collect(other))).toEqual(['text-delta', 'text-end', 'finish']);
    expect(await collect(events)).toMatchObject([{ code: 'resumed_elsewhere' }]);
  });

  test('stops the run of the owner', async () => {
    const [first, second] = cluster.nodes;
    const { agent, ended } = createHeldAgent();
    const events = first.open(agent).execute(keyed('k'));
    await readHeld(events);
    expect(await run(second.open(agent), { type: 'stop' })).toEqual([]);
    expect(await ended).toBe('stopped');
    expect((await collect(events)).at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect((await second.store.load(cluster.id))?.execution?.state).toBe('stopped');
  });

  test('answers a question whose session nobody owns, and runs the agent itself', async () => {
    const [first, second] = cluster.nodes;
    const agents = [1, 2].map(() =>
      createListAgent([...text('Hm'), ...calls('ask')], [...text('Done'), stop]),
    );
    const [one, two] = agents as [(typeof agents)[0] & {}, (typeof agents)[0] & {}];
    const asked = await run(first.open(one), hello);
    await cluster.untilEqual(cluster.readToken, undefined);
    const answered = await run(second.open(two), continueWith(asked));
    expect(answered.at(-1)).toMatchObject({ finishReason: 'client-tool-calls' });
    expect([one.contexts.length, two.contexts.length]).toEqual([1, 1]);
    expect(await run(first.open(one), continueWith(asked))).toMatchObject([{ code: 'already_answered' }]);
  });

  test('supersedes the run of the owner with a new message', async () => {
    const [first, second] = cluster.nodes;
    const { agent, ended } = createHeldAgent();
    const events = first.open(agent).execute(keyed('a'));
    await readHeld(events);
    const other = second.open(agent).execute(keyed('b'));
    expect(types(await readHeld(other))).toEqual(['start', 'text-start', 'text-delta']);
    expect(await ended).toBe('superseded');
    await other.return();
  });

  test('ends a run when its client leaves, as at the owner', async () => {
    const [first, second] = cluster.nodes;
    const { agent, ended, reached } = createHeldAgent();
    // The owner has a run of its own, so that the request of the other process is relayed.
    const own = first.open(agent).execute(keyed('a'));
    await readHeld(own);
    const other = second.open(agent).execute(hello, { resumeWindowMs: 0 });
    await readHeld(other);
    await reached;
    await other.return();
    expect(await ended).toBe('superseded');
    await cluster.untilEqual(
      async () => (await second.store.load(cluster.id))?.execution?.state,
      'interrupted',
    );
    await cluster.untilEqual(cluster.readToken, undefined);
  });

  test('ends a run with finish{stop} when its signal aborts', async () => {
    const [first, second] = cluster.nodes;
    const { agent } = createHeldAgent();
    await readHeld(first.open(agent).execute(keyed('a')));
    const controller = new AbortController();
    const other = second.open(agent).execute(keyed('b'), { signal: controller.signal });
    const [start] = await readHeld(other);
    controller.abort();
    expect(await collect(other)).toEqual([
      { type: 'finish', finishReason: 'stop', executionId: executionIdOf(start) },
    ]);
    await cluster.untilEqual(
      async () => (await second.store.load(cluster.id))?.execution?.state,
      'interrupted',
    );
  });

  test('gets all of five hundred events in their order', async () => {
    const [first, second] = cluster.nodes;
    const held = createHeldAgent();
    const agent: Agent = async function* (context) {
      if (context.messages.length === 1) return yield* held.agent(context);
      yield { type: 'text-start', id: 't' };
      for (let index = 0; index < 500; index += 1) yield { type: 'text-delta', id: 't', delta: `${index} ` };
      yield stop;
    };
    await readHeld(first.open(agent).execute(keyed('a')));
    const events = await run(second.open(agent), keyed('b'));
    const deltas = events.flatMap((event) => (event.type === 'text-delta' ? event.delta : []));
    expect(deltas).toEqual(Array.from({ length: 500 }, (_, index) => `${index} `));
    expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });
});

describe('the lease of a session', () => {
  test('is renewed while a run is under way, and given back after it', async () => {
    const [first] = cluster.nodes;
    const { agent, release } = createHeldAgent();
    const events = first.open(agent).execute(hello);
    await readHeld(events);
    const [token, key] = [await cluster.readToken(), `${cluster.id}:lease:${cluster.id}`];
    for (let renewals = 0; renewals < 5; renewals += 1) {
      await first.client.pExpire(key, LEASE_MS / 2);
      await cluster.clock.advance(LEASE_MS / 3);
      await cluster.untilEqual(async () => (await first.client.pTTL(key)) > LEASE_MS / 2, true);
      expect(await cluster.readToken()).toBe(token);
    }
    release();
    await collect(events);
    await cluster.untilEqual(cluster.readToken, undefined);
  });

  test('is not held while a question waits', async () => {
    const [first] = cluster.nodes;
    await run(first.open(createListAgent([...calls('ask')])), hello);
    await cluster.untilEqual(cluster.readToken, undefined);
    expect((await first.store.load(cluster.id))?.execution?.state).toBe('waiting');
  });
});

describe('a process that dies', () => {
  test('loses the session to the one that is asked next, which restarts the run', async () => {
    const [first, second] = cluster.nodes;
    const { agent } = createHeldAgent();
    await readHeld(first.open(agent).execute(keyed('k')));
    first.die();
    const again = run(second.open(createListAgent([...text('Again'), stop])), keyed('k'));
    await cluster.expireLease();
    const events = await cluster.whileTimePasses(again);
    expect(types(events)).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'finish']);
  });

  test('with a request of another process leaves that client a retryable server_restarted', async () => {
    const [first, second, third] = cluster.nodes;
    const { agent } = createHeldAgent();
    await readHeld(first.open(agent).execute(keyed('a')));
    const relayed = second.open(agent).execute(keyed('b'));
    await readHeld(relayed);
    first.die();
    await cluster.expireLease();
    expect(await cluster.whileTimePasses(collect(relayed))).toMatchObject([
      { type: 'error', code: 'server_restarted', retryable: true },
    ]);
    const again = await run(third.open(createListAgent([...text('Again'), stop])), keyed('b'));
    expect(again.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect((await third.store.load(cluster.id))?.messages.filter(({ role }) => role === 'user')).toHaveLength(
      2,
    );
  });
});

describe('a process that was suspended past its lease', () => {
  test('writes neither records nor events, and ends its run, when another process owns the session', async () => {
    const [first, second] = cluster.nodes;
    const { agent, release } = createHeldAgent();
    const late = first.open(agent).execute(keyed('k'));
    const [start] = await readHeld(late);
    await cluster.expireLease();
    const asked = await run(second.open(createListAgent([...text('Hm'), ...calls('ask')])), keyed('k'));
    release();
    expect(await collect(late)).toMatchObject([{ type: 'error', code: 'session_conflict', retryable: true }]);
    const { executionId } = requestIn(asked);
    expect(executionId).not.toBe(executionIdOf(start));
    const resumed = await run(second.open(agent), { type: 'resume', executionId, cursor: asked[0]?.cursor });
    expect(resumed).toEqual(asked.slice(1));
  });
});

describe('a process that does not know yet that it lost the session', () => {
  /** A tool that waits before its step, in the first process. */
  async function openLate() {
    const [first, second] = cluster.nodes;
    const reached = createDeferred();
    const released = createDeferred();
    const paid: string[] = [];
    const pay = defineServerTool({
      async execute(_, { once }) {
        reached.resolve();
        await released.promise;
        return once('pay', () => paid.push('late'));
      },
    });
    const session = first.open(createListAgent(calls('pay'), [...text('Paid'), stop]), { pay });
    const late = run(session, keyed('a'));
    await reached.promise;
    await cluster.expireLease();
    return {
      session,
      other: second.open(createListAgent([...text('Hi'), stop])),
      late,
      paid,
      release: released.resolve,
    };
  }

  test('saves nothing, even if the new owner has saved nothing either', async () => {
    const { other, late, paid, release } = await openLate();
    await run(other, { type: 'stop', executionId: 'another' });
    release();
    expect((await late).at(-1)).toMatchObject({ code: 'session_conflict', retryable: true });
    expect(paid).toEqual([]);
  });

  test('takes the session anew for the next request, once a write was refused', async () => {
    const { session, other, late, release } = await openLate();
    await run(other, keyed('b'));
    release();
    await late;
    expect((await run(session, keyed('c'))).at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });
});

test('a request that comes while the owner gives the session back is handled by the owner', async () => {
  const [first] = cluster.nodes;
  const { agent, release } = createHeldAgent();
  const events = first.open(agent).execute(keyed('a'));
  await readHeld(events);
  // Nobody rings, as if the run had just ended when the request came. A process of an earlier version relays no tools of the page.
  const request = { type: 'trigger', triggerName: 'user-message', input: { USER_MESSAGE: 'b' } };
  await first.client.rPush(
    `${cluster.id}:mailbox:${cluster.id}`,
    `open request-b nobody ${JSON.stringify({ request, windowMs: 60_000 })}`,
  );
  release();
  await collect(events);
  await cluster.untilEqual(cluster.readToken, undefined);
  const record = await first.store.load(cluster.id);
  expect(record?.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
});

describe('recover', () => {
  test('restarts the run of a process that died, with the session that the process created last', async () => {
    const [first, second] = cluster.nodes;
    await readHeld(first.open(createHeldAgent().agent).execute(keyed('k')));
    expect(await second.store.recover()).toBe(0);
    first.die();
    await cluster.expireLease();
    expect(await second.store.recover()).toBe(0);
    second.open(createListAgent([...text('Again'), stop]));
    expect(await second.store.recover()).toBe(1);
    await cluster.untilEqual(async () => (await second.store.load(cluster.id))?.execution?.state, 'done');
    expect(await second.store.recover()).toBe(0);
  });

  test('opens the sessions with the function that it is given', async () => {
    const [first, second] = cluster.nodes;
    await readHeld(first.open(createHeldAgent().agent).execute(keyed('k')));
    first.die();
    await cluster.expireLease();
    expect(await second.store.recover(() => undefined)).toBe(0);
    const session = second.open(createListAgent([...text('Again'), stop]));
    expect(await second.store.recover((id) => (id === cluster.id ? session : undefined))).toBe(1);
  });

  test('settles a question whose time ended after its process died', async () => {
    const [first, second] = cluster.nodes;
    const wait = defineServerTool({ execute: (_, { ask }) => ask({ message: 'Well?', expiresInMs: 1 }) });
    const agent = createListAgent(calls('wait'), [...text('Done'), stop]);
    const { deadline = 0 } = requestIn(await run(first.open(agent, { wait }), hello)).toolCalls[0] ?? {};
    first.die();
    second.open(agent, { wait });
    await cluster.expireLease();
    while ((await second.store.now()) < deadline);
    expect(await second.store.recover()).toBe(1);
    await cluster.untilEqual(async () => (await second.store.load(cluster.id))?.execution?.state, 'done');
    const record = (await second.store.load(cluster.id)) as SessionRecord;
    expect(readAnswers(cluster.id, record)).toMatchObject([{ outcome: 'expired' }]);
  });
});

describe('a process whose clock is an hour ahead', () => {
  test('expires no question before the time of Redis is over', async () => {
    const { nodes, id } = cluster;
    const [first, second] = nodes;
    const wait = defineServerTool({
      execute: (_, { ask }) => ask({ message: 'Well?', expiresInMs: 1_800_000 }),
    });
    const agent = createListAgent(calls('wait'), [...text('Done'), stop]);
    await run(first.open(agent, { wait }), hello);
    const clock = createManualClock(Date.now() + 3_600_000);
    const session = createAgentSession({ id, agent, tools: { wait }, store: second.store, clock });
    expect(await session.recover()).toBe(false);
    expect(await second.store.recover()).toBe(0);
    const [snapshot] = await run(session, { type: 'open' });
    expect(snapshot).toMatchObject({ openCalls: [{ toolName: 'wait' }] });
    expect((await second.store.listOpenCalls()).calls).toHaveLength(1);
  });
});

describe('a question of a server tool', () => {
  const ask = (paid: string[]) =>
    defineServerTool({
      async execute(_, { ask, once }) {
        const { why } = await ask({ message: 'Why?', output: z.object({ why: z.string() }) });
        return once('pay', ({ idempotencyKey }) => paid.push(`${why} ${idempotencyKey}`));
      },
    });

  test('is listed for the person who may answer it, at the process that asked it', async () => {
    const [first] = cluster.nodes;
    const tools = { pay: { ...ask([]), mayAnswer: ({ id }: { id: string }) => id === 'ada' } };
    await run(first.open(createListAgent(calls('pay')), tools), keyed('k'));
    const list = async (id: string) => (await first.store.listOpenCalls({ principal: { id } })).calls;
    expect(await list('ada')).toMatchObject([{ sessionId: cluster.id, call: { toolName: 'pay' } }]);
    expect(await list('eve')).toEqual([]);
  });

  test('is followed at one process, and answered at another', async () => {
    const [first, second, third] = cluster.nodes;
    const paid: string[] = [];
    const tools = { pay: ask(paid) };
    const agent = createListAgent(calls('pay'), [...text('Paid'), stop]);
    const asked = requestIn(await run(first.open(agent, tools), keyed('k')));
    const phone = second.open(agent, tools).execute({ type: 'open', follow: true });
    expect((await phone.next()).value).toMatchObject({ type: 'snapshot', openCalls: asked.toolCalls });
    const toolResults = asked.toolCalls.map(({ toolCallId }) => ({ toolCallId, result: { why: 'because' } }));
    const answer = { type: 'continue', executionId: asked.executionId, toolResults, partial: true };
    const answered = await collect(third.open(agent, tools).execute(answer, { principal: { id: 'ada' } }));
    expect(answered.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    const followed = await readTurn(phone);
    expect(followed[1]).toMatchObject({ type: 'tool-result-acknowledged', answeredBy: { id: 'ada' } });
    expect(followed.slice(2)).toEqual(answered.slice(1));
    expect(paid).toHaveLength(1);
  });

  test('is followed over a restart of Redis', async () => {
    const [first, second] = cluster.nodes;
    const tools = { pay: ask([]) };
    const agent = createListAgent(calls('pay'), [...text('Paid'), stop]);
    const asked = requestIn(await run(first.open(agent, tools), keyed('k')));
    const phone = second.open(agent, tools).execute({ type: 'open', follow: true });
    await phone.next();
    await cluster.untilEqual(cluster.readToken, undefined);
    // A watcher is called without an id when its process hears again.
    const heard = [first, second].map(
      ({ store }) => new Promise((resolve) => store.watch((id) => id === undefined && resolve(id))),
    );
    await server.crash();
    await server.restart();
    await Promise.all(heard);
    const toolResults = asked.toolCalls.map(({ toolCallId }) => ({ toolCallId, result: { why: 'because' } }));
    await run(first.open(agent, tools), { type: 'continue', executionId: asked.executionId, toolResults });
    expect((await readTurn(phone)).at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });

  test('leaves a process that lost the session without a step that it had not begun', async () => {
    const [first, second] = cluster.nodes;
    const reached = createDeferred();
    const released = createDeferred();
    const paid: string[] = [];
    const toTools = (name: string, before: () => Promise<void>) => ({
      pay: defineServerTool({
        async execute(_, { once }) {
          await before();
          return once('pay', () => paid.push(name));
        },
      }),
    });
    const agent = createListAgent(calls('pay'), [...text('Paid'), stop]);
    const open = (node: typeof first, name: string, before = async () => {}) =>
      node.open(agent, toTools(name, before));
    const late = run(
      open(first, 'first', () => {
        reached.resolve();
        return released.promise;
      }),
      keyed('k'),
    );
    await reached.promise;
    await cluster.expireLease();
    await run(open(second, 'second'), keyed('k'));
    released.resolve();
    expect((await late).at(-1)).toMatchObject({ code: 'session_conflict' });
    expect(paid).toEqual(['second']);
  });
});

test('every one of many requests at three processes at the same time gets its answer', async () => {
  const agent: Agent = async function* ({ messages }) {
    yield { type: 'text-start', id: 't' };
    yield { type: 'text-delta', id: 't', delta: `answer ${messages.length}` };
    yield { type: 'text-end', id: 't' };
    yield stop;
  };
  const requests = Array.from({ length: 60 }, (_, index) => {
    const { open } = cluster.nodes[index % 3] as (typeof cluster.nodes)[0];
    return run(open(agent), keyed(`key ${index}`));
  });
  const endings = (await Promise.all(requests)).map((events) => events.at(-1));
  expect(endings.filter((ending) => ending?.type !== 'finish')).toEqual([]);
  const record = await cluster.nodes[0].store.load(cluster.id);
  const said = record?.messages.flatMap((message) => (message.role === 'user' ? [message.content] : []));
  expect(said?.toSorted()).toEqual(requests.map((_, index) => `key ${index}`).toSorted());
  await cluster.untilEqual(cluster.readToken, undefined);
});

describe('pages of two processes', () => {
  test.each([
    ['a yes and a no', (bob: Page) => firstCall(bob).decline()],
    ['the same answer', (bob: Page) => firstCall(bob).submit(YES)],
  ])('come to rest with the answer that counts when they give %s in the same moment', async (_, answer) => {
    const ran: string[] = [];
    const pay = defineServerTool({ approval: 'always', execute: () => ran.push('pay') });
    const agent = createListAgent(calls('pay'), [...text('Done'), stop]);
    const common = { id: cluster.id, agent, tools: { pay }, mayOpen: () => true };
    const sessions = cluster.nodes.slice(0, 2).map(({ store }) => createAgentSession({ ...common, store }));
    const [ada, bob] = sessions.map((session, index) => {
      const principal = { id: index === 0 ? 'ada' : 'bob' };
      const settled: SettledCall[] = [];
      const device = openDevice(
        { clock: systemClock, session: () => session, principal, carrier: 'http' },
        { openOnStart: true, onCallSettled: (call) => settled.push(call) },
      );
      device.chat.subscribe(() => {});
      onTestFinished(() => device.chat.destroy());
      return { ...device, settled };
    }) as [Page, Page];
    await ada.chat.sendMessage('hello');
    await untilStatus(bob.chat, 'awaiting-input');
    firstCall(ada).submit(YES);
    answer(bob);
    for (const { chat } of [ada, bob]) await untilStatus(chat, 'idle');
    const outcomes = [ada, bob].map(({ chat }) => callParts(chat).map(({ outcome }) => outcome));
    expect(outcomes[0]).toEqual(outcomes[1]);
    expect(ran.length).toBe(outcomes[0]?.[0] === 'submitted' ? 1 : 0);
    expect([ada, bob].map(({ chat }) => lastText(chat))).toEqual(['Done', 'Done']);
    expect([...ada.notified, ...bob.notified].filter((line) => line.startsWith('error'))).toEqual([]);
  });
});
