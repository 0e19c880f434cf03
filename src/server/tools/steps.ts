/** The steps that a call of a server tool has done so far, as its next run finds them: the answers to its questions among them. */
import { findCallKey } from '../store/call-keys.ts';
import type { CallRecord, CallRecords, StoredAnswer, StoredStep } from '../store/call-record.ts';

/** One step of a call. */
export type Step =
  | StoredStep
  | { readonly type: 'answered'; readonly answer: StoredAnswer; readonly attempt: number };

/** The steps of one call by their keys: {@link APPROVAL}, `ask <key>` and `once <key>`. */
export type CallSteps = Readonly<Record<string, Step>>;

/** The key of the question whether a call may run. It is no stored step: the call itself has the answer. */
export const APPROVAL = 'approval';

/** Returns the steps of a call. A question that was asked has been answered if the call that asks it has an answer. */
export function readSteps(calls: CallRecords, key: string): CallSteps {
  const { turnId, steps = {}, answer } = calls[key] as CallRecord;
  const read = Object.entries(steps).map(([name, step]): [string, Step] => {
    if (step.type !== 'asked') return [name, step];
    const { toolCallId, attempt } = step;
    const question = calls[findCallKey(calls, turnId, toolCallId) ?? ''];
    return [name, question?.answer ? { type: 'answered', answer: question.answer, attempt } : step];
  });
  if (answer !== undefined) read.push([APPROVAL, { type: 'answered', answer, attempt: 1 }]);
  return Object.fromEntries(read);
}

/** Returns the id under which a question of a call goes out. */
export function toQuestionId(toolCallId: string, key: string, attempt: number): string {
  return attempt > 1 ? `${toolCallId}:${key}:${attempt}` : `${toolCallId}:${key}`;
}
