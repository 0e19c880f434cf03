/** Builds the messages that the next request posts, and what is kept of them. */
import type { RespondCommand, TriggerCommand } from '../../core/protocol/commands.ts';
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import { createId } from '../../shared/ids.ts';
import { isRecord } from '../../shared/json.ts';
import { closeHistory } from './close-history.ts';
import { type AiSdkMemory, toHistory } from './memory.ts';
import type { PostedChat } from './requests.ts';
import { toUserMessage } from './to-user-message.ts';
import type { AiSdkMessage } from './ui-message.ts';
import { writeAnswers } from './write-answers.ts';

export interface Prepared {
  /** The memory while the request is under way. */
  readonly kept: AiSdkMemory;
  /** The messages to post. */
  readonly messages: readonly AiSdkMessage[];
  readonly trigger: PostedChat['trigger'];
}

/**
 * A message that is sent again takes the place of what the first attempt left. A message with `rewindTo` takes the place of that
 * message and of all that followed it.
 */
export function prepareMessage(command: TriggerCommand, memory: AiSdkMemory): Prepared {
  const key = command.idempotencyKey ?? createId();
  const history = toHistory(memory);
  const sent = history.findIndex(({ id }) => id === key);
  const replaced = history.findIndex(({ id }) => id === command.rewindTo);
  const message = history[sent] ?? toUserMessage(command, key);
  const before = [sent, replaced].find((index) => index >= 0);
  const messages = [...closeHistory(history.slice(0, before)), message];
  return {
    kept: { chatId: memory.chatId, posted: messages, request: key, executionId: key, base: 0 },
    messages,
    trigger: deepEqual(history[replaced]?.parts, message.parts) ? 'regenerate-message' : 'submit-message',
  };
}

/** Answers that are sent again take the place of what the first attempt left. */
export function prepareAnswers(command: RespondCommand, memory: AiSdkMemory, io: TransportIO): Prepared {
  const { executionId, answers, cursor } = command;
  const request = JSON.stringify([executionId, ...answers.map(({ toolCallId }) => toolCallId)]);
  const history = memory.request === request ? memory.posted : toHistory(memory);
  const hasHandler = (toolName: string) => isHandler(io.clientTools?.()[toolName]);
  const [posted, messages] = [true, false].map((isRedacted) =>
    writeAnswers(history, answers, { isRedacted, hasHandler }),
  ) as [readonly AiSdkMessage[], readonly AiSdkMessage[]];
  const [root, round = 0] = executionId.split('#');
  const next = `${root}#${Number(round) + 1}`;
  return {
    kept: { chatId: memory.chatId, posted, request, executionId: next, base: Number(cursor ?? 0) },
    messages,
    trigger: 'submit-message',
  };
}

function isHandler(tool: unknown): boolean {
  return typeof tool === 'function' || (isRecord(tool) && typeof tool.execute === 'function');
}
