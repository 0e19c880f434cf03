import type { AgentEvent } from '../../core/protocol/events.ts';
import { compact } from '../../shared/json.ts';
import { findCallKey, turnOf } from '../store/call-keys.ts';
import type { SessionRecord } from '../store/session-store.ts';

/** Adds to an acknowledgement how the call was answered, and by whom. `stored` is the record without its secrets. */
export function withAnswer(event: AgentEvent, { calls, execution }: SessionRecord): AgentEvent {
  if (event.type !== 'tool-result-acknowledged' || execution === null) return event;
  const key = findCallKey(calls, turnOf(execution), event.toolCallId);
  const answer = key === undefined ? undefined : calls[key]?.answer;
  if (answer === undefined) return event;
  const { answeredBy, outcome, result, error, reason, files } = answer;
  return compact({ ...event, answeredBy, outcome, result, error, reason, files });
}
