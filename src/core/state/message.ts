/**
 * The shape of messages: schemas, and the types that follow from them. It is that of the Octavus protocol 2.0 (section 6) with `todo`,
 * `display` and `sender` of 6.4, plus `ending` and `metadata`, and of a tool call all fields from `outcome` on, `originalArgs` and
 * `inputSchema`. The engine uses only the types, so the schemas cost an app nothing until it checks messages.
 */
import * as z from 'zod/mini';
import { isRecord } from '../../shared/json.ts';
import { TOOL_OUTCOMES } from '../../shared/tool-outcome.ts';

/** The fields that every part may have: its thread, absent for the main one. */
const base = { thread: /* @__PURE__ */ optional(z.string()) };

const textPartSchema = /* @__PURE__ */ z.readonly(
  z.object({
    ...base,
    type: z.literal('text'),
    text: z.string(),
    status: z.enum(['streaming', 'done']),
  }),
);

const reasoningPartSchema = /* @__PURE__ */ z.readonly(
  z.object({
    ...base,
    type: z.literal('reasoning'),
    text: z.string(),
    status: z.enum(['streaming', 'done']),
  }),
);

/** The fields of a file that is somewhere a URL leads to. */
const fileReference = {
  id: z.string(),
  mediaType: z.string(),
  url: z.string(),
  filename: /* @__PURE__ */ optional(z.string()),
  /** Bytes. */
  size: /* @__PURE__ */ optional(z.number()),
};

const toolCallPartSchema = /* @__PURE__ */ z.readonly(
  z.object({
    ...base,
    type: z.literal('tool-call'),
    toolCallId: z.string(),
    toolName: z.string(),
    displayName: optional(z.string()),
    /** How the backend wants the call shown. `title`: without its arguments and its result. */
    display: optional(z.string()),
    /** Always an object, also while the arguments are still arriving. Where a person changed them, those that run. */
    args: z.custom<Readonly<Record<string, unknown>>>(isRecord, 'must be an object'),
    /** The arguments as the agent sent them. Only where a person changed them. */
    originalArgs: optional(z.custom<Readonly<Record<string, unknown>>>(isRecord, 'must be an object')),
    /** JSON Schema of the arguments: their titles, formats and units. */
    inputSchema: optional(z.custom<Readonly<Record<string, unknown>>>(isRecord, 'must be an object')),
    result: optional(z.unknown()),
    error: optional(z.string()),
    /** `pending`: the arguments are still arriving. `running`: they are complete, the answer is not there yet. */
    status: z.enum(['pending', 'running', 'done', 'error', 'cancelled']),
    /** How a call that was answered by a client or a person ended. */
    outcome: optional(z.enum(TOOL_OUTCOMES)),
    /** The words of the person about the answer, such as why not. */
    reason: optional(z.string()),
    /** `server`: the answer of a person, if there is one, is about whether the call may run. */
    executedBy: optional(z.enum(['client', 'server', 'provider'])),
    /** Who answered it, where the server says so. */
    answeredBy: optional(z.readonly(z.object({ id: z.string(), name: optional(z.string()) }))),
    /** Names the people who are waited for, in words for people. */
    waitsFor: optional(z.string()),
    /** How far the handler is, as it reports itself. Only while it runs. */
    progress: optional(
      z.readonly(
        z.object({ done: optional(z.number()), total: optional(z.number()), text: optional(z.string()) }),
      ),
    ),
    /**
     * How far the answer of this person is. `sending`: on its way. `not-sent`: it waits, and goes out by itself. `received`: the backend has
     * it. `refused`: it did not count.
     */
    delivery: optional(z.enum(['sending', 'not-sent', 'received', 'refused'])),
    /** Files that belong to the result. */
    files: optional(z.readonly(z.array(z.readonly(z.object(fileReference))))),
  }),
);

const operationPartSchema = /* @__PURE__ */ z.readonly(
  z.object({
    ...base,
    type: z.literal('operation'),
    operationId: z.string(),
    name: z.string(),
    operationType: z.string(),
    status: z.enum(['running', 'done', 'cancelled']),
  }),
);

const urlSourcePartSchema = /* @__PURE__ */ z.readonly(
  z.object({
    ...base,
    type: z.literal('source'),
    sourceType: z.literal('url'),
    id: z.string(),
    url: z.string(),
    title: optional(z.string()),
  }),
);

const documentSourcePartSchema = /* @__PURE__ */ z.readonly(
  z.object({
    ...base,
    type: z.literal('source'),
    sourceType: z.literal('document'),
    id: z.string(),
    mediaType: z.string(),
    title: z.string(),
    filename: optional(z.string()),
  }),
);

const filePartSchema = /* @__PURE__ */ z.readonly(
  z.object({
    ...base,
    ...fileReference,
    type: z.literal('file'),
    toolCallId: optional(z.string()),
  }),
);

const objectPartSchema = /* @__PURE__ */ z.readonly(
  z.object({
    ...base,
    type: z.literal('object'),
    id: z.string(),
    typeName: z.string(),
    /** The value that has arrived so far. */
    partial: optional(z.unknown()),
    /** The whole value, once it parsed. */
    object: optional(z.unknown()),
    status: z.enum(['streaming', 'done', 'error']),
    error: optional(z.string()),
  }),
);

const todoPartSchema = /* @__PURE__ */ z.readonly(
  z.object({
    ...base,
    type: z.literal('todo'),
    /** `status`: `pending`, `in_progress`, `completed` or `cancelled`; later servers may send other words. */
    todos: z.readonly(
      z.array(z.readonly(z.object({ id: z.string(), content: z.string(), status: z.string() }))),
    ),
  }),
);

/** Checks one part of a message. */
export const uiMessagePartSchema = /* @__PURE__ */ z.discriminatedUnion('type', [
  textPartSchema,
  reasoningPartSchema,
  toolCallPartSchema,
  operationPartSchema,
  z.discriminatedUnion('sourceType', [urlSourcePartSchema, documentSourcePartSchema]),
  filePartSchema,
  objectPartSchema,
  todoPartSchema,
]);

const messageSenderSchema = /* @__PURE__ */ z.readonly(
  z.object({
    id: optional(z.string()),
    name: optional(z.string()),
    /** The address of a picture. */
    image: optional(z.string()),
  }),
);

/**
 * Checks a message that comes from elsewhere (a database, `JSON.parse`). `createdAt` may be a `Date`, an ISO string or
 * milliseconds. Unknown keys are dropped. Every message that a chat can reach parses with it.
 */
export const uiMessageSchema = /* @__PURE__ */ z.readonly(
  z.object({
    id: z.string(),
    role: z.enum(['user', 'assistant']),
    parts: z.readonly(z.array(uiMessagePartSchema)),
    status: z.enum(['streaming', 'done']),
    /** The author of a user message, in conversations of several people. */
    sender: optional(messageSenderSchema),
    /** The person stopped the agent in the middle of it. */
    ending: optional(z.literal('stopped')),
    /** Data of the app. The AI SDK sends it along with the history. */
    metadata: optional(z.unknown()),
    createdAt: z.pipe(z.transform(toDate), z.date()),
  }),
);

export type TextPart = z.infer<typeof textPartSchema>;
export type ReasoningPart = z.infer<typeof reasoningPartSchema>;
export type ToolCallPart = z.infer<typeof toolCallPartSchema>;
/** How far a handler is: so many things done, of how many, and what it does now. */
export type ToolProgress = NonNullable<ToolCallPart['progress']>;
export type ToolCallStatus = ToolCallPart['status'];
export type OperationPart = z.infer<typeof operationPartSchema>;
export type UrlSourcePart = z.infer<typeof urlSourcePartSchema>;
export type DocumentSourcePart = z.infer<typeof documentSourcePartSchema>;
export type SourcePart = UrlSourcePart | DocumentSourcePart;
export type FilePart = z.infer<typeof filePartSchema>;
/** A file that is somewhere a URL leads to. */
export type FileReference = Omit<FilePart, 'type' | 'thread' | 'toolCallId'>;
/** Structured output. */
export type ObjectPart = z.infer<typeof objectPartSchema>;
/** The list of tasks that the agent, or one of its workers, works through. */
export type TodoPart = z.infer<typeof todoPartSchema>;
export type UIMessagePart = z.infer<typeof uiMessagePartSchema>;

/** The author of a user message, in conversations of several people. */
export type MessageSender = z.infer<typeof messageSenderSchema>;

/** One message of the conversation. Frozen; a change creates a new one, and unchanged parts retain their identity. */
export type UIMessage = z.infer<typeof uiMessageSchema>;

/** A key that may be missing. A value of undefined passes as well, for messages that an app puts together itself. */
/* @__NO_SIDE_EFFECTS__ */ function optional<Schema extends z.ZodMiniType>(
  schema: Schema,
): z.ZodMiniExactOptional<Schema> {
  return z.optional(schema) as unknown as z.ZodMiniExactOptional<Schema>;
}

/** Unlike `z.coerce`, it does not turn null into 1970. */
function toDate(value: unknown): unknown {
  return typeof value === 'string' || typeof value === 'number' ? new Date(value) : value;
}
