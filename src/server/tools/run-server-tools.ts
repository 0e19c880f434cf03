/** Runs the calls of server tools: at once, or up to the questions that people have to answer first. */
import type { PendingToolCall, ToolResult } from '../../core/protocol/events.ts';
import { toDeclinedResult } from '../../shared/approval-answers.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import { describeThrown } from '../../shared/errors.ts';
import { compact, isRecord, toJsonValue } from '../../shared/json.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import { allowedArguments, type CallRecord, type StoredAnswer } from '../store/call-record.ts';
import { decideApproval, toApprovalQuestion } from './approval.ts';
import { argumentsToRun } from './call-arguments.ts';
import { findServerTool } from './find-server-tool.ts';
import { digestDefinition } from './remembered-choice.ts';
import type { ServerToolDefinition, ServerTools } from './server-tool.ts';
import { type Suspension, type ToolCallIO, ToolRun } from './tool-run.ts';

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
  /** Called when a call begins, and when its tool has ended or asks. */
  readonly onCall?: ((call: PendingToolCall, status: ToolStatus) => void) | undefined;
}

type ToolStatus = 'started' | 'result' | 'error' | Suspension['type'];

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
    io.onCall?.(call, 'started');
    const outcome = await runServerTool(call, tools, io);
    io.onCall?.(call, toStatus(outcome));
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

function toStatus(outcome: ToolResult | Suspension): ToolStatus {
  if ('type' in outcome) return outcome.type;
  return outcome.error === undefined ? 'result' : 'error';
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
    if (wasStarted(ofCall(call).call)) return { ...identity, error: describeReplaced(toolName) };
    const value = await tool?.(structuredClone(call.args), { toolCallId, toolName, signal });
    // A tool that returns nothing answers `null`, because a missing key is no answer.
    return { ...identity, result: toJsonValue(value) };
  } catch (thrown) {
    report(thrown);
    return { ...identity, error: describeThrown(thrown) };
  }
}

/** True if a person was asked about the call, or its tool has done a step: a mere function knows of neither. */
function wasStarted({ question, answer, steps }: CallRecord): boolean {
  return question !== undefined || answer !== undefined || steps !== undefined;
}

function describeReplaced(toolName: string): string {
  return `Not run: the tool ${toolName} was replaced by a mere function while this call was under way. Call it again.`;
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
  const editedArgs = allowedArguments(io.call);
  const { args } = io.call;
  if (editedArgs === args || 'type' in outcome || outcome.error !== undefined) return outcome;
  return {
    ...outcome,
    result: { result: outcome.result, editedArgs, changedArgs: findChanged(args, editedArgs) },
  };
}

/** The names of the arguments that a person has changed. What the page says of it is not passed on: the agent would believe it. */
function findChanged(args: CallRecord['args'], edited: CallRecord['args']): readonly string[] {
  const names = new Set([...Object.keys(args), ...Object.keys(edited)]);
  return [...names].filter((name) => !deepEqual(args[name], edited[name]));
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
    return { ...identity, result: toDeclinedResult({ ...details, confirmed: false }, reason) };
  if (outcome === 'expired') return { ...identity, error: error ?? 'Nobody allowed it in time' };
  return { ...identity, error: error ?? reason ?? `Nobody allowed it: ${outcome}` };
}
