/** A chat talks to an agent of CommonGround through a session, over a real NATS server. */
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { describe, expect, test } from 'vitest';
import type { UtpToolService } from '../../../../src/backends/utp/create-utp-tool-service.ts';
import type { UtpManagement } from '../../../../src/backends/utp/management.ts';
import { createUtpSession } from '../../../../src/backends/utp/session/create-utp-session.ts';
import type { UtpTool } from '../../../../src/backends/utp/utp-tool.ts';
import { type AgentChat, createAgentChat, createHttpTransport } from '../../../../src/core.ts';
import { createMemorySessionStore, handleAgentRequest, type SessionStore } from '../../../../src/server.ts';
import { createDeferred } from '../../../support/deferred.ts';
import { benchPerTest } from '../support/bench-per-test.ts';
import { isTraceparent } from '../support/command-rules.ts';
import type { Bench } from '../support/open-bench.ts';
import { startScriptedAgent, type TurnScript } from '../support/scripted-agent.ts';
import type { Incident } from '../support/service-process.ts';

let bench: Bench;
benchPerTest((opened) => {
  bench = opened;
});

const confirm = { interactive: true, timeoutMs: 900_000 } as const;
const wish = { toolName: 'confirm', args: { amount: 5 }, timeoutMs: 900_000 };

interface Server {
  readonly service: UtpToolService;
  readonly nats: NatsConnection;
  readonly store: SessionStore;
}

/** Opens a chat with the agent of the bench, which follows the script. Each request gets a session object of its own. */
async function open(
  script: TurnScript | ((instruction: string) => TurnScript),
  options: {
    readonly incident?: Incident;
    readonly tool?: UtpTool;
    readonly principal?: unknown;
    readonly management?: UtpManagement;
    readonly onError?: (thrown: unknown) => void;
  } = {},
) {
  const agent = await startScriptedAgent(bench, typeof script === 'function' ? script : () => script);
  const { service, failures, process } = await bench.start(
    { tools: { confirm: options.tool ?? confirm } },
    options.incident,
  );
  const resources: unknown[] = [];
  let server: Server = { service, nats: process.nats, store: createMemorySessionStore() };
  const createSession = () =>
    createUtpSession({
      ...{ ...server, id: 'conversation', cards: bench.cards, clock: bench.clock },
      ...{ project: bench.projectId, channel: 'public', agent: bench.worker.agentId },
      principal: options.principal,
      ...(options.management && { management: options.management }),
      ...(options.onError && { onError: options.onError }),
    });
  const transport = createHttpTransport({
    async request(payload, { signal }) {
      const body = JSON.stringify(payload);
      const headers = { 'content-type': 'application/json' };
      const request = new Request('http://localhost/', { method: 'POST', body, headers, signal });
      const response = await handleAgentRequest(request, createSession);
      // A server reads the body of every response. The chat does not read that of a stop.
      return payload.type === 'stop' ? new Response(await response.text()) : response;
    },
  });
  const chat = createAgentChat({
    transport,
    clock: bench.clock,
    clientTools: { confirm: 'interactive' },
    onResourceUpdate: (_, value) => resources.push(value),
  });
  chat.subscribe(() => {});
  /** The process dies, and another one has only what was stored. */
  const restart = async () => {
    const record = await server.store.load('conversation');
    const started = await bench.start({ tools: { confirm } });
    const store = createMemorySessionStore();
    if (record) await store.save('conversation', structuredClone(record));
    const dead = server;
    server = { service: started.service, nats: started.process.nats, store };
    await dead.nats.close();
  };
  return { chat, agent, service, failures, resources, restart, createSession, store: server.store };
}

const textOf = (chat: AgentChat) =>
  chat
    .getState()
    .messages.at(-1)
    ?.parts.flatMap((part) => (part.type === 'text' ? part.text : []));
const until = (chat: AgentChat, status: string) =>
  bench.until(() => expect([chat.getState().status, chat.getState().error]).toEqual([status, null]));

describe('a message', () => {
  test('is the UI action delegate_async, and the stream of the agent is the answer', async () => {
    const { chat, agent, resources } = await open({ steps: [{ say: ['Hel', 'lo.'] }] });
    await chat.sendMessage('Hi');
    expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
    expect(textOf(chat)).toEqual(['Hello.']);
    const [{ headers, payload }] = agent.actions as [(typeof agent.actions)[number]];
    expect(payload).toEqual({
      ...{ action_id: expect.any(String), message_id: payload.action_id, agent_id: 'ui' },
      tool_name: 'delegate_async',
      args: { target_strategy: 'reuse', target_ref: bench.worker.agentId, instruction: 'Hi' },
    });
    expect(headers).toMatchObject({
      ...{ 'CG-Project-Id': bench.projectId, 'CG-Channel-Id': 'public', 'CG-Recursion-Depth': '0' },
      ...{ 'CG-Agent-Id': 'ui', 'CG-Turn-Id': `ui_${payload.action_id}`, 'CG-Sender': 'ui' },
      ...{ 'CG-Timestamp': String(bench.clock.now()), 'CG-Version': 'v1r4' },
    });
    expect(isTraceparent(headers.traceparent)).toBe(true);
    expect(resources).toContainEqual({ activity: 'thinking', status: 'running' });
  });

  test('a task that ended as a timeout is tried again by a new action', async () => {
    let attempts = 0;
    const { chat, agent } = await open(() => {
      attempts += 1;
      return attempts === 1 ? { steps: [], ending: { status: 'timeout' } } : { steps: [{ say: ['Hello.'] }] };
    });
    await chat.sendMessage('Hi');
    expect(chat.getState().error).toMatchObject({ backendCode: 'timeout', retryable: true });
    await chat.retry();
    expect(textOf(chat)).toEqual(['Hello.']);
    expect(agent.actions).toHaveLength(2);
  });

  test('an agent that is busy is an error, and the retry is a new action', async () => {
    const { chat, agent } = await open({ steps: [{ say: ['Hello.'] }] });
    bench.worker.startTurn();
    await chat.sendMessage('Hi');
    expect(chat.getState().error).toMatchObject({ backendCode: 'agent_busy', retryable: true });
    bench.worker.rest();
    await chat.retry();
    expect(textOf(chat)).toEqual(['Hello.']);
    expect(new Set(agent.actions.map(({ payload }) => payload.action_id)).size).toBe(2);
  });

  test.each([
    { status: 'rejected', error_code: 'ui_not_allowed' },
    { status: 'done', error_code: 'l0_error' },
  ])('that CommonGround does not carry out (%o) is an error that no retry mends', async (refusal) => {
    const { chat } = await open({ steps: [], refusal });
    await chat.sendMessage('Hi');
    expect(chat.getState().error).toMatchObject({ backendCode: refusal.error_code, retryable: false });
  });

  test.each([
    [
      { status: 'failed', error: { code: 'no_money', message: 'No money left' } },
      'no_money',
      'No money left',
    ],
    [
      { status: 'timeout', error_code: 'turn_timeout' },
      'turn_timeout',
      'The task of the agent ended as timeout.',
    ],
    [{ status: 'canceled' }, 'canceled', 'The task of the agent ended as canceled.'],
  ])('a task that ends as %o is an error', async (ending, backendCode, message) => {
    const { chat } = await open({ steps: [], ending });
    await chat.sendMessage('Hi');
    expect(chat.getState().error).toMatchObject({ backendCode, message });
  });

  test('text that was lost on the way is that of the deliverable', async () => {
    const { chat } = await open({
      steps: [{ say: ['One ', 'two ', 'three.'], lose: (index) => index === 2 }],
      deliverable: 'One two three.',
    });
    await chat.sendMessage('Hi');
    expect(textOf(chat)).toEqual(['One two three.']);
  });

  test('text whose end was lost on the way is that of the deliverable', async () => {
    const { chat } = await open({
      steps: [{ say: ['One ', 'two ', 'three.'], lose: (index) => index > 2 }],
      deliverable: 'One two three.',
    });
    await chat.sendMessage('Hi');
    expect(textOf(chat)).toEqual(['One two three.']);
  });

  test('text that came whole stays, also if the deliverable says something else', async () => {
    const { chat } = await open({ steps: [{ say: ['Hello.'] }], deliverable: 'A greeting' });
    await chat.sendMessage('Hi');
    expect(textOf(chat)).toEqual(['Hello.']);
  });

  test('text that comes before CommonGround has named the turn is shown', async () => {
    const { chat } = await open({ steps: [{ say: ['Early.'] }, { say: [' Late.'] }], namedBefore: 1 });
    await chat.sendMessage('Hi');
    expect(textOf(chat)?.join('')).toBe('Early. Late.');
  });

  test('what the agent does for another client meanwhile is not shown', async () => {
    const { chat, agent, service } = await open({ steps: [{ say: ['Mine.'] }] });
    const gate = createDeferred();
    agent.holdActions(gate.promise);
    const answered = chat.sendMessage('Hi');
    await bench.until(() => expect(agent.actions).toHaveLength(1));
    const theirs = agent.runTurn({ steps: [{ say: ['Theirs.'] }, { call: [wish] }, { say: ['Theirs.'] }] });
    await bench.until(() => expect(service.listOpenCalls()).toHaveLength(1));
    expect(chat.getState().pendingCalls).toEqual([]);
    await service.answer(service.listOpenCalls()[0]?.toolCallId ?? '', { outcome: 'submitted' });
    await theirs;
    gate.resolve();
    await answered;
    expect(textOf(chat)).toEqual(['Mine.']);
  });

  test('the states and the steps of a turn are events', async () => {
    const { createSession, agent } = await open({
      steps: [{ reason: ['Hm'] }, { say: ['Hello.'] }],
      deliverable: 'Hello.',
    });
    const events = [];
    const trigger = { type: 'trigger', triggerName: 'user-message', input: { USER_MESSAGE: 'Hi' } };
    for await (const event of createSession().execute(trigger)) events.push(event);
    expect(agent.actions).toHaveLength(1);
    const [first, second] = [0, 1].map((index) => `${bench.worker.turnId}-${index}`);
    // The stream of the agent is another source than its events, so they arrive in any order.
    const ofStream = events.filter(({ type }) => /^(text|reasoning)-/.test(type));
    expect(ofStream).toMatchObject([
      { type: 'reasoning-start' },
      { type: 'reasoning-delta', delta: 'Hm' },
      { type: 'reasoning-end' },
      { type: 'text-start' },
      { type: 'text-delta', delta: 'Hello.' },
      { type: 'text-end' },
    ]);
    expect(events.filter((event) => !ofStream.includes(event))).toMatchObject([
      { type: 'start' },
      { type: 'resource-update', name: 'agent-state', value: { status: 'dispatched' } },
      { type: 'resource-update', name: 'agent-state', value: { status: 'running', activity: 'thinking' } },
      { type: 'block-start', blockId: first },
      { type: 'block-end', blockId: first },
      { type: 'block-start', blockId: second },
      { type: 'block-end', blockId: second },
      { type: 'finish', finishReason: 'stop' },
    ]);
  });

  test('that is sent again after the server died is the same action, and its turn is read on', async () => {
    const gate = createDeferred();
    const { chat, agent, restart } = await open({
      steps: (async function* () {
        yield { say: ['Let me see. '] };
        await gate.promise;
        yield { say: ['Done.'] };
      })(),
      deliverable: 'Done.',
    });
    void chat.sendMessage('Hi');
    await bench.until(() => expect(JSON.stringify(chat.getState().messages)).toContain('Let me see.'));
    await restart();
    await bench.advanceUntil(() => expect(chat.getState().error?.retryable).toBe(true));
    const retried = chat.retry();
    await bench.nats.flush();
    gate.resolve();
    await retried;
    expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
    expect(textOf(chat)).toEqual(['Done.']);
    expect(agent.actions).toHaveLength(1);
    expect(bench.worker.epoch).toBe(1);
  });

  test('a turn that streamed nothing shows its deliverable', async () => {
    const { chat } = await open({ steps: [], deliverable: 'Done.' });
    await chat.sendMessage('Hi');
    expect(textOf(chat)).toEqual(['Done.']);
  });
});

describe('a call that is addressed to the person', () => {
  test('is asked with the deadline of the tool, and the turn goes on with the answer', async () => {
    const { chat, failures } = await open({ steps: [{ call: [wish] }, { say: ['Thanks.'] }] });
    await chat.sendMessage('Hi');
    const [call] = chat.getState().pendingCalls;
    expect(call).toMatchObject({ toolName: 'confirm', args: { amount: 5 } });
    expect(call?.expiresAt?.getTime()).toBe(bench.clock.now() + 900_000);
    call?.submit({ ok: true });
    await until(chat, 'idle');
    expect(textOf(chat)).toEqual(['Thanks.']);
    expect(bench.worker.applied).toMatchObject([{ status: 'success', content: { result: { ok: true } } }]);
    expect(failures).toEqual([]);
  });

  test('is asked with the deadline of the turn, if that is earlier', async () => {
    const { chat } = await open({ steps: [{ call: [{ ...wish, timeoutMs: 60_000 }] }] });
    await chat.sendMessage('Hi');
    expect(chat.getState().pendingCalls[0]?.expiresAt?.getTime()).toBe(bench.clock.now() + 60_000);
  });

  test('is answered through another process after the one that asked it died', async () => {
    const { chat, restart } = await open({ steps: [{ call: [wish] }, { say: ['Thanks.'] }] });
    await chat.sendMessage('Hi');
    await restart();
    chat.getState().pendingCalls[0]?.submit({ ok: true });
    await until(chat, 'idle');
    expect(textOf(chat)).toEqual(['Thanks.']);
    expect(bench.worker.applied).toMatchObject([{ status: 'success', content: { result: { ok: true } } }]);
  });

  test('of which another was answered elsewhere: its own answer is delivered, the other a notice', async () => {
    const { chat, service } = await open({ steps: [{ call: [wish, wish] }, { say: ['Thanks.'] }] });
    await chat.sendMessage('Hi');
    const [mine, other] = chat.getState().pendingCalls;
    await service.answer(other?.toolCallId ?? '', { outcome: 'submitted', result: 'elsewhere' });
    mine?.submit('here');
    other?.submit('here too');
    await until(chat, 'idle');
    expect(textOf(chat)).toEqual(['Thanks.']);
    expect(chat.getState().notices).toMatchObject([{ code: 'answer_expired' }]);
    const results = bench.worker.applied.map(({ content }) => content.result);
    expect(results.sort()).toEqual(['elsewhere', 'here']);
  });

  test('is answered by a retry if its answer could not be stored', async () => {
    const { chat } = await open(
      { steps: [{ call: [wish] }, { say: ['Thanks.'] }] },
      // The first write makes the row, the second says which conversation asks.
      { incident: { operation: 'pending.write', when: 'before', skip: 2, kind: 'fail' } },
    );
    await chat.sendMessage('Hi');
    chat.getState().pendingCalls[0]?.submit({ ok: true });
    await bench.until(() => expect(chat.getState().error).toMatchObject({ retryable: true }));
    expect(bench.worker.applied).toEqual([]);
    await chat.retry();
    expect(textOf(chat)).toEqual(['Thanks.']);
    expect(bench.worker.applied).toMatchObject([{ status: 'success' }]);
    expect(chat.getState().notices).toEqual([]);
  });

  test('fails, with a notice, if its answer is larger than a message of NATS may be', async () => {
    const { chat } = await open({ steps: [{ call: [wish] }, { say: ['A pity.'] }] });
    await chat.sendMessage('Hi');
    chat.getState().pendingCalls[0]?.submit({ text: 'x'.repeat(1_047_000) });
    await until(chat, 'idle');
    expect(textOf(chat)).toEqual(['A pity.']);
    expect(chat.getState().notices).toMatchObject([
      { code: 'answer_refused', text: expect.stringContaining('max_payload') },
    ]);
    expect(bench.worker.applied).toMatchObject([
      { status: 'failed', content: { error: { code: 'bad_request' } } },
    ]);
  });

  test('takes the answer of the person whom mayAnswer accepts', async () => {
    const tool = { ...confirm, mayAnswer: (principal: unknown) => principal === 'ann' };
    const { chat } = await open(
      { steps: [{ call: [wish] }, { say: ['Thanks.'] }] },
      { tool, principal: 'ann' },
    );
    await chat.sendMessage('Hi');
    chat.getState().pendingCalls[0]?.submit({ ok: true });
    await until(chat, 'idle');
    expect(bench.worker.applied).toMatchObject([{ status: 'success' }]);
  });

  test('waits for the right person, and the page of another goes on with that answer', async () => {
    const tool = { ...confirm, mayAnswer: (principal: unknown) => principal === 'ann' };
    const { chat, service, resources } = await open(
      { steps: [{ call: [wish] }, { say: ['Thanks.'] }] },
      { tool, principal: 'bob' },
    );
    await chat.sendMessage('Hi');
    const [call] = chat.getState().pendingCalls;
    call?.submit({ ok: true });
    await bench.until(() => expect(chat.getState().notices).toMatchObject([{ code: 'answer_forbidden' }]));
    expect(service.listOpenCalls()).toHaveLength(1);
    const subject = `cg.v1r4.${bench.projectId}.public.evt.agent.${bench.worker.agentId}.state`;
    const suspended = {
      ...{ agent_turn_id: bench.worker.turnId, status: 'suspended' },
      metadata: { waiting_tool_call_ids: [call?.toolCallId] },
    };
    await jetstream(bench.nats).publish(subject, JSON.stringify(suspended));
    await bench.until(() =>
      expect(resources.filter((value) => JSON.stringify(value).includes('suspended'))).toHaveLength(2),
    );
    expect(chat.getState()).toMatchObject({ status: 'streaming', pendingCalls: [] });
    await service.answer(call?.toolCallId ?? '', { outcome: 'submitted', result: 'by ann' }, 'ann');
    await until(chat, 'idle');
    expect(textOf(chat)).toEqual(['Thanks.']);
    expect(bench.worker.applied).toMatchObject([{ content: { result: 'by ann' } }]);
  });

  test('calls of one step are asked together', async () => {
    const { chat } = await open({ steps: [{ call: [wish, wish] }, { say: ['Thanks.'] }] });
    await chat.sendMessage('Hi');
    expect(chat.getState().pendingCalls).toHaveLength(2);
    for (const call of chat.getState().pendingCalls) call.submit(true);
    await until(chat, 'idle');
    expect(bench.worker.applied).toHaveLength(2);
  });

  test.each([
    ['declined', 'success', (chat: AgentChat) => chat.getState().pendingCalls[0]?.decline('too much')],
    ['cancelled', 'canceled', (chat: AgentChat) => chat.getState().pendingCalls[0]?.cancel()],
    ['failed', 'failed', (chat: AgentChat) => chat.getState().pendingCalls[0]?.fail?.('no camera')],
  ])('an answer that is %s has the status %s', async (_, status, answer) => {
    const { chat } = await open({ steps: [{ call: [wish] }, { say: ['Well.'] }] });
    await chat.sendMessage('Hi');
    answer(chat);
    await until(chat, 'idle');
    expect(bench.worker.applied).toMatchObject([{ status }]);
  });

  test('a message in place of the answer settles the call as superseded', async () => {
    const { chat } = await open((instruction) =>
      instruction === 'Hi' ? { steps: [{ call: [wish] }] } : { steps: [{ say: ['Second.'] }] },
    );
    await chat.sendMessage('Hi');
    await chat.sendMessage('No, stop', { whilePending: 'cancel' });
    await bench.until(() => expect(bench.worker.applied).toMatchObject([{ status: 'canceled' }]));
    if (chat.getState().error) await chat.retry();
    await bench.until(() => expect(textOf(chat)).toEqual(['Second.']));
  });

  test('a stop settles the call as aborted', async () => {
    const { chat } = await open({ steps: [{ call: [wish] }] });
    await chat.sendMessage('Hi');
    chat.stop();
    await bench.until(() =>
      expect(bench.worker.applied).toMatchObject([
        { status: 'canceled', content: { error: { code: 'aborted' } } },
      ]),
    );
  });

  test('a call of its turn on another channel is not asked, and a stop leaves it alone', async () => {
    let elsewhere = '';
    let opened: Awaited<ReturnType<typeof open>> | undefined;
    async function* steps() {
      const { toolCallId, subject, headers, payload } = bench.worker.prepare(wish);
      elsewhere = toolCallId;
      await bench.worker.publish({
        subject: subject.replace('.public.', '.u_grace.'),
        headers: { ...headers, 'CG-Channel-Id': 'u_grace' },
        payload,
      });
      await bench.until(() => expect(opened?.service.listOpenCalls()).toHaveLength(1));
      yield { call: [wish] };
    }
    opened = await open(() => ({ steps: steps() }));
    const { chat, service } = opened;
    await chat.sendMessage('Hi');
    const asked = chat.getState().pendingCalls.map((call) => call.toolCallId);
    expect(asked).toEqual([bench.worker.sent[0]?.toolCallId]);
    expect(service.listOpenCalls()).toHaveLength(2);
    chat.stop();
    await bench.until(() => expect(service.listOpenCalls()).toMatchObject([{ toolCallId: elsewhere }]));
  });

  test('a stop leaves the call of another project alone, also if it has the same id', async () => {
    const { chat, service } = await open({ steps: [{ call: [wish] }] });
    await chat.sendMessage('Hi');
    const [sent] = bench.worker.sent;
    const card = await bench.cards.get(bench.projectId, sent?.cardId ?? '');
    if (sent === undefined || card === undefined) throw new Error('nothing was sent');
    const other = `${bench.projectId}x`;
    bench.cards.put({ ...card, card_id: 'x', project_id: other });
    await bench.worker.publish({
      subject: sent.subject.replace(bench.projectId, other),
      headers: { ...sent.headers, 'CG-Project-Id': other },
      payload: { tool_call_card_id: 'x' },
    });
    await bench.until(() => expect(service.listOpenCalls()).toHaveLength(2));
    chat.stop();
    await bench.until(() => expect(service.listOpenCalls()).toHaveLength(1));
    expect(service.listOpenCalls()).toMatchObject([{ projectId: other }]);
  });

  test('an answer that the watchdog came before is a notice, and changes nothing', async () => {
    const { chat, service } = await open({ steps: [{ call: [wish] }, { say: ['Too late.'] }] });
    await chat.sendMessage('Hi');
    const [call] = chat.getState().pendingCalls;
    await service.answer(call?.toolCallId ?? '', { outcome: 'timed-out' });
    call?.submit({ ok: true });
    await until(chat, 'idle');
    expect(chat.getState().notices).toMatchObject([{ code: 'answer_expired' }]);
    expect(textOf(chat)).toEqual(['Too late.']);
    expect(bench.worker.applied).toMatchObject([{ status: 'timeout' }]);
  });
});

describe('a stop with a management API', () => {
  /** An API that notes what it is asked. */
  function createApi(respond: () => Response = () => Response.json({})) {
    const requests: unknown[] = [];
    const send: typeof fetch = async (url, init) => {
      requests.push([String(url), init?.method, JSON.parse(String(init?.body))]);
      return respond();
    };
    return { requests, management: { url: 'http://api:8099/', fetch: send } };
  }
  const stopped = () => [
    `http://api:8099/projects/${bench.projectId}/god/stop`,
    'POST',
    {
      ...{ agent_id: bench.worker.agentId, agent_turn_id: bench.worker.turnId, channel_id: 'public' },
      reason: 'A person has stopped the turn.',
    },
  ];

  test('stops the turn of an agent that writes', async () => {
    const gate = createDeferred();
    async function* pieces() {
      yield 'One';
      await gate.promise;
    }
    const { requests, management } = createApi();
    const { chat } = await open({ steps: [{ say: pieces() }] }, { management });
    void chat.sendMessage('Hi');
    await bench.until(() => expect(textOf(chat)).toEqual(['One']));
    chat.stop();
    await bench.until(() => expect(requests).toEqual([stopped()]));
    gate.resolve();
  });

  test('stops the turn of an agent that waits for a person, and settles its call', async () => {
    const { requests, management } = createApi();
    const { chat } = await open({ steps: [{ call: [wish] }] }, { management });
    await chat.sendMessage('Hi');
    chat.stop();
    await bench.until(() => expect(bench.worker.applied).toMatchObject([{ status: 'canceled' }]));
    expect(requests).toEqual([stopped()]);
  });

  test('reports an agent that could not be stopped, and settles its call all the same', async () => {
    const { management } = createApi(() => new Response('no such route', { status: 404 }));
    const failures: unknown[] = [];
    const onError = (thrown: unknown) => failures.push((thrown as Error).message);
    const { chat } = await open({ steps: [{ call: [wish] }] }, { management, onError });
    await chat.sendMessage('Hi');
    chat.stop();
    await bench.until(() => expect(bench.worker.applied).toMatchObject([{ status: 'canceled' }]));
    await bench.until(() =>
      expect(failures).toEqual([expect.stringContaining('was not stopped and goes on with its turn')]),
    );
  });

  test('leaves an agent alone whose page went away without a stop', async () => {
    const gate = createDeferred();
    async function* pieces() {
      yield 'One';
      await gate.promise;
    }
    const { requests, management } = createApi();
    const { store, createSession } = await open({ steps: [{ say: pieces() }] }, { management });
    const trigger = { type: 'trigger', triggerName: 'user-message', input: { USER_MESSAGE: 'Hi' } };
    const events = createSession().execute(trigger);
    for await (const event of events) if (event.type === 'text-delta') break;
    expect((await store.load('conversation'))?.execution?.state).toBe('interrupted');
    gate.resolve();
    await bench.until(() => expect(bench.worker.status).toBe('idle'));
    expect(requests).toEqual([]);
  });
});
