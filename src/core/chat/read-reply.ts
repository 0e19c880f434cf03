import { invalidOptions } from '../../shared/errors.ts';
import { isBlank } from '../../shared/is-blank.ts';
import type { TriggerCommand } from '../protocol/commands.ts';
import type { UIMessage } from '../state/message.ts';

/**
 * Returns the words of a message that is the answer to open questions.
 *
 * @throws AgentChatError `invalid_options` if the message is more than words, or has none
 */
export function readReply(
  { input, rewindTo }: TriggerCommand,
  userMessage: Pick<UIMessage, 'parts'> | undefined,
): string {
  const { USER_MESSAGE, FILES } = input ?? {};
  const parts = userMessage?.parts ?? [];
  if (rewindTo !== undefined) throw notWords('it takes the place of an earlier message');
  if ((Array.isArray(FILES) && FILES.length > 0) || parts.some(({ type }) => type === 'file'))
    throw filesInReply();
  const shown = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
  const words = shown || USER_MESSAGE;
  if (typeof words !== 'string' || isBlank(words)) throw notWords('it has no text');
  return words;
}

/** A no has a reason and no files. Nothing may be lost of what the person wanted to say. */
export function filesInReply(): Error {
  return notWords('it has files');
}

function notWords(fault: string): Error {
  return invalidOptions(
    `With whilePending 'reply' a message answers the open questions in words, and this one cannot: ${fault}. Answer the questions first, or send a text alone.`,
  );
}
