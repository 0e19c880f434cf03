import { invalidOptions, orInvalid } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import { toInitialMessages } from '../state/initial-messages.ts';
import type { UIMessage } from '../state/message.ts';
import { findDefinitionFault, isDefinition } from '../tools/check-definition.ts';
import type { AgentChatOptions } from './agent-chat.ts';

/**
 * Checks the options without which a chat cannot begin. A tool that is declared later is checked when the agent calls it.
 *
 * @throws AgentChatError `invalid_options`, naming the option and the fix
 */
export function checkOptions({
  transport,
  clientTools,
  maxToolRounds,
  persistence,
  registrationGraceMs = 0,
}: Partial<AgentChatOptions> = {}): void {
  if (typeof transport?.run !== 'function' || !transport.capabilities) {
    throw invalidOptions('createAgentChat needs a transport, such as createHttpTransport({ url }).');
  }
  if (clientTools !== undefined && !isRecord(clientTools)) {
    throw invalidOptions('clientTools must be an object of tools by name.');
  }
  for (const [name, tool] of Object.entries(clientTools ?? {})) {
    const fault = isDefinition(tool) ? findDefinitionFault(tool) : undefined;
    if (fault !== undefined) throw invalidOptions(`clientTools.${name}: ${fault}`);
  }
  if (maxToolRounds !== undefined && !(Number.isInteger(maxToolRounds) && maxToolRounds >= 0)) {
    throw invalidOptions(`maxToolRounds must be a whole number of 0 or more, not ${String(maxToolRounds)}.`);
  }
  if (!(typeof registrationGraceMs === 'number' && registrationGraceMs >= 0)) {
    throw invalidOptions(
      `registrationGraceMs must be a number of 0 or more, not ${String(registrationGraceMs)}.`,
    );
  }
  if (persistence && typeof persistence.attach !== 'function') {
    throw invalidOptions('persistence takes createPersistence().');
  }
}

/** @throws AgentChatError `invalid_options` if the messages cannot be read */
export function readMessages(messages: readonly UIMessage[] = []): readonly UIMessage[] {
  return orInvalid(
    () => toInitialMessages(messages),
    'initialMessages must be a list of UIMessage with parts',
  );
}
