import type { ToolCallPart, ToolCallStatus } from '../../core/state/message.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import { isRecord } from '../../shared/json.ts';
import type { Answerer } from '../../shared/principal.ts';
import { isApprovalYes, readReason, type ToolOutcome } from '../../shared/tool-outcome.ts';
import type { AnyTool } from '../any-tool.ts';
import { readOptionList } from './read-options.ts';
import { displayText } from './safe-text.ts';
import type { SharedLabels } from './shared-labels.ts';

/** The texts of the buttons that answer a call. */
export interface AnswerVerbs {
  readonly yes: string;
  readonly no: string;
  readonly yesToAll: (count: number) => string;
  /** The text of a card that was answered with yes. */
  readonly saidYes: string;
}

/**
 * Returns the verbs of a question: those of the tool's definition come before the labels.
 *
 * @param value the main value of the call, which the yes says as well
 */
export function readVerbs(
  { approvalReason, definition }: AnyTool,
  labels: SharedLabels,
  value?: string | undefined,
): AnswerVerbs {
  const { confirmLabel, declineLabel } = definition ?? {};
  const withValue = (verb: string) => (value === undefined ? verb : labels.yesWithValue(verb, value));
  switch (approvalReason) {
    case 'interrupted':
      // The person decides whether to run the tool again, and a verb such as "Delete" does not say "again".
      return {
        yes: labels.rerun,
        no: labels.doNotRerun,
        yesToAll: labels.confirmAll,
        saidYes: labels.outcomes.allowed,
      };
    case 'policy':
      return {
        yes: withValue(confirmLabel ?? labels.allow),
        no: declineLabel ?? labels.doNotAllow,
        yesToAll: labels.allowAll,
        saidYes: labels.outcomes.allowed,
      };
    case undefined:
      return {
        yes: withValue(confirmLabel ?? labels.confirm),
        no: declineLabel ?? labels.decline,
        yesToAll: labels.confirmAll,
        saidYes: labels.outcomes.confirmed,
      };
    default:
      return approvalReason satisfies never;
  }
}

/** The no of a question for values or options. One that is no approval is not declined: a person does not answer it. */
export function readNoAnswer(tool: AnyTool, labels: SharedLabels): string {
  if (tool.approvalReason !== undefined) return readVerbs(tool, labels).no;
  return tool.definition?.declineLabel ?? labels.doNotAnswer;
}

/** The fields of a call that tell how far it is. */
interface ShownCall {
  readonly status?: ToolCallStatus | undefined;
  readonly outcome?: ToolOutcome | undefined;
  readonly args?: unknown;
  readonly result?: unknown;
  readonly reason?: string | undefined;
  /** The person whom the server names. */
  readonly answeredBy?: Answerer | undefined;
  readonly executedBy?: ToolCallPart['executedBy'];
}

/**
 * Says how far a call is, or what the person said: "confirmed", "you chose Express", "declined: too dear", "allowed by Ada". A result
 * that no dialog of the kit makes is "done", because a tool that ran by itself was answered by nobody.
 */
export function describeCall(call: ShownCall, labels: SharedLabels): string {
  const { status = 'done', outcome, args, result, answeredBy } = call;
  if (answeredBy) return describePerson(call, displayText(answeredBy.name ?? answeredBy.id, 120), labels);
  const reason = reasonOf(call);
  if (reason) return labels.declinedBecause(reason);
  if (outcome === 'submitted') {
    if (isApprovalYes(result)) return labels.callStatus.confirmed;
    const picks = readPicks(args, isRecord(result) ? result : {});
    if (picks !== undefined) return labels.choseInCall(picks.join(', '));
  }
  return labels.callStatus[outcome ?? status];
}

function describePerson(call: ShownCall, name: string, labels: SharedLabels): string {
  const { outcome, executedBy } = call;
  const reason = reasonOf(call);
  if (outcome === 'declined') return labels.saidBy.declined(name) + (reason ? `: ${reason}` : '');
  // Only a call of the server is allowed. A form may have a field that is called `confirmed`.
  const isAllowed = executedBy === 'server' && outcome === 'submitted';
  return isAllowed ? labels.saidBy.allowed(name) : labels.saidBy.answered(name);
}

/** Returns why the person declined. Messages of before 0.2 have it in the result. */
function reasonOf({ outcome, result, reason }: ShownCall): string | undefined {
  const text = outcome === 'declined' ? readReason({ outcome, result, reason }) : undefined;
  return text && displayText(text, 120);
}

/** Returns the labels of the picked options, if the result names options that the agent offered. */
function readPicks(args: unknown, { selected }: Record<string, unknown>): readonly string[] | undefined {
  const offered = isRecord(args) ? [args.options, args.choices].find(Array.isArray) : undefined;
  if (offered === undefined || selected === undefined) return undefined;
  const options = readOptionList(offered);
  const picked = (Array.isArray(selected) ? selected : [selected]).map(
    (value) => options.find((option) => deepEqual(option.value, value))?.label,
  );
  return picked.length > 0 && picked.every((label) => label !== undefined) ? picked : undefined;
}
