/** The one record of a call on the server: the question, who may answer, the answer, and what its tool has done. */
import type { CallQuestion, PendingToolCall, ResultFile, ToolResult } from '../../core/protocol/events.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import { digestArguments, digestJson } from '../../shared/digest-json.ts';
import { compact, isRecord } from '../../shared/json.ts';
import type { Answerer } from '../../shared/principal.ts';
import { withoutSecrets } from '../../shared/secrets.ts';
import { readEditedArgs, type ToolOutcome } from '../../shared/tool-outcome.ts';
import type { StoredChoice } from './choice-store.ts';

/** The rules that decided who may answer when a call was asked. Each of them must be there, and say yes, when it is answered. */
export type AnswerRule = 'session' | 'tool';

/**
 * - `called`: the agent called it; a server tool may be under way
 * - `asked`: a client or a person has to answer it
 * - `answered`: the answer is stored; the tool of an approved call may be under way
 * - `ended`: nobody waits for it any more
 */
export type CallStage = 'called' | 'asked' | 'answered' | 'ended';

/** The answer to a call. JSON. */
export interface StoredAnswer {
  readonly outcome: ToolOutcome;
  /** The value that a client or a person gave. Absent for an outcome without a value. */
  readonly result?: unknown;
  /** The text that the agent reads in place of a result. */
  readonly error?: string;
  /** The words of the person about the answer, such as why not. */
  readonly reason?: string;
  /** Files that the tool of the page made. */
  readonly files?: readonly ResultFile[];
  /** Absent where the app gave no principal, and for a question that expired. */
  readonly answeredBy?: Answerer;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Signed when it was answered: over the receipt of the question, the answer and the person. */
  readonly receipt?: string;
  /** The digest of what the person saw, as the page sent it. */
  readonly shown?: string;
  /** True if the store has less than the whole result, because it held a secret. */
  readonly redacted?: true;
  /** The earlier answer that the person wanted to have remembered: nobody was asked about this call. */
  readonly remembered?: Pick<StoredChoice, 'sessionId' | 'executionId' | 'toolCallId' | 'rememberedAt'>;
}

/** The error that a step threw, as far as JSON carries it. */
export interface StepError {
  readonly name: string;
  readonly message: string;
  readonly code?: string | number;
  /** Its other own properties that JSON carries. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A question of a step. */
export interface AskedQuestion {
  /** The id of the call that asks it. */
  readonly toolCallId: string;
  /** Counts from 1: an answer that did not fit, or was for another question, is followed by the next attempt. */
  readonly attempt: number;
  /** The digest of the message and the schema that the tool asked with, see {@link digestQuestion}. Absent in records of before 0.2. */
  readonly digest?: string;
}

/** Returns the digest of what a person is asked. The texts of an attempt that says why an earlier answer did not fit do not count. */
export function digestQuestion({
  description,
  outputSchema,
}: Pick<CallQuestion, 'description' | 'outputSchema'>): Promise<string> {
  return digestJson([description, outputSchema]);
}

/** What a server tool has done in a call so far: one step for each key. JSON. */
export type StoredStep =
  /** A question to a person. The call that asks it has the answer. */
  | ({ readonly type: 'asked' } & AskedQuestion)
  /** The work of `once` began, under this key. Absent in records of before 0.2: nobody knows the key, so the work is not tried again. */
  | { readonly type: 'started'; readonly idempotencyKey?: string }
  /** `redacted`: the store has less than the whole value, because it held a secret. */
  | { readonly type: 'done'; readonly value?: unknown; readonly redacted?: true }
  /** The work of `once` threw. It throws the same again when the tool runs again. Records of before 0.2 have the message alone. */
  | { readonly type: 'failed'; readonly error: StepError | string };

/** The steps of one call by their keys. */
export type StoredSteps = Readonly<Record<string, StoredStep>>;

/** How a call ended for the agent, where the answer of a client does not say it. */
export interface CallEnd {
  readonly result?: unknown;
  readonly error?: string;
  /** Why a call ended that nobody answered: the turn was stopped or interrupted, another message came, or it had too many rounds. */
  readonly outcome?: 'aborted' | 'superseded' | 'failed';
  readonly redacted?: true;
}

/** A call of the agent, or a question of a tool. JSON; never changed in place. */
export interface CallRecord {
  readonly toolCallId: string;
  /** The execution that asked, or else called it. Receipts name it. */
  readonly executionId: string;
  /** The first execution of its message: calls of a message that is sent again stay the same calls. */
  readonly turnId: string;
  readonly toolName: string;
  /** The name for people under which the agent has announced the call. That of its question counts first. */
  readonly title?: string;
  /** The arguments as the schema of the tool has read them: what a person is shown, what is signed, what runs. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The arguments as the agent sent them, where the schema makes values of them that JSON does not carry: it reads these again. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** The digest of `args`, see `digestArguments`: what a person was asked about. Absent while nobody was asked. */
  readonly digest?: string;
  readonly executedBy: 'client' | 'server';
  readonly stage: CallStage;
  /** The key of the call whose tool asks this question with `context.ask`. */
  readonly askedBy?: string;
  /** The digest of the definition of the server tool that a person was asked about. */
  readonly definition?: string;
  readonly question?: CallQuestion;
  readonly mayAnswer?: readonly AnswerRule[];
  readonly waitsFor?: string;
  /** Milliseconds since the epoch, both. */
  readonly askedAt?: number;
  readonly deadline?: number;
  /** Signed when the call was asked. */
  readonly receipt?: string;
  readonly answer?: StoredAnswer;
  readonly steps?: StoredSteps;
  readonly end?: CallEnd;
  /** Fields of the call that mean nothing here, and that clients of the Octavus protocol expect on it and on its result. */
  readonly echo?: Readonly<Record<string, unknown>>;
}

/** The calls of a session by their keys: the id of the call, or another key if an earlier turn has a call with this id. */
export type CallRecords = Readonly<Record<string, CallRecord>>;

/** True if the arguments are those that somebody was asked about: they may have been changed in the store. */
export async function hasAskedArguments({ args, digest }: CallRecord): Promise<boolean> {
  return digest !== undefined && digest === (await digestArguments(args));
}

/** The answer decides whether a call of the server may run. */
export function isApproval({ executedBy, question }: CallRecord): boolean {
  return executedBy === 'server' && question !== undefined;
}

/** A call of a server tool, or a question of one. Only a process that knows the tool can judge an answer to it. */
export function isOfServerTool({ executedBy, askedBy }: CallRecord): boolean {
  return executedBy === 'server' || askedBy !== undefined;
}

export function answered(call: CallRecord, answer: StoredAnswer): CallRecord {
  return { ...call, stage: 'answered', answer: compact(answer) as StoredAnswer };
}

export function ended(call: CallRecord, end?: CallEnd): CallRecord {
  return { ...call, stage: 'ended', ...(end && { end: compact(end) as CallEnd }) };
}

/** The call as it goes to the clients that may answer it. `calls` are all calls of its record. */
export function toPendingCall(call: CallRecord, calls: CallRecords): PendingToolCall {
  const { toolCallId, toolName, args, askedBy, deadline, question, waitsFor, receipt, echo } = call;
  const executedBy = isApproval(call) ? ('server' as const) : undefined;
  const definition = executedBy && call.definition;
  const originalArgs = askedBy === undefined ? undefined : originalArguments(call, calls);
  return compact({
    ...echo,
    ...{
      toolCallId,
      toolName,
      args,
      originalArgs,
      deadline,
      executedBy,
      question,
      waitsFor,
      receipt,
      definition,
    },
  }) as PendingToolCall;
}

/** Returns how the call ended for the agent: a result or an error text. Undefined while it has not. */
export function resultOf(call: CallRecord): Pick<ToolResult, 'result' | 'error'> | undefined {
  const { end, answer, executedBy, askedBy } = call;
  if (end) return end.error === undefined ? { result: end.result ?? null } : { error: end.error };
  if (answer === undefined || executedBy === 'server' || askedBy !== undefined) return undefined;
  const { outcome, result, error, reason } = answer;
  if (error) return { error };
  if (outcome === 'submitted') return { result: result ?? null };
  if (outcome === 'declined') return { result: result ?? compact({ outcome, reason }) };
  return { error: reason ?? `The call was not answered: ${outcome}` };
}

/** The end of a call as the native wire carries it. */
export function toToolResult(call: CallRecord): ToolResult {
  const { toolCallId, toolName, echo: { outputVariable, blockIndex } = {} } = call;
  return compact({ toolCallId, toolName, outputVariable, blockIndex, ...resultOf(call) }) as ToolResult;
}

/** Returns the arguments as the person wants them who allowed the call, or else those that the call was made with. */
export function allowedArguments({ args, answer }: CallRecord): Readonly<Record<string, unknown>> {
  return (answer?.outcome === 'submitted' && readEditedArgs(answer.result)) || args;
}

/**
 * Returns the arguments as the agent sent them, where a person has changed them: those of the call, or of the call whose tool asks this
 * question. They lack the secrets that the changed ones lack in the store, so that only what was changed differs.
 */
export function originalArguments(
  call: CallRecord,
  calls: CallRecords,
): Readonly<Record<string, unknown>> | undefined {
  const changed = call.askedBy === undefined ? call : calls[call.askedBy];
  if (changed === undefined) return undefined;
  const allowed = allowedArguments(changed);
  if (allowed === changed.args) return undefined;
  const shown = (args: unknown) => withoutSecrets(args, changed.question?.inputSchema);
  const original = shown(changed.args);
  return isRecord(original) && !deepEqual(original, shown(allowed)) ? original : undefined;
}
