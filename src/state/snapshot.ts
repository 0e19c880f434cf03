/**
 * A conversation as text, to outlive the page. Versioned, and checked when it is read: what this version did not write
 * is refused as a whole, because half a conversation could answer a call twice.
 */
import {
  array,
  boolean,
  literal,
  nullable,
  number,
  object,
  record,
  string,
  tuple,
  unknown,
  enum as word,
} from 'zod';
import type { RespondCommand, TriggerCommand } from '../protocol/commands.ts';
import { AgentChatError, type AgentChatErrorInit } from '../shared/errors.ts';
import { deepFreeze } from '../shared/json.ts';
import { type Conversation, createConversation } from './conversation.ts';
import type { Draft } from './draft.ts';
import type { ToolCall } from './tool-call.ts';
import { uiMessagePartSchema, uiMessageSchema } from './ui-message-schema.ts';

const VERSION = 1;

/** What was kept, or why it cannot be used. */
export type DecodedSnapshot =
  | { readonly conversation: Conversation; readonly savedAt: number }
  | { readonly fault: string };

/** @param savedAt milliseconds since the epoch */
export function encodeSnapshot(state: Conversation, savedAt: number): string {
  const { messages, phase, error, executionId, cursor, usage, notices, request } = state;
  return JSON.stringify({
    version: VERSION,
    savedAt,
    messages,
    draft: encodeDraft(state.draft),
    checkpoint: encodeDraft(state.checkpoint),
    interrupted: encodeDraft(state.interrupted),
    phase,
    error: error && encodeError(error),
    calls: [...state.calls.values()],
    executionId,
    cursor,
    usage,
    notices,
    request,
  });
}

export function decodeSnapshot(text: string): DecodedSnapshot {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { fault: 'it is not JSON' };
  }
  const version = (json as { version?: unknown } | null)?.version;
  if (version !== VERSION) return { fault: `it has version ${String(version)}, this one reads ${VERSION}` };
  const parsed = createSnapshotSchema().safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { fault: `${issue?.path.join('.')}: ${issue?.message}` };
  }
  const { savedAt, messages, calls, notices, error, ...rest } = deepFreeze(parsed.data);
  const conversation = {
    ...createConversation(messages),
    ...rest,
    draft: decodeDraft(rest.draft),
    checkpoint: decodeDraft(rest.checkpoint),
    interrupted: decodeDraft(rest.interrupted),
    error: error && new AgentChatError(error as unknown as AgentChatErrorInit),
    calls: new Map((calls as unknown as readonly ToolCall[]).map((call) => [call.key, call])),
    notices: notices as unknown as Conversation['notices'],
    request: (rest.request ?? null) as TriggerCommand | RespondCommand | null,
  };
  return { conversation: conversation as Conversation, savedAt };
}

type StoredDraft = Omit<Draft, 'slotOf'> & { readonly slotOf: readonly (readonly [string, number])[] };

function encodeDraft(draft: Draft | null): StoredDraft | null {
  return draft && { ...draft, slotOf: [...draft.slotOf] };
}

function decodeDraft(stored: unknown): Draft | null {
  const draft = stored as StoredDraft | null;
  return draft && { ...draft, createdAt: new Date(draft.createdAt), slotOf: new Map(draft.slotOf) };
}

function encodeError({ code, message, errorType, source, retryable, retryAfter, status }: AgentChatError) {
  return { code, message, errorType, source, retryable, retryAfter, status };
}

function createSnapshotSchema() {
  const draft = nullable(
    object({
      id: string(),
      createdAt: string(),
      slots: array(object({ part: uiMessagePartSchema(), json: string().optional() })),
      slotOf: array(tuple([string(), number()])),
      blocks: array(object({ id: string(), thread: string().optional(), showsText: boolean() })),
      named: boolean(),
    }),
  );
  const stages = ['announced', 'running', 'waiting', 'settled', 'delivered', 'acknowledged'] as const;
  const call = object({
    key: string(),
    executionId: string(),
    request: record(string(), unknown()),
    requestedAt: number(),
    expiresAt: number().optional(),
    args: unknown(),
    stage: word(stages),
    asks: literal('rerun').optional(),
    draft: unknown().optional(),
    answer: object({
      outcome: string(),
      result: unknown().optional(),
      error: string().optional(),
    }).optional(),
    serverToolResults: array(record(string(), unknown())),
  });
  return object({
    version: literal(VERSION),
    savedAt: number(),
    messages: array(uiMessageSchema),
    draft,
    checkpoint: draft,
    interrupted: draft,
    phase: word(['resting', 'working', 'failed']),
    error: nullable(record(string(), unknown())),
    calls: array(call),
    executionId: string().optional(),
    cursor: string().optional(),
    usage: record(string(), unknown()).optional(),
    notices: array(record(string(), unknown())),
    request: nullable(record(string(), unknown())).optional(),
  });
}
