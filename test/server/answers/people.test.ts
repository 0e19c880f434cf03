import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { readAnswers } from '../../../src/server/receipts/answer-record.ts';
import { readHistory } from '../../../src/server/runs/history.ts';
import {
  type AgentSessionOptions,
  createAgentSession,
  type ExecuteOptions,
} from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionRecord } from '../../../src/server/store/session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import type { Principal } from '../../../src/shared/principal.ts';
import { createManualClock, type ManualClock } from '../../../src/testing/manual-clock.ts';
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
} from '../support.ts';

const ADA: Principal = { id: 'ada', name: 'Ada', roles: ['support'] };
const BOB: Principal = { id: 'bob', name: 'Bob' };
const CAROL: Principal = { id: 'carol', name: 'Carol', roles: ['finance'] };

function open(more: Partial<AgentSessionOptions> = {}, names = ['ask']) {
  const agent = createListAgent(calls(...names), [...text('Thanks'), stop]);
  const store = createMemorySessionStore();
  const session = createAgentSession({ id: 's', agent, store, ...more });
  const send = (
    payload: unknown,
    principal?: Principal,
    options: ExecuteOptions = {},
  ): Promise<AgentEvent[]> => collect(session.execute(payload, { ...options, principal }));
  const load = async () => (await store.load('s')) ?? NOTHING;
  return { agent, session, store, send, load };
}

/** Lets the limit of a rule run out, as soon as the rule is asked. */
async function advance(clock: ManualClock): Promise<void> {
  while (clock.waiting === 0) await settle();
  await clock.advance(10_000);
}

const NOTHING: SessionRecord = { version: 2, revision: 0, messages: [], execution: null, calls: {} };
const answersOf = (record: SessionRecord) => readAnswers('s', record);

const supportOnly = { mayAnswer: (person: Principal) => person.roles?.includes('support') === true };

describe('mayAnswer', () => {
  it.each([
    ['somebody else', BOB],
    ['nobody in particular', undefined],
  ])('an answer of %s is refused and changes nothing', async (_who, principal) => {
    const { agent, send, load } = open(supportOnly);
    const asked = await send(hello, BOB);
    const before = await load();
    const events = await send(continueWith(asked), principal);
    expect(events).toMatchObject([{ type: 'error', code: 'not_allowed' }]);
    expect(await load()).toEqual(before);
    expect(agent.contexts).toHaveLength(1);
  });

  it('the answer of the right person is taken, and the record says whose it was', async () => {
    const { send, load } = open(supportOnly);
    const events = await send(continueWith(await send(hello, BOB)), ADA);
    expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect(answersOf(await load())).toMatchObject([
      { toolCallId: 'ask-id', outcome: 'submitted', answeredBy: { id: 'ada', name: 'Ada' } },
    ]);
  });

  it('a page whose person may not answer is told so with the call', async () => {
    const { send } = open(supportOnly);
    expect(requestIn(await send(hello, BOB)).toolCalls[0]).toMatchObject({ mayAnswer: false });
    expect(requestIn(await open(supportOnly).send(hello, ADA)).toolCalls[0]).not.toHaveProperty('mayAnswer');
  });

  it('a function that throws allows nobody', async () => {
    const failures: unknown[] = [];
    const { send } = open({
      mayAnswer: () => {
        throw new Error('no directory');
      },
      onError: (thrown) => failures.push(thrown),
    });
    const events = await send(continueWith(await send(hello, ADA)), ADA);
    expect(events).toMatchObject([{ code: 'not_allowed' }]);
    expect(failures).not.toEqual([]);
  });
});

describe('a rule that does not say yes', () => {
  it.each([
    ['undefined', undefined],
    ['1', 1],
    ['yes', 'yes'],
    ['an object', {}],
  ])('a mayAnswer that returns %s refuses, and onError is told', async (_, said) => {
    const failures: unknown[] = [];
    const { send } = open({
      mayAnswer: () => said as never,
      onError: (thrown) => failures.push(String(thrown)),
    });
    const asked = await send(hello, ADA);
    failures.length = 0;
    expect(await send(continueWith(asked), ADA)).toMatchObject([{ code: 'not_allowed' }]);
    expect(failures).toEqual([expect.stringContaining('mayAnswer of the session returned a value of type')]);
  });

  it.each(['session', 'tool'])(
    'a mayAnswer of the %s that never settles refuses after ten seconds',
    async (of) => {
      const failures: unknown[] = [];
      const clock = createManualClock();
      const mayAnswer = () => new Promise<never>(() => {});
      const onError = (thrown: unknown) => failures.push(String(thrown));
      const tool = defineServerTool({
        input: z.object({ of: z.string() }),
        approval: 'always',
        mayAnswer,
        execute: () => 'paid',
      });
      const more = of === 'session' ? { mayAnswer } : { tools: { ask: tool } };
      const { session, store } = open({ ...more, clock, onError });
      // A page that asks is told after the limit that its person may not answer.
      const asking = collect(session.execute(hello, { principal: ADA }));
      await advance(clock);
      const asked = await asking;
      expect(requestIn(asked).toolCalls[0]).toMatchObject({ mayAnswer: false });
      const before = await store.load('s');
      failures.length = 0;
      const refused = collect(session.execute(continueWith(asked), { principal: ADA }));
      await advance(clock);
      expect(await refused).toMatchObject([{ code: 'not_allowed' }]);
      expect(await store.load('s')).toEqual(before);
      const name = of === 'session' ? 'mayAnswer of the session' : "mayAnswer of the tool 'ask'";
      expect(failures).toEqual([expect.stringContaining(`${name} did not decide within 10 seconds`)]);
    },
  );

  it('AgentSession.mayAnswer is true for whom a rule lets answer, or, without a rule, for who started the turn', async () => {
    const [call] = requestIn(await open().send(hello, ADA)).toolCalls;
    if (call === undefined) throw new Error('nothing was asked');
    const ask = (options: Partial<AgentSessionOptions>, who: Principal, startedBy?: Principal) =>
      open(options).session.mayAnswer(who, { call, ...(startedBy && { startedBy }) });
    expect(await ask({}, ADA, ADA)).toBe(true);
    expect(await ask({}, { ...ADA, name: 'Other' }, ADA)).toBe(true);
    expect(await ask({}, BOB, ADA)).toBe(false);
    expect(await ask({}, BOB)).toBe(false);
    expect(await ask(supportOnly, ADA)).toBe(true);
    expect(await ask(supportOnly, BOB, BOB)).toBe(false);
    await expect(ask({}, {} as never, {} as never)).rejects.toThrow('The principal has no id');
  });
});

describe('an invalid principal', () => {
  it.each([[{}], [{ id: '' }], [{ id: 5 }], [{ name: 'Ada' }], [{ id: 'a', roles: 'admin' }], ['ada'], [[]]])(
    'a session refuses a request with the principal %j, and changes nothing',
    async (principal) => {
      const { agent, send, store } = open();
      expect(await send(hello, principal as never)).toMatchObject([
        { type: 'error', code: 'invalid_principal', retryable: false },
      ]);
      expect(await store.load('s')).toBeNull();
      expect(agent.contexts).toEqual([]);
    },
  );

  it('a name that is no text is left out, and no value of the principal but id, name and roles is stored or sent', async () => {
    const seen: unknown[] = [];
    const { send, store } = open({
      mayAnswer: (person) => {
        seen.push(person);
        return true;
      },
    });
    const ada = {
      id: 'ada',
      name: 7,
      roles: ['support'],
      accessToken: 'token-1',
      toJSON: undefined,
    } as never;
    const asked = await send(hello, ada);
    const answered = await send(continueWith(asked), ada);
    expect(JSON.stringify([asked, answered, await store.load('s'), seen])).not.toContain('token-1');
    expect(seen[0]).toEqual({ id: 'ada', roles: ['support'] });
    const record = (await store.load('s')) ?? NOTHING;
    expect(answersOf(record)[0]?.answeredBy).toEqual({ id: 'ada' });
  });
});

describe('answers of several people', () => {
  const each = {
    mayAnswer: (person: Principal, { toolName }: { toolName: string }) =>
      toolName === (person.roles?.[0] ?? 'person'),
  };
  const names = ['support', 'finance', 'person'];
  const one = (executionId: string, name: string, result: unknown = `${name} ok`) => ({
    type: 'continue',
    executionId,
    partial: true,
    toolResults: [{ toolCallId: `${name}-id`, result }],
  });

  it('each is stored at once, and the run goes on when all are there', async () => {
    const { agent, send, load } = open(each, names);
    const { executionId } = requestIn(await send(hello, ADA));
    const first = await send(one(executionId, 'support'), ADA);
    expect(first.map(({ type }) => type)).toEqual(['start', 'client-tool-request', 'finish']);
    expect(requestIn(first).toolCalls.map(({ toolName }) => toolName)).toEqual(['finance', 'person']);
    expect(answersOf(await load())).toMatchObject([{ toolCallId: 'support-id' }]);
    await send(one(executionId, 'person'), BOB);
    const last = await send(one(executionId, 'finance'), CAROL);
    expect(last.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    const results = agent.contexts.at(-1)?.messages.slice(-3);
    expect(results).toMatchObject(
      names.map((name) => ({ role: 'tool', toolName: name, result: `${name} ok` })),
    );
    const people = answersOf(await load()).map(({ answeredBy }) => answeredBy?.id);
    expect(people.sort()).toEqual(['ada', 'bob', 'carol']);
  });

  it('without partial, missing answers are refused, and those given before count', async () => {
    const { send } = open({}, names);
    const { executionId } = requestIn(await send(hello));
    const { partial: _, ...whole } = one(executionId, 'support');
    expect(await send(whole)).toMatchObject([{ code: 'missing_tool_results' }]);
    await send(one(executionId, 'support'));
    await send(one(executionId, 'finance'));
    const last = await send({ ...one(executionId, 'person'), partial: undefined });
    expect(last.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });

  it('the same answer again is no error, another one is refused', async () => {
    const { send, load } = open({}, names);
    const { executionId } = requestIn(await send(hello));
    await send(one(executionId, 'support'));
    const again = await send(one(executionId, 'support'));
    expect(requestIn(again).toolCalls).toHaveLength(2);
    expect(await send(one(executionId, 'support', 'other'))).toMatchObject([{ code: 'already_answered' }]);
    expect(answersOf(await load())).toHaveLength(1);
  });

  it('a foreign answer among several refuses them all', async () => {
    const { send, load } = open(each, names);
    const { executionId } = requestIn(await send(hello, ADA));
    const toolResults = ['support', 'finance'].map((name) => ({ toolCallId: `${name}-id`, result: 'ok' }));
    const events = await send({ type: 'continue', executionId, partial: true, toolResults }, ADA);
    expect(events).toMatchObject([{ code: 'not_allowed' }]);
    expect(answersOf(await load())).toEqual([]);
  });

  it.each(['stop', 'another message'])(
    'an answer that was given counts, though %s ends the turn',
    async (end) => {
      const { send, load } = open({}, names);
      const { executionId } = requestIn(await send(hello));
      await send(one(executionId, 'support'));
      await send(
        end === 'stop' ? { type: 'stop', executionId } : { ...hello, input: { USER_MESSAGE: 'other' } },
      );
      const answers = readHistory(await load()).filter((message) => message.role === 'tool');
      expect(answers).toMatchObject([
        { toolName: 'support', result: 'support ok' },
        { toolName: 'finance', error: expect.any(String) },
        { toolName: 'person', error: expect.any(String) },
      ]);
    },
  );

  it('a page that resumes gets the calls that are left', async () => {
    const { send } = open({}, names);
    const asked = await send(hello);
    const { executionId } = requestIn(asked);
    await send(one(executionId, 'support'));
    const resumed = await send({ type: 'resume', executionId, cursor: asked.at(-1)?.cursor });
    expect(resumed.map(({ type }) => type)).toEqual([
      'tool-result-acknowledged',
      'client-tool-request',
      'finish',
    ]);
    expect(requestIn(resumed).toolCalls).toHaveLength(2);
  });
});
