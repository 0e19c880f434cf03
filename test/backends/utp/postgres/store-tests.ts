/** The tests of the stores on PostgreSQL. They run on PGlite, and on a real server where statements really run at the same time. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Card, CardStore } from '../../../../src/backends/utp/cards.ts';
import type { L0, ReportAnswer, ToolResultReport } from '../../../../src/backends/utp/l0.ts';
import { createPostgresCards } from '../../../../src/backends/utp/postgres/create-postgres-cards.ts';
import { createPostgresL0 } from '../../../../src/backends/utp/postgres/create-postgres-l0.ts';
import { createUtpTables } from '../../../../src/backends/utp/postgres/create-utp-tables.ts';
import type { Database } from '../../../../src/backends/utp/postgres/database.ts';
import { addInboxRow, addRequestEdge, openWaitingCall, type WaitingCall } from './waiting-call.ts';

/** @param getDatabase returns a database that has the tables */
export function testStores(getDatabase: () => Database): void {
  let database: Database;
  let cards: CardStore;
  let l0: L0;
  let call: WaitingCall;
  beforeEach(async () => {
    database = getDatabase();
    cards = createPostgresCards(database);
    l0 = createPostgresL0(database);
    call = await openWaitingCall(database);
  });

  const select = async (text: string) => {
    const { rows } = await database.query(text, [call.project]);
    return rows as Record<string, unknown>[];
  };
  const reports = () =>
    select(
      "select * from state.agent_inbox where project_id = $1 and message_type in ('tool_result', 'timeout')",
    );
  const responses = () =>
    select("select * from state.execution_edges where project_id = $1 and edge_phase = 'response'");

  describe('createUtpTables', () => {
    test('leaves tables that exist, and their rows, as they are', async () => {
      await cards.saveResult(call.result());
      await Promise.all([createUtpTables(database), createUtpTables(database)]);
      expect(await cards.get(call.project, call.result().card_id)).toBeDefined();
    });
  });

  describe('createPostgresCards', () => {
    test('returns a saved card as it was given, with the class name of its content', async () => {
      const card = call.result({ ttl_seconds: 3_600, tool_calls: [{ id: 'other' }] });
      const content = { __type__: 'ToolResultContent', ...(card.content as object) };
      expect(await cards.saveResult(card)).toEqual({ saved: true, card: { ...card, content } });
      expect(await cards.get(call.project, card.card_id)).toEqual({ ...card, content });
    });

    test('reads the tool.call card that the worker wrote', async () => {
      expect(await cards.get(call.project, `${call.project}-call`)).toEqual({
        card_id: `${call.project}-call`,
        project_id: call.project,
        type: 'tool.call',
        content: { __type__: 'ToolCallContent', tool_name: 'confirm_action', arguments: {} },
        created_at: call.result().created_at,
        author_id: 'agent-1',
        metadata: {},
        tool_call_id: call.callId,
      });
    });

    test('writes type, author, project and time where the card box looks for them', async () => {
      await cards.saveResult(call.result({ ttl_seconds: 60 }));
      const rows = await select(
        'select metadata, expires_at > now() as lives from cards where tenant_id = $1 and expires_at is not null',
      );
      const { project_id, type, author_id, created_at } = call.result();
      expect(rows).toEqual([
        { metadata: { ...call.result().metadata, project_id, type, author_id, created_at }, lives: true },
      ]);
    });

    test('does not return a card of another project, a deleted card or an unknown one', async () => {
      const { card_id } = call.result();
      await cards.saveResult(call.result());
      expect(await cards.get('another-project', card_id)).toBeUndefined();
      expect(await cards.get(call.project, 'unknown')).toBeUndefined();
      await database.query('update cards set deleted_at = now() where tenant_id = $1', [call.project]);
      expect(await cards.get(call.project, card_id)).toBeUndefined();
    });

    test('keeps the first result of a call and returns it to whoever saves a second one', async () => {
      const first = await cards.saveResult(call.result());
      const late = call.result({ card_id: 'late', author_id: 'worker.watchdog' });
      expect(await cards.saveResult(late)).toEqual({ saved: false, card: first.card });
      expect(await cards.get(call.project, 'late')).toBeUndefined();
    });

    test('keeps one result when two are saved at the same time, and both callers learn which', async () => {
      const saves = await Promise.all(
        ['a', 'b', 'c', 'd'].map((card_id) =>
          cards.saveResult(call.result({ card_id: `${call.project}-${card_id}` })),
        ),
      );
      expect(saves.filter(({ saved }) => saved)).toHaveLength(1);
      expect(new Set(saves.map(({ card }) => card.card_id)).size).toBe(1);
    });

    test('takes the same card twice, as after a crash', async () => {
      await cards.saveResult(call.result());
      const again = await cards.saveResult(call.result());
      expect(again).toMatchObject({ saved: false, card: { card_id: call.result().card_id } });
    });

    test('keeps a result for each project when two projects use the same call id', async () => {
      const other = await openWaitingCall(database);
      expect(await cards.saveResult(call.result())).toMatchObject({ saved: true });
      expect(await cards.saveResult(other.result())).toMatchObject({ saved: true });
    });

    test('refuses a card id that a card of another call has, and says so', async () => {
      await cards.saveResult(call.result());
      await expect(cards.saveResult(call.result({ tool_call_id: 'call-2' }))).rejects.toThrow(
        /card .*-result was not saved, because another call already has a card of this id/,
      );
    });

    test.each<[string, Partial<Card>]>([
      ['of another type', { type: 'tool.call' }],
      ['without a call id', { tool_call_id: '' }],
      ['whose content is text', { content: 'done' }],
    ])('refuses a card %s, because a second result could be saved beside it', async (_, changes) => {
      await expect(cards.saveResult(call.result(changes))).rejects.toThrow(
        'saveResult takes a tool.result card that has a tool_call_id',
      );
      expect(await cards.get(call.project, call.result().card_id)).toBeUndefined();
    });

    test('replaces text that PostgreSQL cannot store and keeps all other text', async () => {
      const kept = ['\\u0000', '"\n\t', '😀', 'é'];
      const result = ['a\u0000b', '😀'.slice(0, 1), ...kept];
      const { card } = await cards.saveResult(call.result({ content: { result } }));
      expect(card.content).toMatchObject({ result: ['a\ufffdb', '\ufffd', ...kept] });
    });
  });

  describe('createPostgresL0', () => {
    const saveAndReport = async (card: Partial<Card> = {}, report: Partial<ToolResultReport> = {}) => {
      await cards.saveResult(call.result(card));
      return await l0.report(call.report(report));
    };
    const expectRefusal = async (answer: ReportAnswer, code: string, message: RegExp) => {
      expect(answer).toEqual({ ack: 'rejected', code, message: expect.stringMatching(message) });
      expect(await reports()).toEqual([]);
      expect(await responses()).toEqual([]);
    };

    test('accepts a report, writes one inbox row and one response edge, and names the worker', async () => {
      const answer = await saveAndReport({}, { stepId: 'step-1' });
      expect(answer).toEqual({ ack: 'accepted', wakeup: { workerTarget: 'worker_generic' } });
      expect(await reports()).toMatchObject([
        {
          agent_id: 'agent-1',
          channel_id: 't_42',
          message_type: 'tool_result',
          correlation_id: call.callId,
          agent_turn_id: 'turn-1',
          payload: call.report().payload,
          status: 'pending',
          context_headers: {
            'CG-Sender': 'ui',
            'CG-Project-Id': call.project,
            'CG-Channel-Id': 't_42',
            'CG-Agent-Id': 'agent-1',
            'CG-Turn-Id': 'turn-1',
            'CG-Turn-Epoch': '2',
            'CG-Step-Id': 'step-1',
            'CG-Tool-Call-Id': call.callId,
            'CG-Recursion-Depth': '3',
            traceparent: call.report().traceparent,
          },
        },
      ]);
      expect(await responses()).toMatchObject([
        {
          primitive: 'report',
          source_agent_id: 'tool.hitl',
          target_agent_id: 'agent-1',
          target_agent_turn_id: 'turn-1',
          correlation_id: call.callId,
          recursion_depth: 3,
          trace_id: call.report().traceparent.split('-')[1],
        },
      ]);
    });

    test('wakes the worker that runs the agent now, not the one at the time of the command', async () => {
      await database.query('update resource.project_agents set worker_target = $2 where project_id = $1', [
        call.project,
        'worker_gpu',
      ]);
      expect(await saveAndReport()).toEqual({ ack: 'accepted', wakeup: { workerTarget: 'worker_gpu' } });
    });

    test('accepts a report for an agent that left the roster, and wakes nobody', async () => {
      await database.query('delete from resource.project_agents where project_id = $1', [call.project]);
      expect(await saveAndReport()).toEqual({ ack: 'accepted' });
    });

    test.each(['', ' '])('check 1: refuses a report without a source agent (%j)', async (sourceAgentId) => {
      const answer = await saveAndReport({ author_id: sourceAgentId }, { sourceAgentId });
      await expectRefusal(answer, 'protocol_violation', /names no source agent/);
    });

    test('check 2: refuses a source that is no system actor and not in the roster', async () => {
      const answer = await saveAndReport({ author_id: 'toolbox' }, { sourceAgentId: 'toolbox' });
      await expectRefusal(
        answer,
        'invalid_source_actor',
        /source toolbox does not begin with "sys." or "tool."/,
      );
    });

    test('check 2: refuses an agent that is in the roster of another project alone', async () => {
      await database.query(
        'insert into resource.project_agents (project_id, agent_id, worker_target) values ($1, $2, $3)',
        [`other-${call.project}`, `agent-of-${call.project}`, 'worker_generic'],
      );
      const source = `agent-of-${call.project}`;
      const answer = await saveAndReport({ author_id: source }, { sourceAgentId: source });
      await expectRefusal(answer, 'invalid_source_actor', /is not in the roster of the project/);
    });

    test.each(['sys.pmo', 'tool.search', 'agent-1'])('check 2: accepts the source %s', async (source) => {
      const answer = await saveAndReport({ author_id: source }, { sourceAgentId: source });
      expect(answer).toMatchObject({ ack: 'accepted' });
    });

    test('check 3: refuses a report of a card that does not exist', async () => {
      await expectRefusal(
        await l0.report(call.report()),
        'protocol_violation',
        /no tool\.result card project/,
      );
    });

    test('check 3: refuses a report of a card of another type or another project', async () => {
      await saveAndReport({}, { sourceAgentId: '' });
      await database.query(
        `update cards set metadata = metadata || '{"type":"tool.call"}' where card_id = $1`,
        [call.result().card_id],
      );
      await expectRefusal(await l0.report(call.report()), 'protocol_violation', /no tool\.result card/);
      const other = await openWaitingCall(database);
      await cards.saveResult(other.result());
      const foreign = call.report({ payload: other.report().payload });
      await expectRefusal(await l0.report(foreign), 'protocol_violation', /no tool\.result card/);
    });

    test('check 3: refuses a report of a deleted card', async () => {
      await cards.saveResult(call.result());
      await database.query('update cards set deleted_at = now() where tenant_id = $1', [call.project]);
      await expectRefusal(await l0.report(call.report()), 'protocol_violation', /no tool\.result card/);
    });

    test('check 4: refuses the result card of another call', async () => {
      const answer = await saveAndReport({ tool_call_id: 'call-2' });
      await expectRefusal(answer, 'protocol_violation', /-result is not of the call call-1/);
    });

    test('check 4: takes the call id from the metadata of a card that has none of its own', async () => {
      await cards.saveResult(
        call.result({ metadata: { ...call.result().metadata, tool_call_id: call.callId } }),
      );
      await database.query('update cards set tool_call_id = null where card_id = $1', [
        call.result().card_id,
      ]);
      expect(await l0.report(call.report())).toMatchObject({ ack: 'accepted' });
    });

    test('check 5: refuses a card that another actor wrote', async () => {
      const answer = await saveAndReport({ author_id: 'tool.other' });
      await expectRefusal(answer, 'protocol_violation', /author of the card .* is not the source tool\.hitl/);
    });

    test('check 5: lets the watchdog of the worker report cards of worker.watchdog, and nobody else', async () => {
      const answer = await saveAndReport({ author_id: 'worker.watchdog' });
      await expectRefusal(answer, 'protocol_violation', /author/);
      const watchdog = call.report({ sourceAgentId: 'sys.agent_worker.watchdog', messageType: 'timeout' });
      expect(await l0.report(watchdog)).toMatchObject({ ack: 'accepted' });
      expect(await reports()).toMatchObject([{ message_type: 'timeout' }]);
    });

    test.each([{}, { function_name: '' }])('check 6: refuses a card with metadata %j', async (metadata) => {
      const answer = await saveAndReport({ metadata });
      await expectRefusal(answer, 'protocol_violation', /has no function_name/);
    });

    test.each<[string, Partial<ToolResultReport>]>([
      ['turn', { agentTurnId: 'turn-9' }],
      ['agent', { targetAgentId: 'agent-9' }],
    ])('check 7: refuses a report for an unknown %s', async (_, report) => {
      await expectRefusal(
        await saveAndReport({}, report),
        'protocol_violation',
        /agent agent-\d has no turn turn-\d/,
      );
    });

    test.each([1, 3, 0])('check 7: refuses a report for epoch %i of a turn at epoch 2', async (turnEpoch) => {
      const answer = await saveAndReport({}, { turnEpoch });
      await expectRefusal(answer, 'protocol_violation', /turn-1 is not at epoch \d/);
    });

    test.each(['ui_action', 'command_anchor'])(
      'check 7: finds the turn by its %s row',
      async (message_type) => {
        await database.query(
          "delete from state.agent_inbox where project_id = $1 and message_type = 'turn'",
          [call.project],
        );
        await addInboxRow(database, { project_id: call.project, message_type, correlation_id: call.callId });
        expect(await saveAndReport()).toMatchObject({ ack: 'accepted' });
      },
    );

    test('check 7: does not find the turn by the command anchor of another call', async () => {
      await database.query("delete from state.agent_inbox where project_id = $1 and message_type = 'turn'", [
        call.project,
      ]);
      await addInboxRow(database, {
        project_id: call.project,
        message_type: 'command_anchor',
        correlation_id: 'call-2',
      });
      await expectRefusal(await saveAndReport(), 'protocol_violation', /has no turn/);
    });

    test('check 7: prefers the row of the reported epoch, then the command anchor of the call', async () => {
      const row = { project_id: call.project, turn_epoch: 2, created_at: '2020-01-01' };
      await addInboxRow(database, {
        ...row,
        message_type: 'command_anchor',
        correlation_id: call.callId,
        channel_id: 'u_7',
      });
      await addInboxRow(database, { ...row, message_type: 'ui_action', correlation_id: 'x', turn_epoch: 1 });
      expect(await saveAndReport()).toMatchObject({ ack: 'accepted' });
      expect(await reports()).toMatchObject([{ channel_id: 'u_7' }]);

      const other = await openWaitingCall(database);
      await addInboxRow(database, {
        project_id: other.project,
        message_type: 'command_anchor',
        correlation_id: other.callId,
        turn_epoch: 1,
      });
      await cards.saveResult(other.result());
      expect(await l0.report(other.report())).toMatchObject({ ack: 'accepted' });
    });

    test('check 8: refuses a depth of 20, and accepts 19', async () => {
      await addRequestEdge(database, call.project, 'deep', 20);
      const tooDeep = await saveAndReport(
        { tool_call_id: 'deep' },
        { toolCallId: 'deep', recursionDepth: 20 },
      );
      await expectRefusal(tooDeep, 'recursion_depth_exceeded', /depth 20 is not below 20/);
      const other = await openWaitingCall(database);
      await addRequestEdge(database, other.project, 'deep', 19);
      await cards.saveResult(other.result({ tool_call_id: 'deep' }));
      const report = other.report({ toolCallId: 'deep', recursionDepth: 19 });
      expect(await l0.report(report)).toMatchObject({ ack: 'accepted' });
    });

    test('check 8: refuses a depth other than that of the request', async () => {
      const answer = await saveAndReport({}, { recursionDepth: 2 });
      await expectRefusal(answer, 'protocol_violation', /not requested at recursion depth 2/);
    });

    test('check 8: refuses a report of a call that was never requested', async () => {
      await database.query("update state.execution_edges set edge_phase = 'other' where project_id = $1", [
        call.project,
      ]);
      await expectRefusal(await saveAndReport(), 'protocol_violation', /call-1 was never requested/);
    });

    test('check 9: refuses a second report of a call, names the worker all the same, and writes nothing', async () => {
      await saveAndReport();
      expect(await l0.report(call.report())).toEqual({
        ...{ ack: 'rejected', code: 'protocol_violation' },
        message: 'The call call-1 was already reported.',
        wakeup: { workerTarget: 'worker_generic' },
      });
      expect(await reports()).toHaveLength(1);
      expect(await responses()).toHaveLength(1);
    });

    test('check 9: accepts one report when several arrive at the same time', async () => {
      await cards.saveResult(call.result());
      const answers = await Promise.all([1, 2, 3, 4].map(() => l0.report(call.report())));
      expect(answers.map(({ ack }) => ack).sort()).toEqual(['accepted', 'rejected', 'rejected', 'rejected']);
      expect(await reports()).toHaveLength(1);
      expect(await responses()).toHaveLength(1);
    });

    test('a tool that comes after the watchdog gets its card and cannot report it', async () => {
      const late = call.result({ card_id: 'from-the-tool' });
      await cards.saveResult(call.result({ author_id: 'worker.watchdog' }));
      await l0.report(call.report({ sourceAgentId: 'sys.agent_worker.watchdog', messageType: 'timeout' }));
      const { saved, card } = await cards.saveResult(late);
      expect({ saved, author: card.author_id }).toEqual({ saved: false, author: 'worker.watchdog' });
      const payload = { ...call.report().payload, tool_result_card_id: card.card_id };
      expect(await l0.report(call.report({ payload }))).toMatchObject({ ack: 'rejected' });
      expect(await reports()).toHaveLength(1);
    });
  });
}
