import { completeObject, parseArriving, toArgs } from './arriving-json.ts';
import type { FilePart, SourcePart, TodoPart, UIMessage, UIMessagePart } from './message.ts';
import { type StreamingMessage, toMessage, updatePart } from './streaming-message.ts';

/** How a turn ended, as far as its unfinished parts care. */
export type TurnEnding = 'finished' | 'stopped' | 'failed' | 'interrupted';

/** The message of a turn that is over: no part is left streaming, pending or running. */
export function finaliseMessage(streamingMessage: StreamingMessage, ending: TurnEnding): UIMessage {
  const parts = streamingMessage.parts.map(({ part, json }) =>
    Object.freeze(finalisePart(part, ending, json)),
  );
  return Object.freeze({
    ...toMessage(streamingMessage, parts, 'done'),
    ...(ending === 'stopped' && { ending }),
  });
}

/** Nothing is added to the part any more. */
export function finishPart(
  streamingMessage: StreamingMessage,
  key: string,
  error?: string,
): StreamingMessage {
  return updatePart(streamingMessage, key, ({ part, json }) => ({
    part: finalisePart(part, 'finished', json, error),
  }));
}

/**
 * A part that nothing is added to any more.
 *
 * @param json the text that has arrived for its arguments or object
 * @param error the reason why an object does not match its type
 */
export function finalisePart(
  part: UIMessagePart,
  ending: TurnEnding,
  json?: string,
  error?: string,
): UIMessagePart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.status === 'done' ? part : { ...part, status: 'done' };
    case 'object':
      return part.status === 'streaming' ? completeObject(part, json ?? '', error) : part;
    case 'tool-call':
      return part.status === 'pending' || part.status === 'running'
        ? {
            ...part,
            args: json === undefined ? part.args : toArgs(parseArriving(json)),
            status: 'cancelled',
          }
        : part;
    case 'operation':
      if (part.status !== 'running') return part;
      return { ...part, status: ending === 'finished' ? 'done' : 'cancelled' };
    default:
      return part satisfies SourcePart | FilePart | TodoPart;
  }
}
