import { describe, expect, it } from 'vitest';
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
import type { Principal } from '../../../src/shared/principal.ts';
import { calls, collect, continueWith, createListAgent, hello, requestIn, stop, text } from '../support.ts';

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
