import type { TransportIO } from '../../core/transport/agent-transport.ts';
import type { Batch } from '../../core/transport/read-event-stream.ts';
import type { SseMessage } from '../../core/wire/sse.ts';
import { isRecord, parseJson } from '../../shared/json.ts';
import type { AgUiEvent } from './messages.ts';

/** These keys may be null themselves. In any other key, null means absent. */
const NULLABLE = ['snapshot', 'value', 'delta', 'event'];

/** Decodes messages of the event stream to events. One that is no event goes to `onUnknownEvent`. */
export function decodeEvents(messages: readonly SseMessage[], io: TransportIO): Batch<AgUiEvent> {
  const events: AgUiEvent[] = [];
  for (const { data } of messages) {
    const event = parseJson(data);
    if (isRecord(event) && typeof event.type === 'string') events.push(withoutNull(event) as AgUiEvent);
    else io.onUnknownEvent(data);
  }
  return { events };
}

function withoutNull(event: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  // Nearly every event is a delta without null, which is not copied.
  if (!Object.values(event).includes(null)) return event;
  const entries = Object.entries(event).filter(([key, value]) => value !== null || NULLABLE.includes(key));
  return Object.fromEntries(entries);
}
