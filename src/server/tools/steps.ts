/** The steps that a call of a server tool has done so far. The session stores them, so that the call can go on in another process. */
import type { CallQuestion } from '../../core/protocol/events.ts';
import { digestJson } from '../../shared/digest-json.ts';
import { compact } from '../../shared/json.ts';
import type { Answerer } from '../../shared/principal.ts';
import type { StepError } from '../store/call-record.ts';

/** How a question ended. JSON. */
export interface StoredAnswer {
  readonly outcome: 'submitted' | 'declined' | 'cancelled' | 'expired';
  readonly result?: unknown;
  readonly error?: string;
  readonly answeredBy?: Answerer;
}

/** A question of a step. */
export interface AskedQuestion {
  /** The id of the call that asks it. */
  readonly toolCallId?: string;
  /** Counts from 1: an answer that did not fit, or was for another question, is followed by the next attempt. */
  readonly attempt: number;
  /** The digest of the message and the schema that the tool asked with, see {@link digestQuestion}. Absent in records of before 0.2. */
  readonly digest?: string;
}

/** One step of a call. JSON. */
export type Step =
  /** A question is out. */
  | ({ readonly type: 'asked' } & AskedQuestion)
  /** The answer counts only for the question that it was given to. */
  | ({ readonly type: 'answered'; readonly answer: StoredAnswer } & AskedQuestion)
  /** The work of `once` began, under this key. Absent in records of before 0.2: nobody knows the key, so the work is not tried again. */
  | { readonly type: 'started'; readonly idempotencyKey?: string }
  | { readonly type: 'done'; readonly value: unknown }
  /** The work of `once` threw. It throws the same again when the tool runs again. Records of before 0.2 have the message alone. */
  | { readonly type: 'failed'; readonly error: StepError | string };

/**
 * The steps of one call by their keys: {@link APPROVAL}, `ask <key>`, `question <digest> <count>` for a question without a key, and
 * `once <key>`. Keys of different kinds begin with different words, so they cannot meet.
 */
export type CallSteps = Readonly<Record<string, Step>>;

/** The steps of an execution by the ids of their calls. */
export type ExecutionSteps = Readonly<Record<string, CallSteps>>;

/** The key of the question whether a call may run. */
export const APPROVAL = 'approval';

export function putStep(steps: ExecutionSteps, toolCallId: string, key: string, step: Step): ExecutionSteps {
  return { ...steps, [toolCallId]: { ...steps[toolCallId], [key]: step } };
}

/** Returns the key of a question that the app has given none: what is asked in this call, and which of the equal ones it is. */
export async function toQuestionKey(
  questionDigest: string,
  args: Readonly<Record<string, unknown>>,
  count: number,
): Promise<string> {
  return `question ${await digestJson([questionDigest, args])} ${count}`;
}

/** Returns the digest of what a person is asked. The texts of an attempt that says why an earlier answer did not fit do not count. */
export function digestQuestion({
  description,
  outputSchema,
}: Pick<CallQuestion, 'description' | 'outputSchema'>): Promise<string> {
  return digestJson([description, outputSchema]);
}

/** Returns the id under which a question goes out: `stepId` is the hexadecimal id of its step and attempt, see `ToolCallIO`. */
export function toQuestionId(stepId: string): string {
  return `ask_${stepId.slice(0, 32)}`;
}

/** Returns true for an id of the form of {@link toQuestionId}. No call of an agent keeps such an id, so the two cannot meet. */
export function isQuestionId(toolCallId: string | undefined): boolean {
  return toolCallId !== undefined && /^ask_[0-9a-f]{32}$/.test(toolCallId);
}

/** The step of a question that is out. */
interface FoundQuestion extends AskedQuestion {
  /** The call whose tool asks. */
  readonly askedBy: string;
  readonly key: string;
}

/** Returns the call and the key of the step whose question is out under this id, or was. */
export function findAsked(steps: ExecutionSteps, questionId: string): FoundQuestion | undefined {
  for (const [askedBy, callSteps] of Object.entries(steps)) {
    for (const [key, step] of Object.entries(callSteps)) {
      if ((step.type !== 'asked' && step.type !== 'answered') || step.toolCallId !== questionId) continue;
      const { attempt, digest } = step;
      return compact({ askedBy, key, toolCallId: questionId, attempt, digest });
    }
  }
  return undefined;
}

/** Returns the call whose tool asked a question of before 0.2: its id was that of the call, a colon and the key. */
export function findEarlierAsker(callIds: readonly string[], questionId: string): string | undefined {
  if (callIds.includes(questionId)) return undefined;
  // Of `a` and `a:1` the longer one: the question `a:1:2` was more likely asked by `a:1`.
  return callIds
    .filter((toolCallId) => questionId.startsWith(`${toolCallId}:`))
    .sort((left, right) => right.length - left.length)[0];
}
