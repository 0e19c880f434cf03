/** The rows and frames of a thread as they arrive, read leniently: a field of another type counts as absent. */
import { isRecord, parseJson } from '../../shared/json.ts';

/** A message of a thread (client message row of the AgentBuilder documentation). */
export interface ThreadRow {
  readonly id: string;
  readonly role: string;
  readonly content: string;
  /** The name of the tool or of the subagent. */
  readonly name: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly toolCalls: readonly RowCall[];
  readonly toolCallId: string | undefined;
  readonly isToolError: boolean;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly isSilent: boolean;
  readonly parentId: string | undefined;
  /** 0: the agent of the thread. More: a subagent. */
  readonly depth: number;
  readonly attachments: readonly RowAttachment[];
  readonly reasoning: string;
  /** Tools that the provider of the model ran. */
  readonly providerTools: readonly unknown[];
  /** The reason of a row with the status `failed`, if the server tells it. */
  readonly error: string | undefined;
}

export interface RowCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface RowAttachment {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number | undefined;
}

/** Returns undefined for a value without an `id` and a `role`, which cannot be shown. */
export function readRow(raw: unknown): ThreadRow | undefined {
  if (!isRecord(raw) || !isName(raw.id) || !isName(raw.role)) return undefined;
  const metadata = isRecord(raw.metadata) ? raw.metadata : {};
  return {
    id: raw.id,
    role: raw.role,
    content: textOf(raw.content) ?? '',
    name: textOf(raw.name),
    createdAt: toMilliseconds(raw.created_at) ?? 0,
    toolCalls: readList(raw.tool_calls).flatMap(readCall),
    toolCallId: textOf(raw.tool_call_id),
    isToolError: raw.tool_status === 'error',
    // Rows of older servers have no status: they are sent when they are complete.
    status: raw.status === 'pending' || raw.status === 'failed' ? raw.status : 'completed',
    isSilent: raw.silent === true || raw.silent === 1,
    parentId: textOf(raw.parent_id),
    depth: typeof raw.depth === 'number' ? raw.depth : 0,
    attachments: readList(raw.attachments).flatMap(readAttachment),
    reasoning: textOf(raw.reasoning_content) ?? '',
    providerTools: Array.isArray(metadata.providerTools) ? metadata.providerTools : [],
    error: textOf(metadata.error),
  };
}

/** The specification counts microseconds, and the documented stream milliseconds. A larger value than this is in microseconds. */
const LAST_MILLISECONDS = 1e14;

/** Returns a time in milliseconds since the epoch, or undefined for a value that is no number. */
export function toMilliseconds(time: unknown): number | undefined {
  if (typeof time !== 'number' || !Number.isFinite(time)) return undefined;
  return time > LAST_MILLISECONDS ? Math.floor(time / 1_000) : time;
}

export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Returns the value of a JSON text, or the text itself if it is no JSON. */
export function parseText(text: string): unknown {
  return parseJson(text, text);
}

/** Returns a text that is not empty. */
function textOf(value: unknown): string | undefined {
  return isName(value) ? value : undefined;
}

/** Lists travel as JSON text. */
function readList(value: unknown): readonly unknown[] {
  const list = typeof value === 'string' ? parseJson(value) : value;
  return Array.isArray(list) ? list : [];
}

function readCall(raw: unknown): readonly RowCall[] {
  if (!isRecord(raw) || !isName(raw.id) || !isRecord(raw.function)) return [];
  const { name, arguments: text } = raw.function;
  if (!isName(name)) return [];
  const args = typeof text === 'string' ? parseJson(text) : text;
  return [{ id: raw.id, name, args: isRecord(args) ? args : {} }];
}

function readAttachment(raw: unknown): readonly RowAttachment[] {
  if (!isRecord(raw) || !isName(raw.path)) return [];
  const { path, size } = raw;
  return [
    {
      id: textOf(raw.id) ?? path,
      path,
      name: textOf(raw.name) ?? path.replace(/^.*\//, ''),
      mimeType: textOf(raw.mimeType) ?? 'application/octet-stream',
      size: typeof size === 'number' ? size : undefined,
    },
  ];
}
