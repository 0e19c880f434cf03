import { createHash } from 'node:crypto';
import { AckPolicy, DeliverPolicy, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { nanos } from '@nats-io/nats-core';
import { describe, expect, test, vi } from 'vitest';
import { CLAIM_BUCKET } from '../../../src/backends/utp/claim.ts';
import { toClaimKey } from '../../../src/backends/utp/names.ts';
import type { UtpReceipt } from '../../../src/backends/utp/utp-receipt.ts';
import type { UtpTools } from '../../../src/backends/utp/utp-tool.ts';
import { createDeferred } from '../../support/deferred.ts';
import { startNatsServer } from '../../support/nats-server.ts';
import { benchPerTest } from './support/bench-per-test.ts';
import { type Bench, openBench } from './support/open-bench.ts';
import type { Incident, Operation } from './support/service-process.ts';

let bench: Bench;
benchPerTest((opened) => {
  bench = opened;
});

const tools: UtpTools = { run: () => 'done', confirm: { interactive: true, timeoutMs: 9_000_000 } };
const timeoutMs = 9_000_000;

/** The agent has exactly one result of the call, from exactly one accepted report. */
function expectOneResult(toolCallId: string): void {
  expect(bench.cards.results(toolCallId)).toHaveLength(1);
  expect(bench.l0.accepted(toolCallId)).toHaveLength(1);
  expect(bench.worker.applied.map((result) => result.toolCallId)).toEqual([toolCallId]);
}

/** Waits until the agent goes on, with the watchdog looking into its inbox. */
const untilRunning = ({ worker, advanceUntil }: Bench = bench) =>
  advanceUntil(async () => {
    await worker.watch();
    expect(worker.status).toBe('running');
  });

/** Moves the clock on. The servers get a turn every second. */
async function passMinutes(minutes: number): Promise<void> {
  for (let second = 0; second < minutes * 60; second += 1) {
    await bench.clock.advance(1_000);
    await bench.nats.flush();
  }
}

type Case = [operation: Operation, when: 'before' | 'after', skip?: number];

/** The operations of a function call, in their order. The second write of the claim is `done`. */
const FUNCTION_STEPS: readonly Case[] = [
  ['claim.write', 'before'],
  ['claim.write', 'after'],
  ['cards.get', 'before'],
  ['cards.get', 'after'],
  ['cards.saveResult', 'before'],
  ['cards.saveResult', 'after'],
  ['claim.write', 'before', 1],
  ['claim.write', 'after', 1],
  ['l0.report', 'before'],
  ['l0.report', 'after'],
  ['wakeup', 'before'],
  ['wakeup', 'after'],
  ['ack', 'before'],
  ['ack', 'after'],
];

describe('a function call gets exactly one result and one report', () => {
  test.each(FUNCTION_STEPS)(
    'if the process dies at %s, %s its effect (skip %s)',
    async (operation, when, skip = 0) => {
      const { process } = await bench.start({ tools }, { operation, when, skip });
      const [sent] = await bench.worker.call({ toolName: 'run', timeoutMs });
      await process.died;
      await bench.start({ tools });
      if (sent) await bench.worker.publish(sent);
      await untilRunning();
      expectOneResult(sent?.toolCallId ?? '');
    },
  );

  test.each(FUNCTION_STEPS)('if %s fails, %s its effect (skip %s)', async (operation, when, skip = 0) => {
    const run = vi.fn(() => 'done');
    const { failures } = await bench.start({ tools: { run } }, { operation, when, skip, kind: 'fail' });
    const [sent] = await bench.worker.call({ toolName: 'run', timeoutMs });
    await untilRunning();
    // The service repeats the wakeup on its clock.
    if (operation !== 'ack') await bench.advanceUntil(bench.expectAcknowledged);
    expectOneResult(sent?.toolCallId ?? '');
    expect(run).toHaveBeenCalledOnce();
    const text = `${operation} failed ${when} its effect`;
    const [first, ...others] = failures;
    if (operation !== 'ack') expect(first).toMatchObject({ message: text, toolCallId: sent?.toolCallId });
    // L0 took the report, whose confirmation was lost, and refuses the repeated one.
    const isRepeated = operation === 'l0.report' && when === 'after';
    expect(others.map(({ step }) => step)).toEqual(isRepeated ? ['report'] : []);
  });

  test.each<Case>([
    ['l0.report', 'after'],
    ['wakeup', 'before'],
  ])(
    'and a wakeup without the watchdog, if the process dies at %s, %s its effect',
    async (operation, when) => {
      const { process } = await bench.start({ tools }, { operation, when });
      const [sent] = await bench.worker.call({ toolName: 'run', timeoutMs });
      await process.died;
      expect(bench.worker.wakeups).toEqual([]);
      await bench.start({ tools });
      if (sent) await bench.worker.publish(sent);
      await bench.until(() => expect(bench.worker.status).toBe('running'));
      expectOneResult(sent?.toolCallId ?? '');
    },
  );

  test('if the process dies while the tool runs, which then runs a second time', async () => {
    const run = vi.fn<() => Promise<string>>(() => new Promise(() => {}));
    const { process } = await bench.start({ tools: { run } });
    const [sent] = await bench.worker.call({ toolName: 'run', timeoutMs });
    await bench.until(() => expect(run).toHaveBeenCalledOnce());
    await process.nats.close();
    run.mockResolvedValue('done');
    await bench.start({ tools: { run } });
    if (sent) await bench.worker.publish(sent);
    await untilRunning();
    expect(run).toHaveBeenCalledTimes(2);
    expectOneResult(sent?.toolCallId ?? '');
  });

  test('if the process dies after it saved the result, and the tool does not run again', async () => {
    const run = vi.fn(() => 'done');
    const { process } = await bench.start(
      { tools: { run } },
      { operation: 'cards.saveResult', when: 'after' },
    );
    const [sent] = await bench.worker.call({ toolName: 'run', timeoutMs });
    await process.died;
    await bench.start({ tools: { run } });
    if (sent) await bench.worker.publish(sent);
    await untilRunning();
    expect(run).toHaveBeenCalledOnce();
  });

  test('by a real redelivery of JetStream, without a second command', async () => {
    const { consumers } = await jetstreamManager(bench.nats);
    await consumers.add('cg_cmd_v1r4', {
      durable_name: `utp_${bench.target}`,
      filter_subject: `cg.v1r4.*.*.cmd.tool.${bench.target}.>`,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.New,
      ack_wait: nanos(500),
    });
    const { process } = await bench.start({ tools }, { operation: 'l0.report', when: 'before' });
    const [sent] = await bench.worker.call({ toolName: 'run', timeoutMs });
    await process.died;
    await bench.start({ tools });
    await untilRunning();
    await bench.untilAcknowledged();
    expectOneResult(sent?.toolCallId ?? '');
  });

  test('if a renewal of the claim arrives and its confirmation is lost: the leader goes on', async () => {
    const gate = createDeferred();
    const run = vi.fn(() => gate.promise);
    const { failures } = await bench.start(
      { tools: { run } },
      { operation: 'claim.write', when: 'after', skip: 1, kind: 'fail' },
    );
    const [sent] = await bench.worker.call({ toolName: 'run', timeoutMs });
    await bench.until(() => expect(run).toHaveBeenCalledOnce());
    await bench.advanceUntil(() => expect(failures).toMatchObject([{ step: 'claim' }]));
    await passMinutes(1);
    gate.resolve();
    await untilRunning();
    expect(failures).toHaveLength(1);
    expect(run).toHaveBeenCalledOnce();
    expectOneResult(sent?.toolCallId ?? '');
  });

  test('if its leader was only slow: it loses the claim, and its signal aborts', async () => {
    const gate = createDeferred<string>();
    const signals: AbortSignal[] = [];
    const slow = await bench.start({
      tools: {
        run: (_, { signal }) => {
          signals.push(signal);
          return gate.promise;
        },
      },
    });
    const [sent] = await bench.worker.call({ toolName: 'run', timeoutMs });
    await bench.until(() => expect(signals).toHaveLength(1));
    // The process hangs: it sends nothing, and it sees no answer.
    const { request } = slow.process.nats;
    slow.process.nats.request = () => Promise.reject(new Error('the process hangs'));
    await bench.start({ tools });
    if (sent) await bench.worker.publish(sent);
    await untilRunning();
    slow.process.nats.request = request;
    await bench.advanceUntil(() => expect(signals[0]?.aborted).toBe(true));
    gate.resolve('late');
    await bench.until(() =>
      expect(slow.failures.at(-1)).toMatchObject({ message: expect.stringContaining('took over') }),
    );
    expectOneResult(sent?.toolCallId ?? '');
    expect(bench.cards.results(sent?.toolCallId ?? '')).toMatchObject([{ content: { result: 'done' } }]);
  });
});

/** The operations between the arrival of an interactive call and the acknowledgement of its command. */
const ARRIVAL_STEPS: readonly Case[] = [
  ['claim.write', 'before'],
  ['claim.write', 'after'],
  ['cards.get', 'before'],
  ['cards.get', 'after'],
  ['pending.write', 'before'],
  ['pending.write', 'after'],
  ['ack', 'before'],
];

describe('an interactive call opens exactly once', () => {
  test.each(ARRIVAL_STEPS)('if the process dies at %s, %s its effect', async (operation, when) => {
    const { process } = await bench.start({ tools }, { operation, when });
    const [sent] = await bench.worker.call({ toolName: 'confirm', timeoutMs });
    await process.died;
    const { service } = await bench.start({ tools });
    if (sent) await bench.worker.publish(sent);
    await bench.advanceUntil(() => expect(service.listOpenCalls()).toHaveLength(1));
    await service.answer(sent?.toolCallId ?? '', { outcome: 'submitted', result: 1 });
    await untilRunning();
    expectOneResult(sent?.toolCallId ?? '');
  });

  test.each(ARRIVAL_STEPS)('if %s fails, %s its effect', async (operation, when) => {
    const { service } = await bench.start({ tools }, { operation, when, kind: 'fail' });
    const [sent] = await bench.worker.call({ toolName: 'confirm', timeoutMs });
    await bench.advanceUntil(() => expect(service.listOpenCalls()).toHaveLength(1));
    await service.answer(sent?.toolCallId ?? '', { outcome: 'submitted', result: 1 });
    await untilRunning();
    expectOneResult(sent?.toolCallId ?? '');
  });
});

/** The operations of an answer once it is in its row. The write of the row is the second one, its removal the third. */
const ANSWER_STEPS: readonly Case[] = [
  ['pending.write', 'after', 1],
  ['cards.saveResult', 'before'],
  ['cards.saveResult', 'after'],
  ['claim.write', 'before', 1],
  ['claim.write', 'after', 1],
  ['l0.report', 'before'],
  ['l0.report', 'after'],
  ['wakeup', 'before'],
  ['wakeup', 'after'],
  ['pending.write', 'before', 2],
  ['pending.write', 'after', 2],
];

describe('an answer of a person is never lost and never delivered twice', () => {
  const answer = { outcome: 'submitted', result: 'yes' } as const;

  async function openWith(incident: Incident) {
    const started = await bench.start({ tools }, incident);
    const [sent] = await bench.worker.call({ toolName: 'confirm', timeoutMs });
    await bench.until(() => expect(started.service.listOpenCalls()).toHaveLength(1));
    return { ...started, toolCallId: sent?.toolCallId ?? '' };
  }

  test.each(ANSWER_STEPS)(
    'if the process dies at %s, %s its effect (skip %s)',
    async (operation, when, skip = 0) => {
      const { service, process, toolCallId } = await openWith({ operation, when, skip });
      void service.answer(toolCallId, answer);
      await process.died;
      const next = await bench.start({ tools });
      await untilRunning();
      await bench.until(() => expect(next.service.listOpenCalls()).toEqual([]));
      expectOneResult(toolCallId);
      expect(bench.cards.results(toolCallId)).toMatchObject([{ content: { result: 'yes' } }]);
      const late = await next.service.answer(toolCallId, { outcome: 'submitted', result: 'no' });
      expect(late).toMatchObject({ status: 'expired' });
    },
  );

  test('if the process dies after the answer is in its row: the next start delivers it at once', async () => {
    const { service, process, toolCallId } = await openWith({
      operation: 'cards.saveResult',
      when: 'before',
    });
    void service.answer(toolCallId, answer);
    await process.died;
    await bench.start({ tools });
    await bench.until(async () => {
      await bench.clock.advance(0);
      expect(bench.worker.status).toBe('running');
    });
    expectOneResult(toolCallId);
  });

  test('and wakes the worker without the watchdog, if the process dies between report and wakeup', async () => {
    const { service, process, toolCallId } = await openWith({ operation: 'wakeup', when: 'before' });
    void service.answer(toolCallId, answer);
    await process.died;
    expect(bench.worker.wakeups).toEqual([]);
    await bench.start({ tools });
    await bench.until(async () => {
      await bench.clock.advance(0);
      expect(bench.worker.status).toBe('running');
    });
    expectOneResult(toolCallId);
  });

  test('if the process dies before the answer is in its row: the call is open again', async () => {
    const { service, process, toolCallId } = await openWith({
      ...{ operation: 'pending.write', when: 'before', skip: 1 },
    });
    void service.answer(toolCallId, answer);
    await process.died;
    const next = await bench.start({ tools });
    await bench.until(() => expect(next.service.listOpenCalls()).toHaveLength(1));
    expect(await next.service.answer(toolCallId, answer)).toEqual({ status: 'delivered' });
  });

  test.each(ANSWER_STEPS)('if %s fails, %s its effect (skip %s)', async (operation, when, skip = 0) => {
    const { service, toolCallId, failures } = await openWith({ operation, when, skip, kind: 'fail' });
    const receipts: UtpReceipt[] = [];
    void service.answer(toolCallId, answer).then((receipt) => receipts.push(receipt));
    await bench.advanceUntil(() => expect(receipts).toHaveLength(1));
    await untilRunning();
    const isDeliveryStep = ['cards.saveResult', 'claim.write', 'l0.report'].includes(operation);
    expect(receipts).toMatchObject([{ status: isDeliveryStep ? 'undelivered' : 'delivered' }]);
    await bench.until(() => expect(service.listOpenCalls()).toEqual([]));
    expectOneResult(toolCallId);
    // An answer that may be in its row is looked up there, so nothing has failed.
    if (skip !== 1 || operation !== 'pending.write')
      await bench.until(() => expect(failures).toMatchObject([{ toolCallId }]));
  });

  test('if its row cannot be written: the answer is refused and the call stays open', async () => {
    const { service, toolCallId } = await openWith({
      ...{ operation: 'pending.write', when: 'before', skip: 1, kind: 'fail' },
    });
    await expect(service.answer(toolCallId, answer)).rejects.toThrow('The step "pending" failed');
    expect(service.listOpenCalls()).toHaveLength(1);
    expect(await service.answer(toolCallId, answer)).toEqual({ status: 'delivered' });
  });

  test('if another process of the service lives on: it delivers the answer of the one that died', async () => {
    const { service, process, toolCallId } = await openWith({
      operation: 'cards.saveResult',
      when: 'before',
    });
    const other = await bench.start({ tools });
    await bench.until(() => expect(other.service.listOpenCalls()).toHaveLength(1));
    void service.answer(toolCallId, answer);
    await process.died;
    await untilRunning();
    expectOneResult(toolCallId);
  });

  test('if the card store is down for long: the service goes on trying', async () => {
    let isDown = true;
    const { service } = await bench.start({
      tools,
      cards: {
        get: bench.cards.get,
        saveResult: (card) =>
          isDown ? Promise.reject(new Error('the store is down')) : bench.cards.saveResult(card),
      },
    });
    const [sent] = await bench.worker.call({ toolName: 'confirm', timeoutMs });
    await bench.until(() => expect(service.listOpenCalls()).toHaveLength(1));
    const toolCallId = sent?.toolCallId ?? '';
    expect(await service.answer(toolCallId, answer)).toMatchObject({ status: 'undelivered' });
    await passMinutes(10);
    expect(await service.answer(toolCallId, answer)).toMatchObject({ status: 'expired' });
    isDown = false;
    await untilRunning();
    expectOneResult(toolCallId);
    await passMinutes(2);
    expect(bench.l0.reports).toHaveLength(1);
  });

  test('if L0 is busy: the report is repeated until it is accepted', async () => {
    const busy = { ack: 'busy', code: 'agent_busy', message: 'try later' } as const;
    const report = vi.fn(bench.l0.report).mockResolvedValueOnce(busy).mockResolvedValueOnce(busy);
    const { service } = await bench.start({ tools, l0: { report } });
    const [sent] = await bench.worker.call({ toolName: 'confirm', timeoutMs });
    await bench.until(() => expect(service.listOpenCalls()).toHaveLength(1));
    const receipt = await service.answer(sent?.toolCallId ?? '', answer);
    expect(receipt).toMatchObject({ status: 'undelivered', reason: expect.stringContaining('agent_busy') });
    await untilRunning();
    expect(report).toHaveBeenCalledTimes(3);
  });
});

describe('while NATS is down', () => {
  test('an answer is refused, and after the server came back the call is open and can be answered', async () => {
    const own = await startNatsServer();
    const down = await openBench(own.url);
    const { service } = await down.start({ tools });
    const [sent] = await down.worker.call({ toolName: 'confirm', timeoutMs });
    await down.until(() => expect(service.listOpenCalls()).toHaveLength(1));
    const toolCallId = sent?.toolCallId ?? '';
    await own.crash();
    await expect(service.answer(toolCallId, { outcome: 'submitted' })).rejects.toThrow('"pending" failed');
    expect(service.listOpenCalls()).toHaveLength(1);
    await own.restart();
    const receipts: UtpReceipt[] = [];
    await down.advanceUntil(() => {
      const answered = service.answer(toolCallId, { outcome: 'submitted' });
      answered.then((receipt) => receipts.push(receipt)).catch(() => {});
      expect(receipts).toContainEqual({ status: 'delivered' });
    });
    await untilRunning(down);
    expect(down.l0.accepted(toolCallId)).toHaveLength(1);
    await down.end();
    await own.stop();
  });

  test('a function ends: its result is delivered when the server has come back', async () => {
    const own = await startNatsServer();
    const down = await openBench(own.url);
    const gate = createDeferred();
    const run = vi.fn(() => gate.promise);
    await down.start({ tools: { run } });
    const [sent] = await down.worker.call({ toolName: 'run', timeoutMs });
    await down.until(() => expect(run).toHaveBeenCalledOnce());
    await own.crash();
    gate.resolve();
    await down.until(() => expect(down.cards.results(sent?.toolCallId ?? '')).toHaveLength(1));
    await own.restart();
    await untilRunning(down);
    expect(run).toHaveBeenCalledOnce();
    expect(down.l0.accepted(sent?.toolCallId ?? '')).toHaveLength(1);
    await down.end();
    await own.stop();
  });
});

describe('a claim', () => {
  test('is in the bucket and under the key of the other executors, and ends as done', async () => {
    await bench.start({ tools });
    const [sent] = await bench.worker.call({ toolName: 'run', timeoutMs });
    await untilRunning();
    const hash = createHash('sha256')
      .update(sent?.toolCallId ?? '')
      .digest('hex');
    const kv = await new Kvm(bench.nats).open(CLAIM_BUCKET);
    const entry = await kv.get(`tool.${bench.projectId}.run.${hash}`);
    expect(entry?.json()).toMatchObject({
      status: 'done',
      payload: { status: 'success', after_execution: 'suspend' },
    });
  });

  test('of a command that names no tool has the target in its key', async () => {
    await bench.start({ tools });
    bench.worker.startTurn();
    const { payload, ...call } = bench.worker.prepare({ toolName: 'run' });
    bench.worker.suspend(timeoutMs);
    await bench.worker.publish({ ...call, payload: { tool_call_card_id: payload.tool_call_card_id } });
    await untilRunning();
    const kv = await new Kvm(bench.nats).open(CLAIM_BUCKET);
    const entry = await kv.get(await toClaimKey(bench.projectId, bench.target, call.toolCallId));
    expect(entry?.json()).toMatchObject({ status: 'done' });
  });

  test('has a key without the characters that a bucket refuses', async () => {
    expect(await toClaimKey('p.1', 'mail@send now', 'call')).toMatch(
      /^tool\.p_1\.mail_send_now\.[0-9a-f]{64}$/,
    );
    expect(await toClaimKey('', '', 'call')).toMatch(/^tool\._\._\./);
  });

  test('of a leader that writes another form of running is taken over as well', async () => {
    const kv = await new Kvm(bench.nats).create(CLAIM_BUCKET);
    bench.worker.startTurn();
    const call = bench.worker.prepare({ toolName: 'run' });
    bench.worker.suspend(timeoutMs);
    await kv.create(
      await toClaimKey(bench.projectId, 'run', call.toolCallId),
      '{"status":"running","timestamp":1}',
    );
    await bench.start({ tools });
    await bench.worker.publish(call);
    await untilRunning();
    expectOneResult(call.toolCallId);
  });
});
