/**
 * Removes secrets from everything that leaves the page for a storage or for another tab.
 *
 * The rule for an answer that was kept so: it is never delivered with holes. If it had not been sent it is asked for again;
 * if it may have been on its way, the run is asked where the backend can be (and the person only when the run still
 * waits), else the person is asked again at once, and the backend takes whichever answer came first.
 */
import type { OpenCommand, RespondCommand, TriggerCommand } from '../protocol/commands.ts';
import { type Conversation, type ConversationChange, findCall } from '../state/conversation.ts';
import { type CallApproval, type ToolCall, type ToolCallAnswer, toolCallKey } from '../state/tool-call.ts';

/** The calls as they may be kept. */
export function redactCall(call: ToolCall): ToolCall {
  const kept = withoutSecretEdit(call);
  return kept.answer === undefined ? kept : { ...kept, answer: redactAnswer(kept.answer) };
}

/** The arguments are those of the agent again. The yes was about others, so that no page runs the handler by it. */
function withoutSecretEdit({ redactedArgs, ...call }: ToolCall): ToolCall {
  if (redactedArgs === undefined) return call;
  const { originalArgs, ...request } = call.request;
  return {
    ...call,
    request: { ...request, args: originalArgs ?? redactedArgs },
    ...(call.approval && { approval: withoutDefinition(call.approval) }),
  };
}

function withoutDefinition({ definition: _, ...approval }: CallApproval): CallApproval {
  return approval;
}

/** The latest request as it may be kept. */
export function redactRequest(
  request: TriggerCommand | RespondCommand | OpenCommand,
  state: Conversation,
): TriggerCommand | RespondCommand | OpenCommand {
  if (request.type !== 'respond') return request;
  const answers = request.answers.map((sent) => {
    const answer = findCall(state, toolCallKey(request.executionId, sent.toolCallId))?.answer;
    return answer !== undefined && 'redactedResult' in answer
      ? { ...sent, result: answer.redactedResult }
      : sent;
  });
  return { ...request, answers };
}

/** A change as it may be told to another tab. */
export function redactChange(change: ConversationChange, state: Conversation): ConversationChange {
  switch (change.type) {
    case 'call-settled':
      return { ...change, answer: redactAnswer(change.answer) };
    case 'call-running':
      return change.redactedArgs === undefined
        ? change
        : {
            ...change,
            editedArgs: change.redactedArgs,
            approval: change.approval && withoutDefinition(change.approval),
          };
    case 'request-sent':
      return { ...change, command: redactRequest(change.command, state) };
    default:
      return change;
  }
}

function redactAnswer(answer: ToolCallAnswer): ToolCallAnswer {
  if (!('redactedResult' in answer)) return answer;
  const { result: _, ...kept } = answer;
  return kept;
}
