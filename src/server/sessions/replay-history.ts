import type { AgentEvent } from '../../protocol/events.ts';
import type { AgentMessage } from '../agent.ts';
import { toOutputEvent } from './last-events.ts';
import type { ExecutionRecord } from './session-store.ts';

/**
 * The events of an execution as the history has them: one text per step, its calls and their answers. For a client that has no event of the
 * execution while the log, which had them all, is gone.
 */
export function replayHistory(messages: readonly AgentMessage[], execution: ExecutionRecord): AgentEvent[] {
  const { id: executionId, messageId, historyStart } = execution;
  const steps = messages.slice(historyStart).flatMap((message, index) => toEvents(message, `step-${index}`));
  return [{ type: 'start', messageId, executionId }, ...steps];
}

function toEvents(message: AgentMessage, id: string): AgentEvent[] {
  switch (message.role) {
    case 'user':
      return [];
    case 'assistant': {
      const text: AgentEvent[] = [
        { type: 'text-start', id },
        { type: 'text-delta', id, delta: message.content },
        { type: 'text-end', id },
      ];
      const calls = (message.toolCalls ?? []).map(
        ({ toolCallId, toolName, args }): AgentEvent => ({
          type: 'tool-input-available',
          toolCallId,
          toolName,
          input: args,
        }),
      );
      return message.content === '' ? calls : [...text, ...calls];
    }
    case 'tool':
      return [toOutputEvent(message)];
    default:
      return message satisfies never;
  }
}
