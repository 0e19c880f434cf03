/**
 * The shape of a stored snapshot. The engine goes on with a snapshot without further checks: a value of another type would break
 * the page, or leave a call that nobody can answer.
 */
import * as z from 'zod/mini';
import { isRecord } from '../../shared/json.ts';
import { TOOL_OUTCOMES } from '../../shared/tool-outcome.ts';
import { uiMessagePartSchema, uiMessageSchema } from '../state/message.ts';

const record = z.custom<Record<string, unknown>>(isRecord);
const dateText = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text))));
const outcome = z.enum(TOOL_OUTCOMES);
const reason = z.optional(z.string());

const knownTypes: readonly unknown[] = uiMessagePartSchema._zod.def.options.flatMap((option) => [
  ...(option._zod.propValues.type ?? []),
]);
/** The messages that an app begins with may have parts of types that this version does not know. */
const foreignPart = z.object({ type: z.string().check(z.refine((type) => !knownTypes.includes(type))) });
const part = z.union([uiMessagePartSchema, foreignPart]);
const message = z.object({
  ...uiMessageSchema._zod.def.innerType.shape,
  role: z.string(),
  createdAt: dateText,
  parts: z.array(part),
});

const streamingMessage = z.nullable(
  z.object({
    id: z.string(),
    createdAt: dateText,
    parts: z.array(z.object({ part, json: z.optional(z.string()) })),
    partIndexes: z.array(z.tuple([z.string(), z.int()])),
    blocks: z.array(z.object({ id: z.string() })),
  }),
);

const toolResults = z.array(z.object({ toolCallId: z.string() }));

const call = z
  .object({
    key: z.string(),
    executionId: z.string(),
    request: z.object({ toolCallId: z.string(), toolName: z.string(), args: record }),
    requestedAt: z.number(),
    expiresAt: z.optional(z.number()),
    stage: z.enum(['announced', 'running', 'waiting', 'settled', 'delivered', 'acknowledged']),
    answer: z.optional(z.object({ outcome, reason })),
    serverToolResults: toolResults,
  })
  .check(
    z.refine(({ stage, answer }) => {
      const isOpen = stage === 'announced' || stage === 'running' || stage === 'waiting';
      return isOpen === (answer === undefined);
    }, 'the answer does not match the stage'),
  );
const calls = z.array(call);

const trigger = z.object({
  type: z.literal('trigger'),
  triggerName: z.string(),
  input: z.optional(record),
  idempotencyKey: z.optional(z.string()),
  rewindTo: z.optional(z.string()),
  repeats: z.optional(z.literal(true)),
  rollbackAfterMessageId: z.optional(z.nullable(z.string())),
});
const respond = z.object({
  type: z.literal('respond'),
  executionId: z.string(),
  answers: z.array(z.object({ toolCallId: z.string(), toolName: z.string(), outcome, reason, echo: record })),
  serverToolResults: toolResults,
  partial: z.optional(z.literal(true)),
});

const open = z.object({ type: z.literal('open') });

export const snapshotSchema = z
  .object({
    savedAt: z.number(),
    messages: z.array(message),
    calls,
    undelivered: z.optional(calls),
    allowedTools: z.optional(z.array(z.string())),
    keptInputs: z.optional(z.array(z.object({ toolName: z.string(), input: z.unknown() }))),
    notices: z.array(z.object({ code: z.string(), text: z.string() })),
    phase: z.enum(['idle', 'streaming', 'error']),
    isHeld: z.optional(z.literal(true)),
    streamingMessage,
    checkpoint: streamingMessage,
    interrupted: streamingMessage,
    error: z.nullable(z.object({ code: z.string(), message: z.string() })),
    trigger: z.optional(trigger),
    request: z.nullable(z.discriminatedUnion('type', [trigger, respond, open])),
    usage: z.optional(record),
    memory: z.optional(z.json()),
    executionId: z.optional(z.string()),
    cursor: z.optional(z.string()),
  })
  .check(z.refine(({ request, phase }) => request !== null || phase === 'idle', 'a turn has no request'));
