import type { Clock } from '../../shared/clock.ts';
import { isBlank } from '../../shared/is-blank.ts';
import { compact, isRecord, toJsonValue } from '../../shared/json.ts';
import { readReason, readYesOrNo } from '../../shared/tool-outcome.ts';
import { type Conversation, findCall } from '../state/conversation.ts';
import type { ToolCall, ToolCallAnswer } from '../state/tool-call.ts';
import { checkResult } from './check-result.ts';
import type { ChoiceToRemember } from './choice-memory.ts';
import type { InteractiveTool, InteractiveToolDefinition, Settlement, SubmitOptions } from './client-tool.ts';
import { checkEdit, type Edit } from './edit-arguments.ts';
import { outcomes } from './outcomes.ts';
import { shareArguments } from './parse-arguments.ts';
import { redactResult } from './redact-result.ts';

/** A yes to a call whose handler waits for one. */
export interface Yes {
  /** The tool as the person knew it, see `describeTool`. */
  readonly definition: string;
  readonly reason?: string;
  readonly edit?: Edit;
}

/** The ways in which a person moves a waiting call on. */
export interface CallActions {
  /** Answers a call; `tabId` names the tab in which the person answered, if that is another one. */
  settle(key: string, answer: ToolCallAnswer, tabId?: string): Settlement;
  /** Allows the handler of a call to run; `tabId` as for `settle`. */
  approve(key: string, yes: Yes, tabId?: string): Settlement;
  /** Saves what the person has typed so far. */
  saveInput(key: string, input: unknown): void;
}

interface InteractiveToolContext {
  /** Holds the calls: the store of a chat, or an inbox. */
  readonly store: { read(): Pick<Conversation, 'calls'> };
  readonly clock: Clock;
  /** Performs actions on this page, or in the tab that owns the conversation. */
  readonly actions: () => CallActions;
  /** The tool as the person is shown it, see `describeTool`. */
  readonly definition?: string;
  /** Returns true if the question has been shown anew since, such as with another text of its tool. */
  readonly isEarlier?: () => boolean;
}

const SHOWN_ANEW: Settlement = {
  settled: false,
  reason: 'invalid-result',
  issues: [{ message: 'The question was changed while it was open. Read it again' }],
};

const NO_REASON: Settlement = {
  settled: false,
  reason: 'invalid-result',
  issues: [{ message: 'A no to this question needs a reason: say why' }],
};

/**
 * Creates the object by which a dialog, or the app, shows a waiting call and settles it.
 *
 * @param args the arguments as the tool's schema parsed them
 * @param definition what the dialog may know of the tool
 * @param permissions what the person may decide about other calls
 */
export function createInteractiveTool(
  call: ToolCall,
  args: unknown,
  definition: InteractiveToolDefinition | undefined,
  permissions: Pick<InteractiveTool, 'oncePerConversation' | 'remember'>,
  context: InteractiveToolContext,
): InteractiveTool {
  const { key, request, requestedAt, expiresAt, approvalReason, refusal } = call;
  const current = () => findCall(context.store.read(), key);
  const { remember } = permissions;
  let isEdited = false;
  const actions = {
    getSavedInput: () => current()?.savedInput,
    saveInput(input: unknown) {
      const redacted = redactResult(call, definition, input);
      context.actions().saveInput(key, redacted === undefined ? toJsonValue(input) : redacted);
    },
    ...createSettlers(call, args, definition, context, () => {
      isEdited = true;
    }),
    // A yes to other arguments than those of the agent says nothing of the next call.
    ...(remember && {
      remember: async (choice: ChoiceToRemember) => (isEdited ? undefined : remember(choice)),
    }),
  };
  const tool = {
    toolCallId: request.toolCallId,
    toolName: request.toolName,
    args: shareArguments(definition, args) as Record<string, unknown>,
    requestedAt: new Date(requestedAt),
    ...compact({
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
      definition,
      approvalReason,
      originalArgs: request.originalArgs,
      origin: request.origin,
      mayAnswer: request.mayAnswer,
      waitsFor: request.waitsFor,
      refusal,
    }),
    ...permissions,
    ...actions,
  };
  // `status` changes while the tool, as part of a snapshot, does not: it is a getter that spreads and comparisons skip.
  const status = { get: () => current()?.stage ?? 'acknowledged' };
  return Object.freeze(Object.defineProperty(tool, 'status', status)) as unknown as InteractiveTool;
}

/** Creates `submit`, `cancel`, `decline` and `fail`. Each settles the call if it still waits and its time is not over. */
function createSettlers(
  call: ToolCall,
  args: unknown,
  definition: InteractiveToolDefinition | undefined,
  { store, clock, actions, definition: known = '', isEarlier }: InteractiveToolContext,
  onEdited: () => void,
): Pick<InteractiveTool, 'submit' | 'cancel' | 'decline' | 'fail'> {
  const { key } = call;
  const settle = (toAnswer: () => ToolCallAnswer | Settlement): Settlement => {
    const current = findCall(store.read(), key);
    // A person allowed an interrupted call to run again: it is open, but it no longer waits, and that was its answer.
    if (current?.stage !== 'waiting') return toRefusal(current);
    if (current.request.mayAnswer === false) return { settled: false, reason: 'not-allowed' };
    if (current.expiresAt !== undefined && clock.now() >= current.expiresAt) {
      // The machine slept past the deadline, and its timer has not fired yet.
      actions().settle(key, toExpiry(current, current.expiresAt));
      return { settled: false, reason: 'expired' };
    }
    const answer = toAnswer();
    return 'settled' in answer ? answer : actions().settle(key, answer);
  };
  const isMissing = (reason: unknown) => definition?.reason === 'required' && toReason(reason) === undefined;
  const allow = (result: unknown, reason: string | undefined): ToolCallAnswer | Settlement => {
    if (readYesOrNo(result) === false) {
      const why = toReason(readReason({ result })) ?? reason;
      return isMissing(why) ? NO_REASON : outcomes.declined(why, undefined);
    }
    const hasEdit = isRecord(result) && result.editedArgs !== undefined;
    const edit = hasEdit ? checkEdit(call, definition, args, result.editedArgs) : undefined;
    if (edit && 'settled' in edit) return edit;
    const settlement = actions().approve(key, { definition: known, ...compact({ reason, edit }) });
    if (edit && settlement.settled) onEdited();
    return settlement;
  };
  return {
    submit: (result: unknown, { redactedResult, reason: given }: SubmitOptions = {}) =>
      settle(() => {
        if (isEarlier?.()) return SHOWN_ANEW;
        const reason = toReason(given);
        if (call.approvalReason !== undefined) return allow(result, reason);
        const checked = checkResult(call, definition, result, redactedResult);
        return 'settled' in checked ? checked : { ...checked, ...compact({ reason }) };
      }),
    cancel: (reason?: string) => settle(() => outcomes.cancelled(toReason(reason))),
    fail: (error: string) => settle(() => outcomes.failed(error)),
    decline: (reason?: string, details?: Readonly<Record<string, unknown>>) =>
      settle(() => {
        if (isMissing(reason)) return NO_REASON;
        // A no need not fit the answer that was asked for.
        const checked = checkResult(call, undefined, details, redactResult(call, definition, details));
        return 'settled' in checked
          ? checked
          : outcomes.declined(toReason(reason), checked.result, checked.redactedResult);
      }),
  };
}

/** `onClick={tool.cancel}` passes an event, and an empty field a blank text. Neither is a reason. */
function toReason(reason: unknown): string | undefined {
  return typeof reason === 'string' && !isBlank(reason) ? reason : undefined;
}

/**
 * The answer to a call whose time is over. The earlier deadline wins. If it is our `timeoutMs`, the agent gets a timeout; if
 * it is the agent's own deadline, the agent gets nothing.
 */
export function toExpiry({ request, requestedAt }: ToolCall, expiresAt: number): ToolCallAnswer {
  return expiresAt === request.deadline ? outcomes.expired() : outcomes.timedOut(expiresAt - requestedAt);
}

/** Says why a call cannot be settled any more. */
export function toRefusal(call: ToolCall | undefined): Settlement {
  const outcome = call?.answer?.outcome;
  const isLate = outcome === 'expired' || outcome === 'timed-out';
  return { settled: false, reason: isLate ? 'expired' : 'already-settled' };
}
