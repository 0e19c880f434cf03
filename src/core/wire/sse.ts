/**
 * Turns bytes into messages by the WHATWG rules for server-sent events ("Parsing an event stream"), with `eventsource-parser`. It
 * implements: one optional space after the colon, several `data` lines joined by a line feed, comments, CR, LF and CRLF. An event
 * without its closing blank line is discarded. The decoder removes one leading byte order mark.
 */
import { createParser } from 'eventsource-parser';
import { invalidResponse } from '../../shared/errors.ts';

/** One message of the stream. */
export interface SseMessage {
  readonly data: string;
  /** The `event` field. Undefined for the default type, `message`. */
  readonly event?: string | undefined;
  /** The `id` field of this message, if it has one. Empty when the server resets the position. */
  readonly id?: string | undefined;
}

export interface SseReader {
  /**
   * Takes the next bytes and returns the messages that they complete, in order.
   *
   * @throws AgentChatError `invalid_response` when one line or event exceeds the cap. The complete messages of the same bytes are lost, and
   * the reader cannot be used any more.
   */
  feed(bytes: Uint8Array): readonly SseMessage[];
}

export interface SseOptions {
  /** Maximum characters of an unfinished line or event. Default 16 Mi (16,777,216). */
  readonly maxEventLength?: number;
  /** Called for each `: heartbeat` comment. */
  readonly onHeartbeat?: () => void;
}

const MAX_EVENT_LENGTH = 16 * 1024 * 1024;

/** Makes a reader of one event stream. */
export function createSseReader({
  maxEventLength = MAX_EVENT_LENGTH,
  onHeartbeat,
}: SseOptions = {}): SseReader {
  // TextDecoder removes the byte order mark. `eventsource-parser` looks for its three bytes as characters and would not find it.
  const decoder = new TextDecoder();
  let messages: SseMessage[] = [];
  /** The parser waits for the byte after a CR, which may be the LF of the same line end. */
  let endedWithCR = false;

  const parser = createParser({
    maxBufferSize: maxEventLength,
    onEvent: (message) => {
      messages.push(message);
    },
    onComment: (comment) => {
      if (comment === 'heartbeat') onHeartbeat?.();
    },
    onError: (error) => {
      // By the specification, unknown fields and bad `retry` values are ignored.
      if (error.type !== 'max-buffer-size-exceeded') return;
      throw invalidResponse(
        `An event of more than ${maxEventLength} characters is too large. Send less.`,
        error,
      );
    },
  });

  return {
    feed(bytes) {
      messages = [];
      let text = decoder.decode(bytes, { stream: true });
      if (text === '') return messages;
      if (endedWithCR && text[0] === '\n') text = text.slice(1);
      endedWithCR = text.endsWith('\r');
      // A CR ends the line, so an event that it closes is complete. The LF that may follow is dropped above.
      parser.feed(endedWithCR ? `${text}\n` : text);
      return messages;
    },
  };
}
