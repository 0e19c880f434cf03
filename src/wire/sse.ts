/**
 * Bytes to messages by the WHATWG rules for server-sent events ("Parsing an event stream"), through
 * `eventsource-parser`: one optional space after the colon, several `data` lines joined by a line feed, comments
 * skipped, CR, LF and CRLF, one leading byte order mark, and an event without its closing blank line discarded.
 */
import { createParser } from 'eventsource-parser';
import { AgentChatError } from '../shared/errors.ts';

/** One dispatched message. */
export interface SseMessage {
  readonly data: string;
  /** The `event` field; undefined where the specification says `message`. */
  readonly event?: string | undefined;
  /** The message's own `id` field, if it had one. Empty when the server resets the position. */
  readonly id?: string | undefined;
}

export interface SseReader {
  /**
   * Takes the next bytes and gives the messages they complete, in order.
   *
   * @throws AgentChatError `invalid_response` when one line or event exceeds the cap; what came whole in the same piece is
   * lost with it. The reader is then spent.
   */
  feed(bytes: Uint8Array): readonly SseMessage[];
}

export interface SseOptions {
  /** Most characters one unfinished line or event may hold. Default 16 Mi (16,777,216). */
  readonly maxEventLength?: number;
  /** Called for each `: heartbeat` comment. */
  readonly onHeartbeat?: () => void;
}

const MAX_EVENT_LENGTH = 16 * 1024 * 1024;

/** A reader of one event stream. */
export function createSseReader({
  maxEventLength = MAX_EVENT_LENGTH,
  onHeartbeat,
}: SseOptions = {}): SseReader {
  // It takes the one byte order mark; the parser looks for its bytes, which are none any more.
  const decoder = new TextDecoder();
  let messages: SseMessage[] = [];

  const parser = createParser({
    maxBufferSize: maxEventLength,
    onEvent: (message) => {
      messages.push(message);
    },
    onComment: (comment) => {
      if (comment === 'heartbeat') onHeartbeat?.();
    },
    onError: (error) => {
      // Unknown fields and bad `retry` values are ignored, as the specification says.
      if (error.type !== 'max-buffer-size-exceeded') return;
      throw new AgentChatError({
        code: 'invalid_response',
        errorType: 'protocol_error',
        message: `An event of more than ${maxEventLength} characters is too large. Send files, or smaller ones.`,
        cause: error,
      });
    },
  });

  return {
    feed(bytes) {
      messages = [];
      parser.feed(decoder.decode(bytes, { stream: true }));
      return messages;
    },
  };
}
