/** A chat talks to an agent of CommonGround through a session, over a real NATS server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AgentChat, createAgentChat, createHttpTransport } from '../../../src/core.ts';
import { createMemorySessionStore, handleAgentRequest } from '../../../src/server.ts';
import { createUtpSession } from '../../../src/utp/session/create-utp-session.ts';
import { type NatsServer, startNatsServer } from '../../support/nats-server.ts';
import { type Bench, openBench } from '../support/open-bench.ts';
import { startScriptedAgent, type TurnScript } from '../support/scripted-agent.ts';

let server: NatsServer;
let bench: Bench;
beforeAll(async () => {
  server = await startNatsServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  bench = await openBench(server.url);
});
afterEach(async () => {
  expect(bench.worker.violations).toEqual([]);
  await bench.end();
});

const confirm = { interactive: true, timeoutMs: 900_000 } as const;
const wish = { toolName: 'confirm', args: { amount: 5 }, timeoutMs: 900_000 };

/** Opens a chat with the agent of the bench, which follows the script. */
async function open(script: TurnScript | ((instruction: string) => TurnScript)) {
  const agent = await startScriptedAgent(bench, typeof script === 'function' ? script : () => script);
  const { service, failures } = await bench.start({ tools: { confirm } });
  const store = createMemorySessionStore();
  const resources: unknown[] = [];
  const createSession = () =>
    createUtpSession({
      ...{ nats: bench.nats, cards: bench.cards, service, store, clock: bench.clock },
      ...{ project: bench.projectId, channel: 'public', agent: bench.worker.agentId },
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
  return { chat, agent, service, failures, resources };
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
    expect(headers).toMatchObject({ 'CG-Agent-Id': 'ui', 'CG-Turn-Id': `ui_${payload.action_id}` });
    expect(resources).toContainEqual({ activity: 'thinking', status: 'running' });
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
