/** Converts the history of a session to messages of the AI SDK. */
import type { JSONValue, ModelMessage } from 'ai';
import type { FileReference } from '../../core/state/message.ts';
import type { AgentMessage, AgentToolMessage, AgentUserMessage } from '../agent.ts';
import { toAssistantContent } from './model-content.ts';

type ToolModelMessage = Extract<ModelMessage, { role: 'tool' }>;
type ToolContent = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;
type ResultPart = Extract<ToolContent['output'], { type: 'content' }>['value'][number];

/**
 * Consecutive tool messages become one message, because providers expect all answers of a batch together.
 *
 * @param takesFiles true for an AI SDK (`ai` 7) whose results may have parts of the type `file`. The one before has other words for them.
 */
export function toModelMessages(messages: readonly AgentMessage[], takesFiles = false): ModelMessage[] {
  const converted: ModelMessage[] = [];
  let answers: ToolContent[] | null = null;
  for (const message of messages) {
    if (message.role === 'tool') {
      if (answers === null) {
        answers = [];
        converted.push({ role: 'tool', content: answers });
      }
      answers.push(toToolContent(message, takesFiles));
      continue;
    }
    answers = null;
    if (message.role === 'user') {
      converted.push(toUserModelMessage(message));
      continue;
    }
    const content = toAssistantContent(message);
    // Providers refuse a message without content.
    if (content.length > 0) converted.push({ role: 'assistant', content });
  }
  return converted;
}

function toUserModelMessage({ content, files = [] }: AgentUserMessage): ModelMessage {
  if (files.length === 0) return { role: 'user', content };
  const parts = files.map(toFilePart);
  return {
    role: 'user',
    content: content.trim() === '' ? parts : [...parts, { type: 'text', text: content }],
  };
}

/** A relative URL becomes a text that says so, because an error would end this turn and each turn after it. */
function toFilePart({ id, url, mediaType, filename }: FileReference) {
  if (!URL.canParse(url)) {
    const text = `[The file ${JSON.stringify(filename ?? id)} cannot be read: its address ${JSON.stringify(url)} is not an absolute URL.]`;
    return { type: 'text' as const, text };
  }
  const named = filename === undefined ? {} : { filename };
  return { type: 'file' as const, data: new URL(url), mediaType, ...named };
}

function toToolContent(message: AgentToolMessage, takesFiles: boolean): ToolContent {
  const { toolCallId, toolName, error, files = [] } = message;
  const toOutput = (): ToolContent['output'] => {
    if (error !== undefined) return { type: 'error-text', value: error };
    const value = toResult(message);
    if (files.length === 0) return { type: 'json', value };
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return {
      type: 'content',
      value: [{ type: 'text', text }, ...files.map((file) => toResultPart(file, takesFiles))],
    };
  };
  return { type: 'tool-result', toolCallId, toolName, output: toOutput() };
}

function toResultPart(file: FileReference, takesFiles: boolean): ResultPart {
  const { url, mediaType } = file;
  const part = toFilePart(file);
  if (part.type === 'text') return part;
  const isImage = mediaType.startsWith('image/');
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? [];
  if (takesFiles) {
    const content = data === undefined ? { type: 'url', url: part.data } : { type: 'data', data };
    // The types are those of `ai` 6.
    return { ...part, data: content } as unknown as ResultPart;
  }
  if (data !== undefined) return { type: isImage ? 'image-data' : 'file-data', data, mediaType };
  return isImage ? { type: 'image-url', url } : { type: 'file-url', url, mediaType };
}

/** A person who says yes may add a comment, which is not in the result. That of a no is. */
function toResult({ result = null, reason, outcome }: AgentToolMessage): JSONValue {
  const hasComment = reason !== undefined && outcome === undefined;
  return (hasComment ? { result, reason } : result) as JSONValue;
}
