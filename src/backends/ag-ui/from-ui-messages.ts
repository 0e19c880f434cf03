/** The messages of the page as a thread: the history that an agent is told which has none of its own. */
import type { ToolCallPart, UIMessage, UIMessagePart } from '../../core/state/message.ts';
import type { AgUiMessage, AgUiToolCall } from './messages.ts';
import { toUserContent } from './user-content.ts';

type Mutable<Message> = { -readonly [Key in keyof Message]: Message[Key] };

export function fromUIMessages(messages: readonly UIMessage[]): readonly AgUiMessage[] {
  return messages.flatMap((message) => (message.role === 'user' ? fromUser(message) : fromAgent(message)));
}

function fromUser({ id, parts }: UIMessage): readonly AgUiMessage[] {
  const texts = parts.flatMap((part) => {
    if (part.type === 'text') return part.text;
    return part.type === 'object' ? JSON.stringify(part.object ?? null) : [];
  });
  const files = parts.filter((part) => part.type === 'file');
  const content = toUserContent(texts.join('\n'), files);
  return content === undefined ? [] : [{ id, role: 'user', content }];
}

/** An answer is one message per step: its text, then its calls, then their results. */
function fromAgent({ id, parts }: UIMessage): readonly AgUiMessage[] {
  const messages: Mutable<AgUiMessage>[] = [];
  let current: Mutable<AgUiMessage> | undefined;
  let isDone = false;
  const begin = (role: string, thread: string | undefined): Mutable<AgUiMessage> => {
    const suffix = messages.length === 0 ? '' : `:${messages.length}`;
    const message = { id: `${id}${suffix}`, role, ...(thread !== undefined && { subagentRunId: thread }) };
    messages.push(message);
    isDone = false;
    return message;
  };
  const step = (thread: string | undefined, isNew: boolean): Mutable<AgUiMessage> => {
    if (current === undefined || isNew || isDone || current.subagentRunId !== thread)
      current = begin('assistant', thread);
    return current;
  };
  for (const part of parts) {
    if (part.type === 'text' && part.text !== '') {
      step(part.thread, current?.content !== undefined || current?.toolCalls !== undefined).content =
        part.text;
    } else if (part.type === 'reasoning' && part.text !== '') {
      begin('reasoning', part.thread).content = part.text;
      current = undefined;
    } else if (part.type === 'tool-call' && !isQuestion(part)) {
      const message = step(part.thread, false);
      message.toolCalls = [...(message.toolCalls ?? []), toCall(part)];
      const result = toResult(part);
      if (result) messages.push(result);
    }
  }
  return messages;
}

/** A question of the agent is shown like a call. It never was one: the names of calls have no colon. */
function isQuestion({ toolName }: ToolCallPart): boolean {
  return toolName.includes(':') || ['on_interrupt', 'confirmation', 'input_required'].includes(toolName);
}

function toCall({ toolCallId, toolName, args }: ToolCallPart): AgUiToolCall {
  return { id: toolCallId, type: 'function', function: { name: toolName, arguments: JSON.stringify(args) } };
}

/** Returns undefined for a call that is open, or was left. */
function toResult({ toolCallId, status, outcome, result, error }: ToolCallPart): AgUiMessage | undefined {
  const message = { id: `${toolCallId}:result`, role: 'tool', toolCallId };
  if (error !== undefined) return { ...message, content: error, error };
  if (status === 'done' || (outcome !== undefined && result !== undefined))
    return { ...message, content: typeof result === 'string' ? result : JSON.stringify(result ?? null) };
  return undefined;
}

/** Returns true for a call of the last message that nobody has answered, and that was not left either. */
export function isOpenCall(part: UIMessagePart): part is ToolCallPart {
  if (part.type !== 'tool-call' || part.outcome !== undefined || part.error !== undefined) return false;
  if (part.executedBy === 'server' || part.executedBy === 'provider') return false;
  return part.status !== 'done' && part.status !== 'error';
}
