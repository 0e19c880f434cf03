/** One frame of a run's stream, whichever of the two envelopes it came in (Mantyx protocol 0.11, section 4). */
import { isRecord, parseJson } from '../shared/json.ts';
import type { TransportIO } from '../transport/agent-transport.ts';
import type { Batch } from '../transport/read-event-stream.ts';
import type { SseMessage } from '../wire/sse.ts';

export interface Frame {
  /** Its place in the run; undefined where the frame says none. */
  readonly seq: number | undefined;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const TERMINAL: readonly string[] = ['result', 'error', 'cancelled'];

/** The first of these ends the run, whatever follows. */
export function isTerminal({ type }: Frame): boolean {
  return TERMINAL.includes(type);
}

/**
 * Messages as frames, up to the end of the run. What is no frame is handed to `onUnknownEvent`, and the stream goes on; whoever
 * reads it leaves it at its end.
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

/** The type in the JSON counts before that of the `event` line, which middleware may strip. */
function readFrame({ data, event, id }: SseMessage): Frame | undefined {
  const json = parseJson(data);
  if (!isRecord(json)) return undefined;
  const type = typeof json.type === 'string' ? json.type : event;
  if (type === undefined) return undefined;
  // No payload of the flat form has a field called `data`.
  const payload = isRecord(json.data) ? json.data : json;
  return { seq: toSeq(json.seq) ?? toSeq(id ? Number(id) : undefined), type, payload };
}

function toSeq(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
