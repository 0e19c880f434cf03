import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { describe, expect, test, vi } from 'vitest';
import type { Card } from '../../../src/backends/utp/cards.ts';
import { createUtpToolService } from '../../../src/backends/utp/create-utp-tool-service.ts';
import { withEnvs } from '../../../src/backends/utp/tool-definition/with-envs.ts';
import { UtpToolError } from '../../../src/backends/utp/tool-error.ts';
import type { UtpToolContext } from '../../../src/backends/utp/utp-tool.ts';
import { createDeferred } from '../../support/deferred.ts';
import { startNatsServer } from '../../support/nats-server.ts';
import type { SentCall } from './support/agent-worker.ts';
import { benchPerTest } from './support/bench-per-test.ts';
import { isTraceparent } from './support/command-rules.ts';
import { type Bench, openBench } from './support/open-bench.ts';

let url: string;
let bench: Bench;
benchPerTest((opened, address) => {
  bench = opened;
  url = address;
});

const untilRunning = () => bench.until(() => expect(bench.worker.status).toBe('running'));

/** Starts a turn that waits for one call, whose command the test changes before it is published. */
async function sendChanged(change: (call: SentCall) => object, toolName = 'echo'): Promise<SentCall> {
  bench.worker.startTurn();
  const call = bench.worker.prepare({ toolName });
  bench.worker.suspend(30_000);
  await bench.worker.publish({ ...call, ...change(call) });
  return call;
}

const echo = (args: object) => args;

describe('a call of a function', () => {
  test('gets the arguments of its card, and its result goes back into the loop of the agent', async () => {
    await bench.start({ tools: { add: ({ a, b }) => ({ sum: Number(a) + Number(b) }) } });
    const [sent] = await bench.worker.call({ toolName: 'add', args: { a: 2, b: 3 } });
    await untilRunning();
    expect(bench.worker.applied).toMatchObject([
      { toolCallId: sent?.toolCallId, status: 'success', content: { result: { sum: 5 }, error: null } },
    ]);
  });

  test('gets the call, the headers and a signal as its context', async () => {
    let context: UtpToolContext | undefined;
    await bench.start({
      tools: {
        look: (_, given) => {
          context = given;
        },
      },
    });
    const [sent] = await bench.worker.call({ toolName: 'look', afterExecution: 'suspend' });
    await untilRunning();
    expect(context?.headers).toEqual(sent?.headers);
    expect(context?.signal.aborted).toBe(false);
    expect(context?.call).toMatchObject({
      ...{ projectId: bench.projectId, channelId: 'public', toolName: 'look', args: {} },
      ...{ toolCallId: sent?.toolCallId, agentTurnId: bench.worker.turnId, turnEpoch: 1, recursionDepth: 2 },
    });
  });

  test('copies the lineage of its card, whatever the headers say', async () => {
    await bench.start({ tools: { echo } });
    const call = await sendChanged(({ headers }) => ({
      headers: { ...headers, 'CG-Step-Id': 'another', 'CG-Parent-Step-Id': 'another' },
    }));
    await untilRunning();
    const stored = await bench.cards.get(bench.projectId, call.cardId);
    const [result] = bench.cards.results(call.toolCallId);
    expect(result?.metadata).toEqual({ ...stored?.metadata, role: 'tool', function_name: 'echo' });
  });

  test('is reported by its target, with the identity of the command and a child span', async () => {
    await bench.start({ tools: { echo } });
    const [sent] = await bench.worker.call({ toolName: 'echo' });
    await untilRunning();
    const [report] = bench.l0.accepted(sent?.toolCallId ?? '');
    const [result] = bench.cards.results(sent?.toolCallId ?? '');
    expect(report).toMatchObject({
      ...{ sourceAgentId: `tool.${bench.target}`, agentTurnId: bench.worker.turnId, turnEpoch: 1 },
      ...{ recursionDepth: 2, messageType: 'tool_result', stepId: 'step-1' },
    });
    expect(report?.payload).toEqual({
      after_execution: 'suspend',
      status: 'success',
      tool_result_card_id: result?.card_id,
    });
    expect(isTraceparent(report?.traceparent)).toBe(true);
    expect(report?.traceparent.split('-')[1]).toBe(sent?.headers.traceparent?.split('-')[1]);
    expect(report?.traceparent).not.toBe(sent?.headers.traceparent);
  });

  test('wakes the worker that has the agent now, not the one that sent the command', async () => {
    const gate = createDeferred();
    await bench.start({ tools: { slow: () => gate.promise } });
    await bench.worker.call({ toolName: 'slow' });
    const rung = vi.fn();
    bench.nats.subscribe(`cg.v1r4.${bench.projectId}.public.cmd.agent.moved.wakeup`, { callback: rung });
    for (const agent of bench.l0.roster.keys()) bench.l0.roster.set(agent, 'moved');
    gate.resolve();
    await bench.until(() => expect(rung).toHaveBeenCalledOnce());
    expect(bench.worker.wakeups).toEqual([]);
  });

  test('names the tool of its card if the command names none', async () => {
    await bench.start({ tools: { echo } });
    await sendChanged(({ cardId }) => ({ payload: { tool_call_card_id: cardId } }));
    await untilRunning();
    expect(bench.worker.applied).toMatchObject([{ status: 'success' }]);
  });

  test('takes a card that names no call for the card of the command', async () => {
    await bench.start({ tools: { echo } });
    const call = await sendChanged(({ cardId, payload }) => {
      bench.cards.put({
        ...{ card_id: cardId, project_id: bench.projectId, type: 'tool.call', author_id: 'agent' },
        ...{ created_at: '', content: { tool_name: 'echo', arguments: { a: 1 } } },
        metadata: { step_id: 'of the card' },
      });
      return { payload };
    });
    await untilRunning();
    expect(bench.worker.applied).toMatchObject([{ status: 'success', content: { result: { a: 1 } } }]);
    expect(bench.cards.results(call.toolCallId)).toMatchObject([{ metadata: { step_id: 'of the card' } }]);
  });

  test.each<[string, object]>([
    ['a step alone', { step_id: 's' }],
    ['no parent', { step_id: 's', trace_id: 't' }],
    ['a parent that is null', { step_id: 's', trace_id: 't', parent_step_id: null }],
  ])('repeats the lineage of a card with %s, and the headers add nothing', async (_, metadata) => {
    await bench.start({ tools: { echo } });
    const call = await sendChanged(({ cardId, toolCallId, payload, headers }) => {
      bench.cards.put({
        ...{ card_id: cardId, project_id: bench.projectId, type: 'tool.call', author_id: 'agent' },
        ...{ created_at: '', content: { tool_name: 'echo', arguments: {} }, tool_call_id: toolCallId },
        metadata: { ...metadata },
      });
      return { payload, headers: { ...headers, 'CG-Parent-Step-Id': 'of the headers' } };
    });
    await untilRunning();
    expect(bench.cards.results(call.toolCallId)[0]?.metadata).toEqual({
      ...{ agent_turn_id: bench.worker.turnId, tool_call_id: call.toolCallId, role: 'tool' },
      ...{ function_name: 'echo', ...metadata },
    });
  });

  test('runs also if its command has keys of a later version', async () => {
    await bench.start({ tools: { echo } });
    await sendChanged(({ payload }) => ({ payload: { ...payload, priority: 1 } }));
    await untilRunning();
    expect(bench.worker.applied).toMatchObject([{ status: 'success' }]);
  });

  test('starts a new trace if its command has none', async () => {
    await bench.start({ tools: { echo } });
    const call = await sendChanged(({ headers: { traceparent: _, ...headers } }) => ({ headers }));
    await untilRunning();
    expect(isTraceparent(bench.l0.accepted(call.toolCallId)[0]?.traceparent)).toBe(true);
  });
});

describe('the turn of the agent', () => {
  test('stays suspended until all of its calls are answered', async () => {
    const gate = createDeferred();
    await bench.start({ tools: { echo, slow: () => gate.promise } });
    await bench.worker.call({ toolName: 'slow' }, { toolName: 'echo' });
    await bench.until(() => expect(bench.worker.applied).toHaveLength(1));
    expect(bench.worker.status).toBe('suspended');
    gate.resolve();
    await untilRunning();
    expect(bench.worker.applied).toHaveLength(2);
  });

  test('ends after a result that terminates, by the command or by the result', async () => {
    const done = () => ({ __cg_control: { after_execution: 'terminate' } });
    await bench.start({ tools: { echo, done } });
    for (const wish of [{ toolName: 'echo', afterExecution: 'terminate' as const }, { toolName: 'done' }]) {
      await bench.worker.call(wish);
      await bench.until(() => expect(bench.worker.ending).toBe('success'));
      expect(bench.worker.status).toBe('idle');
    }
  });

  test('ends with the status of the terminating result that failed', async () => {
    const fail = () => {
      throw new Error('no');
    };
    await bench.start({ tools: { echo, fail } });
    const afterExecution = 'terminate';
    await bench.worker.call({ toolName: 'echo', afterExecution }, { toolName: 'fail', afterExecution });
    await bench.until(() => expect(bench.worker.ending).toBe('failed'));
  });

  test('takes a result that came before it was suspended a second later', async () => {
    await bench.start({ tools: { echo } });
    bench.worker.startTurn();
    await bench.worker.send({ toolName: 'echo' });
    await bench.until(() => expect(bench.worker.wakeups).toHaveLength(1));
    expect(bench.worker.applied).toEqual([]);
    bench.worker.suspend(30_000);
    await bench.advanceUntil(() => expect(bench.worker.applied).toHaveLength(1));
  });

  test('keeps the timeout of the watchdog if the result comes later', async () => {
    const gate = createDeferred();
    const { failures } = await bench.start({ tools: { slow: () => gate.promise } });
    const [sent] = await bench.worker.call({ toolName: 'slow' });
    await bench.clock.advance(30_000);
    await bench.worker.watch();
    await bench.until(() => expect(bench.worker.applied).toMatchObject([{ status: 'timeout' }]));
    gate.resolve();
    await bench.untilAcknowledged();
    const [result, ...others] = bench.cards.results(sent?.toolCallId ?? '');
    expect([result?.author_id, others]).toEqual(['worker.watchdog', []]);
    expect(bench.l0.reports).toHaveLength(1);
    expect(failures).toEqual([]);
  });
});

describe('a failed call', () => {
  test.each([
    ['a UtpToolError', new UtpToolError('not_found', 'no order 42', { detail: { id: 42 } }), 'not_found'],
    ['another error', new TypeError('x is undefined'), 'internal_error'],
    ['the error of AbortSignal.timeout', new DOMException('slow', 'TimeoutError'), 'tool_timeout'],
  ])('has the code of %s that its function threw, and the log has the error', async (_, thrown, code) => {
    const fail = async () => {
      throw thrown;
    };
    const { failures } = await bench.start({ tools: { fail } });
    const [sent] = await bench.worker.call({ toolName: 'fail' });
    await untilRunning();
    const { message } = thrown;
    expect(bench.worker.applied).toMatchObject([
      {
        status: 'failed',
        content: { error: { code, message, source: 'tool' }, result: { error_code: code } },
      },
    ]);
    expect(failures).toEqual([
      { step: 'execute', projectId: bench.projectId, toolCallId: sent?.toolCallId, message },
    ]);
  });

  test('has result_not_serializable if JSON cannot carry the result', async () => {
    const { failures } = await bench.start({ tools: { big: () => ({ n: 5n }) } });
    const [sent] = await bench.worker.call({ toolName: 'big' });
    await untilRunning();
    expect(failures).toMatchObject([
      { step: 'execute', toolCallId: sent?.toolCallId, message: expect.stringContaining('result') },
    ]);
    expect(bench.worker.applied).toMatchObject([
      { status: 'failed', content: { result: null, error: { code: 'result_not_serializable' } } },
    ]);
  });

  test.each<[string, string, (call: SentCall) => object]>([
    ['a control field', 'bad_request', ({ payload }) => ({ payload: { ...payload, agent_id: 'me' } })],
    ['text that is no JSON', 'bad_request', () => ({ payload: 'oops' })],
    ['no card', 'bad_request', () => ({ payload: { tool_name: 'echo' } })],
    ['a card that is not there', 'not_found', () => ({ payload: { tool_call_card_id: 'gone' } })],
    [
      'another after_execution',
      'bad_request',
      ({ payload }) => ({ payload: { ...payload, after_execution: 'x' } }),
    ],
    ['an unknown tool', 'not_found', ({ payload }) => ({ payload: { ...payload, tool_name: 'toString' } })],
  ])('is one whose payload has %s: the agent gets %s', async (_, code, change) => {
    const { failures } = await bench.start({ tools: { echo } });
    const call = await sendChanged(change);
    await untilRunning();
    expect(bench.worker.applied).toMatchObject([{ status: 'failed', content: { error: { code } } }]);
    expect(failures).toMatchObject([{ toolCallId: call.toolCallId }]);
  });

  test.each<[string, string, Partial<Card>]>([
    ['a card of another project', 'not_found', { project_id: 'foreign' }],
    ['a card of another type', 'bad_request', { type: 'task.instruction' }],
    ['the card of another call', 'bad_request', { tool_call_id: 'another' }],
    ['a card with text as its content', 'bad_request', { content: 'text' }],
    [
      'a card of another class',
      'bad_request',
      { content: { __type__: 'JsonContent', tool_name: 'echo', arguments: {} } },
    ],
    [
      'a card whose class is no text',
      'bad_request',
      { content: { __type__: null, tool_name: 'echo', arguments: {} } },
    ],
    ['a card whose arguments are a list', 'bad_request', { content: { tool_name: 'echo', arguments: [] } }],
  ])('is one with %s: the agent gets %s', async (_, code, change) => {
    const { failures } = await bench.start({ tools: { echo } });
    await sendChanged(({ cardId, toolCallId, payload }) => {
      bench.cards.put({
        ...{ card_id: cardId, project_id: bench.projectId, type: 'tool.call', author_id: 'agent' },
        ...{ created_at: '', metadata: { step_id: 's' }, tool_call_id: toolCallId },
        content: { tool_name: 'echo', arguments: {} },
        ...change,
      });
      return { payload };
    });
    await untilRunning();
    expect(bench.worker.applied).toMatchObject([{ status: 'failed', content: { error: { code } } }]);
    expect(failures).toMatchObject([{ step: 'hydrate' }]);
    // The lineage of a card that is not the call's own does not count.
    const { toolCallId } = bench.worker.applied[0] ?? { toolCallId: '' };
    const isOwn = change.type === undefined && change.tool_call_id === undefined;
    const stepId = code === 'bad_request' && isOwn ? 's' : 'step-1';
    expect(bench.cards.results(toolCallId)).toMatchObject([{ metadata: { step_id: stepId } }]);
  });
});

describe('a command that cannot be answered', () => {
  test.each([
    ['no agent', { 'CG-Agent-Id': '' }, 'CG-Agent-Id is missing'],
    ['no call', { 'CG-Tool-Call-Id': '' }, 'CG-Tool-Call-Id is missing'],
    ['no turn', { 'CG-Turn-Id': '' }, 'CG-Turn-Id is missing'],
    ['another project than its subject', { 'CG-Project-Id': 'p' }, 'CG-Project-Id is "p"'],
    ['another channel than its subject', { 'CG-Channel-Id': 'c' }, 'CG-Channel-Id is "c"'],
    ['an epoch that is no number', { 'CG-Turn-Epoch': 'x' }, 'CG-Turn-Epoch is "x"'],
    ['a depth over the limit', { 'CG-Recursion-Depth': '20' }, 'CG-Recursion-Depth is 20'],
  ])('because it names %s is logged and dropped, and the watchdog ends the call', async (_, change, text) => {
    const run = vi.fn();
    const { failures } = await bench.start({ tools: { echo: run } });
    await sendChanged(({ headers }) => ({ headers: { ...headers, ...change } }));
    await bench.until(() => expect(failures).toHaveLength(1));
    expect(failures).toMatchObject([{ step: 'receive', message: expect.stringContaining(text) }]);
    await bench.untilAcknowledged();
    expect(run).not.toHaveBeenCalled();
    await bench.clock.advance(30_000);
    await bench.worker.watch();
    await bench.until(() => expect(bench.worker.applied).toMatchObject([{ status: 'timeout' }]));
  });

  test.each([
    ['the epoch of another turn', { 'CG-Turn-Epoch': '9' }, '7: there is no such turn'],
    ['a missing epoch', { 'CG-Turn-Epoch': '' }, '7: there is no such turn'],
    ['a turn of another agent', { 'CG-Agent-Id': 'another' }, '7: there is no such turn'],
    ['a missing depth', { 'CG-Recursion-Depth': '' }, '8: the depth is not'],
    ['another depth than its request', { 'CG-Recursion-Depth': '3' }, '8: the depth is not'],
  ])('because L0 refuses %s is logged with the reason and not repeated', async (_, change, text) => {
    const { failures } = await bench.start({ tools: { echo } });
    const call = await sendChanged(({ headers }) => ({ headers: { ...headers, ...change } }));
    await bench.until(() => expect(failures).toHaveLength(1));
    expect(failures).toMatchObject([{ step: 'report', message: expect.stringContaining(text) }]);
    await bench.untilAcknowledged();
    expect(bench.l0.reports).toHaveLength(1);
    expect(bench.cards.results(call.toolCallId)).toHaveLength(1);
  });
});

describe('a call with a value of the environment', () => {
  const environment = { SEARCH_API_KEY: 'sk-4f81c07be2' };
  const tools = {
    echo: withEnvs({ environment }, (args) => args),
    refuse: withEnvs({ environment }, ({ api_key }) => {
      throw new UtpToolError('auth_failed', `The key ${api_key} is wrong.`, { detail: { api_key } });
    }),
  };

  test.each(['echo', 'refuse'])(
    'has the name of its variable in the card of %s, and in the log',
    async (toolName) => {
      const { failures } = await bench.start({ tools });
      const call = await sendChanged(({ cardId, toolCallId, payload }) => {
        bench.cards.put({
          ...{ card_id: cardId, project_id: bench.projectId, type: 'tool.call', author_id: 'agent' },
          ...{ created_at: '', content: { tool_name: toolName, arguments: { q: 'cats' } } },
          metadata: { step_id: 's', tool_args_envs: { api_key: 'SEARCH_API_KEY' } },
          tool_call_id: toolCallId,
        });
        return { payload };
      }, toolName);
      await untilRunning();
      const card = JSON.stringify(bench.cards.results(call.toolCallId));
      expect(card).toContain('[SEARCH_API_KEY]');
      expect(card + JSON.stringify(failures)).not.toContain('sk-4f81c07be2');
      expect(failures.map(({ message }) => message)).toEqual(
        toolName === 'echo' ? [] : ['The key [SEARCH_API_KEY] is wrong.'],
      );
    },
  );
});

describe('a call whose result is there already', () => {
  test('is reported with that result, also if it runs again', async () => {
    await bench.start({ tools: { echo } });
    const call = await sendChanged(({ toolCallId, payload }) => {
      const content = { status: 'partial', after_execution: 'suspend', result: 'earlier', error: null };
      bench.cards.put({
        ...{ card_id: 'earlier', project_id: bench.projectId, type: 'tool.result', created_at: '', content },
        ...{ author_id: `tool.${bench.target}`, tool_call_id: toolCallId },
        metadata: { function_name: 'echo', step_id: 's' },
      });
      return { payload };
    });
    await untilRunning();
    expect(bench.l0.accepted(call.toolCallId)).toMatchObject([
      { payload: { tool_result_card_id: 'earlier', status: 'partial' } },
    ]);
  });
});

describe('a wakeup', () => {
  test('that no subject can carry is logged and given up: the result is in the inbox', async () => {
    const { failures } = await bench.start({ tools: { echo } });
    for (const agent of bench.l0.roster.keys()) bench.l0.roster.set(agent, 'two.tokens');
    await bench.worker.call({ toolName: 'echo' });
    await bench.until(() => expect(failures).toHaveLength(1));
    expect(failures).toMatchObject([{ step: 'wakeup', message: expect.stringContaining('two') }]);
    await bench.untilAcknowledged();
    await bench.worker.watch();
    expect(bench.worker.applied).toHaveLength(1);
  });
});

describe('a command that comes twice', () => {
  test('after its call is answered is reported again with the same card, and the tool does not run', async () => {
    const run = vi.fn(() => 1);
    const { failures } = await bench.start({ tools: { run } });
    const [sent] = await bench.worker.call({ toolName: 'run' });
    await untilRunning();
    if (sent) await bench.worker.publish(sent);
    await bench.until(() => expect(bench.l0.reports).toHaveLength(2));
    const [first, second] = bench.l0.reports;
    expect(second?.report.payload).toEqual(first?.report.payload);
    expect(second?.answer).toMatchObject({ ack: 'rejected' });
    await bench.untilAcknowledged();
    expect(run).toHaveBeenCalledOnce();
    expect(failures).toMatchObject([
      { step: 'report', toolCallId: sent?.toolCallId, message: expect.stringContaining('9: the call has') },
    ]);
  });

  test('while its tool runs in another process waits for that result', async () => {
    const gate = createDeferred();
    const run = vi.fn(() => gate.promise);
    await bench.start({ tools: { run } });
    await bench.start({ tools: { run } });
    const [sent] = await bench.worker.call({ toolName: 'run', timeoutMs: 900_000 });
    await bench.until(() => expect(run).toHaveBeenCalledOnce());
    if (sent) await bench.worker.publish(sent);
    // The leader renews its claim all the time, so nobody takes over however long the tool runs.
    for (let second = 0; second < 60; second += 1) {
      await bench.clock.advance(1_000);
      await bench.nats.flush();
    }
    gate.resolve();
    await bench.advanceUntil(() => expect(bench.l0.reports).toHaveLength(2));
    await bench.untilAcknowledged();
    expect(run).toHaveBeenCalledOnce();
    expect(bench.cards.results(sent?.toolCallId ?? '')).toHaveLength(1);
    expect(bench.worker.applied).toHaveLength(1);
  });
});

describe('a service', () => {
  test('takes only the commands of its projects', async () => {
    const run = vi.fn();
    await bench.start({ tools: { run }, projects: ['other', bench.projectId] });
    const foreign = await openBench(url);
    const [sent] = await bench.worker.call({ toolName: 'run' });
    const subject = `cg.v1r4.${foreign.projectId}.public.cmd.tool.${bench.target}.call`;
    if (sent) await bench.worker.publish({ ...sent, subject });
    await untilRunning();
    expect(run).toHaveBeenCalledOnce();
    await foreign.end();
  });

  test('says which stream is missing if CommonGround has not made it', async () => {
    const empty = await startNatsServer();
    const nats = await connect({ servers: empty.url });
    const service = createUtpToolService({ nats, cards: bench.cards, l0: bench.l0, target: 't', tools: {} });
    await expect(service.start()).rejects.toThrow('NATS has no stream cg_cmd_v1r4');
    await nats.close();
    await empty.stop();
  });

  test('tells JetStream that a long call is in progress, so that it is not delivered again', async () => {
    const gate = createDeferred();
    const run = vi.fn(() => gate.promise);
    const signs: string[] = [];
    bench.nats.subscribe(`$JS.ACK.cg_cmd_v1r4.utp_${bench.target}.>`, {
      callback: (_, message) => {
        signs.push(message.string());
      },
    });
    await bench.start({ tools: { run } });
    await bench.worker.call({ toolName: 'run' });
    await bench.until(() => expect(run).toHaveBeenCalledOnce());
    await bench.clock.advance(10_000);
    gate.resolve();
    await bench.until(() => expect(signs).toEqual(['+WPI', '+WPI', '+ACK']));
  });

  test('logs that its consumer was deleted', async () => {
    const { failures } = await bench.start({ tools: { echo } });
    const { consumers } = await jetstreamManager(bench.nats);
    await consumers.delete('cg_cmd_v1r4', `utp_${bench.target}`);
    await bench.until(() =>
      expect(failures).toMatchObject([
        { step: 'consume', message: expect.stringMatching(/consumer_(deleted|not_found)/) },
      ]),
    );
  });

  test('delivers the results of running functions before it stops, and takes no more commands', async () => {
    const gate = createDeferred();
    const run = vi.fn(() => gate.promise);
    const { service } = await bench.start({ tools: { run } });
    await bench.worker.call({ toolName: 'run' });
    await bench.until(() => expect(run).toHaveBeenCalledOnce());
    const stopped = service.stop();
    gate.resolve();
    await stopped;
    expect(bench.l0.reports).toHaveLength(1);
    expect(bench.clock.waiting).toBe(0);
    await untilRunning();
    await bench.worker.call({ toolName: 'run' });
    await bench.nats.flush();
    expect(run).toHaveBeenCalledOnce();
  });
});
