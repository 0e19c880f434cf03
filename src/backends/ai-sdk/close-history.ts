/** Closes what a run left open. Models refuse a history with calls that have no result, and with empty messages. */
import { type AiSdkMessage, type AiSdkPart, type AiSdkToolPart, isToolPart } from './ui-message.ts';

const UNANSWERED = 'The run was stopped before this call had a result';

/** Returns the messages as they may stand before a new message of the user. Messages without a part are left out. */
export function closeHistory(messages: readonly AiSdkMessage[]): readonly AiSdkMessage[] {
  return messages
    .map((message) =>
      message.role === 'assistant' ? { ...message, parts: message.parts.flatMap(closePart) } : message,
    )
    .filter(({ parts }) => parts.some(({ type }) => type !== 'step-start'));
}

function closePart(part: AiSdkPart): readonly AiSdkPart[] {
  if (isToolPart(part)) return [closeToolPart(part)];
  if (part.type !== 'text' && part.type !== 'reasoning') return [part];
  // Reasoning without text may carry the signature that the provider wants back.
  if (part.text === '' && part.providerMetadata === undefined) return [];
  return [part.state === 'streaming' ? { ...part, state: 'done' } : part];
}

/** Closes the calls of a message that nobody was asked for, because its response was cut. */
export function closeUnasked(message: AiSdkMessage, isAsked: (part: AiSdkToolPart) => boolean): AiSdkMessage {
  const parts = message.parts.flatMap((part) =>
    isToolPart(part) && isAsked(part) ? [part] : closePart(part),
  );
  return { ...message, parts };
}

function closeToolPart(part: AiSdkToolPart): AiSdkPart {
  const { approval, output: _, preliminary, ...rest } = part;
  const failed = { state: 'output-error', errorText: UNANSWERED, input: part.input ?? {} };
  switch (part.state) {
    case 'input-streaming':
    case 'input-available':
      return { ...rest, ...failed };
    case 'approval-requested':
      return { ...part, state: 'output-denied', approval: { ...approval, approved: false } };
    case 'approval-responded':
      return approval?.approved === true ? { ...part, ...failed } : { ...part, state: 'output-denied' };
    case 'output-available':
      // Half a result is none.
      return preliminary === true ? { ...rest, ...failed, ...(approval && { approval }) } : part;
    default:
      return part;
  }
}
