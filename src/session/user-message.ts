import { deepFreeze } from '../shared/json.ts';
import type { FileReference, UIMessage, UIMessagePart } from '../state/message.ts';
import type { UserMessageInput } from './agent-chat.ts';

/** The user's message as it is shown: its files first, then one text part, or one object part for an object. */
export function createUserMessage(
  content: UserMessageInput['content'],
  files: readonly FileReference[],
  createId: () => string,
  createdAt: Date,
): UIMessage {
  const parts: UIMessagePart[] = files.map(({ id, mediaType, url, filename, size }) => ({
    type: 'file',
    id,
    mediaType,
    url,
    ...(filename === undefined ? {} : { filename }),
    ...(size === undefined ? {} : { size }),
  }));
  if (typeof content === 'string') {
    parts.push({ type: 'text', text: content, status: 'done' });
  } else if (content !== undefined) {
    const object = deepFreeze(structuredClone(content));
    const typeName = typeof object.type === 'string' ? object.type : 'object';
    parts.push({ type: 'object', id: createId(), typeName, object, status: 'done' });
  }
  return Object.freeze({
    id: createId(),
    role: 'user',
    parts: Object.freeze(parts.map((part) => Object.freeze(part))),
    status: 'done',
    createdAt,
  });
}
