import { deepFreeze } from '../shared/json.ts';
import { finalisePart } from './finalise.ts';
import type { UIMessage } from './message.ts';

/**
 * Messages of an app as the engine keeps them: frozen copies, so that neither side changes what the other holds.
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
