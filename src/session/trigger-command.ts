/** What `send` was given, checked and made into a command. */
import type { TriggerCommand } from '../protocol/commands.ts';
import { invalidOptions, orInvalid } from '../shared/errors.ts';
import { isRecord, toJsonValue } from '../shared/json.ts';
import type { FileReference } from '../state/message.ts';
import type { SendOptions } from './agent-chat.ts';

export function checkSend(triggerName: unknown, input: unknown, { whilePending }: SendOptions): void {
  if (typeof triggerName !== 'string' || triggerName === '') {
    throw invalidOptions('send needs the name of a trigger, such as "user-message".');
  }
  if (input !== undefined && !isRecord(input)) {
    throw invalidOptions('The input of send must be an object.');
  }
  if (whilePending !== undefined && !['reject', 'cancel', 'queue'].includes(whilePending)) {
    throw invalidOptions(
      `whilePending must be 'reject', 'cancel' or 'queue', not ${JSON.stringify(whilePending)}.`,
    );
  }
}

/** The command as it travels: a copy, so that later changes of the caller's objects change nothing. */
export function createTrigger(
  triggerName: string,
  input: Readonly<Record<string, unknown>> | undefined,
  files: readonly FileReference[] | undefined,
): TriggerCommand {
  if (input === undefined) return { type: 'trigger', triggerName };
  const copy = orInvalid(() => toJsonValue({ ...input, FILES: files }, 'input'), 'send cannot send this');
  return { type: 'trigger', triggerName, input: copy as Readonly<Record<string, unknown>> };
}
