import { MAX_RECURSION_DEPTH } from '../headers.ts';
import type { ToolResultReport } from '../l0.ts';

export type Refusal = readonly [code: string, explain: (report: ToolResultReport) => string];

/** What a failed check of the report statement answers, by the name that the statement gives the check. The codes are those of CommonGround. */
export const REPORT_REFUSALS = {
  'source missing': ['protocol_violation', () => 'The report names no source agent.'],
  'source unknown': [
    'invalid_source_actor',
    ({ sourceAgentId }) =>
      `The source ${sourceAgentId} does not begin with "sys." or "tool." and is not in the roster of the project.`,
  ],
  'card missing': [
    'protocol_violation',
    ({ payload }) =>
      `There is no tool.result card ${payload.tool_result_card_id}. Save it before the report.`,
  ],
  'card of another call': [
    'protocol_violation',
    ({ payload, toolCallId }) => `The card ${payload.tool_result_card_id} is not of the call ${toolCallId}.`,
  ],
  'card of another author': [
    'protocol_violation',
    ({ payload, sourceAgentId }) =>
      `The author of the card ${payload.tool_result_card_id} is not the source ${sourceAgentId}.`,
  ],
  'card without function': [
    'protocol_violation',
    ({ payload }) => `The metadata of the card ${payload.tool_result_card_id} has no function_name.`,
  ],
  'turn unknown': [
    'protocol_violation',
    ({ agentTurnId, targetAgentId }) => `The agent ${targetAgentId} has no turn ${agentTurnId}.`,
  ],
  'epoch differs': [
    'protocol_violation',
    ({ agentTurnId, turnEpoch }) => `The turn ${agentTurnId} is not at epoch ${turnEpoch}.`,
  ],
  'too deep': [
    'recursion_depth_exceeded',
    ({ recursionDepth }) => `The recursion depth ${recursionDepth} is not below ${MAX_RECURSION_DEPTH}.`,
  ],
  'request missing': [
    'protocol_violation',
    ({ toolCallId }) => `The call ${toolCallId} was never requested: it has no request edge.`,
  ],
  'depth differs': [
    'protocol_violation',
    ({ toolCallId, recursionDepth }) =>
      `The call ${toolCallId} was not requested at recursion depth ${recursionDepth}.`,
  ],
  duplicate: ['protocol_violation', ({ toolCallId }) => `The call ${toolCallId} was already reported.`],
} satisfies Readonly<Record<string, Refusal>>;
