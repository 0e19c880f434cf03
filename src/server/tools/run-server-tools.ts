/** Runs the calls of server tools: at once, or up to the questions that people have to answer first. */
import type { PendingToolCall, ToolResult } from '../../core/protocol/events.ts';
import { describeThrown } from '../../shared/errors.ts';
import { compact, hasOwn, isRecord, toJsonValue } from '../../shared/json.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import type { StoredAnswer } from '../store/call-record.ts';
import { decideApproval, toApprovalQuestion } from './approval.ts';
import { argumentsToRun } from './call-arguments.ts';
import { digestDefinition } from './remembered-choice.ts';
import type { ServerTool, ServerToolDefinition, ServerTools } from './server-tool.ts';
import { type Suspension, type ToolCallIO, ToolRun } from './tool-run.ts';

/** The tool with this name. Looks at own properties only: a call of `constructor` finds nothing. */
export function findServerTool(
  tools: ServerTools,
  toolName: string,
): ServerTool | ServerToolDefinition | undefined {
  return hasOwn(tools, toolName) ? tools[toolName] : undefined;
}

/** The definition of a tool that was made by `defineServerTool`: such a tool can run again from its start. */
export function findDefinition(tools: ServerTools, toolName: string): ServerToolDefinition | undefined {
  const tool = findServerTool(tools, toolName);
  return typeof tool === 'object' ? tool : undefined;
}

/** The ends of the calls of one step. */
export interface ServerToolOutcomes {
  /** In the order of the calls. */
  readonly results: readonly ToolResult[];
  /** The questions of calls that have no result yet. */
  readonly questions: readonly PendingToolCall[];
}

export interface ServerToolsIO {
  readonly signal: AbortSignal;
  ofCall(call: PendingToolCall): ToolCallIO;
  onThrown(thrown: unknown, call: PendingToolCall): void;
}

/**
 * Runs the calls in parallel. After an abort it resolves at once to the results known so far.
 *
 * @throws what the store throws when a step is stored
 */
export async function runServerTools(
  calls: readonly PendingToolCall[],
  tools: ServerTools,
  io: ServerToolsIO,
): Promise<ServerToolOutcomes> {
  const { signal } = io;
  const outcomes = new Map<string, ToolResult | Suspension>();
  const runs = calls.map(async (call) => {
    const outcome = await runServerTool(call, tools, io);
    if (!signal.aborted) outcomes.set(call.toolCallId, outcome);
  });
  await untilAborted(Promise.all(runs), signal);
  const ended = calls.flatMap(({ toolCallId }) => outcomes.get(toolCallId) ?? []);
  const results: ToolResult[] = [];
  const questions: PendingToolCall[] = [];
  for (const outcome of ended) {
    if (!('type' in outcome)) results.push(outcome);
    else if (outcome.type === 'asks') questions.push(...outcome.questions);
    else throw outcome.thrown;
  }
  return { results, questions };
}

async function runServerTool(
  call: PendingToolCall,
  tools: ServerTools,
  { signal, ofCall, onThrown }: ServerToolsIO,
): Promise<ToolResult | Suspension> {
  const { toolCallId, toolName, outputVariable, blockIndex } = call;
  const identity = compact({ toolCallId, toolName, outputVariable, blockIndex });
  const report = (thrown: unknown) => {
    // A tool that throws because it was cancelled did as it was asked.
    if (!signal.aborted) onThrown(thrown, call);
  };
  try {
    const tool = findServerTool(tools, toolName);
    if (typeof tool === 'object') return await runDefinedTool(call, tool, ofCall(call), identity, report);
    const value = await tool?.({ ...call.args }, { toolCallId, toolName, signal });
    // A tool that returns nothing answers `null`, because a missing key is no answer.
    return { ...identity, result: toJsonValue(value) };
  } catch (thrown) {
    report(thrown);
    return { ...identity, error: describeThrown(thrown) };
  }
}

/** Asks whether the call may run, where that has to be asked, then runs it. */
async function runDefinedTool(
  call: PendingToolCall,
  tool: ServerToolDefinition,
  io: ToolCallIO,
  identity: ToolResult,
  report: (thrown: unknown) => void,
): Promise<ToolResult | Suspension> {
  const read = await argumentsToRun(io.call, tool);
  if ('error' in read) return { ...identity, error: read.error };
  const unproven = await io.disprove?.();
  if (unproven !== undefined)
    return {
      ...identity,
      error: `Not run: the receipts of ${call.toolName} do not prove an answer. ${unproven}`,
    };
  const answer = await decideApproval({ call, tool, args: read.value }, io, report);
  // The run may have been stopped while the rule was asked.
  io.signal.throwIfAborted();
  if (answer === 'run') return runToEnd(call, tool, io, identity, read.value);
  if (answer === 'ask') return { type: 'asks', questions: [toApprovalQuestion(call, tool, io)] };
  if ('type' in answer) return answer;
  if (answer.outcome !== 'submitted') return refuse(identity, answer);
  const { definition } = io.call;
  if (definition !== undefined && definition !== (await digestDefinition(tool)))
    return {
      ...identity,
      error: `Not run: the tool ${call.toolName} was changed after a person allowed the call. Call it again.`,
    };
  const outcome = await runToEnd(call, tool, io, identity, read.value);
  const { editedArgs, changedArgs } = isRecord(answer.result) ? answer.result : {};
  if (editedArgs === undefined || 'type' in outcome || outcome.error !== undefined) return outcome;
  return { ...outcome, result: compact({ result: outcome.result, editedArgs, changedArgs }) };
}

async function runToEnd(
  call: PendingToolCall,
  tool: ServerToolDefinition,
  io: ToolCallIO,
  identity: ToolResult,
  args: unknown,
): Promise<ToolResult | Suspension> {
  const { context, suspended } = new ToolRun(call, tool, io);
  const result = (async () => ({ ...identity, result: toJsonValue(await tool.execute(args, context)) }))();
  // A tool that asked never settles, or fails because its signal aborted.
  return Promise.race([suspended, result]);
}

/** A person who says no is an answer, anything else is an error. The word counts: a value beside it never reads as a yes to the agent. */
function refuse(identity: ToolResult, { outcome, result, reason, error }: StoredAnswer): ToolResult {
  const details = isRecord(result) ? result : {};
  if (outcome === 'declined')
    return { ...identity, result: compact({ ...details, outcome, confirmed: false, reason }) };
  if (outcome === 'expired') return { ...identity, error: error ?? 'Nobody allowed it in time' };
  return { ...identity, error: error ?? reason ?? `Nobody allowed it: ${outcome}` };
}
