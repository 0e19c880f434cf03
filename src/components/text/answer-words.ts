import type { ToolCallPart, ToolCallStatus } from '../../core/state/message.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import { isRecord } from '../../shared/json.ts';
import type { Answerer } from '../../shared/principal.ts';
import type { ToolOutcome } from '../../shared/tool-outcome.ts';
import type { AnyTool } from '../any-tool.ts';
import type { Labels } from './labels.ts';
import { readOptionList } from './read-options.ts';
import { displayText } from './safe-text.ts';

/** The texts of the buttons that answer a call. */
export interface AnswerVerbs {
  readonly yes: string;
  readonly no: string;
  readonly yesToAll: (count: number) => string;
  /** The text of a card that was answered with yes. */
  readonly saidYes: string;
}

/** Returns the verbs of a question: those of the tool's definition come before the labels. */
export function readVerbs({ approvalReason, definition }: AnyTool, labels: Labels): AnswerVerbs {
  const { confirmLabel, declineLabel } = definition ?? {};
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
        yes: confirmLabel ?? labels.allow,
        no: declineLabel ?? labels.doNotAllow,
        yesToAll: labels.allowAll,
        saidYes: labels.outcomes.allowed,
      };
    case undefined:
      return {
        yes: confirmLabel ?? labels.confirm,
        no: declineLabel ?? labels.decline,
        yesToAll: labels.confirmAll,
        saidYes: labels.outcomes.confirmed,
      };
    default:
      return approvalReason satisfies never;
  }
}

/** The fields of a call that tell how far it is. */
interface ShownCall {
  readonly status?: ToolCallStatus | undefined;
  readonly outcome?: ToolOutcome | undefined;
  readonly args?: unknown;
  readonly result?: unknown;
  /** The person whom the server names. */
  readonly answeredBy?: Answerer | undefined;
  readonly executedBy?: ToolCallPart['executedBy'];
}

/**
 * Says how far a call is, or what the person said: "confirmed", "you chose Express", "declined: too dear", "allowed by Ada". A result
 * that no dialog of the kit makes is "done", because a tool that ran by itself was answered by nobody.
 */
export function describeCall(call: ShownCall, labels: Labels): string {
  const { status = 'done', outcome, args, result, answeredBy } = call;
  const answer = isRecord(result) ? result : {};
  if (answeredBy) return describePerson(call, displayText(answeredBy.name ?? answeredBy.id, 120), labels);
  if (outcome === 'declined' && typeof answer.reason === 'string' && answer.reason !== '') {
    return labels.declinedBecause(displayText(answer.reason, 120));
  }
  if (outcome === 'submitted') {
    if (isConfirmation(answer)) return labels.callStatus.confirmed;
    const picks = readPicks(args, answer);
    if (picks !== undefined) return labels.choseInCall(picks.join(', '));
  }
  return labels.callStatus[outcome ?? status];
}

function describePerson({ outcome, result, executedBy }: ShownCall, name: string, labels: Labels): string {
  const answer = isRecord(result) ? result : {};
  if (outcome === 'declined' || answer.outcome === 'declined') {
    const reason = typeof answer.reason === 'string' && displayText(answer.reason, 120);
    return labels.saidBy.declined(name) + (reason ? `: ${reason}` : '');
  }
  // The result of a call that a person allowed is that of the server.
  const isAllowed = executedBy === 'server' || isConfirmation(answer);
  return isAllowed ? labels.saidBy.allowed(name) : labels.saidBy.answered(name);
}

/** Returns true for what Confirm submits. A handler that returns more than that has confirmed something of its own. */
function isConfirmation({
  confirmed,
  editedArgs: _,
  changedArgs: __,
  remember: ___,
  ...others
}: Record<string, unknown>): boolean {
  return confirmed === true && Object.keys(others).length === 0;
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
