import type { NoticeEvent } from '../../core/protocol/events.ts';
import type { MessageBuilder } from './message-builder.ts';
import type { AiSdkChunk } from './ui-message.ts';

/** The reference client ends the response at these chunks. Here they cost a notice. */
export function findFault(builder: MessageBuilder, chunk: AiSdkChunk): NoticeEvent | undefined {
  if (chunk.type.startsWith('tool-')) return findCallFault(builder, chunk);
  if (!builder.isUnopened(chunk)) return undefined;
  return {
    type: 'notice',
    code: 'unopened_text',
    text: 'The server sent a piece of a text that it never began.',
  };
}

function findCallFault(builder: MessageBuilder, chunk: AiSdkChunk): NoticeEvent | undefined {
  if (isNameless(chunk)) {
    const text = `The server sent ${chunk.type} without the id or the name of its call.`;
    return { type: 'notice', code: 'invalid_chunk', text };
  }
  if (!builder.isStray(chunk)) return undefined;
  const text = `The server sent ${chunk.type} for a call that it never announced.`;
  return { type: 'notice', code: 'unknown_call', text };
}

function isNameless({ type, toolCallId, toolName }: AiSdkChunk): boolean {
  if (/^tool-input-(start|available|error)$/.test(type))
    return typeof toolCallId !== 'string' || typeof toolName !== 'string';
  return /^tool-(input|output|approval-request)/.test(type) && typeof toolCallId !== 'string';
}
