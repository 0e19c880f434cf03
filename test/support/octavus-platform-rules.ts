/** The rules by which the stand-in for the Octavus platform accepts a continuation (wire protocol 2.0, sections 2 and 5). */
import { isDeepStrictEqual } from 'node:util';

export type Json = Readonly<Record<string, unknown>>;

export interface PendingCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Json;
  /** Keys of the call that its result must repeat. */
  readonly outputVariable?: string;
  readonly blockIndex?: number;
}

export interface OpenExecution {
  readonly id: string;
  /** Calls that wait for their answers. */
  readonly open: readonly PendingCall[];
  /** The answers accepted last, until the model's response to them was read to its end. */
  readonly unfinished: readonly Json[] | undefined;
}

/** The problem of a continuation; undefined when it answers each open call once and nothing else. */
export function findProblem(execution: OpenExecution | undefined, body: Json): string | undefined {
  if (execution === undefined || execution.id !== body.executionId) {
    return `${String(body.executionId)} is not the execution of this session`;
  }
  if (!Array.isArray(body.toolResults)) return 'toolResults is missing';
  const results = body.toolResults as readonly Json[];
  if (isDeepStrictEqual(execution.unfinished, results)) return undefined;
  const ids = results.map((result) => String(result.toolCallId));
  const open = execution.open.map((call) => call.toolCallId);
  const unasked = ids.filter((id, index) => !open.includes(id) || ids.indexOf(id) !== index);
  if (unasked.length > 0) return `answers to unknown calls: ${unasked.join(', ')}`;
  const missing = open.filter((id) => !ids.includes(id));
  if (missing.length > 0) return `calls without an answer: ${missing.join(', ')}`;
  return execution.open
    .map((call) => findFault(call, results.find((result) => result.toolCallId === call.toolCallId) ?? {}))
    .find((fault) => fault !== undefined);
}

function findFault(call: PendingCall, result: Json): string | undefined {
  const { toolCallId, toolName, outputVariable, blockIndex } = call;
  if (result.toolName !== toolName) return `${toolCallId} has the tool name ${String(result.toolName)}`;
  if (result.outputVariable !== outputVariable || result.blockIndex !== blockIndex)
    return `${toolCallId} does not repeat outputVariable and blockIndex`;
  if ('error' in result) {
    if (typeof result.error !== 'string' || result.error === '') return `${toolCallId} has an empty error`;
    if ('result' in result) return `${toolCallId} has a result and an error`;
  }
  // An answer may have neither result nor error: the SDK sends that for a server tool that returns nothing.
  return undefined;
}
