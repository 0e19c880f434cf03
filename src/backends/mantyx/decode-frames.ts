/** Decodes the frames of a run's stream, which have one of two envelopes (Mantyx protocol 0.11, section 4). */

import type { TransportIO } from '../../core/transport/agent-transport.ts';
import type { Batch } from '../../core/transport/read-event-stream.ts';
import type { SseMessage } from '../../core/wire/sse.ts';
import { isRecord, parseJson } from '../../shared/json.ts';

export interface Frame {
  /** Sequence number in the run; undefined if the frame has none. */
  readonly seq: number | undefined;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const TERMINAL: readonly string[] = ['result', 'error', 'cancelled'];

/** Returns true if the frame ends the run; later frames are ignored. */
export function isTerminal({ type }: Frame): boolean {
  return TERMINAL.includes(type);
}

/**
 * Decodes messages to frames, up to the end of the run. Passes an invalid frame to `onUnknownEvent` and continues. The caller
 * stops reading after a terminal frame.
 */
export function decodeFrames(messages: readonly SseMessage[], io: TransportIO): Batch<Frame> {
  const events: Frame[] = [];
  for (const message of messages) {
    const frame = readFrame(message);
    if (frame === undefined) {
      io.onUnknownEvent(message.data);
      continue;
    }
    events.push(frame);
    if (isTerminal(frame)) break;
  }
  return { events };
}

/** Prefers the type in the JSON to that of the `event` line, which middleware may strip. */
function readFrame({ data, event, id }: SseMessage): Frame | undefined {
  const json = parseJson(data);
  if (!isRecord(json)) return undefined;
  const type = typeof json.type === 'string' ? json.type : event;
  if (type === undefined) return undefined;
  // In the flat envelope the JSON itself is the payload, and no payload has a field called `data`.
  const payload = isRecord(json.data) ? json.data : json;
  return { seq: toSeq(json.seq) ?? toSeq(id ? Number(id) : undefined), type, payload };
}

function toSeq(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
