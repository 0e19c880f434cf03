import type { TriggerCommand } from '../../core/protocol/commands.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { compact, isRecord } from '../../shared/json.ts';
import type { AiSdkMessage, AiSdkPart } from './ui-message.ts';

/**
 * Returns the message of a `sendMessage`: its files, then its text, as `useChat` has them. Content that is an object goes as JSON.
 *
 * @throws AgentChatError `invalid_options` for a trigger without a text and files, which the AI SDK has no word for
 */
export function toUserMessage(
  { triggerName, input = {} }: TriggerCommand,
  id: string,
  metadata?: unknown,
): AiSdkMessage {
  const { USER_MESSAGE: content, FILES: files } = input;
  const text = typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content);
  const parts = (Array.isArray(files) ? files.filter(isRecord) : []).map(
    ({ mediaType, url, filename }) => compact({ type: 'file', mediaType, url, filename }) as AiSdkPart,
  );
  if (text !== '') parts.push({ type: 'text', text });
  if (parts.length > 0) return { id, role: 'user', parts, ...compact({ metadata }) };
  throw invalidOptions(
    `The AI SDK knows messages and no triggers, so "${triggerName}" was not sent. Use sendMessage with a text or files.`,
  );
}
