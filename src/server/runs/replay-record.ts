/** Replays an ended execution from its record, for clients that resume it after its log is gone. */
import type { AgentEvent, ErrorEvent, NoticeEvent } from '../../core/protocol/events.ts';
import type { AgentMessage } from '../agent.ts';
import type { ResumeRequest } from '../parse-session-request.ts';
import { sessionError } from '../session-errors.ts';
import type { ExecutionRecord } from '../store/session-store.ts';
import { lastEntries, toOutputEvent } from './last-events.ts';
import { withCursor } from './run-source.ts';

/**
 * The events of an ended execution whose log is gone. A client that has no event of it, or none of its last request, gets the history. For
 * another client, an open question or a failure is sent again, after a notice that events are missing. A finished turn is refused
 * instead: the client must not take an incomplete text for a complete one.
 */
export function replayRecord(
  execution: ExecutionRecord,
  messages: readonly AgentMessage[],
  request: ResumeRequest,
): AgentEvent[] {
  const last = lastEntries(execution);
  const events = last.filter(({ seq }) => seq > request.after).map(withCursor);
  if (request.after === 0) return [...replayHistory(messages, execution), ...events];
  if (request.after >= execution.lastSeq - last.length) return events;
  if (execution.state !== 'done')
    return events.length > 0 ? [eventsLost, ...events] : [cursorExpired(request)];
  const { answeredAt, requestStart, idempotencyKey } = execution;
  // The client has the events up to its answers, and at most the `start` of the request that they opened.
  if (request.after === answeredAt || request.after === requestStart)
    return [...replayHistory(messages, execution, findLastRequest(messages, execution)), ...events];
  // A message that is sent again under its key is read from the beginning. Without a key it would be a new message.
  return [{ ...cursorExpired(request), retryable: idempotencyKey !== undefined }];
}

/** The events of an execution as the history has them, from a message on: one text per step, its calls and their answers. */
function replayHistory(
  messages: readonly AgentMessage[],
  { id: executionId, messageId, historyStart }: ExecutionRecord,
  from = historyStart,
): AgentEvent[] {
  const steps = messages.flatMap((message, index) =>
    index < from ? [] : toEvents(message, `step-${index - historyStart}`),
  );
  return [{ type: 'start', messageId, executionId }, ...steps];
}

/** Returns the index of the first message after the last answers of the client, or of the first of the execution if there are none. */
function findLastRequest(
  messages: readonly AgentMessage[],
  { historyStart, lastAnswers }: ExecutionRecord,
): number {
  const answers = new Set(lastAnswers.map(({ toolCallId }) => toolCallId));
  if (answers.size === 0) return historyStart;
  const answer = messages.findLastIndex(
    (message) => message.role === 'tool' && answers.has(message.toolCallId),
  );
  // The results of server tools that the client has already may follow its answers.
  const next = messages.findIndex((message, index) => index > answer && message.role !== 'tool');
  return next < 0 ? messages.length : next;
}

function toEvents(message: AgentMessage, id: string): AgentEvent[] {
  switch (message.role) {
    case 'user':
      return [];
    case 'assistant': {
      const text: AgentEvent[] = [
        { type: 'text-start', id },
        { type: 'text-delta', id, delta: message.content },
        { type: 'text-end', id },
      ];
      const calls = (message.toolCalls ?? []).map(
        ({ toolCallId, toolName, args }): AgentEvent => ({
          type: 'tool-input-available',
          toolCallId,
          toolName,
          input: args,
        }),
      );
      return message.content === '' ? calls : [...text, ...calls];
    }
    case 'tool':
      return [toOutputEvent(message)];
    default:
      return message satisfies never;
  }
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
