/** The shape of messages, as the Octavus protocol 2.0 has it (section 6), plus `ending`, and `outcome` and `executedBy` of a tool call. */
import type { ToolOutcome } from '../shared/tool-outcome.ts';

/** A file that is somewhere a URL leads to. */
export interface FileReference {
  readonly id: string;
  readonly mediaType: string;
  readonly url: string;
  readonly filename?: string;
  /** Bytes. */
  readonly size?: number;
}

/** The fields that every part may have: its thread, absent for the main one. */
interface PartBase {
  readonly thread?: string;
}

export interface TextPart extends PartBase {
  readonly type: 'text';
  readonly text: string;
  readonly status: 'streaming' | 'done';
}
export interface ReasoningPart extends PartBase {
  readonly type: 'reasoning';
  readonly text: string;
  readonly status: 'streaming' | 'done';
}
/** `pending`: the arguments are still arriving. `running`: they are complete, the answer is not there yet. */
export type ToolCallStatus = 'pending' | 'running' | 'done' | 'error' | 'cancelled';

export interface ToolCallPart extends PartBase {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly displayName?: string;
  /** Always an object, also while the arguments are still arriving. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: string;
  readonly status: ToolCallStatus;
  /** How a call of this client ended. */
  readonly outcome?: ToolOutcome;
  readonly executedBy?: 'client' | 'server' | 'provider';
}
export interface OperationPart extends PartBase {
  readonly type: 'operation';
  readonly operationId: string;
  readonly name: string;
  readonly operationType: string;
  readonly status: 'running' | 'done' | 'cancelled';
}
export interface UrlSourcePart extends PartBase {
  readonly type: 'source';
  readonly sourceType: 'url';
  readonly id: string;
  readonly url: string;
  readonly title?: string;
}
export interface DocumentSourcePart extends PartBase {
  readonly type: 'source';
  readonly sourceType: 'document';
  readonly id: string;
  readonly mediaType: string;
  readonly title: string;
  readonly filename?: string;
}
export type SourcePart = UrlSourcePart | DocumentSourcePart;

export interface FilePart extends PartBase, FileReference {
  readonly type: 'file';
  readonly toolCallId?: string;
}
/** Structured output. `partial` is the value that has arrived so far, `object` the whole value once it parsed. */
export interface ObjectPart extends PartBase {
  readonly type: 'object';
  readonly id: string;
  readonly typeName: string;
  readonly partial?: unknown;
  readonly object?: unknown;
  readonly status: 'streaming' | 'done' | 'error';
  readonly error?: string;
}

export type UIMessagePart =
  | TextPart
  | ReasoningPart
  | ToolCallPart
  | OperationPart
  | SourcePart
  | FilePart
  | ObjectPart;

/** One message of the conversation. Frozen; a change creates a new one, and unchanged parts retain their identity. */
export interface UIMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly UIMessagePart[];
  readonly status: 'streaming' | 'done';
  /** The person stopped the agent in the middle of it. */
  readonly ending?: 'stopped';
  readonly createdAt: Date;
}
