/** The steps that a call of a server tool has done so far, as its next run finds them: the answers to its questions among them. */
import { digestJson } from '../../shared/digest-json.ts';
import { findCallKey } from '../store/call-keys.ts';
import type {
  AskedQuestion,
  CallRecord,
  CallRecords,
  StoredAnswer,
  StoredStep,
} from '../store/call-record.ts';

/** One step of a call. */
export type Step =
  | StoredStep
  /** The answer counts only for the question that it was given to. */
  | ({ readonly type: 'answered'; readonly answer: StoredAnswer } & AskedQuestion);

/**
 * The steps of one call by their keys: {@link APPROVAL}, `ask <key>`, `question <digest> <count>` for a question without a key, and
 * `once <key>`. Keys of different kinds begin with different words, so they cannot meet.
 */
export type CallSteps = Readonly<Record<string, Step>>;

/** The key of the question whether a call may run. It is no stored step: the call itself has the answer. */
export const APPROVAL = 'approval';

/** Returns the steps of a call. A question has been answered if the call that asks it has an answer. */
export function readSteps(calls: CallRecords, key: string): CallSteps {
  const { turnId, toolCallId, steps = {}, answer } = calls[key] as CallRecord;
  const read = Object.entries(steps).map(([name, step]): [string, Step] => {
    const question =
      step.type === 'asked' ? calls[findCallKey(calls, turnId, step.toolCallId) ?? ''] : undefined;
    if (step.type !== 'asked' || question?.answer === undefined) return [name, step];
    return [name, { ...step, type: 'answered', answer: question.answer }];
  });
  if (answer !== undefined) read.push([APPROVAL, { type: 'answered', answer, toolCallId, attempt: 1 }]);
  return Object.fromEntries(read);
}

/** Returns the key of a question that the app has given none: what is asked in this call, and which of the equal ones it is. */
export async function toQuestionKey(
  questionDigest: string,
  args: Readonly<Record<string, unknown>>,
  count: number,
): Promise<string> {
  return `question ${await digestJson([questionDigest, args])} ${count}`;
}
