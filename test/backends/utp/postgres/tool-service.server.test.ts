/** A tool service on NATS and PostgreSQL, as in production: the worker and the watchdog of CommonGround are statements of the test. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers as createHeaders, type NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createUtpToolService,
  type UtpToolService,
} from '../../../../src/backends/utp/create-utp-tool-service.ts';
import { createPostgresCards } from '../../../../src/backends/utp/postgres/create-postgres-cards.ts';
import { createPostgresL0 } from '../../../../src/backends/utp/postgres/create-postgres-l0.ts';
import { createUtpTables } from '../../../../src/backends/utp/postgres/create-utp-tables.ts';
import { withEnvs } from '../../../../src/backends/utp/tool-definition/with-envs.ts';
import type { UtpTools } from '../../../../src/backends/utp/utp-tool.ts';
import { startNatsServer } from '../../../support/nats-server.ts';
import { startPostgresServer } from '../../../support/postgres-server.ts';
import { openWaitingCall, type WaitingCall } from './waiting-call.ts';

describe('a tool service on PostgreSQL', () => {
  let nats: NatsConnection;
  let pool: pg.Pool;
  beforeAll(async () => {
    const [natsServer, postgresServer] = await Promise.all([startNatsServer(), startPostgresServer()]);
    nats = await connect({ servers: natsServer.url });
    pool = new pg.Pool(postgresServer.connection);
    await createUtpTables(pool);
    const { streams } = await jetstreamManager(nats);
    await streams.add({ name: 'cg_cmd_v1r4', subjects: ['cg.v1r4.*.*.cmd.*.*.>'] });
    return async () => {
      await nats.close();
      await pool.end();
      await Promise.all([natsServer.stop(), postgresServer.stop()]);
    };
  });

  let call: WaitingCall;
  let failures: unknown[];
  const services: UtpToolService[] = [];
  const wakeups: string[] = [];
  beforeEach(async () => {
    call = await openWaitingCall(pool);
    failures = [];
    wakeups.length = 0;
    nats.subscribe(`cg.v1r4.${call.project}.*.cmd.agent.*.wakeup`, {
      callback: (_, { subject }) => {
        wakeups.push(subject);
      },
    });
  });
  afterEach(() => Promise.all(services.splice(0).map((service) => service.stop())));

  async function start(tools: UtpTools): Promise<UtpToolService> {
    const service = createUtpToolService({
      nats,
      cards: createPostgresCards(pool),
      l0: createPostgresL0(pool),
      target: call.project,
      tools,
      onError: (thrown) => failures.push(thrown),
    });
    services.push(service);
    await service.start();
    return service;
  }

  /** Publishes the command of the call, as the worker does after its transaction. */
  async function publish(): Promise<void> {
    const headers = createHeaders();
    const { traceparent } = call.report();
    for (const [name, value] of Object.entries({
      'CG-Project-Id': call.project,
      'CG-Channel-Id': 't_42',
      'CG-Agent-Id': 'agent-1',
      'CG-Turn-Id': 'turn-1',
      'CG-Turn-Epoch': '2',
      'CG-Step-Id': 'step-1',
      'CG-Tool-Call-Id': call.callId,
      'CG-Recursion-Depth': '3',
      traceparent,
    })) {
      headers.set(name, value);
    }
    const payload = { tool_call_card_id: `${call.project}-call`, tool_name: 'confirm_action' };
    const subject = `cg.v1r4.${call.project}.t_42.cmd.tool.${call.project}.call`;
    await jetstream(nats).publish(subject, JSON.stringify(payload), { headers });
  }

  const select = async (text: string) => (await pool.query(text, [call.project])).rows;
  const results = () =>
    select(
      "select content, metadata from cards where tenant_id = $1 and metadata ->> 'type' = 'tool.result'",
    );
  const reports = () =>
    select(
      "select * from state.agent_inbox where project_id = $1 and message_type in ('tool_result', 'timeout')",
    );
  const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 10 });

  test('answers a call with one card, one report and a wakeup of the current worker', async () => {
    await start({ confirm_action: () => ({ confirmed: true }) });
    await publish();
    await until(() =>
      expect(wakeups).toEqual([`cg.v1r4.${call.project}.t_42.cmd.agent.worker_generic.wakeup`]),
    );
    expect(await results()).toMatchObject([
      { content: { __type__: 'ToolResultContent', status: 'success', result: { confirmed: true } } },
    ]);
    expect(await reports()).toMatchObject([
      { correlation_id: call.callId, payload: { status: 'success', after_execution: 'suspend' } },
    ]);
    expect(failures).toEqual([]);
  });

  test('fills in the environment variables that the card names, and stores no value of them', async () => {
    await pool.query(
      `update cards set metadata = metadata || '{"tool_args_envs":{"api_key":"SEARCH_API_KEY"}}' where card_id = $1`,
      [`${call.project}-call`],
    );
    const environment = { SEARCH_API_KEY: 'secret value' };
    await start({ confirm_action: withEnvs({ environment }, ({ api_key }) => `${api_key}`.length) });
    await publish();
    await until(() => expect(wakeups).toHaveLength(1));
    expect(await results()).toMatchObject([{ content: { result: 'secret value'.length } }]);
    expect(JSON.stringify(await select('select * from cards where tenant_id = $1'))).not.toContain(
      'secret value',
    );
  });

  test('writes nothing for a command that comes again after its call was answered', async () => {
    let runs = 0;
    await start({ confirm_action: () => ++runs });
    await publish();
    await until(() => expect(wakeups).toHaveLength(1));
    await publish();
    const { consumers } = await jetstreamManager(nats);
    await until(async () => {
      const { ack_floor } = await consumers.info('cg_cmd_v1r4', `utp_${call.project}`);
      expect(ack_floor.consumer_seq).toBe(2);
    });
    expect([runs, (await results()).length, (await reports()).length]).toEqual([1, 1, 1]);
  });

  test('tells a person who answers after the watchdog that the call has expired', async () => {
    const service = await start({ confirm_action: { interactive: true, timeoutMs: 60_000 } });
    await publish();
    await until(() => expect(service.listOpenCalls()).toHaveLength(1));
    await createPostgresCards(pool).saveResult(call.result({ author_id: 'worker.watchdog' }));
    const watchdog = { sourceAgentId: 'sys.agent_worker.watchdog', messageType: 'timeout' } as const;
    await createPostgresL0(pool).report(call.report(watchdog));
    const receipt = await service.answer(call.callId, { outcome: 'submitted', result: { confirmed: true } });
    expect(receipt).toMatchObject({ status: 'expired' });
    expect(await results()).toMatchObject([{ metadata: { author_id: 'worker.watchdog' } }]);
    expect(await reports()).toMatchObject([{ message_type: 'timeout' }]);
  });

  test('lets one of two answers count that arrive at two processes at the same time', async () => {
    const tools: UtpTools = { confirm_action: { interactive: true, timeoutMs: 60_000 } };
    const [first, second] = [await start(tools), await start(tools)];
    await publish();
    await until(() => {
      expect([first.listOpenCalls().length, second.listOpenCalls().length]).toEqual([1, 1]);
    });
    const receipts = await Promise.all([
      first.answer(call.callId, { outcome: 'submitted', result: 'first' }),
      second.answer(call.callId, { outcome: 'declined' }),
    ]);
    expect(receipts.map(({ status }) => status).sort()).toEqual(['delivered', 'expired']);
    await until(() => expect(wakeups).toHaveLength(1));
    expect([(await results()).length, (await reports()).length]).toEqual([1, 1]);
  });
});
