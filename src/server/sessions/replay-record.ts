/** Replays an ended execution from its record, for clients that resume it after its log is gone. */
import type { AgentEvent, ErrorEvent, NoticeEvent } from '../../protocol/events.ts';
import type { AgentMessage } from '../agent.ts';
import { lastEntries, toOutputEvent } from './last-events.ts';
import type { ResumeRequest } from './parse-session-request.ts';
import { withCursor } from './run-source.ts';
import { sessionError } from './session-errors.ts';
import type { ExecutionRecord } from './session-store.ts';

/**
 * The events of an ended execution whose log is gone. A client that has no event of it gets the history. For another client, an open
 * question or a failure is sent again, after a notice that events are missing. A finished turn is refused instead: the client must not
 * take an incomplete text for a complete one.
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
  const isSentAgain = events.length > 0 && execution.state !== 'done';
  return isSentAgain ? [eventsLost, ...events] : [cursorExpired(request)];
}

/** The events of an execution as the history has them: one text per step, its calls and their answers. */
function replayHistory(messages: readonly AgentMessage[], execution: ExecutionRecord): AgentEvent[] {
  const { id: executionId, messageId, historyStart } = execution;
  const steps = messages.slice(historyStart).flatMap((message, index) => toEvents(message, `step-${index}`));
  return [{ type: 'start', messageId, executionId }, ...steps];
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
  const message = `The events after cursor '${after}' of execution '${executionId}' were dropped. Send a message to continue.`;
  return sessionError('cursor_expired', 'not_found_error', message);
}

const eventsLost: NoticeEvent = {
  type: 'notice',
  code: 'events_lost',
  text: 'Some of what was said before this could not be read again.',
};
