/** The options of a chat, as far as it cannot begin without them being right. Tools are checked where they are called. */

import { invalidOptions, orInvalid } from '../shared/errors.ts';
import { isRecord } from '../shared/json.ts';
import { toInitialMessages } from '../state/initial-messages.ts';
import type { UIMessage } from '../state/message.ts';
import type { AgentChatOptions } from './agent-chat.ts';

/** @throws AgentChatError `invalid_options`, naming the option. */
export function checkOptions({
  transport,
  clientTools,
  maxToolRounds,
}: Partial<AgentChatOptions> = {}): void {
  if (!transport?.start || !transport.respond || !transport.capabilities) {
    throw invalidOptions(
      'createAgentChat needs a transport: createHttpTransport({ url }) or another AgentTransport.',
    );
  }
  if (clientTools !== undefined && !isRecord(clientTools)) {
    throw invalidOptions('clientTools must be an object of tools by name.');
  }
  if (maxToolRounds !== undefined && !(Number.isInteger(maxToolRounds) && maxToolRounds >= 0)) {
    throw invalidOptions(`maxToolRounds must be a whole number of 0 or more, not ${String(maxToolRounds)}.`);
  }
}

/** @throws AgentChatError `invalid_options` for what cannot be read as messages. */
export function readMessages(messages: readonly UIMessage[] = []): readonly UIMessage[] {
  return orInvalid(
    () => toInitialMessages(messages),
    'initialMessages must be a list of UIMessage, each with its parts',
  );
}
