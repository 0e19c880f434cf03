/** Builds the messages that the next request posts, and what is kept of them. */
import type { RespondCommand, TriggerCommand } from '../../core/protocol/commands.ts';
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import { createId } from '../../shared/ids.ts';
import { hasOwn, isRecord } from '../../shared/json.ts';
import { findNamed } from './call-names.ts';
import { closeHistory, closeUnasked } from './close-history.ts';
import { type AiSdkMemory, toAnswersKey, toHistory } from './memory.ts';
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
export function prepareMessage(
  command: TriggerCommand,
  memory: AiSdkMemory,
  { chat }: TransportIO,
): Prepared {
  const key = command.idempotencyKey ?? createId();
  const history = toHistory(memory);
  const sent = history.findIndex(({ id }) => id === key);
  const replaced = history.findIndex(({ id }) => id === command.rewindTo);
  const metadata = chat.messages().find(({ id }) => id === key)?.metadata;
  // A message of the history, which this chat has not sent, may have parts that the page does not show.
  const again = command.repeats && history[replaced];
  const message = history[sent] ?? (again ? { ...again, id: key } : toUserMessage(command, key, metadata));
  const before = [sent, replaced].find((index) => index >= 0);
  const messages = [...closeHistory(history.slice(0, before)), message];
  return {
    kept: { posted: messages, request: key, executionId: key },
    messages,
    trigger: deepEqual(history[replaced]?.parts, message.parts) ? 'regenerate-message' : 'submit-message',
  };
}

/** Answers that are sent again take the place of what the first attempt left. */
export function prepareAnswers(command: RespondCommand, memory: AiSdkMemory, io: TransportIO): Prepared {
  const { executionId, answers } = command;
  const names = answers.map(({ toolCallId }) => toolCallId);
  const request = toAnswersKey(executionId, names);
  const history = memory.request === request ? memory.posted : toAsking(memory, names);
  const tools = io.clientTools?.() ?? {};
  const hasHandler = (toolName: string) => hasOwn(tools, toolName) && isHandler(tools[toolName]);
  const [posted, messages] = [true, false].map((isRedacted) =>
    writeAnswers(history, answers, { isRedacted, hasHandler }),
  ) as [readonly AiSdkMessage[], readonly AiSdkMessage[]];
  const [root, round = 0] = executionId.split('#');
  const next = `${root}#${Number(round) + 1}`;
  return {
    kept: { posted, request, executionId: next },
    messages,
    trigger: 'submit-message',
  };
}

/** Returns the messages that the answers are written into. Of a response that was cut the other calls have no answer. */
function toAsking(memory: AiSdkMemory, names: readonly string[]): readonly AiSdkMessage[] {
  const history = toHistory(memory);
  const last = history.at(-1);
  if (memory.answer === undefined || memory.isWhole || last === undefined) return history;
  const asked = names.map((name) => findNamed(last.parts, name));
  return [...history.slice(0, -1), closeUnasked(last, (part) => asked.includes(part))];
}

function isHandler(tool: unknown): boolean {
  return typeof tool === 'function' || (isRecord(tool) && typeof tool.execute === 'function');
}
