/** Makes the records of calls: when the agent calls them, and when a client or a person is asked. */
import type { PendingToolCall } from '../../core/protocol/events.ts';
import { digestArguments } from '../../shared/digest-json.ts';
import { compact } from '../../shared/json.ts';
import { issueReceipt } from '../receipts/question-receipt.ts';
import { findCallKey, newCallKey, turnOf } from '../store/call-keys.ts';
import { allowedArguments, type CallRecord, type CallRecords, ended } from '../store/call-record.ts';
import type { ExecutionRecord } from '../store/session-store.ts';
import { answerRules } from '../tools/answer-rules.ts';
import { readArguments } from '../tools/call-arguments.ts';
import { findDefinition, findServerTool } from '../tools/find-server-tool.ts';
import { digestDefinition } from '../tools/remembered-choice.ts';
import type { SessionSettings } from './session-settings.ts';

/** Makes the record of a call of the agent. A call whose arguments are not valid has ended: the agent reads why. */
export function createAgentCall(
  { tools }: SessionSettings,
  execution: ExecutionRecord,
  call: PendingToolCall,
): CallRecord {
  const { toolCallId, toolName, args, deadline, question, waitsFor, ...others } = call;
  // The server says these itself.
  const {
    executedBy: _,
    mayAnswer: __,
    receipt: ___,
    originalArgs: ____,
    definition: _____,
    ...echo
  } = others;
  const made = {
    ...{
      toolCallId,
      toolName,
      executionId: execution.id,
      turnId: turnOf(execution),
      stage: 'called' as const,
    },
    ...(Object.keys(echo).length > 0 && { echo }),
  };
  if (findServerTool(tools, toolName) === undefined) {
    // Other backends write times as texts, and a timer for a text fires at once, over and over.
    const time = Number.isFinite(deadline) ? deadline : undefined;
    const ofClient = { ...made, args, executedBy: 'client' as const, deadline: time, question, waitsFor };
    return compact(ofClient) as CallRecord;
  }
  const definition = findDefinition(tools, toolName);
  const read = definition ? readArguments(toolName, definition, args) : { args };
  if ('error' in read) return ended({ ...made, args, executedBy: 'server' }, read);
  return { ...made, ...read, executedBy: 'server' };
}

/**
 * The call as its tool shows it to people: with the arguments that a person has edited, because the tool runs with them. `stored` has no
 * secrets.
 */
export function toAgentCall(stored: CallRecord): PendingToolCall {
  const { toolCallId, toolName, echo } = stored;
  return { ...echo, toolCallId, toolName, args: allowedArguments(stored) };
}

interface Asked {
  /** The keys of the calls that a client has to answer. */
  readonly ofClient: readonly string[];
  /** The questions of server tools: whether a call may run, or what a tool asks in its work. */
  readonly questions: readonly PendingToolCall[];
  readonly askedAt: number;
}

/** Returns the records of calls that are asked now, in the order of the request, and those of the calls whose tools ask. */
export async function askCalls(
  settings: SessionSettings,
  execution: ExecutionRecord,
  calls: CallRecords,
  { ofClient, questions, askedAt }: Asked,
): Promise<{ readonly asked: CallRecords; readonly asking: CallRecords }> {
  const asked: Record<string, CallRecord> = {};
  for (const key of ofClient) asked[key] = calls[key] as CallRecord;
  for (const question of questions) {
    const key = findCallKey(calls, turnOf(execution), question.toolCallId);
    const known = key === undefined ? undefined : calls[key];
    const call =
      known?.executedBy === 'server'
        ? await toApproval(settings, known, question)
        : toQuestion(execution, calls, question);
    asked[key ?? newCallKey({ ...calls, ...asked }, question.toolCallId)] = call;
  }
  const asking: Record<string, CallRecord> = {};
  for (const [key, call] of Object.entries(asked)) {
    const digest = await digestArguments(call.args);
    const inRequest: CallRecord = {
      ...call,
      ...{ digest, stage: 'asked', executionId: execution.id, askedAt },
      // A process that lacks one of these rules later refuses every answer.
      mayAnswer: answerRules(settings, call.toolName),
    };
    asked[key] = await withReceipt(settings, inRequest);
    // The person who answers the question of a tool has read the arguments that the tool goes on with.
    const parent = call.askedBy === undefined ? undefined : calls[call.askedBy];
    if (call.askedBy !== undefined && parent && parent.digest === undefined)
      asking[call.askedBy] = { ...parent, digest };
  }
  return { asked, asking };
}

/** The call itself is the question whether it may run. */
async function toApproval(
  { tools }: SessionSettings,
  call: CallRecord,
  { question, deadline, waitsFor }: PendingToolCall,
): Promise<CallRecord> {
  const tool = findDefinition(tools, call.toolName);
  const definition = tool && (await digestDefinition(tool));
  return compact({ ...call, question, deadline, waitsFor, definition }) as CallRecord;
}

/** A question that a tool asks in its work is a call of its own. */
function toQuestion(
  execution: ExecutionRecord,
  calls: CallRecords,
  { toolCallId, toolName, args, question, deadline, waitsFor }: PendingToolCall,
): CallRecord {
  const turnId = turnOf(execution);
  const askedBy = Object.keys(calls).find((key) => {
    const { turnId: turn, steps = {} } = calls[key] as CallRecord;
    const isItsStep = Object.values(steps).some(
      (step) => step.type === 'asked' && step.toolCallId === toolCallId,
    );
    return turn === turnId && isItsStep;
  });
  const place = { executionId: execution.id, turnId, executedBy: 'client', stage: 'called' } as const;
  return compact({
    toolCallId,
    toolName,
    args,
    ...place,
    askedBy,
    question,
    deadline,
    waitsFor,
  }) as CallRecord;
}

async function withReceipt({ receipts, id }: SessionSettings, call: CallRecord): Promise<CallRecord> {
  return receipts ? { ...call, receipt: await issueReceipt(receipts, id, call) } : call;
}
