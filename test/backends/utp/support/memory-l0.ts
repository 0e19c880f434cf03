import type { Card } from '../../../../src/backends/utp/cards.ts';
import type { L0, ReportAnswer, ToolResultReport } from '../../../../src/backends/utp/l0.ts';
import { isRecord } from '../../../../src/shared/json.ts';
import type { MemoryCards } from './memory-cards.ts';

/** A row of the agents' inboxes. */
export interface InboxRow {
  readonly projectId: string;
  readonly agentId: string;
  readonly agentTurnId: string;
  readonly turnEpoch: number;
  readonly messageType: 'turn' | 'ui_action' | 'command_anchor' | 'tool_result' | 'timeout';
  readonly correlationId: string;
  readonly payload: Readonly<Record<string, unknown>>;
  status: 'pending' | 'consumed';
}

/** One side of a call in the execution graph. */
export interface Edge {
  readonly projectId: string;
  readonly phase: 'request' | 'response';
  readonly correlationId: string;
  readonly recursionDepth: number;
}

/** L0 in memory, with the checks of CommonGround's `report_intent` in their order. */
export interface MemoryL0 extends L0 {
  readonly inbox: InboxRow[];
  readonly edges: Edge[];
  /** The current worker of each agent, by `project/agent`. */
  readonly roster: Map<string, string>;
  /** Every report with its answer. */
  readonly reports: { readonly report: ToolResultReport; readonly answer: ReportAnswer }[];
  /** The accepted reports of a call. */
  accepted(toolCallId: string): readonly ToolResultReport[];
}

const MAX_DEPTH = 20;

/** The watchdog writes cards under another name than it reports under. */
const AUTHOR_ALIASES: Readonly<Record<string, string>> = {
  'sys.agent_worker.watchdog': 'worker.watchdog',
};

export function createMemoryL0(cards: MemoryCards): MemoryL0 {
  const inbox: InboxRow[] = [];
  const edges: Edge[] = [];
  const roster = new Map<string, string>();
  const reports: MemoryL0['reports'] = [];

  const answer = async (report: ToolResultReport): Promise<ReportAnswer> => {
    const card = await cards.get(report.projectId, report.payload.tool_result_card_id);
    const refusal = checkSource(report, roster) ?? checkCard(report, card) ?? checkTurn(report, inbox, edges);
    if (refusal) return refusal;
    const workerTarget = roster.get(`${report.projectId}/${report.targetAgentId}`);
    const wakeup = workerTarget === undefined ? {} : { wakeup: { workerTarget } };
    if (isRepeated(report, inbox)) return { ...violation('9: the call has a report'), ...wakeup };
    const { projectId, targetAgentId: agentId, agentTurnId, turnEpoch, messageType, payload } = report;
    const { toolCallId: correlationId, recursionDepth } = report;
    inbox.push({
      ...{ projectId, agentId, agentTurnId, turnEpoch, messageType, correlationId },
      payload: structuredClone(payload),
      status: 'pending',
    });
    edges.push({ projectId, phase: 'response', correlationId, recursionDepth });
    return { ack: 'accepted', ...wakeup };
  };

  return {
    inbox,
    edges,
    roster,
    reports,
    accepted: (toolCallId) =>
      reports
        .filter(({ report, answer }) => report.toolCallId === toolCallId && answer.ack === 'accepted')
        .map(({ report }) => report),
    async report(report) {
      const answered = await answer(report);
      reports.push({ report, answer: answered });
      return answered;
    },
  };
}

/** Checks 1 and 2: the actor. */
function checkSource(report: ToolResultReport, roster: MemoryL0['roster']): ReportAnswer | undefined {
  const { sourceAgentId, projectId } = report;
  if (!sourceAgentId) return violation('1: the source is empty');
  const isSystem = /^(sys|tool)\./.test(sourceAgentId);
  if (isSystem || roster.has(`${projectId}/${sourceAgentId}`)) return undefined;
  return { ack: 'rejected', code: 'invalid_source_actor', message: `2: unknown actor ${sourceAgentId}` };
}

/** Checks 3 to 6: the result card. */
function checkCard(report: ToolResultReport, card: Card | undefined): ReportAnswer | undefined {
  const { toolCallId, sourceAgentId } = report;
  if (card?.type !== 'tool.result') return violation('3: there is no such result card');
  const callId = card.tool_call_id ?? card.metadata.tool_call_id;
  if (callId !== toolCallId) return violation('4: the card belongs to another call');
  const authors = [sourceAgentId, AUTHOR_ALIASES[sourceAgentId]];
  if (!authors.includes(card.author_id)) return violation('5: the source is not the author');
  if (!card.metadata.function_name) return violation('6: the card has no function_name');
  return undefined;
}

/** Checks 7 and 8: the turn and the depth. */
function checkTurn(
  report: ToolResultReport,
  inbox: readonly InboxRow[],
  edges: readonly Edge[],
): ReportAnswer | undefined {
  const { projectId, targetAgentId, agentTurnId, turnEpoch, toolCallId, recursionDepth } = report;
  const turn = inbox.find(
    (row) =>
      row.projectId === projectId &&
      row.agentId === targetAgentId &&
      row.agentTurnId === agentTurnId &&
      row.turnEpoch === turnEpoch &&
      (row.messageType === 'turn' ||
        row.messageType === 'ui_action' ||
        (row.messageType === 'command_anchor' && row.correlationId === toolCallId)),
  );
  if (turn === undefined) return violation('7: there is no such turn');
  if (recursionDepth >= MAX_DEPTH) {
    return { ack: 'rejected', code: 'recursion_depth_exceeded', message: `8: depth ${recursionDepth}` };
  }
  const request = edges.find(
    (edge) => edge.projectId === projectId && edge.phase === 'request' && edge.correlationId === toolCallId,
  );
  if (request?.recursionDepth !== recursionDepth) return violation('8: the depth is not that of the request');
  return undefined;
}

/** Check 9: the call has a report. */
function isRepeated(
  { projectId, messageType, toolCallId }: ToolResultReport,
  inbox: readonly InboxRow[],
): boolean {
  return inbox.some(
    (row) =>
      row.projectId === projectId && row.messageType === messageType && row.correlationId === toolCallId,
  );
}

function violation(message: string): ReportAnswer {
  return { ack: 'rejected', code: 'protocol_violation', message };
}

/** Returns the `tool_result_card_id` of an inbox row, if its payload is a callback payload and nothing else. */
export function readCallback(payload: unknown): string | undefined {
  if (!isRecord(payload)) return undefined;
  const keys = Object.keys(payload).sort().join();
  const cardId = payload.tool_result_card_id;
  return keys === 'after_execution,status,tool_result_card_id' && typeof cardId === 'string'
    ? cardId
    : undefined;
}
