/** Which answers are due, and the commands that carry them. */
import type { RespondCommand } from '../protocol/commands.ts';
import type { Conversation } from '../state/conversation.ts';
import { isUndelivered, type ToolCall } from '../state/tool-call.ts';
import { toToolAnswer } from '../tools/outcomes.ts';
import type { AgentTransport } from '../transport/agent-transport.ts';
import { takesTogether } from './requests.ts';

/** Calls whose answer is to be sent, in the order they were requested. */
export function selectUndelivered({ calls }: Conversation): readonly ToolCall[] {
  return calls.filter((call) => call.stage === 'settled' && isUndelivered(call));
}

/** @param cursor where the run stands, to read on if the response is cut */
export function createRespondCommand(calls: readonly ToolCall[], cursor?: string): RespondCommand {
  return {
    type: 'respond',
    executionId: calls[0]?.executionId ?? '',
    answers: calls.map(toToolAnswer),
    serverToolResults: uniqueResults(calls),
    cursor,
  };
}

/** What goes out in one request: all answers of a run, and only to the run that asked, or each by itself. */
export function toBatches(
  calls: readonly ToolCall[],
  transport: AgentTransport,
): readonly (readonly ToolCall[])[] {
  if (!takesTogether(transport)) return calls.map((call) => [call]);
  const runs = new Set(calls.map(({ executionId }) => executionId));
  return [...runs].map((run) => calls.filter(({ executionId }) => executionId === run));
}

/** The server results of every request these calls came with, each once. */
function uniqueResults(calls: readonly ToolCall[]): RespondCommand['serverToolResults'] {
  const results = calls.flatMap((call) => call.serverToolResults);
  return [...new Map(results.map((result) => [result.toolCallId, result])).values()];
}
