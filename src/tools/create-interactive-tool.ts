import type { ChatActions } from '../chat/chat-actions.ts';
import type { Clock } from '../shared/clock.ts';
import { compact, toJsonValue } from '../shared/json.ts';
import { findCall } from '../state/conversation.ts';
import type { ToolCall, ToolCallAnswer } from '../state/tool-call.ts';
import type { ChatStore } from '../store/chat-store.ts';
import { checkResult } from './check-result.ts';
import type { InteractiveTool, InteractiveToolDefinition, Settlement, SubmitOptions } from './client-tool.ts';
import { answers } from './outcomes.ts';
import { rulesOf } from './tool-rules.ts';

interface InteractiveToolContext {
  readonly store: ChatStore;
  readonly clock: Clock;
  /** Who settles calls right now: this page, or the tab that runs the conversation. */
  readonly actions: () => ChatActions;
}

/**
 * What a person settles a call with.
 *
 * @param args as the tool's schema makes them
 */
export function createInteractiveTool(
  call: ToolCall,
  args: unknown,
  definition: InteractiveToolDefinition | undefined,
  permissions: Pick<InteractiveTool, 'oncePerConversation' | 'remember'> | undefined,
  { store, clock, actions }: InteractiveToolContext,
): InteractiveTool {
  const { key } = call;
  const current = () => findCall(store.read(), key);

  const answer = (make: () => ToolCallAnswer | Settlement): Settlement => {
    const open = current();
    // A call that is open but does not wait any more was told to run again: that was its answer.
    if (open?.stage !== 'waiting') return refuseSettled(open);
    if (open.expiresAt !== undefined && clock.now() >= open.expiresAt) {
      // The machine slept past the deadline and its timer has not fired yet.
      actions().settle(key, expiryOf(open, open.expiresAt));
      return { settled: false, reason: 'expired' };
    }
    const made = make();
    return 'settled' in made ? made : actions().settle(key, made);
  };

  const tool = {
    toolCallId: call.request.toolCallId,
    toolName: call.request.toolName,
    args: args as Record<string, unknown>,
    requestedAt: new Date(call.requestedAt),
    ...compact({
      expiresAt: call.expiresAt === undefined ? undefined : new Date(call.expiresAt),
      definition,
      approvalReason: call.approvalReason,
    }),
    ...permissions,
    getSavedInput: () => current()?.savedInput,
    saveInput(draft: unknown) {
      const shown = rulesOf(definition).shownResult(call, definition, draft);
      actions().saveInput(key, shown === undefined ? toJsonValue(draft) : shown);
    },
    submit: (result: unknown, { redactedResult }: SubmitOptions = {}) =>
      answer(() => {
        if (call.approvalReason !== undefined) {
          actions().approve(key);
          return { settled: true };
        }
        return checkResult(call, definition, result, redactedResult);
      }),
    cancel: (reason?: string) => answer(() => answers.cancelled(toReason(reason))),
    decline: (reason?: string, details?: Readonly<Record<string, unknown>>) =>
      answer(() => {
        const checked = checkResult(call, undefined, details);
        return 'settled' in checked ? checked : answers.declined(toReason(reason), checked.result);
      }),
  };
  // Not among what is listed and compared: the tool is part of a snapshot, which never changes.
  const status = { get: () => current()?.stage ?? 'acknowledged' };
  return Object.freeze(Object.defineProperty(tool, 'status', status)) as InteractiveTool;
}

/** `onClick={tool.cancel}` hands over an event, an empty field a blank text; neither is a reason. */
function toReason(reason: unknown): string | undefined {
  return typeof reason === 'string' && reason.trim() ? reason : undefined;
}

/** The earlier limit counts: ours is told to the agent, its own it knows. */
export function expiryOf({ request, requestedAt }: ToolCall, expiresAt: number): ToolCallAnswer {
  return expiresAt === request.deadline ? answers.expired() : answers.timedOut(expiresAt - requestedAt);
}

/** Why a call cannot be settled any more. */
export function refuseSettled(call: ToolCall | undefined): Settlement {
  const outcome = call?.answer?.outcome;
  const isLate = outcome === 'expired' || outcome === 'timed-out';
  return { settled: false, reason: isLate ? 'expired' : 'already-settled' };
}
