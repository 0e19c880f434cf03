/** The questions of the kit in an inbox: of all threads of a person, beside those of sessions. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { standardAgentsKit } from '../../../../../src/backends/standard-agents/server/kit/standard-agents-kit.ts';
import { createMemoryThreadStore } from '../../../../../src/backends/standard-agents/server/thread-store.ts';
import { handleInboxRequest } from '../../../../../src/server/inbox/handle-inbox-request.ts';
import { createAgentSession } from '../../../../../src/server/sessions/create-agent-session.ts';
import type { SessionStore } from '../../../../../src/server/store/session-store.ts';
import { MASK } from '../../../../../src/shared/secrets.ts';
import { createManualClock } from '../../../../../src/testing/manual-clock.ts';
import { calls, createListAgent, settle } from '../../../../server/support.ts';
import { call, createScriptedModel, type ModelStep, openRuntime, outline, say } from '../open-runtime.ts';

const ASK = call('confirm', { text: 'Sure?' });

function open(steps: ModelStep[], shared?: SessionStore) {
  const clock = createManualClock();
  const store = shared ?? createMemoryThreadStore({ clock });
  const tools = {
    confirm: { description: 'Asks for a yes.', args: z.object({ text: z.string() }) },
    pick: { description: 'Asks for a file.', deadlineMs: 60_000 },
  };
  const kit = standardAgentsKit({ tools, clock });
  const opened = openRuntime({
    ...{ store, clock, kit },
    agents: { helper: { type: 'ai_human', model: createScriptedModel(...steps).model, tools: kit.tools } },
  });
  const inbox = async (method: string, body?: object, user = 'ann') => {
    const response = await handleInboxRequest(
      new Request('http://localhost/inbox', {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
      { clock, principal: () => ({ id: user }), sources: [kit.inbox] },
    );
    return [response.status, await response.json()];
  };
  const answer = (id: string, toolCallId: string, more: object, user?: string) =>
    inbox(
      'POST',
      { sessionId: `standard-agents/${id}`, executionId: id, toolResults: [{ toolCallId, ...more }] },
      user,
    );
  return { ...opened, kit, clock, store, inbox, answer };
}

test('an inbox lists the questions of all threads of a person, and no other ones', async () => {
  const { createThread, send, clock, inbox, ask } = open([ASK, ASK]);
  const [first, second] = [await createThread(), await createThread()];
  await ask('PUT', `/${second}/env/KEY`, { value: 'Sure' });
  await send(first, 'Go');
  await clock.advance(10);
  await send(second, 'Go');
  const asked = { toolCallId: 'confirm-1', toolName: 'confirm', args: { text: 'Sure?' } };
  const [, listed] = await inbox('GET');
  expect(listed.calls).toMatchObject([
    { sessionId: `standard-agents/${first}`, executionId: first, call: asked, startedBy: { id: 'ann' } },
    { sessionId: `standard-agents/${second}`, call: { ...asked, args: { text: `${MASK}?` } } },
  ]);
  expect(await inbox('GET', undefined, 'bob')).toEqual([200, { calls: [] }]);
});

test('a secret in the arguments of a question is masked in the event, the list of the thread and the inbox', async () => {
  const { createThread, send, follow, json, inbox, ask } = open([ASK]);
  const id = await createThread();
  await ask('PUT', `/${id}/env/KEY`, { value: 'Sure' });
  const frames = await follow(id);
  await send(id, 'Go');
  const args = { text: `${MASK}?` };
  expect(frames.find((frame) => frame.type === 'custom')).toMatchObject({ data: { args } });
  expect((await json('GET', `/${id}/client-tools`))[1].calls).toMatchObject([{ args }]);
  expect((await inbox('GET'))[1].calls).toMatchObject([{ call: { args } }]);
});

test('an answer from the inbox reaches the agent once, also in another process, and the question leaves the list', async () => {
  const before = open([ASK]);
  const id = await before.createThread();
  await before.send(id, 'Go');
  const { answer, inbox, rest, messages } = open([[say('Done')]], before.store);
  expect((await inbox('GET'))[1].calls).toHaveLength(1);
  const yes = { outcome: 'submitted', result: { confirmed: true } };
  expect(await answer(id, 'confirm-1', yes)).toEqual([200, { status: 'accepted' }]);
  expect(await answer(id, 'confirm-1', yes)).toMatchObject([409, { code: 'already_answered' }]);
  await rest(id);
  expect(outline(await messages(id)).slice(-2)).toEqual(['tool: {"confirmed":true}', 'assistant: Done']);
  expect(await inbox('GET')).toEqual([200, { calls: [] }]);
});

test('a no from the inbox brings the words of the person', async () => {
  const { createThread, send, answer, rest, messages } = open([ASK, [say('OK')]]);
  const id = await createThread();
  await send(id, 'Go');
  await answer(id, 'confirm-1', { outcome: 'declined', reason: 'Too late' });
  await rest(id);
  expect(outline(await messages(id)).at(-2)).toBe('tool: {"outcome":"declined","reason":"Too late"}');
});

test.each<[string, Parameters<ReturnType<typeof open>['answer']>, number, string]>([
  ['of another person', ['', 'confirm-1', { outcome: 'submitted' }, 'bob'], 403, 'not_allowed'],
  ['to an unknown call', ['', 'constructor', { outcome: 'submitted' }], 409, 'unknown_tool_call'],
  ['to an unknown thread', ['none', 'confirm-1', { outcome: 'submitted' }], 404, 'unknown_session'],
  ['with a word that is no outcome', ['', 'confirm-1', { outcome: 'expired' }], 400, 'invalid_request'],
])('an answer %s is refused and changes nothing', async (_, [thread, ...rest], status, code) => {
  const { createThread, send, answer, inbox } = open([ASK]);
  const id = await createThread();
  await send(id, 'Go');
  expect(await answer(thread || id, ...rest)).toMatchObject([status, { code }]);
  expect((await inbox('GET'))[1].calls).toHaveLength(1);
});

test('a question whose deadline is over is in no list, and its answer comes too late', async () => {
  const { createThread, send, answer, inbox, clock, rest } = open([call('pick'), [say('Too late')]]);
  const id = await createThread();
  await send(id, 'Go');
  expect((await inbox('GET'))[1].calls).toMatchObject([{ call: { deadline: clock.now() + 60_000 } }]);
  await clock.advance(60_000);
  expect((await inbox('GET'))[1].calls).toEqual([]);
  expect(await answer(id, 'pick-1', { outcome: 'submitted' })).toMatchObject([409, { code: 'call_expired' }]);
  await rest(id);
});

test('who follows the inbox hears of a new question and of its answer', async () => {
  const { createThread, send, kit, answer } = open([ASK, [say('Done')]]);
  let changes = 0;
  const unsubscribe = kit.inbox.subscribe(() => {
    changes += 1;
  });
  const id = await createThread();
  await send(id, 'Go');
  const asked = changes;
  expect(asked).toBeGreaterThan(0);
  await answer(id, 'confirm-1', { outcome: 'submitted' });
  expect(changes).toBeGreaterThan(asked);
  unsubscribe();
  const answered = changes;
  await createThread();
  expect(changes).toBe(answered);
});

test('threads and sessions of one store are listed once each', async () => {
  const { createThread, send, kit, store, clock } = open([ASK]);
  const id = await createThread();
  await send(id, 'Go');
  const getSession = (sessionId = '') =>
    createAgentSession({
      ...{ id: sessionId, store, clock },
      mayAnswer: () => true,
      agent: createListAgent(calls('ask')),
    });
  const events = getSession('mine').execute(
    { type: 'trigger', triggerName: 'user-message', input: { USER_MESSAGE: 'Hi' } },
    { principal: { id: 'ann' } },
  );
  for await (const event of events) void event;
  await settle();
  const response = await handleInboxRequest(new Request('http://localhost/inbox'), {
    ...{ clock, store, getSession, sources: [kit.inbox] },
    principal: () => ({ id: 'ann' }),
  });
  const listed = await response.json();
  expect(listed.calls.map(({ sessionId }: { sessionId: string }) => sessionId).sort()).toEqual([
    'mine',
    `standard-agents/${id}`,
  ]);
});

test('a person who stops a thread empties the inbox', async () => {
  const { createThread, send, ask, inbox } = open([ASK]);
  const id = await createThread();
  await send(id, 'Go');
  await ask('POST', `/${id}/stop`);
  expect(await inbox('GET')).toEqual([200, { calls: [] }]);
});

test('the inbox of a kit that no runtime has says what to do', async () => {
  const { inbox } = standardAgentsKit({ tools: {} });
  await expect(inbox.list({ principal: { id: 'ann' } })).rejects.toThrow(
    'Pass the kit to createThreadRuntime({ kit })',
  );
});
