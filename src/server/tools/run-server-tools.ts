/** Runs the calls of server tools: at once, or up to the questions that people have to answer first. */
import type { PendingToolCall, ToolResult } from '../../core/protocol/events.ts';
import { describeThrown } from '../../shared/errors.ts';
import { compact, hasOwn, isRecord, toJsonValue } from '../../shared/json.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import type { StoredAnswer } from '../store/call-record.ts';
import { argumentsToRun } from './call-arguments.ts';
import { digestDefinition, mayRemember } from './remembered-choice.ts';
import type { ServerTool, ServerToolDefinition, ServerTools } from './server-tool.ts';
import { APPROVAL } from './steps.ts';
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
  try {
    const tool = findServerTool(tools, toolName);
    if (typeof tool === 'object') return await runDefinedTool(call, tool, ofCall(call), identity);
    const value = await tool?.({ ...call.args }, { toolCallId, toolName, signal });
    // A tool that returns nothing answers `null`, because a missing key is no answer.
    return { ...identity, result: toJsonValue(value) };
  } catch (thrown) {
    // A tool that throws because it was cancelled did as it was asked.
    if (!signal.aborted) onThrown(thrown, call);
    return { ...identity, error: describeThrown(thrown) };
  }
}

/** Asks whether the call may run, where that has to be asked, then runs it. */
async function runDefinedTool(
  call: PendingToolCall,
  tool: ServerToolDefinition,
  io: ToolCallIO,
  identity: ToolResult,
): Promise<ToolResult | Suspension> {
  const read = await argumentsToRun(io.call, tool);
  if ('error' in read) return { ...identity, error: read.error };
  const answer = await decideApproval(call, tool, io, read.value);
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

/** Returns the answer of a person, of now or of an earlier call, if one is needed. An earlier no counts before the policy of the tool. */
async function decideApproval(
  call: PendingToolCall,
  tool: ServerToolDefinition,
  io: ToolCallIO,
  args: unknown,
): Promise<StoredAnswer | Suspension | 'run' | 'ask'> {
  const { steps, choices } = io;
  const approval = steps[APPROVAL];
  if (approval?.type === 'answered') return approval.answer;
  const earlier = await choices?.recall(tool);
  if (earlier?.choice !== 'declined' && !(await needsApproval(tool, args))) return 'run';
  if (choices === undefined || earlier === undefined) return 'ask';
  const { question = {} } = toApprovalQuestion(call, tool, io);
  return choices.answer(earlier, question).catch((thrown: unknown) => ({ type: 'broken', thrown }));
}

/** A question that could not be decided is asked: that is the safe answer. */
async function needsApproval({ approval = 'never' }: ServerToolDefinition, args: unknown): Promise<boolean> {
  if (typeof approval !== 'function') return approval === 'always';
  try {
    return (await approval(args)) !== false;
  } catch {
    return true;
  }
}

/** The call itself is the question: it keeps its id. */
function toApprovalQuestion(
  call: PendingToolCall,
  tool: ServerToolDefinition,
  { choices }: ToolCallIO,
): PendingToolCall {
  const { title, description, severity, confirmLabel, declineLabel, editable, waitsFor, input } = tool;
  const inputSchema = editable && input ? readStandardJsonSchema(input) : undefined;
  return compact({
    ...call,
    executedBy: 'server' as const,
    question: compact({
      ui: 'confirm' as const,
      title,
      description,
      severity,
      confirmLabel,
      declineLabel,
      editable,
      inputSchema,
      remember: (choices !== undefined && mayRemember(tool)) || undefined,
    }),
    waitsFor,
  });
}

/** A person who says no is an answer, anything else is an error. */
function refuse(identity: ToolResult, { outcome, result, reason, error }: StoredAnswer): ToolResult {
  if (outcome === 'declined')
    return { ...identity, result: result ?? compact({ outcome, confirmed: false, reason }) };
  if (outcome === 'expired') return { ...identity, error: error ?? 'Nobody allowed it in time' };
  return { ...identity, error: error ?? reason ?? `Nobody allowed it: ${outcome}` };
}
