/** Takes a message of the client, which opens an execution, or recognises that it was taken before. */
import type { ErrorEvent } from '../../core/protocol/events.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import type { TriggerRequest } from '../parse-session-request.ts';
import { allowClientTools } from '../runs/client-tools.ts';
import { closeInterrupted, takeBefore, toUserMessage } from '../runs/history.ts';
import { refusal } from '../session-errors.ts';
import { turnOf } from '../store/call-keys.ts';
import { createListSource, type EventSource } from '../store/event-source.ts';
import type { ExecutionRecord, MessageRecord } from '../store/session-store.ts';
import { closeTurn } from './close-turn.ts';
import { handleResume } from './handle-resume.ts';
import { asInterrupted, type RequestContext } from './request-context.ts';

/**
 * A new message: ends the run under way, closes its calls for the agent, opens a new execution. A message that is sent again is no new
 * one: its client reads the execution from the beginning, or restarts it if it ended early.
 */
export async function handleTrigger(context: RequestContext, given: TriggerRequest): Promise<EventSource> {
  const { messages: history, execution: current, receivedKeys } = context.state.getRecord();
  const request = given.repeats ? withTriggerOf(history, given) : given;
  const { idempotencyKey, rewindTo } = request;
  const wasReceived = idempotencyKey !== undefined && receivedKeys?.includes(idempotencyKey) === true;
  if (wasReceived) {
    if (current?.idempotencyKey !== idempotencyKey) return createListSource([alreadyReceived]);
    if (!endedEarly(asInterrupted(context, current)))
      return handleResume(context, { type: 'resume', executionId: current.id, after: 0 });
  }
  if (!wasReceived && !takeBefore(history, rewindTo)) return createListSource([unknownMessage]);
  const clientTools = await allowClientTools(context.settings, request.clientTools ?? []);
  const run = context.live.getRun();
  await run?.end('superseded');
  const record = context.state.getRecord();
  const { messages: before, execution, turns = [] } = record;
  const isRepeat =
    idempotencyKey === undefined ? isRepeated(before, execution, request, run !== null) : wasReceived;
  const closed = isRepeat
    ? { messages: before, calls: closeInterrupted(record, context.settings.tools) }
    : closeTurn(record, 'superseded');
  const messages = isRepeat
    ? before
    : [...(takeBefore(closed.messages, rewindTo) ?? []), toUserMessage(request)];
  const newExecution: ExecutionRecord = {
    id: context.settings.createId(),
    messageId: context.settings.createId(),
    trigger: { name: request.triggerName, input: request.input },
    idempotencyKey,
    state: 'running',
    historyStart: messages.length,
    open: [],
    ran: [],
    lastAnswers: [],
    rounds: 0,
    usage: null,
    partial: null,
    answeredSeq: 0,
    requestStart: 1,
    lastSeq: 0,
    ending: null,
    startedBy: context.principal,
    ...(clientTools.length > 0 && { clientTools }),
    ...(isRepeat && execution && { repeats: turnOf(execution) }),
  };
  const { id: executionId, messageId, startedBy } = newExecution;
  const startedAt = context.settings.clock.now();
  const at = (isRepeat ? turns.at(-1)?.at : undefined) ?? messages.length;
  await context.state.save({
    messages,
    calls: closed.calls,
    newExecution,
    newTurn: { at, messageId, executionId, startedAt, startedBy },
  });
  return context.startRequest([], 0, []);
}

/**
 * The client that repeats a message may know only what the message shows. When this request is itself sent again, the message has its key
 * already.
 */
function withTriggerOf(messages: readonly MessageRecord[], request: TriggerRequest): TriggerRequest {
  const keys = [request.idempotencyKey, request.rewindTo];
  const sent = messages.find(
    (message) => message.role === 'user' && message.id !== undefined && keys.includes(message.id),
  );
  return sent?.role === 'user' ? { ...request, triggerName: sent.trigger, input: sent.input } : request;
}

/** Returns true for an execution that a message sent again restarts. */
function endedEarly(execution: ExecutionRecord | null): boolean {
  return execution !== null && ['interrupted', 'failed', 'stopped'].includes(execution.state);
}

/**
 * For clients that send no keys: returns true if the message repeats the one of a turn that failed or was interrupted. The history has
 * that message already, with the calls of its turn and their results, and the agent continues from there. If the message itself ended a
 * run in the middle of its text, it is a new message: the person may mean to say the same again.
 */
function isRepeated(
  messages: readonly MessageRecord[],
  execution: ExecutionRecord | null,
  { triggerName, input }: TriggerRequest,
  wasLive: boolean,
): boolean {
  if (execution === null) return false;
  const { state, trigger } = execution;
  const isUnfinished = ['running', 'interrupted', 'failed'].includes(state);
  const last = messages.at(-1);
  const wasSpeaking = last?.role === 'assistant' && last.calls === undefined;
  return (
    (isUnfinished || (wasLive && state === 'stopped' && !wasSpeaking)) &&
    deepEqual([triggerName, input], [trigger.name, trigger.input])
  );
}

const alreadyReceived: ErrorEvent = refusal(
  'already_received',
  'This message was received before, and a later message took its place. Nothing was changed.',
);

const unknownMessage: ErrorEvent = refusal(
  'unknown_message',
  'rewindTo names no message of this conversation, or one that was sent without an idempotencyKey. Nothing was changed.',
);
