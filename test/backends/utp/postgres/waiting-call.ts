/** A turn of an agent that waits for a tool call, in the tables of L0, and the result and the report that belong to it. */
import type { Card } from '../../../../src/backends/utp/cards.ts';
import type { ToolResultReport } from '../../../../src/backends/utp/l0.ts';
import type { Database } from '../../../../src/backends/utp/postgres/database.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CREATED_AT = '2026-03-01T12:00:00.000Z';

export interface WaitingCall {
  readonly project: string;
  readonly callId: string;
  /** The result card of the call, with changes. */
  result(changes?: Partial<Card>): Card;
  /** The report of the result card, with changes. */
  report(changes?: Partial<ToolResultReport>): ToolResultReport;
}

let projects = 0;

/** Writes what CommonGround's worker writes before it publishes a tool command. Each call is in a project of its own. */
export async function openWaitingCall(database: Database): Promise<WaitingCall> {
  projects += 1;
  const project = `project-${projects}`;
  const callId = 'call-1';
  await database.query(
    'insert into resource.project_agents (project_id, agent_id, worker_target) values ($1, $2, $3)',
    [project, 'agent-1', 'worker_generic'],
  );
  await database.query(
    'insert into cards (tenant_id, card_id, tool_call_id, content, metadata) values ($1, $2, $3, $4, $5)',
    [
      project,
      `${project}-call`,
      callId,
      JSON.stringify({ __type__: 'ToolCallContent', tool_name: 'confirm_action', arguments: {} }),
      JSON.stringify({
        project_id: project,
        type: 'tool.call',
        author_id: 'agent-1',
        created_at: CREATED_AT,
      }),
    ],
  );
  await addInboxRow(database, { project_id: project, message_type: 'turn', correlation_id: 'turn-1' });
  await addRequestEdge(database, project, callId, 3);
  return {
    project,
    callId,
    result: (changes) => ({
      card_id: `${project}-result`,
      project_id: project,
      type: 'tool.result',
      content: { status: 'success', after_execution: 'suspend', result: { confirmed: true } },
      created_at: CREATED_AT,
      author_id: 'tool.hitl',
      metadata: { role: 'tool', function_name: 'confirm_action', step_id: 'step-1', agent_turn_id: 'turn-1' },
      tool_call_id: callId,
      ...changes,
    }),
    report: (changes) => ({
      projectId: project,
      channelId: 'public',
      sourceAgentId: 'tool.hitl',
      targetAgentId: 'agent-1',
      agentTurnId: 'turn-1',
      turnEpoch: 2,
      toolCallId: callId,
      recursionDepth: 3,
      traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
      messageType: 'tool_result',
      payload: { after_execution: 'suspend', status: 'success', tool_result_card_id: `${project}-result` },
      ...changes,
    }),
  };
}

/** Adds a row to the inbox of agent-1, for the turn turn-1 at epoch 2 unless the row says otherwise. */
export async function addInboxRow(
  database: Database,
  row: Readonly<Record<string, string | number>>,
): Promise<void> {
  const full: Record<string, unknown> = {
    inbox_id: `${row.project_id}-${row.message_type}-${row.correlation_id}`,
    agent_id: 'agent-1',
    channel_id: 't_42',
    agent_turn_id: 'turn-1',
    turn_epoch: 2,
    context_headers: JSON.stringify({ traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, 'CG-Sender': 'ui' }),
    status: 'consumed',
    ...row,
  };
  const places = Object.keys(full).map((_, index) => `$${index + 1}`);
  await database.query(
    `insert into state.agent_inbox (${Object.keys(full)}) values (${places})`,
    Object.values(full),
  );
}

export async function addRequestEdge(
  database: Database,
  project: string,
  callId: string,
  depth: number,
): Promise<void> {
  await database.query(
    `insert into state.execution_edges (edge_id, project_id, primitive, edge_phase, correlation_id, recursion_depth)
     values ($1, $2, 'tool_call', 'request', $3, $4)`,
    [`${project}-${callId}`, project, callId, depth],
  );
}
