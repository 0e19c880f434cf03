import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import {
  type AgentSessionOptions,
  createAgentSession,
} from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import type { Principal } from '../../../src/shared/principal.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import {
  calls,
  collect,
  continueWith,
  createListAgent,
  hello,
  requestIn,
  settle,
  stop,
  text,
  types,
} from '../support.ts';

const ADA: Principal = { id: 'ada', name: 'Ada' };
const GRACE: Principal = { id: 'grace', name: 'Grace', roles: ['support'] };
const BOB: Principal = { id: 'bob', name: 'Bob' };

const refund = defineServerTool({
  input: z.object({ of: z.string() }),
  approval: 'always',
  mayAnswer: ({ roles }) => roles?.includes('support') === true,
  execute: () => 'paid',
});

function talk(options: Partial<AgentSessionOptions> = {}) {
  const store = createMemorySessionStore();
  const agent = createListAgent([...text('For Ada only'), ...calls('refund')], [...text('Paid'), stop]);
  const session = createAgentSession({ id: 's', agent, store, tools: { refund }, ...options });
  const send = (payload: unknown, principal?: Principal | null): Promise<AgentEvent[]> =>
    collect(session.execute(payload, { principal }));
  return { agent, store, session, send };
}

const other = { ...hello, input: { USER_MESSAGE: 'something else' } };
const openIt = { type: 'open' };
const yes = (asked: readonly AgentEvent[]) => continueWith(asked, () => ({ confirmed: true }));
const refused = [
  { type: 'error', code: 'not_allowed', message: expect.stringContaining('Nothing was changed.') },
];

describe('a conversation of Ada', () => {
  const strangers = [
    ['somebody else', BOB],
    ['nobody', undefined],
    ['a person who is not logged in', null],
  ] as const;

  it.each(strangers)(
    'a conversation of Ada is closed to %s: nothing of it is sent, and nothing is changed',
    async (_, who) => {
      const { agent, send, store } = talk();
      const asked = await send({ ...hello, idempotencyKey: 'key-1' }, ADA);
      const { executionId } = requestIn(asked);
      const before = await store.load('s');
      for (const payload of [
        openIt,
        { ...openIt, follow: true },
        { ...openIt, executionId, cursor: 1 },
        { type: 'resume', executionId, cursor: 0 },
        { type: 'stop' },
        { type: 'stop', executionId },
        other,
        { ...hello, idempotencyKey: 'key-1' },
        { ...other, rewindTo: 'key-1' },
        yes(asked),
      ]) {
        expect(await send(payload, who)).toMatchObject(refused);
      }
      expect(await store.load('s')).toEqual(before);
      expect(agent.contexts).toHaveLength(1);
    },
  );

  it('a conversation of Ada is open to Ada on any device, by her id', async () => {
    const { send } = talk();
    const { executionId } = requestIn(await send(hello, ADA));
    const phone = { id: 'ada', name: 'Ada L.' };
    expect(await send(openIt, phone)).toMatchObject([{ type: 'snapshot', messages: [{}, {}] }]);
    expect(types(await send({ type: 'resume', executionId, cursor: 0 }, phone))).toContain('text-delta');
    expect((await send(other, phone))[0]).toMatchObject({ type: 'start' });
    expect(await send({ type: 'stop' }, phone)).toEqual([]);
  });

  it('a conversation of Ada is open to a person who answered a call of it', async () => {
    const { send } = talk();
    await send(yes(await send(hello, ADA)), GRACE);
    expect(await send(openIt, GRACE)).toMatchObject([{ type: 'snapshot', messages: [{}, {}] }]);
    expect((await send(other, GRACE))[0]).toMatchObject({ type: 'start' });
    expect(await send(openIt, ADA)).toMatchObject([{ type: 'snapshot', messages: [{}, {}, {}, {}] }]);
    expect(await send(openIt, BOB)).toMatchObject(refused);
  });

  it('a conversation of Ada takes no answer of somebody else to a call that no rule guards', async () => {
    const { send, store } = talk({ tools: {} });
    const asked = await send(hello, ADA);
    // The client of Grace shows the reason on the call, as that of any answer that is not accepted.
    const tool = { name: 'refund', callId: 'refund-id' };
    expect(await send(continueWith(asked), GRACE)).toMatchObject([{ code: 'not_allowed', tool }]);
    expect((await store.load('s'))?.execution?.state).toBe('waiting');
    expect((await send(continueWith(asked), ADA)).at(-1)).toMatchObject({ finishReason: 'stop' });
  });

  it('a conversation of Ada takes no answer of somebody else to a call of Ada beside one that a rule lets them answer', async () => {
    const agent = createListAgent(calls('refund', 'ask'), [stop]);
    const { send, store } = talk({ agent });
    const asked = await send(hello, ADA);
    expect(await send({ ...continueWith(asked), partial: true }, GRACE)).toMatchObject(refused);
    expect(Object.values((await store.load('s'))?.calls ?? {}).map(({ answer }) => answer)).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('a person whom a rule lets answer a call', () => {
  it('a person whom a rule lets answer a call gets the call without the conversation around it, and may not go on with it', async () => {
    const agent = createListAgent([...text('For Ada only'), ...calls('refund', 'ask')], [stop]);
    const { send, store } = talk({ agent });
    const asked = await send(hello, ADA);
    const { executionId } = requestIn(asked);
    const before = await store.load('s');
    const payloads = [
      openIt,
      { ...openIt, executionId, cursor: 1 },
      { type: 'resume', executionId, cursor: 0 },
    ];
    for (const payload of payloads) {
      const events = await send(payload, GRACE);
      expect(events).toMatchObject([
        {
          type: 'snapshot',
          messages: [],
          openCalls: [{ toolCallId: 'refund-id', args: { of: 'refund' } }],
          executionId,
        },
      ]);
      expect(JSON.stringify(events)).not.toMatch(/For Ada only|hello|ask-id/);
    }
    for (const payload of [other, { type: 'stop' }])
      expect(await send(payload, GRACE)).toMatchObject(refused);
    expect(await store.load('s')).toEqual(before);
  });

  it('a person whom a rule lets answer a call can answer the call that they were shown', async () => {
    const { send } = talk();
    await send(hello, ADA);
    const [snapshot] = await send(openIt, GRACE);
    if (snapshot?.type !== 'snapshot') throw new Error('there is no snapshot');
    const toolResults = snapshot.openCalls.map(({ toolCallId }) => ({
      toolCallId,
      result: { confirmed: true },
    }));
    const events = await send({ type: 'continue', executionId: snapshot.executionId, toolResults }, GRACE);
    expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });

  it('a person whom a rule lets answer a call is told to try again by a process that does not know the tool', async () => {
    const { send, store } = talk();
    const asked = await send(hello, ADA);
    const other = createAgentSession({ id: 's', agent: createListAgent([stop]), store });
    const before = await store.load('s');
    const events = await collect(other.execute(yes(asked), { principal: GRACE }));
    expect(events).toMatchObject([{ type: 'error', code: 'tool_unknown', retryable: true }]);
    expect(await store.load('s')).toEqual(before);
    expect((await send(yes(asked), GRACE)).at(-1)).toMatchObject({ finishReason: 'stop' });
  });

  it('a person whom a rule lets answer a call is refused when the call is answered', async () => {
    const { send } = talk();
    await send(yes(await send(hello, ADA)), GRACE);
    expect(await send(openIt, { ...GRACE, id: 'lin' })).toMatchObject(refused);
  });

  it('a person whom a rule lets answer a call sees the call close when a colleague answers it, without what followed', async () => {
    const { send, session } = talk();
    const asked = await send(hello, ADA);
    const lin = { ...GRACE, id: 'lin' };
    const followed = session.execute({ ...openIt, follow: true }, { principal: lin });
    const shown = { type: 'snapshot', messages: [], openCalls: [{ toolCallId: 'refund-id' }] };
    expect((await followed.next()).value).toMatchObject(shown);
    await send(yes(asked), GRACE);
    expect((await followed.next()).value).toEqual({ type: 'snapshot', messages: [], openCalls: [] });
    const next = followed.next();
    await send(hello, ADA);
    await followed.return();
    // Neither the rest of the turn nor the next one.
    expect(await next).toEqual({ done: true, value: undefined });
  });
});

describe('a conversation without a login', () => {
  it('a conversation without a login is as open as its id is secret, to whoever comes', async () => {
    const { send } = talk();
    await send(hello);
    for (const who of [undefined, null, BOB]) {
      expect(await send(openIt, who)).toMatchObject([{ type: 'snapshot', messages: [{}, {}] }]);
    }
  });

  it('a conversation without a login stays open to its visitor when a person with a login has answered a call of it', async () => {
    const { send } = talk();
    await send(yes(await send(hello)), GRACE);
    expect(await send(openIt)).toMatchObject([{ type: 'snapshot', messages: [{}, {}] }]);
    expect((await send(other))[0]).toMatchObject({ type: 'start' });
  });
});

describe('mayOpen', () => {
  it('mayOpen decides in place of the default, and knows who took part', async () => {
    const seen: unknown[] = [];
    const { send } = talk({
      mayOpen: (person, conversation) => {
        seen.push([person, conversation]);
        return person.id === 'bob';
      },
    });
    await send(yes(await send(hello, ADA)), GRACE);
    seen.length = 0;
    expect(await send(openIt, BOB)).toMatchObject([{ type: 'snapshot', messages: [{}, {}] }]);
    expect(seen).toEqual([
      [
        BOB,
        {
          id: 's',
          participants: [
            { id: 'ada', name: 'Ada' },
            { id: 'grace', name: 'Grace' },
          ],
        },
      ],
    ]);
    expect(await send(openIt, ADA)).toMatchObject(refused);
    expect(await send(openIt)).toMatchObject(refused);
    expect((await send(other, BOB))[0]).toMatchObject({ type: 'start' });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no directory');
      },
      'no directory',
    ],
    ['says something that is not yes or no', () => 'yes' as never, 'returned a value of type string'],
    ['never settles', () => new Promise<never>(() => {}), 'mayOpen of the session did not decide within 10'],
  ])('mayOpen allows nobody when it %s, and onError is told', async (_, mayOpen, error) => {
    const failures: unknown[][] = [];
    const clock = createManualClock();
    const { send, store } = talk({
      ...{ mayOpen, clock },
      onError: (thrown, failure) => failures.push([String(thrown), failure]),
    });
    await send(hello, ADA);
    const before = await store.load('s');
    const opened = send(openIt, ADA);
    await settle();
    await clock.advance(10_000);
    expect(await opened).toMatchObject(refused);
    expect(await store.load('s')).toEqual(before);
    expect(failures).toEqual([[expect.stringContaining(error), { source: 'rule', sessionId: 's' }]]);
  });

  it('mayOpen must be a function', () => {
    expect(() => talk({ mayOpen: true as never })).toThrow('mayOpen must be a function');
  });
});
