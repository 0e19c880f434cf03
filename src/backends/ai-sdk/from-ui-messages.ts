import type { ToolCallPart, UIMessage, UIMessagePart } from '../../core/state/message.ts';
import { compact } from '../../shared/json.ts';
import { toArgs } from './decode-chunk.ts';
import { isOver } from './tool-parts.ts';
import {
  type AiSdkMessage,
  type AiSdkPart,
  type AiSdkToolPart,
  isToolPart,
  toolNameOf,
} from './ui-message.ts';

/**
 * Returns messages of the AI SDK (`UIMessage[]` of the `ai` package), such as a server has stored them, as `initialMessages` of a chat.
 * `toUIMessages` has the way back. A question that the last message leaves open is asked again.
 *
 * What a page cannot show is left out: messages of the system, and the parts `custom`, `reasoning-file` and `steering-message`. A server
 * that needs them gets them with the option `messages` of `createAiSdkTransport`. The AI SDK has no time of a message: `createdAt` is that
 * of the metadata, if there is one.
 */
export function fromUIMessages(messages: readonly AiSdkMessage[]): readonly UIMessage[] {
  return messages.flatMap(({ id, role, parts, metadata }) => {
    if (role === 'system') return [];
    const shown = parts.flatMap((part, index) => toParts(part, `${id}-${index}`));
    const message = {
      id,
      role,
      parts: shown,
      status: 'done',
      createdAt: toDate(metadata),
      metadata,
    } as const;
    return [compact(message) as UIMessage];
  });
}

/** Keys that the page does not know stay on the part: providers want their metadata and signatures back. */
function toParts(part: AiSdkPart, partId: string): readonly UIMessagePart[] {
  if (isToolPart(part)) return [toCallPart(part)];
  const { type, state: _, ...rest } = part;
  switch (type) {
    case 'text':
    case 'reasoning':
      return [{ ...rest, type, status: 'done' } as unknown as UIMessagePart];
    case 'file':
      return [{ ...rest, type, id: partId } as unknown as UIMessagePart];
    case 'source-url':
    case 'source-document': {
      const { sourceId, ...source } = rest;
      const sourceType = type.slice('source-'.length);
      return [{ ...source, type: 'source', sourceType, id: sourceId } as unknown as UIMessagePart];
    }
    default: {
      if (!type.startsWith('data-')) return [];
      const { data, id = partId } = rest;
      const typeName = type.slice('data-'.length);
      return [{ type: 'object', id, typeName, object: data, status: 'done' } as UIMessagePart];
    }
  }
}

function toCallPart(part: AiSdkToolPart): ToolCallPart {
  const {
    type,
    state: _,
    toolName: __,
    title,
    input,
    output,
    errorText,
    providerExecuted,
    preliminary: ___,
    ...rest
  } = part;
  const { approval } = part;
  const executedBy = providerExecuted === true ? 'provider' : approval && ('server' as const);
  const call = {
    ...rest,
    type: 'tool-call',
    toolName: toolNameOf(part),
    displayName: title,
    args: toArgs(input),
    executedBy,
    ...(type === 'dynamic-tool' && { dynamic: true }),
  };
  const end = !isOver(part)
    ? { status: 'running' }
    : part.state === 'output-available'
      ? { status: 'done', result: output }
      : part.state === 'output-error'
        ? { status: 'error', error: errorText }
        : { status: 'done', outcome: 'declined', reason: approval?.reason };
  return compact({ ...call, ...end }) as unknown as ToolCallPart;
}

function toDate(metadata: unknown): Date {
  const { createdAt } = (metadata ?? {}) as { readonly createdAt?: unknown };
  const date = new Date(
    createdAt instanceof Date || typeof createdAt === 'number' ? createdAt : String(createdAt),
  );
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}
