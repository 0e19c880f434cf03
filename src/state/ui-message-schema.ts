import {
  array,
  date,
  discriminatedUnion,
  literal,
  number,
  object,
  preprocess,
  string,
  unknown,
  enum as word,
  type ZodType,
} from 'zod';
import { isRecord } from '../shared/json.ts';
import type { UIMessage, UIMessagePart } from './message.ts';

/**
 * Checks a message that comes from elsewhere (a database, `JSON.parse`). `createdAt` may be a `Date`, an ISO string or
 * milliseconds. Keys it does not know are dropped. Every message a chat can reach parses with it.
 */
export const uiMessageSchema: ZodType<UIMessage> = /* @__PURE__ */ createMessageSchema();

function createMessageSchema(): ZodType<UIMessage> {
  return object({
    id: string(),
    role: word(['user', 'assistant']),
    parts: array(uiMessagePartSchema()),
    status: word(['streaming', 'done']),
    ending: literal('stopped').optional(),
    createdAt: preprocess(toDate, date()),
  }) as ZodType<UIMessage>;
}

/** Not `coerce`, to which null is 1970. */
function toDate(value: unknown): unknown {
  return typeof value === 'string' || typeof value === 'number' ? new Date(value) : value;
}

/** One part of a message. */
function uiMessagePartSchema(): ZodType<UIMessagePart> {
  const thread = string().optional();
  const outcomes = [
    'submitted',
    'declined',
    'cancelled',
    'timed-out',
    'aborted',
    'expired',
    'superseded',
    'failed',
  ] as const;
  const written = { text: string(), status: word(['streaming', 'done']), thread };
  const source = { type: literal('source'), id: string(), thread };
  return discriminatedUnion('type', [
    object({ type: literal('text'), ...written }),
    object({ type: literal('reasoning'), ...written }),
    object({
      type: literal('tool-call'),
      toolCallId: string(),
      toolName: string(),
      displayName: string().optional(),
      // Not `record`, which drops a key named __proto__.
      args: unknown().refine(isRecord, 'must be an object'),
      result: unknown().optional(),
      error: string().optional(),
      status: word(['pending', 'running', 'done', 'error', 'cancelled']),
      outcome: word(outcomes).optional(),
      executedBy: word(['client', 'server', 'provider']).optional(),
      thread,
    }),
    object({
      type: literal('operation'),
      operationId: string(),
      name: string(),
      operationType: string(),
      status: word(['running', 'done', 'cancelled']),
      thread,
    }),
    discriminatedUnion('sourceType', [
      object({ ...source, sourceType: literal('url'), url: string(), title: string().optional() }),
      object({
        ...source,
        sourceType: literal('document'),
        mediaType: string(),
        title: string(),
        filename: string().optional(),
      }),
    ]),
    object({
      type: literal('file'),
      id: string(),
      mediaType: string(),
      url: string(),
      filename: string().optional(),
      size: number().optional(),
      toolCallId: string().optional(),
      thread,
    }),
    object({
      type: literal('object'),
      id: string(),
      typeName: string(),
      partial: unknown().optional(),
      object: unknown().optional(),
      status: word(['streaming', 'done', 'error']),
      error: string().optional(),
      thread,
    }),
  ]) as unknown as ZodType<UIMessagePart>;
}
