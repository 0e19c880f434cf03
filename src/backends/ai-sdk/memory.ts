/** The history of a conversation, which the AI SDK keeps on the client: every request posts all of it. */

import type { TransportMemory } from '../../core/transport/agent-transport.ts';
import { createId } from '../../shared/ids.ts';
import { isRecord, type JsonValue } from '../../shared/json.ts';
import type { AiSdkMessage } from './ui-message.ts';

export interface AiSdkMemory {
  /** The id of the chat on the server. */
  readonly chatId: string;
  /** The messages as the latest request posted them, without secrets. A request that is sent again starts from these. */
  readonly posted: readonly AiSdkMessage[];
  /** The assistant message as the latest response left it, also if that was cut. */
  readonly answer?: AiSdkMessage;
  /** True if that response is here to its end, and asks this client for answers. */
  readonly isWaiting?: boolean;
  /** Names the latest request: the key of its message, or the calls that it answers. */
  readonly request?: string;
  /** The run of the latest request. */
  readonly executionId?: string;
  /** The number of the last chunk before the latest response. A replay of the response counts from here. */
  readonly base: number;
}

/** The app may give the id of the chat on the server, and the messages before the first request. */
export interface FirstMemory {
  readonly chatId?: string;
  readonly messages?: readonly AiSdkMessage[];
}

export function readMemory(memory: TransportMemory, { chatId, messages = [] }: FirstMemory): AiSdkMemory {
  const value = memory.get();
  const known =
    isRecord(value) && Array.isArray(value.posted) ? (value as unknown as AiSdkMemory) : undefined;
  return { posted: messages, base: 0, ...known, chatId: chatId ?? known?.chatId ?? createId() };
}

export function writeMemory(memory: TransportMemory, value: AiSdkMemory): void {
  // A copy: the message that is being written changes further.
  memory.set(JSON.parse(JSON.stringify(value)) as JsonValue);
}

/** Returns the messages as they are now. The answer to a continuation is the message that asked. */
export function toHistory({ posted, answer }: AiSdkMemory): readonly AiSdkMessage[] {
  if (answer === undefined || answer.parts.length === 0) return posted;
  return posted.at(-1)?.role === 'assistant' ? [...posted.slice(0, -1), answer] : [...posted, answer];
}
