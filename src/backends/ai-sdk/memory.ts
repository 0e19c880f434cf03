/** The history of a conversation, which the AI SDK keeps on the client: every request posts all of it. */

import type { TransportIO } from '../../core/transport/agent-transport.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { isRecord, type JsonValue, parseJson } from '../../shared/json.ts';
import { toUIMessages } from './to-ui-messages.ts';
import type { AiSdkMessage } from './ui-message.ts';

export interface AiSdkMemory {
  /** The messages as the latest request posted them, without secrets. A request that is sent again starts from these. */
  readonly posted: readonly AiSdkMessage[];
  /** The assistant message as the latest response left it, also if that was cut. */
  readonly answer?: AiSdkMessage;
  /** True if this client was asked for answers. */
  readonly isWaiting?: boolean;
  /** True if the latest response is here to its end. What a response leaves open that was cut has no answer. */
  readonly isWhole?: boolean;
  /** Names the latest request: the key of its message, or the calls that it answers. */
  readonly request?: string;
  /** The run of the latest request. */
  readonly executionId?: string;
}

/** The app may give the id of the chat on the server, and the messages before the first request. */
export interface FirstMemory {
  readonly chatId?: string;
  readonly messages?: readonly AiSdkMessage[];
}

export function readMemory({ memory, chat }: TransportIO, { messages }: FirstMemory): AiSdkMemory {
  const value = memory.get();
  if (isRecord(value) && Array.isArray(value.posted)) return value as unknown as AiSdkMemory;
  return { posted: messages ?? toUIMessages(chat.initialMessages) };
}

export function writeMemory({ memory }: Pick<TransportIO, 'memory'>, value: AiSdkMemory): void {
  // A copy: the message that is being written changes further.
  memory.set(JSON.parse(JSON.stringify(value)) as JsonValue);
}

/**
 * Returns the id of the chat on the server.
 *
 * @throws AgentChatError `invalid_options` for an id that the address of a stream cannot hold
 */
export function toChatId({ chat }: Pick<TransportIO, 'chat'>, { chatId = chat.id }: FirstMemory): string {
  if (!['', '.', '..'].includes(chatId)) return chatId;
  throw invalidOptions(
    `The id of the chat is ${JSON.stringify(chatId)}, which leads to another address of the server. Give the chat an id with a letter or digit.`,
  );
}

/** Returns the messages as they are now. The answer to a continuation is the message that asked. */
export function toHistory({ posted, answer }: AiSdkMemory): readonly AiSdkMessage[] {
  if (answer === undefined || answer.parts.length === 0) return posted;
  return posted.at(-1)?.role === 'assistant' ? [...posted.slice(0, -1), answer] : [...posted, answer];
}

/** Names a request with answers: the run that asked, and the calls. */
export function toAnswersKey(executionId: string, toolCallIds: readonly string[]): string {
  return JSON.stringify([executionId, ...toolCallIds]);
}

/** Returns the run that asked and the calls that the latest request answered; no calls for a message. */
export function readAnswersKey({ request = '' }: AiSdkMemory): readonly [string, readonly string[]] {
  const names = parseJson(request);
  if (!Array.isArray(names)) return ['', []];
  const [executionId, ...toolCallIds] = names.map(String);
  return [executionId ?? '', toolCallIds];
}
