/**
 * The rows of a thread (Standard Agents, client message row). Names are those of the wire, which is why they have underscores.
 */

/** A file of a thread, as a message refers to it. */
export interface AttachmentRef {
  readonly id: string;
  readonly type: 'file';
  /** `/attachments/{name}` */
  readonly path: string;
  readonly name: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  readonly width?: number;
  readonly height?: number;
  readonly description?: string;
}

/** One message of a thread. JSON. */
export interface ThreadMessage {
  readonly id: string;
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  /** The tool's name, in rows with the role `tool`. */
  readonly name?: string | undefined;
  /** Microseconds since the epoch. Grows from row to row. */
  readonly created_at: number;
  /** JSON of {@link ToolCallEntry}[]. */
  readonly tool_calls?: string | null | undefined;
  readonly tool_call_id?: string | undefined;
  readonly tool_status?: 'success' | 'error' | undefined;
  readonly status: 'pending' | 'completed' | 'failed';
  /** True hides the row from people; the model reads it. */
  readonly silent?: boolean | undefined;
  readonly parent_id?: string | undefined;
  /** 0: the agent of the thread. More: a subagent. */
  readonly depth: number;
  /** JSON of {@link AttachmentRef}[]. */
  readonly attachments?: string | undefined;
  readonly reasoning_content?: string | undefined;
  readonly metadata?: MessageMetadata | undefined;
}

/** The two participants of a thread. In a thread with a person, the person is side B. */
export type Side = 'a' | 'b';

/** Further facts about a row. */
export interface MessageMetadata {
  /** Tools that the model's provider ran, for display. The runtime never runs them. */
  readonly providerTools?: readonly ProviderExecutedToolResult[];
  /** The reason of a row with the status `failed`. */
  readonly error?: string;
  /** The side of a `dual_ai` agent that wrote the row. Default: side A. */
  readonly side?: 'b';
  /** True for calls that the application queued: the model has not made them. */
  readonly queued?: true;
}

/** One entry of `tool_calls`. */
export interface ToolCallEntry {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is JSON text. */
  readonly function: { readonly name: string; readonly arguments: string };
  /** Data of the provider that the next request must repeat unchanged, such as a thought signature. */
  readonly extraContent?: Readonly<Record<string, unknown>> | undefined;
}

/** A tool that the model's provider ran (specification 0.15, `ProviderExecutedToolResult`). */
export interface ProviderExecutedToolResult {
  readonly id: string;
  readonly name: string;
  readonly provider?: string;
  readonly status: 'completed' | 'failed' | 'in_progress';
  readonly result?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The fields of a row that say which calls were made and which have a result. */
export interface CallRow {
  readonly id: string;
  readonly depth?: number | null;
  readonly tool_calls?: string | null | undefined;
  readonly tool_call_id?: string | null | undefined;
}

/** Returns the calls of a row; none for rows without calls. */
export function readToolCalls(message: CallRow): readonly ToolCallEntry[] {
  return message.tool_calls ? (JSON.parse(message.tool_calls) as ToolCallEntry[]) : [];
}

/** A call without a result, and the message in which the model made it. */
export interface OpenCall {
  readonly call: ToolCallEntry;
  readonly messageId: string;
}

/** Returns the first call of the agent's last message with calls that has no result yet, or undefined. */
export function findOpenCall(
  messages: readonly CallRow[],
  isWanted: (call: ToolCallEntry) => boolean = () => true,
): OpenCall | undefined {
  const index = messages.findLastIndex(({ depth, tool_calls }) => !depth && tool_calls);
  const asking = messages[index];
  if (asking === undefined) return undefined;
  const answered = new Set(messages.slice(index + 1).map(({ tool_call_id }) => tool_call_id));
  const call = readToolCalls(asking).find((entry) => !answered.has(entry.id) && isWanted(entry));
  return call && { call, messageId: asking.id };
}
