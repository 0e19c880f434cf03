import type { AgentEvent } from '../../core/protocol/events.ts';
import { compact } from '../../shared/json.ts';
import type { SessionRecord } from '../store/session-store.ts';

/** Adds to an acknowledgement what was answered, and by whom, for readers that did not answer themselves. */
export function withAnswer(event: AgentEvent, { answers = [], execution }: SessionRecord): AgentEvent {
  if (event.type !== 'tool-result-acknowledged') return event;
  const answer = answers.findLast(
    ({ toolCallId, executionId }) => toolCallId === event.toolCallId && executionId === execution?.id,
  );
  if (answer === undefined) return event;
  const { answeredBy, result, error } = answer;
  return compact({ ...event, answeredBy, result, error });
}
