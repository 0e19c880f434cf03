/** The steps that a call of a server tool has done so far. The session stores them, so that the call can go on in another process. */
import type { Answerer } from '../../shared/principal.ts';

/** How a question ended. JSON. */
export interface StoredAnswer {
  readonly outcome: 'submitted' | 'declined' | 'cancelled' | 'expired';
  readonly result?: unknown;
  readonly error?: string;
  readonly answeredBy?: Answerer;
}

/** One step of a call. JSON. */
export type Step =
  /** A question is out, as a call with this id. `attempt` counts from 1. */
  | { readonly type: 'asked'; readonly toolCallId: string; readonly attempt: number }
  | { readonly type: 'answered'; readonly answer: StoredAnswer; readonly attempt: number }
  /** The work of `once` began. */
  | { readonly type: 'started' }
  | { readonly type: 'done'; readonly value: unknown }
  /** The work of `once` threw. It throws the same again when the tool runs again. */
  | { readonly type: 'failed'; readonly error: string };

/** The steps of one call by their keys: {@link APPROVAL}, `ask <key>` and `once <key>`. */
export type CallSteps = Readonly<Record<string, Step>>;

/** The steps of an execution by the ids of their calls. */
export type ExecutionSteps = Readonly<Record<string, CallSteps>>;

/** The key of the question whether a call may run. */
export const APPROVAL = 'approval';

export function putStep(steps: ExecutionSteps, toolCallId: string, key: string, step: Step): ExecutionSteps {
  return { ...steps, [toolCallId]: { ...steps[toolCallId], [key]: step } };
}

/** Returns the id under which a question of a call goes out. */
export function toQuestionId(toolCallId: string, key: string, attempt: number): string {
  return attempt > 1 ? `${toolCallId}:${key}:${attempt}` : `${toolCallId}:${key}`;
}

/** True if the id is that of a question of the call. */
export function isQuestionOf(toolCallId: string, questionId: string): boolean {
  return questionId.startsWith(`${toolCallId}:`);
}

/** Returns the call and the key of the step whose question is out under this id. */
export function findAsked(
  steps: ExecutionSteps,
  questionId: string,
): { readonly toolCallId: string; readonly key: string; readonly attempt: number } | undefined {
  for (const [toolCallId, callSteps] of Object.entries(steps)) {
    for (const [key, step] of Object.entries(callSteps)) {
      if (step.type === 'asked' && step.toolCallId === questionId)
        return { toolCallId, key, attempt: step.attempt };
    }
  }
  return undefined;
}
