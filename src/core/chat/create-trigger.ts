import { invalidOptions, orInvalid } from '../../shared/errors.ts';
import { compact, isRecord, toJsonValue } from '../../shared/json.ts';
import type { TriggerCommand } from '../protocol/commands.ts';
import { isName } from '../protocol/native-fields.ts';
import type { FileReference, UIMessage } from '../state/message.ts';
import type { SendOptions } from './agent-chat.ts';

/** @throws AgentChatError `invalid_options` if an argument of `send` is of the wrong kind */
export function checkSend(triggerName: unknown, input: unknown, { whilePending }: SendOptions): void {
  if (!isName(triggerName)) {
    throw invalidOptions('send needs the name of a trigger, such as "user-message".');
  }
  if (input !== undefined && !isRecord(input)) {
    throw invalidOptions('The input of send must be an object.');
  }
  if (!['reject', 'cancel', 'queue', 'reply', undefined].includes(whilePending)) {
    throw invalidOptions(
      `whilePending must be 'reject', 'cancel', 'queue' or 'reply', not ${JSON.stringify(whilePending)}.`,
    );
  }
}

/** Creates the command that `send` sends. It holds a copy: later changes of the caller's objects do not reach it. */
export function createTrigger(
  triggerName: string,
  input: Readonly<Record<string, unknown>> | undefined,
  idempotencyKey: string,
  files?: readonly FileReference[],
  rewindTo?: string,
): TriggerCommand {
  const copy =
    input && orInvalid(() => toJsonValue({ ...input, FILES: files }, 'input'), 'send cannot send this');
  return compact({
    type: 'trigger' as const,
    triggerName,
    input: copy as typeof input,
    idempotencyKey,
    rewindTo,
  });
}

/** Returns the trigger of a message that another page has sent, as far as the message shows it. */
export function toTrigger({ parts }: UIMessage): TriggerCommand {
  const text = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
  const files = parts.filter((part) => part.type === 'file');
  const input = compact({ USER_MESSAGE: text, FILES: files.length > 0 ? files : undefined });
  return { type: 'trigger', triggerName: 'user-message', input, repeats: true };
}
