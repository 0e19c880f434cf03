import type { PendingToolCall, ToolResult } from '../../protocol/events.ts';
import { describeThrown } from '../../shared/errors.ts';
import { hasOwn, toJsonValue } from '../../shared/json.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import type { ServerTool, ServerTools } from '../agent.ts';

/** The handler of a tool. Looks at own properties only: a call of `constructor` finds nothing. */
export function findServerTool(tools: ServerTools, toolName: string): ServerTool | undefined {
  return hasOwn(tools, toolName) ? tools[toolName] : undefined;
}

/**
 * Runs the calls in parallel and resolves to their results in the order of the calls. After an abort it resolves
 * at once to the results known so far. Never rejects.
 */
export async function runServerTools(
  calls: readonly PendingToolCall[],
  tools: ServerTools,
  signal: AbortSignal,
  onThrown: (thrown: unknown, call: PendingToolCall) => void,
): Promise<ToolResult[]> {
  const results = new Map<string, ToolResult>();
  const runs = calls.map(async (call) => {
    const result = await runServerTool(call, tools, signal, onThrown);
    if (!signal.aborted) results.set(call.toolCallId, result);
  });
  await untilAborted(Promise.all(runs), signal);
  return calls.flatMap((call) => results.get(call.toolCallId) ?? []);
}

async function runServerTool(
  call: PendingToolCall,
  tools: ServerTools,
  signal: AbortSignal,
  onThrown: (thrown: unknown, call: PendingToolCall) => void,
): Promise<ToolResult> {
  const { toolCallId, toolName, outputVariable, blockIndex } = call;
  const identity = {
    toolCallId,
    toolName,
    ...(outputVariable === undefined ? {} : { outputVariable }),
    ...(blockIndex === undefined ? {} : { blockIndex }),
  };
  try {
    const tool = findServerTool(tools, toolName);
    const value = await tool?.({ ...call.args }, { toolCallId, toolName, signal });
    // A tool that returns nothing answers `null`, because a missing key is no answer.
    return { ...identity, result: toJsonValue(value) };
  } catch (thrown) {
    // A tool that throws because it was cancelled did as it was asked.
    if (!signal.aborted) onThrown(thrown, call);
    return { ...identity, error: describeThrown(thrown) };
  }
}
