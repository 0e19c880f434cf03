import { isRecord } from './json.ts';

/**
 * The ways in which a tool call ends. A call settles once, with exactly one outcome.
 *
 * - `submitted`: the handler or the person gave a value, and it passed validation
 * - `declined`: the person said no, which is an answer and not a failure
 * - `cancelled`: the person dismissed the question without an answer
 * - `timed-out`: the tool's own limit (`timeoutMs`) ran out
 * - `aborted`: the turn was stopped or the chat destroyed
 * - `expired`: the agent no longer waits for the answer
 * - `superseded`: the person sent another message instead
 * - `failed`: no handler, invalid arguments, the handler threw, its result could not be sent, or its question not shown
 */
export type ToolOutcome = (typeof TOOL_OUTCOMES)[number];

export const TOOL_OUTCOMES = [
  'submitted',
  'declined',
  'cancelled',
  'timed-out',
  'aborted',
  'expired',
  'superseded',
  'failed',
] as const;

/** The outcomes of a question to a person: three answers, or its time is over. */
export type PersonOutcome = Extract<ToolOutcome, 'submitted' | 'declined' | 'cancelled' | 'expired'>;

/** Returns true for an outcome that a person has given. */
export function isGivenByPerson(outcome: ToolOutcome): boolean {
  return outcome === 'submitted' || outcome === 'declined' || outcome === 'cancelled';
}

/** The fields by which an answer travels that say how its call ended. */
export interface CarriedAnswer {
  readonly outcome?: ToolOutcome | undefined;
  readonly result?: unknown;
  readonly error?: string | undefined;
  /** The words of the person about it, such as why not. */
  readonly reason?: string | undefined;
}

/** What was asked for: it decides what an answer without an outcome can mean. */
export interface AskedFor {
  /** - `approval`: may the call run? - `person`: any other answer of a person - `handler`: the result of a program */
  readonly from: 'approval' | 'person' | 'handler';
  /** Returns true if the value is one that was asked for. Default: any value is. */
  readonly allows?: (value: unknown) => boolean;
}

/**
 * Returns the outcome of an answer, and undefined for one that cannot be read: an approval runs a tool, so only an exact yes is one.
 * The word that the answer carries counts. Clients of before 0.2 send none: this is the only place that reads their forms.
 */
export function readOutcome(answer: CarriedAnswer, asked: AskedFor): ToolOutcome | undefined {
  const { outcome, result, error } = answer;
  // The word comes from outside.
  if (outcome !== undefined && !isToolOutcome(outcome)) return undefined;
  if (asked.from === 'approval') return readApproval(answer);
  if (outcome !== undefined) return outcome;
  if (error) return asked.from === 'person' ? 'cancelled' : 'failed';
  // A value that was asked for is never read as a word. The earlier form of a no is one where it fits nothing that was asked for.
  return isEarlierNo(result) && asked.allows?.(result) === false ? 'declined' : 'submitted';
}

/** A yes to a call that waits for one, with what the person changed of it. */
export interface ApprovalYes {
  readonly confirmed: true;
  readonly editedArgs?: unknown;
  readonly changedArgs?: unknown;
  readonly remember?: unknown;
}

const YES_KEYS = ['confirmed', 'editedArgs', 'changedArgs', 'remember'];
const NO_KEYS = ['outcome', 'reason', 'confirmed', 'remember'];

/** Returns true for the exact form of a yes. */
export function isApprovalYes(result: unknown): result is ApprovalYes {
  return (
    isRecord(result) &&
    result.confirmed === true &&
    Object.keys(result).every((key) => YES_KEYS.includes(key))
  );
}

/** Returns the arguments as a person changed them before saying yes; undefined for any other result. */
export function readEditedArgs(result: unknown): Readonly<Record<string, unknown>> | undefined {
  return isApprovalYes(result) && isRecord(result.editedArgs) ? result.editedArgs : undefined;
}

/**
 * Returns whether a person who was asked for a yes or no said yes; undefined for a value that is neither. An app may submit the words of
 * its own dialog: `true`, or `approved` as most protocols call it.
 */
export function readYesOrNo(result: unknown): boolean | undefined {
  if (result === undefined || result === null) return true;
  if (typeof result === 'boolean') return result;
  if (!isRecord(result)) return undefined;
  const { confirmed, approved = confirmed, outcome } = result;
  if (confirmed === false || approved === false || outcome === 'declined') return false;
  return approved === true || undefined;
}

function readApproval({ outcome, result, error }: CarriedAnswer): ToolOutcome | undefined {
  const isNo = isRecord(result) && (result.confirmed === false || result.outcome === 'declined');
  if (outcome === undefined) {
    if (error) return 'cancelled';
    if (isNo) return 'declined';
    return isApprovalYes(result) ? 'submitted' : undefined;
  }
  if (outcome === 'submitted') {
    if (isNo) return 'declined';
    return !error && (result === undefined || result === null || isApprovalYes(result))
      ? 'submitted'
      : undefined;
  }
  // A page that could not show the question has asked nobody.
  return outcome === 'failed' ? undefined : outcome;
}

/** The form of a no of before 0.2; the dialogs of the kit added `confirmed: false`. */
function isEarlierNo(result: unknown): boolean {
  return (
    isRecord(result) &&
    result.outcome === 'declined' &&
    result.confirmed !== true &&
    Object.keys(result).every((key) => NO_KEYS.includes(key))
  );
}

/** Returns true for one of the eight words. */
export function isToolOutcome(word: unknown): word is ToolOutcome {
  return TOOL_OUTCOMES.some((outcome) => outcome === word);
}

/**
 * Returns what the person said about the answer. Clients of before 0.2 put the reason of a no into its result, and that of a cancelled
 * call into its error.
 *
 * @param outcome as {@link readOutcome} has read it
 */
export function readReason(
  answer: CarriedAnswer,
  outcome: ToolOutcome | undefined = answer.outcome,
): string | undefined {
  const { reason, result, error } = answer;
  // A value that was submitted may have a field of this name.
  if (reason !== undefined || outcome === 'submitted') return reason;
  if (isRecord(result) && typeof result.reason === 'string') return result.reason;
  // The error of a client that sends outcomes is a text for the model, such as that of a cancelled call without a reason.
  return answer.outcome === undefined && outcome !== 'failed' ? error : undefined;
}
