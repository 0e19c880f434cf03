import { deepFreeze } from '../../shared/json.ts';
import { finalisePart } from './finalise.ts';
import type { UIMessage } from './message.ts';

/**
 * Copies the messages of an app and freezes them, so that neither side changes the messages of the other.
 * Messages that went through JSON have their date as text; it becomes a `Date` again. What was kept in the middle of a
 * turn is over: nothing goes on with it.
 *
 * @throws TypeError when a message has something that cannot be copied, such as a function
 */
export function toInitialMessages(messages: readonly UIMessage[]): readonly UIMessage[] {
  return deepFreeze(
    structuredClone(messages).map((message) => ({
      ...message,
      parts: message.parts.map((part) => finalisePart(part, 'interrupted')),
      status: 'done',
      createdAt: new Date(message.createdAt),
    })),
  );
}
