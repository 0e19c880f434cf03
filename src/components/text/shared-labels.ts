import type { ToolCallStatus } from '../../core/state/message.ts';
import type { ToolOutcome } from '../../shared/tool-outcome.ts';
import { type ApprovalLabels, englishApprovalLabels } from './approval-labels.ts';
import { type ArgumentLabels, englishArgumentLabels } from './argument-labels.ts';
import { englishQuestionLabels, type QuestionLabels } from './question-labels.ts';
import { plural } from './safe-text.ts';

/** The strings that any question may show, and those of several rooms. Part of {@link Labels}. */
export interface SharedLabels extends ApprovalLabels, ArgumentLabels, QuestionLabels {
  readonly confirm: string;
  readonly decline: string;
  readonly back: string;
  readonly cancel: string;
  readonly close: string;
  /** Asks whether to leave a question with input that was not sent; `stay` and `leave` answer it. */
  readonly unsent: string;
  readonly stay: string;
  readonly leave: string;
  /** The cross of a question that is put off. */
  readonly answerLater: string;
  /** A question that waits until the person pauses, or for later. `askedWhileTyping` is read out, too. */
  readonly askedWhileTyping: (title: string) => string;
  readonly opensWhenYouPause: string;
  readonly waitsForYou: (title: string) => string;
  readonly openQuestion: string;
  /** Shown in place of a kind of question that the page does not have. */
  readonly kindMissing: string;
  readonly submit: string;
  /** The button that leaves a question for values or options without an answer. */
  readonly doNotAnswer: string;
  readonly submitting: string;
  readonly rerunTitle: (toolName: string) => string;
  readonly rerunMessage: (toolName: string) => string;
  readonly rerun: string;
  readonly doNotRerun: string;
  readonly confirmAll: (count: number) => string;
  readonly otherCalls: (count: number) => string;
  readonly callStatus: Readonly<Record<ToolCallStatus | ToolOutcome | 'waiting' | 'confirmed', string>>;
  /** The status of a call in which the person chose. */
  readonly choseInCall: (choice: string) => string;
  /** The status of a call that the person declined with a reason. */
  readonly declinedBecause: (reason: string) => string;
  /** The status of a call that somebody answered whom the server names. */
  readonly saidBy: Readonly<Record<'allowed' | 'declined' | 'answered', (name: string) => string>>;
  readonly details: string;
  readonly askedBy: (toolName: string) => string;
  readonly none: string;
  readonly moreItems: (count: number) => string;
  readonly alreadySettled: string;
  readonly expired: string;
  /** Shown where other people have to answer. */
  readonly notAllowed: string;
  readonly withdrawn: (title: string) => string;
  readonly notSerializable: string;
  readonly answerRefused: string;
  readonly pendingTitle: (count: number) => string;
  readonly outcomes: {
    readonly submitted: string;
    readonly confirmed: string;
    readonly allowed: string;
    readonly chose: (choice: string) => string;
    readonly declined: string;
    readonly cancelled: string;
    readonly expired: string;
  };
  readonly dialogFailed: (toolName: string) => string;
  readonly notSent: (reason: string) => string;
  /** The reason when an error has no message. */
  readonly unknownError: string;
}

export const englishSharedLabels: SharedLabels = {
  ...englishApprovalLabels,
  ...englishArgumentLabels,
  ...englishQuestionLabels,
  confirm: 'Confirm',
  decline: 'Decline',
  back: 'Back',
  cancel: 'Cancel',
  close: 'Close',
  unsent: 'Nothing has been sent yet. Close without answering?',
  stay: 'Keep answering',
  leave: 'Close without answering',
  answerLater: 'Answer later',
  askedWhileTyping: (title) => `The agent asks: ${title}`,
  opensWhenYouPause: 'opens when you pause',
  waitsForYou: (title) => `${title} waits for you`,
  openQuestion: 'Open',
  kindMissing: 'This page cannot show the question. You can decline it.',
  submit: 'Send',
  doNotAnswer: "Don't answer",
  submitting: 'Sending…',
  rerunTitle: (toolName) => `Run “${toolName}” again?`,
  rerunMessage: () => 'It was still running when the page was left.',
  rerun: 'Run again',
  doNotRerun: 'Do not run',
  confirmAll: (count) => `Confirm all ${count}`,
  otherCalls: (count) => `Show ${count} more of the same kind`,
  callStatus: {
    waiting: 'waits for you',
    pending: 'preparing',
    running: 'running',
    done: 'done',
    error: 'failed',
    cancelled: 'cancelled',
    submitted: 'done',
    confirmed: 'allowed by you',
    declined: 'declined',
    'timed-out': 'timed out',
    aborted: 'stopped',
    expired: 'expired',
    superseded: 'no longer needed',
    failed: 'failed',
  },
  choseInCall: (choice) => `you chose ${choice}`,
  declinedBecause: (reason) => `declined by you: “${reason}”`,
  saidBy: {
    allowed: (name) => `allowed by ${name}`,
    declined: (name) => `declined by ${name}`,
    answered: (name) => `answered by ${name}`,
  },
  details: 'Details',
  askedBy: (toolName) => `Requested by the tool ${toolName}`,
  none: 'None',
  moreItems: (count) => `and ${count} more`,
  alreadySettled: 'This was already answered, or the agent was stopped. Nothing was sent.',
  expired: 'The agent no longer waits: it was stopped, or the time was up. Nothing was sent.',
  notAllowed: 'Somebody else has to answer this. Nothing was sent.',
  withdrawn: (title) => `“${title}” no longer needs an answer.`,
  notSerializable: 'This answer could not be sent:',
  answerRefused: 'This answer was not accepted:',
  pendingTitle: (count) => plural(count, 'question needs your answer', 'questions need your answer'),
  outcomes: {
    submitted: 'Answered',
    confirmed: 'Confirmed',
    allowed: 'Allowed',
    chose: (choice) => `You chose ${choice}`,
    declined: 'Declined',
    cancelled: 'Cancelled',
    expired: 'No longer needed',
  },
  dialogFailed: (toolName) => `The question from ${toolName} could not be shown. The agent was told.`,
  notSent: (reason) => `Not sent: ${reason}`,
  unknownError: 'unknown error',
};
