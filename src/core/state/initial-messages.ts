import { compact, deepFreeze } from '../../shared/json.ts';
import { finalisePart } from './finalise.ts';
import type { ToolCallPart, UIMessage, UIMessagePart } from './message.ts';

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
      parts: message.parts.flatMap(showWorkerAsCall).map((part) => finalisePart(part, 'interrupted')),
      status: 'done',
      createdAt: new Date(message.createdAt),
    })),
  );
}

/** An agent that the agent started, in the messages of a stored session (Octavus 6.4). */
interface WorkerPart {
  readonly type: 'worker';
  readonly workerId: string;
  readonly workerSlug: string;
  readonly description?: string;
  readonly input?: ToolCallPart['args'];
  readonly parts: readonly UIMessagePart[];
  readonly output?: unknown;
  readonly error?: string;
  readonly status: ToolCallPart['status'];
}

/** Returns a worker as a stream shows it: a call, and the parts of the thread that has its id. Returns any other part as it is. */
function showWorkerAsCall(part: UIMessagePart | WorkerPart): readonly UIMessagePart[] {
  if (part.type !== 'worker') return [part];
  const {
    workerId: thread,
    workerSlug: toolName,
    description,
    input: args = {},
    output,
    error,
    status,
  } = part;
  const call = { type: 'tool-call' as const, toolCallId: thread, toolName, args, status };
  return [
    compact({ ...call, displayName: description, result: output, error }),
    ...part.parts.map((inner) => ({ ...inner, thread })),
  ];
}
