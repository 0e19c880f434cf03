import { invalidOptions, orInvalid } from '../../shared/errors.ts';
import { compact, deepFreeze, isRecord, toJsonValue } from '../../shared/json.ts';
import { isListOf, isString, pickPassing } from '../protocol/native-fields.ts';
import type { FileReference, UIMessage, UIMessagePart } from '../state/message.ts';
import type { UserMessageInput } from './agent-chat.ts';
import { notFiles } from './uploads.ts';

const isFiles = /* @__PURE__ */ isListOf<FileReference>(isString, 'id', 'mediaType', 'url');

const SENDER = { id: isString, name: isString, image: isString };

/** @throws AgentChatError `invalid_options` if the message is neither a text nor an object */
export function toMessageInput(given: string | UserMessageInput): UserMessageInput {
  const message = typeof given === 'string' ? { content: given } : given;
  if (!isRecord(message)) throw invalidOptions('A message is a text, or an object { content, files }.');
  return message;
}

/**
 * Creates the user's message as it is shown: its files first, then one text part, or one object part for an object.
 *
 * @throws AgentChatError `invalid_options` if the content is of another kind or cannot be written as JSON, which a reload
 * needs, and if a file is no reference
 * @param id of the message, and of its object part: the key of the trigger that carries it
 */
export function createUserMessage(
  { content, sender, metadata }: UserMessageInput,
  files: readonly FileReference[],
  id: string,
  createdAt: Date,
): UIMessage {
  if (!isFiles(files)) throw notFiles();
  const parts: UIMessagePart[] = files.map(({ id, mediaType, url, filename, size }) =>
    compact({ type: 'file', id, mediaType, url, filename, size }),
  );
  if (typeof content === 'string') {
    parts.push({ type: 'text', text: content, status: 'done' });
  } else if (content) {
    const object = orInvalid(() => {
      const copy = toJsonValue(content);
      if (!isRecord(copy)) throw new TypeError('neither text nor object');
      return copy;
    }, 'The content cannot be shown');
    const typeName = typeof object.type === 'string' ? object.type : 'object';
    parts.push({ type: 'object', id, typeName, object, status: 'done' });
  }
  const author = sender && { sender: pickPassing(sender, SENDER) };
  const data = metadata !== undefined && {
    metadata: orInvalid(() => toJsonValue(metadata, 'metadata'), 'The message cannot be sent'),
  };
  return deepFreeze({
    id,
    role: 'user',
    parts,
    status: 'done',
    createdAt,
    ...author,
    ...data,
  });
}
