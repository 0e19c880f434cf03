import {
  type AgentTransport,
  createHttpTransport,
  createSocketTransport,
  type UIMessage,
  type UIMessagePart,
} from 'handrail/core';
import type { Lent } from '../measure/candidate.ts';
import type { Expected } from '../workloads.ts';

export function toTransport({ workload, fetch, connect }: Lent): AgentTransport {
  return workload.socket ? createSocketTransport({ connect }) : createHttpTransport({ request: fetch });
}

export function toHistory(history: Lent['history']): UIMessage[] {
  return history.map(({ id, role, text }) => ({
    id,
    role,
    parts: [{ type: 'text', text, status: 'done' }],
    status: 'done',
    createdAt: new Date(0),
  }));
}

export function textOf(part: UIMessagePart): string {
  return part.type === 'text'
    ? part.text
    : part.type === 'tool-call'
      ? `${part.toolName} ${part.status}`
      : part.type === 'object'
        ? `${part.typeName} ${part.status}`
        : '';
}

export function received(messages: readonly UIMessage[]): Expected {
  const parts = messages.at(-1)?.parts ?? [];
  return {
    text: parts.reduce((sum, part) => sum + lengthOf(part), 0),
    tools: parts.filter((part) => part.type === 'tool-call').length,
  };
}

function lengthOf(part: UIMessagePart): number {
  if (part.type === 'text') return part.text.length;
  return part.type === 'object' && part.status === 'done' ? JSON.stringify(part.object).length : 0;
}
