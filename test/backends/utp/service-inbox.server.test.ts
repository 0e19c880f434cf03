/** The questions of a tool service and those of conversations are one inbox, over a real NATS server. */
import { describe, expect, test } from 'vitest';
import { createUtpSession } from '../../../src/backends/utp/session/create-utp-session.ts';
import type { UtpTools } from '../../../src/backends/utp/utp-tool.ts';
import type { OpenCall } from '../../../src/core/protocol/open-calls.ts';
import {
  createMemorySessionStore,
  handleInboxRequest,
  type InboxRequestOptions,
} from '../../../src/server.ts';
import { collect } from '../../server/support.ts';
import { benchPerTest } from './support/bench-per-test.ts';
import type { Bench, StartedService } from './support/open-bench.ts';
import { startScriptedAgent } from './support/scripted-agent.ts';

let bench: Bench;
benchPerTest((opened) => {
  bench = opened;
});

const timeoutMs = 900_000;
const confirm = { toolName: 'confirm', args: { amount: 5 }, timeoutMs };
const forAda: UtpTools = {
  confirm: {
    ...{ interactive: true, timeoutMs },
    mayAnswer: (person) => (person as { id?: string }).id === 'ada',
  },
};

/** The inbox of a person who is logged in under this name. */
function openInbox(options: Partial<InboxRequestOptions>, id = 'ada') {
  const handle = (request: Request) =>
    handleInboxRequest(request, { clock: bench.clock, principal: () => ({ id }), ...options });
  return {
    async list(): Promise<readonly OpenCall[]> {
      return (await (await handle(new Request('http://localhost/inbox'))).json()).calls;
    },
    async answer(call: OpenCall | undefined, fields: object): Promise<readonly [number, string]> {
      const { sessionId, executionId } = call ?? {};
      const toolResults = [{ toolCallId: call?.call.toolCallId, ...fields }];
      const body = JSON.stringify({ sessionId, executionId, toolResults });
      const headers = { 'content-type': 'application/json' };
      const response = await handle(new Request('http://localhost/inbox', { method: 'POST', headers, body }));
      const { status, code } = await response.json();
      return [response.status, status ?? code];
    },
  };
}

const inboxOf = ({ service }: StartedService, id?: string) => openInbox({ sources: [service.inbox] }, id);
const untilListed = (inbox: ReturnType<typeof openInbox>, count = 1) =>
  bench.until(async () => {
    const calls = await inbox.list();
    expect(calls).toHaveLength(count);
    return calls;
  });

describe('the inbox of a tool service', () => {
  test('lists a call for the person who may answer it, and their answer is the result', async () => {
    const started = await bench.start({ tools: forAda });
    const [sent] = await bench.worker.call(confirm);
    const [call] = await untilListed(inboxOf(started));
    const { projectId, target, worker, clock } = bench;
    expect(call).toEqual({
      sessionId: `utp/${target}/${projectId}.public.${worker.agentId}`,
      executionId: worker.turnId,
      askedAt: expect.any(Number),
      call: {
        ...{ toolCallId: sent?.toolCallId, toolName: 'confirm', args: { amount: 5 } },
        deadline: expect.any(Number),
      },
    });
    expect(call?.call.deadline).toBe(Number(call?.askedAt) + timeoutMs);
    expect(clock.now()).toBeLessThanOrEqual(Number(call?.call.deadline));
    expect(await inboxOf(started).answer(call, { outcome: 'submitted', result: { ok: true } })).toEqual([
      200,
      'accepted',
    ]);
    await bench.until(() => expect(worker.applied).toMatchObject([{ content: { result: { ok: true } } }]));
    await untilListed(inboxOf(started), 0);
  });

  test('neither shows a call to another person nor takes their answer', async () => {
    const started = await bench.start({ tools: forAda });
    await bench.worker.call(confirm);
    const [call] = await untilListed(inboxOf(started));
    const grace = inboxOf(started, 'grace');
    expect(await grace.list()).toEqual([]);
    expect(await grace.answer(call, { outcome: 'submitted', result: {} })).toEqual([403, 'not_allowed']);
    await untilListed(inboxOf(started));
  });

  test('shows a call of a tool without a rule to the person of its channel alone', async () => {
    const started = await bench.start({ tools: { confirm: { interactive: true, timeoutMs } } });
    await bench.worker.call(confirm);
    const inUser = bench.worker.prepare(confirm);
    await bench.worker.publish({
      ...inUser,
      subject: inUser.subject.replace('.public.', '.u_ada.'),
      headers: { ...inUser.headers, 'CG-Channel-Id': 'u_ada' },
    });
    await bench.until(() => expect(started.service.listOpenCalls()).toHaveLength(2));
    const listed = await inboxOf(started).list();
    expect(listed.map(({ call }) => call.toolCallId)).toEqual([inUser.toolCallId]);
    expect(await inboxOf(started, 'grace').list()).toEqual([]);
  });

  test('a rule that throws shows its call to nobody, and is reported', async () => {
    const started = await bench.start({
      tools: {
        confirm: {
          ...{ interactive: true, timeoutMs },
          mayAnswer: () => Promise.reject(new Error('no such tenant')),
        },
      },
    });
    await bench.worker.call(confirm);
    await bench.until(() => expect(started.service.listOpenCalls()).toHaveLength(1));
    expect(await inboxOf(started).list()).toEqual([]);
    expect(started.failures).toMatchObject([{ step: 'rule', message: 'no such tenant' }]);
  });

  test('takes the same answer again, and refuses another one', async () => {
    const started = await bench.start({ tools: forAda });
    await bench.worker.call(confirm);
    const [call] = await untilListed(inboxOf(started));
    const inbox = inboxOf(started);
    const yes = { outcome: 'submitted', result: { ok: true } };
    expect(await inbox.answer(call, yes)).toEqual([200, 'accepted']);
    expect(await inbox.answer(call, yes)).toEqual([200, 'accepted']);
    expect(await inbox.answer(call, { outcome: 'declined' })).toEqual([409, 'call_expired']);
    await bench.until(() =>
      expect(bench.worker.applied).toMatchObject([{ content: { result: { ok: true } } }]),
    );
  });

  test('takes each answer of a turn again, after another one of it too', async () => {
    const started = await bench.start({ tools: forAda });
    await bench.worker.call(confirm, confirm);
    const calls = await untilListed(inboxOf(started), 2);
    const inbox = inboxOf(started);
    const yes = { outcome: 'submitted', result: 'yes' };
    for (const call of [...calls, ...calls]) expect(await inbox.answer(call, yes)).toEqual([200, 'accepted']);
    await bench.until(() => expect(bench.worker.applied).toHaveLength(2));
  });

  test('a rule that changes its mind while it is asked again refuses the answer', async () => {
    let asked = 0;
    const mayAnswer = () => {
      asked += 1;
      return asked <= 2;
    };
    const started = await bench.start({ tools: { confirm: { interactive: true, timeoutMs, mayAnswer } } });
    await bench.worker.call(confirm);
    await bench.until(() => expect(started.service.listOpenCalls()).toHaveLength(1));
    const [call] = await inboxOf(started).list();
    expect(await inboxOf(started).answer(call, { outcome: 'declined' })).toEqual([403, 'not_allowed']);
    expect(started.service.listOpenCalls()).toHaveLength(1);
  });

  test.each([
    ['expired', { outcome: 'expired' }],
    ['aborted', { outcome: 'aborted' }],
    ['failed', { outcome: 'failed', error: 'no handler' }],
  ])('a page cannot end a call as %s', async (_, fields) => {
    const started = await bench.start({ tools: forAda });
    await bench.worker.call(confirm);
    const [call] = await untilListed(inboxOf(started));
    expect((await inboxOf(started).answer(call, fields))[1]).toBe('invalid_result');
    await untilListed(inboxOf(started));
  });

  test('an answer that NATS cannot carry is refused, and the call waits again', async () => {
    const started = await bench.start({ tools: forAda });
    await bench.worker.call(confirm);
    const [call] = await untilListed(inboxOf(started));
    const result = 'x'.repeat(2 * 1024 * 1024);
    expect((await inboxOf(started).answer(call, { outcome: 'submitted', result }))[1]).toBe('invalid_result');
    await untilListed(inboxOf(started));
  });

  test('a service that was stopped is asked again later', async () => {
    const started = await bench.start({ tools: forAda });
    await bench.worker.call(confirm);
    const [call] = await untilListed(inboxOf(started));
    await started.service.stop();
    expect(await inboxOf(started).list()).toEqual([]);
    expect((await inboxOf(started).answer(call, { outcome: 'declined' }))[0]).toBe(503);
    const next = await bench.start({ tools: forAda });
    const [again] = await untilListed(inboxOf(next));
    expect(again).toEqual(call);
  });
});

describe('an inbox over conversations and the tool service', () => {
  /** A conversation that Ada has begun, in which the agent asks, and a call of another agent's turn. */
  async function setup() {
    const agent = await startScriptedAgent(bench, () => ({
      steps: [{ call: [confirm] }, { say: ['Done.'] }],
    }));
    const started = await bench.start({ tools: forAda });
    const store = createMemorySessionStore({ clock: bench.clock });
    const getSession = (id = 'conversation') =>
      createUtpSession({
        ...{ id, store, service: started.service, nats: started.process.nats, cards: bench.cards },
        ...{ project: bench.projectId, channel: 'public', agent: bench.worker.agentId, clock: bench.clock },
        principal: { id: 'ada' },
      });
    const trigger = { type: 'trigger', triggerName: 'user-message', input: { USER_MESSAGE: 'Hi' } };
    await collect(getSession().execute(trigger, { principal: { id: 'ada' } }));
    return { agent, started, store, getSession };
  }

  test('has each question once: that of a conversation under its own id, all others under those of the service', async () => {
    const { started, store, getSession } = await setup();
    const inbox = openInbox({ store, getSession, sources: [started.service.inbox] });
    const other = bench.worker.prepare(confirm);
    await bench.worker.publish({
      ...other,
      subject: other.subject.replace('.public.', '.t_42.'),
      headers: { ...other.headers, 'CG-Channel-Id': 't_42' },
    });
    await bench.until(() => expect(started.service.listOpenCalls()).toHaveLength(2));
    const calls = await untilListed(inbox, 2);
    expect(calls.map(({ sessionId, call }) => [sessionId, call.toolCallId]).toSorted()).toEqual([
      ['conversation', bench.worker.sent[0]?.toolCallId],
      [expect.stringContaining('.t_42.'), other.toolCallId],
    ]);
  });

  test('has the question of a conversation once after a restart too, and the answer goes on with the turn', async () => {
    const { started, store, getSession } = await setup();
    const next = await bench.start({ tools: forAda });
    await started.service.stop();
    const inbox = openInbox({ store, getSession, sources: [next.service.inbox] });
    await bench.until(() =>
      expect(next.service.listOpenCalls()).toMatchObject([{ askedBy: 'conversation' }]),
    );
    const [call, ...others] = await inbox.list();
    expect([call?.sessionId, others]).toEqual(['conversation', []]);
    expect((await inbox.answer(call, { outcome: 'submitted', result: { ok: true } }))[1]).toBe('accepted');
    await bench.until(() =>
      expect(bench.worker.applied).toMatchObject([{ content: { result: { ok: true } } }]),
    );
  });
});
