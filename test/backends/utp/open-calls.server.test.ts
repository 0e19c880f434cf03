import { Kvm } from '@nats-io/kv';
import { describe, expect, test, vi } from 'vitest';
import type { Card } from '../../../src/backends/utp/cards.ts';
import type { UtpToolService } from '../../../src/backends/utp/create-utp-tool-service.ts';
import {
  createKvPendingCalls,
  PENDING_BUCKET,
  type PendingCalls,
} from '../../../src/backends/utp/pending-calls.ts';
import type { UtpAnswer } from '../../../src/backends/utp/to-ending.ts';
import { benchPerTest } from './support/bench-per-test.ts';
import type { Bench } from './support/open-bench.ts';

let bench: Bench;
benchPerTest((opened) => {
  bench = opened;
});

const confirm = { interactive: true, timeoutMs: 900_000 } as const;
const wish = { toolName: 'confirm', args: { amount: 5 }, timeoutMs: 900_000 };

/** Sends one call and waits until the service lists it. */
async function open(service: UtpToolService): Promise<string> {
  const [sent] = await bench.worker.call(wish);
  await untilListed(service);
  return sent?.toolCallId ?? '';
}

const untilListed = (service: UtpToolService, count = 1) =>
  bench.until(() => expect(service.listOpenCalls()).toHaveLength(count));

describe('a call that waits for a person', () => {
  test('is listed with its arguments and its deadline, and its command is acknowledged at once', async () => {
    const { service } = await bench.start({ tools: { confirm } });
    const changes = vi.fn();
    service.subscribe(changes);
    const toolCallId = await open(service);
    await bench.untilAcknowledged();
    expect(changes).toHaveBeenCalled();
    expect(service.listOpenCalls()).toMatchObject([
      {
        ...{ toolCallId, toolName: 'confirm', args: { amount: 5 }, projectId: bench.projectId },
        ...{ receivedAt: bench.clock.now(), deadline: bench.clock.now() + 900_000 },
      },
    ]);
    expect(bench.cards.results(toolCallId)).toEqual([]);
  });

  test.each<[UtpAnswer, string, object]>([
    [{ outcome: 'submitted', result: { ok: true } }, 'success', { result: { ok: true }, error: null }],
    [{ outcome: 'declined', reason: 'no' }, 'success', { result: { outcome: 'declined', reason: 'no' } }],
    [{ outcome: 'cancelled' }, 'canceled', { error: { code: 'user_cancelled' } }],
    [{ outcome: 'failed', reason: 'no camera' }, 'failed', { error: { code: 'internal_error' } }],
    [{ outcome: 'timed-out' }, 'timeout', { error: { code: 'tool_timeout' } }],
    [{ outcome: 'superseded' }, 'canceled', { error: { code: 'superseded' } }],
    [{ outcome: 'aborted' }, 'canceled', { error: { code: 'aborted' } }],
  ])('takes the answer %o as a result with the status %s', async (answer, status, content) => {
    const { service, failures } = await bench.start({ tools: { confirm } });
    const toolCallId = await open(service);
    expect(await service.answer(toolCallId, answer)).toEqual({ status: 'delivered' });
    expect(service.listOpenCalls()).toEqual([]);
    await bench.until(() => expect(bench.worker.applied).toMatchObject([{ status, content }]));
    expect(bench.worker.status).toBe('running');
    expect(failures).toEqual([]);
  });

  test('is closed without a result by an expired answer', async () => {
    const { service } = await bench.start({ tools: { confirm } });
    const toolCallId = await open(service);
    expect(await service.answer(toolCallId, { outcome: 'expired' })).toMatchObject({ status: 'expired' });
    await untilListed(service, 0);
    expect(bench.cards.results(toolCallId)).toEqual([]);
    expect(bench.l0.reports).toEqual([]);
  });

  test.each<[UtpAnswer, string]>([
    [{ outcome: 'submitted', result: { n: 5n } }, 'result_not_serializable'],
    [{ outcome: 'failed', error: { code: 'x', message: 'y', n: 5n } }, 'error_not_serializable'],
    [{ outcome: 'submitted', afterExecution: 'later' as never }, 'invalid_after_execution'],
  ])('fails, with a line in the log, if its answer breaks a rule (%#)', async (answer, code) => {
    const { service, failures } = await bench.start({ tools: { confirm } });
    const toolCallId = await open(service);
    expect(await service.answer(toolCallId, answer)).toEqual({ status: 'delivered' });
    await bench.until(() =>
      expect(bench.worker.applied).toMatchObject([{ status: 'failed', content: { error: { code } } }]),
    );
    expect(failures).toMatchObject([{ step: 'execute', toolCallId }]);
  });

  test('ends the turn if the answer says so', async () => {
    const { service } = await bench.start({ tools: { confirm } });
    const toolCallId = await open(service);
    await service.answer(toolCallId, { outcome: 'submitted', afterExecution: 'terminate' });
    await bench.until(() => expect(bench.worker.ending).toBe('success'));
  });

  test('copies the lineage of its card into the result', async () => {
    const { service } = await bench.start({ tools: { confirm } });
    const toolCallId = await open(service);
    await service.answer(toolCallId, { outcome: 'submitted' });
    const stored = await bench.cards.get(bench.projectId, `card-${toolCallId}`);
    expect(bench.cards.results(toolCallId)[0]?.metadata).toEqual({
      ...stored?.metadata,
      role: 'tool',
      function_name: 'confirm',
    });
  });
});

describe('the first answer counts', () => {
  test('and a second one is refused as expired and changes nothing', async () => {
    const { service } = await bench.start({ tools: { confirm } });
    const toolCallId = await open(service);
    await service.answer(toolCallId, { outcome: 'submitted', result: 1 });
    const second = await service.answer(toolCallId, { outcome: 'submitted', result: 2 });
    expect(second).toMatchObject({ status: 'expired' });
    expect(bench.cards.results(toolCallId)).toMatchObject([{ content: { result: 1 } }]);
    expect(bench.l0.reports).toHaveLength(1);
  });

  test('of two that come at the same time in two processes', async () => {
    const [left, right] = [
      await bench.start({ tools: { confirm } }),
      await bench.start({ tools: { confirm } }),
    ];
    const toolCallId = await open(left.service);
    await untilListed(right.service);
    const receipts = await Promise.all([
      left.service.answer(toolCallId, { outcome: 'submitted', result: 'left' }),
      right.service.answer(toolCallId, { outcome: 'submitted', result: 'right' }),
    ]);
    expect(receipts.map(({ status }) => status).sort()).toEqual(['delivered', 'expired']);
    const winner = receipts[0]?.status === 'delivered' ? 'left' : 'right';
    expect(bench.cards.results(toolCallId)).toMatchObject([{ content: { result: winner } }]);
    await untilListed(left.service, 0);
    await untilListed(right.service, 0);
    expect(bench.l0.accepted(toolCallId)).toHaveLength(1);
  });

  test('and one after the timeout of the watchdog is expired and not reported', async () => {
    const { service, failures } = await bench.start({ tools: { confirm } });
    const toolCallId = await open(service);
    await bench.clock.advance(899_999);
    bench.worker.resumeDeadline = bench.clock.now();
    await bench.worker.watch();
    const receipt = await service.answer(toolCallId, { outcome: 'submitted', result: 1 });
    expect(receipt).toMatchObject({ status: 'expired' });
    expect(bench.cards.results(toolCallId)).toMatchObject([{ author_id: 'worker.watchdog' }]);
    expect(bench.l0.reports).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  test('and one after another result of the service is expired, and that result is reported', async () => {
    const { service } = await bench.start({ tools: { confirm } });
    const toolCallId = await open(service);
    bench.cards.put({
      ...{ card_id: 'earlier', project_id: bench.projectId, type: 'tool.result', created_at: '' },
      ...{ author_id: `tool.${bench.target}`, tool_call_id: toolCallId },
      content: { status: 'success', after_execution: 'suspend', result: 'earlier', error: null },
      metadata: { function_name: 'confirm', step_id: 's' },
    });
    const receipt = await service.answer(toolCallId, { outcome: 'submitted', result: 1 });
    expect(receipt).toMatchObject({ status: 'expired' });
    expect(bench.l0.accepted(toolCallId)).toMatchObject([{ payload: { tool_result_card_id: 'earlier' } }]);
  });

  test('and closes the call at once, also if news of its row come late', async () => {
    const kv = await new Kvm(bench.nats).create(PENDING_BUCKET);
    const rows = createKvPendingCalls(kv, bench.target, bench.nats);
    const late: (() => void)[] = [];
    const pending: PendingCalls = {
      ...rows,
      watch: (listener, onError) =>
        rows.watch((change) => {
          if (change.row?.answer) late.push(() => listener(change));
          else if (change.row) listener(change);
        }, onError),
    };
    const { service } = await bench.start({ tools: { confirm }, pending });
    const toolCallId = await open(service);
    await service.answer(toolCallId, { outcome: 'submitted', result: 1 });
    expect(service.listOpenCalls()).toEqual([]);
    expect(await service.answer(toolCallId, { outcome: 'submitted' })).toMatchObject({ status: 'expired' });
    await bench.until(() => expect(late).toHaveLength(1));
    for (const tell of late) tell();
    await bench.clock.advance(60_000);
    await bench.nats.flush();
    expect(bench.clock.waiting).toBe(0);
    expect(bench.l0.reports).toHaveLength(1);
  });

  test('in its row, whoever reads the row before', async () => {
    const { service } = await bench.start({ tools: { confirm } });
    await open(service);
    const kv = await new Kvm(bench.nats).open(PENDING_BUCKET);
    const rows = createKvPendingCalls(kv, bench.target, bench.nats);
    const found: string[] = [];
    const stop = await rows.watch(
      ({ key }) => found.push(key),
      (thrown) => expect.unreachable(String(thrown)),
    );
    await bench.until(() => expect(found).toHaveLength(1));
    stop();
    const [key = ''] = found;
    const card = (id: string) => ({ card_id: id }) as Card;
    expect(await rows.settle(key, card('first'))).toBe(true);
    expect(await rows.settle(key, card('second'))).toBe(false);
    expect(await rows.settle('gone', card('third'))).toBe(false);
    expect(await rows.get(key)).toMatchObject({ answer: { card_id: 'first' } });
    const row = await rows.get(key);
    expect(row && (await rows.create(row))).toBe(false);
  });

  test('but is expired, with a line in the log, if the turn of the agent is over', async () => {
    const { service, failures } = await bench.start({ tools: { confirm } });
    const toolCallId = await open(service);
    for (const [index, row] of bench.l0.inbox.entries()) {
      if (row.messageType === 'turn') bench.l0.inbox.splice(index, 1);
    }
    const receipt = await service.answer(toolCallId, { outcome: 'submitted', result: 1 });
    expect(receipt).toMatchObject({ status: 'expired', reason: expect.stringContaining('7: ') });
    expect(failures).toMatchObject([{ step: 'report', toolCallId }]);
  });

  test('and a command that comes again neither opens the call again nor reports another result', async () => {
    const { service } = await bench.start({ tools: { confirm } });
    const [sent] = await bench.worker.call(wish);
    await untilListed(service);
    if (sent) await bench.worker.publish(sent);
    await bench.untilAcknowledged();
    await untilListed(service);
    await service.answer(sent?.toolCallId ?? '', { outcome: 'submitted', result: 1 });
    if (sent) await bench.worker.publish(sent);
    await bench.until(() => expect(bench.l0.reports).toHaveLength(2));
    await bench.untilAcknowledged();
    expect(service.listOpenCalls()).toEqual([]);
    expect(bench.l0.accepted(sent?.toolCallId ?? '')).toHaveLength(1);
  });
});

describe('the right person', () => {
  test('is the one whom mayAnswer of the tool accepts; for another the call stays open', async () => {
    const mayAnswer = vi.fn((principal: unknown) => principal === 'ann');
    const { service } = await bench.start({ tools: { confirm: { ...confirm, mayAnswer } } });
    const toolCallId = await open(service);
    const answer = { outcome: 'submitted', result: 1 } as const;
    expect(await service.answer(toolCallId, answer, 'bob')).toMatchObject({ status: 'forbidden' });
    expect(service.listOpenCalls()).toHaveLength(1);
    expect(mayAnswer).toHaveBeenCalledWith('bob', expect.objectContaining({ toolCallId }));
    expect(await service.answer(toolCallId, answer, 'ann')).toEqual({ status: 'delivered' });
  });

  test('cannot answer in a process that does not have the tool, which would not know who may', async () => {
    const { service } = await bench.start({ tools: { confirm } });
    const toolCallId = await open(service);
    const other = await bench.start({ tools: {} });
    await untilListed(other.service);
    const receipt = await other.service.answer(toolCallId, { outcome: 'submitted' }, 'ann');
    expect(receipt).toMatchObject({ status: 'forbidden' });
    expect(service.listOpenCalls()).toHaveLength(1);
  });

  test('answers the call of the named project if two projects have calls with the same id', async () => {
    const { service } = await bench.start({ tools: { confirm } });
    const [sent] = await bench.worker.call(wish);
    await untilListed(service);
    if (sent === undefined) throw new Error('nothing was sent');
    const { subject, headers, toolCallId } = sent;
    const other = `${bench.projectId}x`;
    const card = await bench.cards.get(bench.projectId, sent.cardId);
    if (card) bench.cards.put({ ...card, card_id: 'x', project_id: other });
    await bench.worker.publish({
      subject: subject.replace(bench.projectId, other),
      headers: { ...headers, 'CG-Project-Id': other },
      payload: { tool_call_card_id: 'x' },
    });
    await untilListed(service, 2);
    const answer = { outcome: 'submitted', result: 1 } as const;
    await expect(service.answer(toolCallId, answer)).rejects.toThrow('Pass projectId');
    await service.answer(toolCallId, { ...answer, projectId: bench.projectId });
    expect(service.listOpenCalls()).toMatchObject([{ projectId: other }]);
  });
});

describe('the time limit of a call', () => {
  test('ends it as timed out, once, whichever process sees it first', async () => {
    const tools = { confirm: { interactive: true, timeoutMs: 20_000 } } as const;
    const [left, right] = [await bench.start({ tools }), await bench.start({ tools })];
    const toolCallId = await open(left.service);
    await untilListed(right.service);
    await bench.clock.advance(19_999);
    expect(left.service.listOpenCalls()).toHaveLength(1);
    await bench.clock.advance(1);
    await bench.until(() => expect(bench.worker.applied).toHaveLength(1));
    expect(bench.worker.applied).toMatchObject([
      {
        status: 'timeout',
        content: { error: { code: 'tool_timeout', message: 'Timed out after 20 s without an answer' } },
      },
    ]);
    await untilListed(left.service, 0);
    await untilListed(right.service, 0);
    expect(bench.l0.accepted(toolCallId)).toHaveLength(1);
  });

  test('is 30 seconds if the tool has none', async () => {
    const { service } = await bench.start({ tools: { confirm: { interactive: true } } });
    await open(service);
    expect(service.listOpenCalls()).toMatchObject([{ deadline: bench.clock.now() + 30_000 }]);
  });

  test('that ran out while no process ran ends the call at the next start', async () => {
    const { service } = await bench.start({ tools: { confirm } });
    await open(service);
    await service.stop();
    expect(bench.clock.waiting).toBe(0);
    await bench.clock.advance(900_001);
    await bench.start({ tools: { confirm } });
    await bench.advanceUntil(() => expect(bench.worker.applied).toMatchObject([{ status: 'timeout' }]));
  });
});

describe('after a restart', () => {
  test('the open calls are listed again and can be answered', async () => {
    const first = await bench.start({ tools: { confirm } });
    const toolCallId = await open(first.service);
    const before = first.service.listOpenCalls();
    await first.service.stop();
    expect(first.service.listOpenCalls()).toEqual([]);
    const { service } = await bench.start({ tools: { confirm } });
    await untilListed(service);
    expect(service.listOpenCalls()).toEqual(before);
    expect(await service.answer(toolCallId, { outcome: 'submitted' })).toEqual({ status: 'delivered' });
  });

  test('the same service object can start again', async () => {
    const { service } = await bench.start({ tools: { confirm } });
    const toolCallId = await open(service);
    await service.stop();
    await expect(service.answer(toolCallId, { outcome: 'submitted' })).rejects.toThrow('start() the service');
    await service.start();
    await untilListed(service);
    expect(await service.answer(toolCallId, { outcome: 'submitted' })).toEqual({ status: 'delivered' });
  });
});

test('a row that nobody can read is logged, and the others are listed', async () => {
  const kv = await new Kvm(bench.nats).create(PENDING_BUCKET);
  await kv.put(`${bench.target}.broken`, 'no JSON');
  const { service, failures } = await bench.start({ tools: { confirm } });
  await open(service);
  expect(failures).toMatchObject([{ step: 'pending' }]);
});

describe('a call that is too large', () => {
  test('for a row fails with bad_request instead of coming again and again', async () => {
    await bench.start({ tools: { confirm } });
    await bench.worker.call({ ...wish, args: { text: 'x'.repeat(1_100_000) } });
    await bench.until(() => expect(bench.worker.applied).toHaveLength(1));
    expect(bench.worker.applied).toMatchObject([
      { status: 'failed', content: { error: { code: 'bad_request' } } },
    ]);
  });

  test('because of its answer stays open, and the answer is refused with the limit', async () => {
    const { service } = await bench.start({ tools: { confirm } });
    const toolCallId = await open(service);
    const large = service.answer(toolCallId, { outcome: 'submitted', result: 'x'.repeat(1_100_000) });
    await expect(large).rejects.toThrow('max_payload');
    expect(service.listOpenCalls()).toHaveLength(1);
    expect(await service.answer(toolCallId, { outcome: 'submitted' })).toEqual({ status: 'delivered' });
  });
});
