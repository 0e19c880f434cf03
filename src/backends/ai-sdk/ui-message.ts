/** The messages and chunks of the AI SDK (UI message stream of `ai` 6 and 7), as far as this folder reads them. */

/** A part of a message. Keys that are not read here stay as they are: providers want their metadata and signatures back. */
export interface AiSdkPart {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** The part of a tool call: its type is `dynamic-tool`, or `tool-` and the name of the tool. */
export interface AiSdkToolPart extends AiSdkPart {
  readonly toolCallId: string;
  readonly state: string;
  readonly input?: unknown;
  readonly providerExecuted?: boolean;
  readonly approval?: AiSdkApproval;
}

/** A question whether a call may be executed. All fields go back with the answer. */
export interface AiSdkApproval {
  readonly id: string;
  readonly isAutomatic?: boolean;
  readonly approved?: boolean;
  readonly reason?: string;
  readonly [key: string]: unknown;
}

/** A message of the AI SDK, `UIMessage` of the `ai` package. */
export interface AiSdkMessage {
  readonly id: string;
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly AiSdkPart[];
  readonly metadata?: unknown;
}

/** A chunk of the stream has a type and further keys. Optional ones are never null. */
export interface AiSdkChunk {
  readonly type: string;
  readonly [key: string]: unknown;
}

export function isToolPart(part: AiSdkPart): part is AiSdkToolPart {
  return (
    typeof part.toolCallId === 'string' && (part.type === 'dynamic-tool' || part.type.startsWith('tool-'))
  );
}

export function toolNameOf(part: AiSdkToolPart): string {
  return part.type === 'dynamic-tool' ? String(part.toolName) : part.type.slice('tool-'.length);
}
