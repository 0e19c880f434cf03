/** The codes with which a server refuses the answer to a call. A refusal changes nothing. */

/**
 * The server waits for another answer: the call waits again, and shows why.
 *
 * - `not_allowed`: this person may not answer the call
 * - `invalid_result`: the answer does not match what was asked for
 * - `invalid_receipt`: the receipt is missing, forged or that of another call, or the arguments were changed
 * - `call_expired`: the time of the question is over
 * - `question_changed`: its tool was changed, and asks another question. A session sends it as the code of a notice before that question
 */
const ASKED_AGAIN = [
  'not_allowed',
  'invalid_result',
  'invalid_receipt',
  'call_expired',
  'question_changed',
] as const;

export const QUESTION_CHANGED = 'question_changed' satisfies (typeof ASKED_AGAIN)[number];

/** - `tool_unknown`: the process that got the answer does not know the tool. Sent again, the answer may reach one that does. */
const SENT_AGAIN = ['tool_unknown'] as const;

/**
 * No answer to the call is taken any more.
 *
 * - `already_answered`: an answer was accepted before, and stands
 * - `execution_closed`: the execution was stopped
 * - `unknown_execution`, `unknown_tool_call`, `unknown_session`: the server does not ask this, or not any more
 */
const FINAL = [
  'already_answered',
  'call_expired',
  'execution_closed',
  'unknown_execution',
  'unknown_tool_call',
  'unknown_session',
] as const;

export type AnswerRefusal = (typeof ASKED_AGAIN | typeof SENT_AGAIN | typeof FINAL)[number];

/** Returns true for the code of a refusal after which the person may give another answer. */
export function isAskedAgain(code: string | undefined): boolean {
  return ASKED_AGAIN.some((known) => known === code);
}

/** Returns true for the code of a refusal after which the same answer may be taken. */
export function isSentAgain(code: string | undefined): boolean {
  return SENT_AGAIN.some((known) => known === code);
}

/** Returns true for the code of a refusal after which the call needs no answer. */
export function isCallOver(code: string | undefined): boolean {
  return FINAL.some((known) => known === code);
}
