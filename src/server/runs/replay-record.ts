/** Replays an ended execution from its record, for clients that resume it after its log is gone. */
import type { AgentEvent, ErrorEvent, NoticeEvent } from '../../core/protocol/events.ts';
import { compact } from '../../shared/json.ts';
import type { ResumeRequest } from '../parse-session-request.ts';
import { sessionError } from '../session-errors.ts';
import { getCalls } from '../store/call-keys.ts';
import { allowedArguments, type CallRecord, resultOf, toToolResult } from '../store/call-record.ts';
import type { SessionRecord } from '../store/session-store.ts';
import { type ExecutedRecord, lastEntries, toOutputEvent } from './last-events.ts';
import { withCursor } from './run-source.ts';

/**
 * The events of an ended execution whose log is gone. A client that has no event of it, or none of its last request, gets the history. For
 * another client, an open question or a failure is sent again, after a notice that events are missing. A finished turn is refused
 * instead: the client must not take an incomplete text for a complete one.
 */
export function replayRecord(record: ExecutedRecord & SessionRecord, request: ResumeRequest): AgentEvent[] {
  const { execution } = record;
  const last = lastEntries(record);
  const events = last.filter(({ seq }) => seq > request.after).map(withCursor);
  if (request.after === 0) return [...replayHistory(record, execution.historyStart), ...events];
  if (request.after >= execution.lastSeq - last.length) return events;
  if (execution.state !== 'done')
    return events.length > 0 ? [eventsLost, ...events] : [cursorExpired(request)];
  const { answeredSeq, requestStart, idempotencyKey } = execution;
  // The client has the events up to its answers, and at most the `start` of the request that they opened.
  if (request.after === answeredSeq || request.after === requestStart)
    return [...replayHistory(record, findLastRequest(record)), ...events];
  // A message that is sent again under its key is read from the beginning. Without a key it would be a new message.
  return [{ ...cursorExpired(request), retryable: idempotencyKey !== undefined }];
}

/** The events of an execution as the history has them, from a message on: one text per step, its calls and their results. */
function replayHistory(
  { messages, calls, execution }: ExecutedRecord & SessionRecord,
  from: number,
): AgentEvent[] {
  const { id: executionId, messageId, historyStart } = execution;
  const answered = execution.lastAnswers.map((key) => calls[key]?.askedBy ?? key);
  const steps = messages.flatMap((message, index): AgentEvent[] => {
    if (message.role === 'user' || index < from - 1) return [];
    const keys = message.calls ?? [];
    // The client knows the calls before the last request. The outputs of those that people have allowed came in it.
    if (index < from) {
      const allowed = getCalls(
        calls,
        keys.filter((key) => answered.includes(key)),
      );
      return toOutputs(allowed.filter(({ executedBy }) => executedBy === 'server'));
    }
    const ofMessage = getCalls(calls, keys);
    const text = toText(message.content, `step-${index - historyStart}`);
    return [...text, ...ofMessage.map(toInputEvent), ...toOutputs(ofMessage)];
  });
  return [{ type: 'start', messageId, executionId }, ...steps];
}

function toOutputs(calls: readonly CallRecord[]): AgentEvent[] {
  return calls.flatMap((call) => (resultOf(call) ? [toOutputEvent(toToolResult(call))] : []));
}

/** Returns the index of the first message after the last answers of the client, or of the first of the execution if there are none. */
function findLastRequest({ messages, calls, execution }: ExecutedRecord & SessionRecord): number {
  const { historyStart, lastAnswers } = execution;
  const answered = lastAnswers.map((key) => calls[key]?.askedBy ?? key);
  const index = messages.findLastIndex(
    (message) => message.role === 'assistant' && message.calls?.some((key) => answered.includes(key)),
  );
  return index < 0 ? historyStart : index + 1;
}

function toText(content: string, id: string): AgentEvent[] {
  if (content === '') return [];
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: content },
    { type: 'text-end', id },
  ];
}

function toInputEvent(call: CallRecord): AgentEvent {
  const { toolCallId, toolName, question, title } = call;
  return compact({
    type: 'tool-input-available' as const,
    ...{ toolCallId, toolName, title: question?.title ?? title, input: allowedArguments(call) },
  });
}

/** The refusal to replay events that were dropped. */
export function cursorExpired({ after, executionId }: ResumeRequest): ErrorEvent {
  const message = `The events after cursor '${after}' of execution '${executionId}' were dropped. Send the message again to read its whole answer, or send another message.`;
  return sessionError('cursor_expired', 'not_found_error', message);
}

const eventsLost: NoticeEvent = {
  type: 'notice',
  code: 'events_lost',
  text: 'Some of what was said before this could not be read again.',
};
