/** Converts the history of a session to messages of the AI SDK. */
import type { ModelMessage } from 'ai';
import type { FileReference } from '../../core/state/message.ts';
import type { AgentMessage, AgentToolMessage, AgentUserMessage } from '../agent.ts';
import { toAssistantContent } from './model-content.ts';

type ToolModelMessage = Extract<ModelMessage, { role: 'tool' }>;
type ToolContent = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;

/** Consecutive tool messages become one message, because providers expect all answers of a batch together. */
export function toModelMessages(messages: readonly AgentMessage[]): ModelMessage[] {
  const converted: ModelMessage[] = [];
  let answers: ToolContent[] | null = null;
  for (const message of messages) {
    if (message.role === 'tool') {
      if (answers === null) {
        answers = [];
        converted.push({ role: 'tool', content: answers });
      }
      answers.push(toToolContent(message));
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

type JsonOutput = Extract<ToolContent['output'], { type: 'json' }>;

function toToolContent(message: AgentToolMessage): ToolContent {
  const { toolCallId, toolName, error } = message;
  const output: ToolContent['output'] =
    error === undefined ? { type: 'json', value: toResult(message) } : { type: 'error-text', value: error };
  return { type: 'tool-result', toolCallId, toolName, output };
}

/** A person who says yes may add a comment, which is not in the result. That of a no is. */
function toResult({ result = null, reason, outcome }: AgentToolMessage): JsonOutput['value'] {
  const hasComment = reason !== undefined && outcome === undefined;
  return (hasComment ? { result, reason } : result) as JsonOutput['value'];
}
