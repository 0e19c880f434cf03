/** Changes the calls of a turn, and their parts in the message. */

import { deepEqual } from '../../shared/deep-equal.ts';
import { compact, deepFreeze } from '../../shared/json.ts';
import { isGivenByPerson, readEditedArgs, readOutcome, readReason } from '../../shared/tool-outcome.ts';
import type { AgentEvent, ToolResultAcknowledgedEvent } from '../protocol/events.ts';
import { type Conversation, type ConversationAction, findCall } from './conversation.ts';
import { deliveryOf } from './delivery.ts';
import type { ToolCallPart, ToolProgress } from './message.ts';
import {
  isOpen,
  partStatusOf,
  type ToolCall,
  type ToolCallAnswer,
  toolCallKey,
  visibleResult,
} from './tool-call.ts';
import { updateTool, updateWrittenTool } from './write-tool-parts.ts';

/** A call settles once; its part shows how. */
export function settleCall(state: Conversation, key: string, answer: ToolCallAnswer): Conversation {
  const call = findCall(state, key);
  if (call === undefined || !isOpen(call)) return state;
  const isAsked = call.stage === 'waiting' && isGivenByPerson(answer.outcome);
  const byPerson = isAsked && { byPerson: true as const };
  return answerCall(state, { ...call, stage: 'settled', ...byPerson }, answer);
}

type Action<Type> = Extract<ConversationAction, { type: Type }>;

/** The first call of a tool that this person may answer gets the input that was kept of an earlier one. */
export function waitForPerson(
  state: Conversation,
  { key, expiresAt, approvalReason }: Action<'call-waiting'>,
): Conversation {
  const { keptInputs = [] } = state;
  const { request, savedInput: typed } = findCall(state, key) ?? {};
  const kept =
    typed === undefined && request?.mayAnswer !== false
      ? keptInputs.find(({ toolName }) => toolName === request?.toolName)
      : undefined;
  const waiting = updateCall(state, key, (call) => ({
    ...call,
    stage: 'waiting',
    ...compact({ expiresAt, approvalReason, savedInput: kept?.input }),
  }));
  const call = findCall(waiting, key);
  // Its part may show corrected arguments whose secret is gone, and with it the correction.
  const next = call && approvalReason === 'interrupted' ? askAgain(waiting, call) : waiting;
  return kept ? { ...next, keptInputs: keptInputs.filter((other) => other !== kept) } : next;
}

export function keepInput(state: Conversation, key: string): Conversation {
  const { request, savedInput: input } = findCall(state, key) ?? {};
  if (request === undefined || input === undefined) return state;
  const { toolName } = request;
  return { ...state, keptInputs: [...(state.keptInputs ?? []), { toolName, input }] };
}

export function runCall(
  state: Conversation,
  { key, approval, editedArgs, redactedArgs }: Action<'call-running'>,
): Conversation {
  const call = findCall(state, key);
  if (call === undefined) return state;
  const { args, originalArgs = args } = call.request;
  const request = editedArgs ? { ...call.request, args: deepFreeze(editedArgs), originalArgs } : call.request;
  const edit = editedArgs && { redactedArgs: redactedArgs && deepFreeze(redactedArgs) };
  const running: ToolCall = { ...call, request, ...edit, stage: 'running', ...compact({ approval }) };
  const next = editedArgs
    ? putCall(state, running, { status: 'running' })
    : updateCall(state, key, () => running);
  const { by, definition } = approval ?? {};
  // A yes to other arguments than those of the agent says nothing of the next call.
  const isGeneral = by === 'person' && request.originalArgs === undefined;
  if (!isGeneral || definition === undefined || next.allowedTools.includes(definition)) return next;
  return { ...next, allowedTools: [...next.allowedTools, definition] };
}

/** Its part shows how far the handler of a running call is. */
export function reportProgress(state: Conversation, key: string, progress: ToolProgress): Conversation {
  const call = findCall(state, key);
  const { streamingMessage } = state;
  if (call?.stage !== 'running' || !streamingMessage) return state;
  const { toolCallId } = call.request;
  const update = (part: ToolCallPart): ToolCallPart => ({ ...part, progress });
  return { ...state, streamingMessage: updateTool(streamingMessage, toolCallId, update) };
}

/** An answer that came too late does not count: the part shows that the call expired, or the answer that came first. */
export function acknowledgeCall(state: Conversation, event: ToolResultAcknowledgedEvent): Conversation {
  const { toolCallId, status, answeredBy } = event;
  const key = toolCallKey(state.executionId ?? '', toolCallId);
  const next = advanceCalls(state, [key], 'acknowledged');
  const call = findCall(next, key);
  if (call === undefined) return state;
  const given = toGivenAnswer(event, findCall(state, key) ?? call);
  const overruled = call.byPerson && !isOwnAnswer(event, call) && { overruled: true as const };
  if (given)
    return answerCall(
      next,
      { ...call, stage: 'acknowledged', ...compact({ answeredBy }), ...overruled },
      given,
    );
  const isDropped = status === 'expired' && call.answer && call.answer.outcome !== 'expired';
  return isDropped ? answerCall(next, { ...call, ...overruled }, { outcome: 'expired' }) : next;
}

/**
 * Returns the answer that the event carries, unless it is the one that this client gave: that one has its secrets. A server of before 0.2
 * sends no outcome, and names the person only where it is another client that answered.
 *
 * @param call as it was before. An answer of this client that the backend has taken is its own, whoever the event names: the next request of
 * the run acknowledges the answers that were sent before the last one once more
 */
function toGivenAnswer(event: ToolResultAcknowledgedEvent, call: ToolCall): ToolCallAnswer | undefined {
  const { answeredBy, error, files } = event;
  const isOwn = isOwnAnswer(event, call);
  const isTaken = call.stage === 'acknowledged' && call.answeredBy === undefined;
  const namesOther = answeredBy !== undefined && !(isOwn && isTaken);
  if (!namesOther && (event.outcome === undefined || isOwn)) return undefined;
  const from = call.request.executedBy === 'server' ? 'approval' : 'person';
  // Such a server reads the earlier form of a no as one. What it cannot have taken for an answer is over all the same.
  const outcome = readOutcome(event, { from, allows: () => false }) ?? 'expired';
  const result = error === undefined ? deepFreeze(event.result) : undefined;
  return compact({ outcome, result, error, reason: readReason(event, outcome), files });
}

function isOwnAnswer({ outcome, status }: ToolResultAcknowledgedEvent, { answer }: ToolCall): boolean {
  return outcome === answer?.outcome && (status !== 'expired' || outcome === 'expired');
}

/** Its part shows this answer alone, whatever it showed before. */
function answerCall(state: Conversation, call: ToolCall, answer: ToolCallAnswer): Conversation {
  const { outcome, error, reason, files } = answer;
  const { executedBy = 'client' } = call.request;
  // The output of a call that a person allowed is still to come.
  const isAllowed = executedBy === 'server' && outcome === 'submitted';
  return putCall(
    state,
    { ...call, answer },
    {
      ...compact({ result: visibleResult(answer), error, reason, files }),
      status: isAllowed ? 'running' : partStatusOf(outcome),
      outcome,
      executedBy,
      ...(call.answeredBy && { answeredBy: call.answeredBy }),
    },
  );
}

/**
 * The parts of calls that are asked for again show what this page knows of the calls: a response that begins anew wrote the parts anew. A
 * call keeps the arguments with which it was asked first, because a person may be looking at them.
 */
export function showKnownCalls(state: Conversation, event: AgentEvent): Conversation {
  if (event.type !== 'client-tool-request' && event.type !== 'tool-input-available') return state;
  const again = event.type === 'client-tool-request' ? event.toolCalls : [event];
  return again.reduce((shown, { toolCallId }) => {
    const call = findCall(shown, toolCallKey(shown.executionId ?? '', toolCallId));
    if (call === undefined) return shown;
    if (isOpen(call)) return putCall(shown, call, { status: 'running' });
    return call.answer && event.type === 'client-tool-request' ? answerCall(shown, call, call.answer) : shown;
  }, state);
}

/** A call that had its outcome is open again, and so is its part. */
export function askAgain(state: Conversation, call: ToolCall): Conversation {
  return putCall(state, call, { status: 'running' });
}

/** Replaces a call, and sets the new status of its part. */
function putCall(
  state: Conversation,
  call: ToolCall,
  end: Pick<ToolCallPart, 'status'> &
    Partial<
      Pick<ToolCallPart, 'outcome' | 'result' | 'error' | 'reason' | 'files' | 'executedBy' | 'answeredBy'>
    >,
): Conversation {
  const next = updateCall(state, call.key, () => call);
  const { streamingMessage, messages } = next;
  const { toolCallId } = call.request;
  const delivery = deliveryOf(call, state);
  const update = ({
    outcome: _,
    result: __,
    error: ___,
    reason: ____,
    originalArgs: _____,
    progress: ______,
    files: _______,
    delivery: ________,
    ...part
  }: ToolCallPart): ToolCallPart => ({
    ...part,
    ...toShownArguments(call),
    ...end,
    ...(delivery && { delivery }),
  });
  if (streamingMessage)
    return { ...next, streamingMessage: updateTool(streamingMessage, toolCallId, update) };
  // The turn of the call has ended, so its message is the last one.
  const message = messages.at(-1);
  if (message === undefined) return next;
  const updated = updateWrittenTool(message, toolCallId, update);
  return { ...next, messages: Object.freeze(messages.with(-1, updated)) };
}

/** What runs: the arguments as a person changed them, beside those of the agent. A call that is open again has its first ones. */
export function toShownArguments({
  request: { originalArgs, ...request },
  redactedArgs: args = request.args,
  answer,
}: ToolCall): Pick<ToolCallPart, 'args' | 'originalArgs'> {
  const edited = answer?.outcome === 'submitted' && readEditedArgs(visibleResult(answer));
  return edited && !deepEqual(edited, args)
    ? { args: edited, originalArgs: originalArgs ?? args }
    : compact({ args, originalArgs });
}

/** The same conversation where there is no such call, or nothing changes. */
export function updateCall(
  state: Conversation,
  key: string,
  update: (call: ToolCall) => ToolCall,
): Conversation {
  const position = state.calls.findLastIndex((call) => call.key === key);
  const call = state.calls[position];
  if (call === undefined) return state;
  const next = update(call);
  return next === call ? state : { ...state, calls: state.calls.with(position, next) };
}

/** Moves answers on: they were lost, delivered or acknowledged. */
export function advanceCalls(
  state: Conversation,
  keys: readonly string[],
  stage: 'settled' | 'delivered' | 'acknowledged',
): Conversation {
  return keys.reduce(
    (moved, key) =>
      updateCall(moved, key, (call) =>
        isOpen(call) || (stage !== 'settled' && call.stage === 'acknowledged')
          ? call
          : { ...call, stage, ...(stage === 'delivered' ? { sent: true } : {}) },
      ),
    state,
  );
}
