import type { TransportIO } from '../../core/transport/agent-transport.ts';
import type { Batch } from '../../core/transport/read-event-stream.ts';
import type { SseMessage } from '../../core/wire/sse.ts';
import { isRecord, parseJson } from '../../shared/json.ts';
import type { AiSdkChunk } from './ui-message.ts';

/** The end of a response. It is complete without a `finish` as well. */
export const DONE: AiSdkChunk = { type: 'done' };

/** Decodes messages of the event stream to chunks. One that is no chunk goes to `onUnknownEvent`. */
export function decodeChunks(messages: readonly SseMessage[], io: TransportIO): Batch<AiSdkChunk> {
  const events: AiSdkChunk[] = [];
  for (const { data } of messages) {
    if (data === '[DONE]') return { events: [...events, DONE], ended: true };
    const chunk = toChunk(parseJson(data));
    if (chunk === undefined) io.onUnknownEvent(data);
    else events.push(chunk);
  }
  return { events };
}

/** Returns a value as a chunk, or undefined if it is none. */
export function toChunk(value: unknown): AiSdkChunk | undefined {
  return isRecord(value) && typeof value.type === 'string' ? (withoutNull(value) as AiSdkChunk) : undefined;
}

/** Null in an optional key means that the key is absent. These keys may be null themselves. */
const NULLABLE = ['input', 'output', 'data', 'inputSchemaInput'];

function withoutNull(chunk: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  // Nearly every chunk is a delta without null, which is not copied.
  if (!Object.values(chunk).includes(null)) return chunk;
  const entries = Object.entries(chunk).filter(([key, value]) => value !== null || NULLABLE.includes(key));
  return Object.fromEntries(entries);
}
