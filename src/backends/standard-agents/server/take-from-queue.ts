import type { Thread } from './thread.ts';
import type { ToolCallEntry } from './thread-message.ts';
import type { QueuedWork } from './thread-record.ts';
import type { ThreadWriter } from './thread-writer.ts';

/** Moves the first messages, or the first tool calls, from the queue to the history. */
export async function takeFromQueue(thread: Thread, writer: ThreadWriter): Promise<void> {
  const { queue } = thread.record;
  const end = queue.findIndex(({ type }) => type !== queue[0]?.type);
  const batch = end < 0 ? queue : queue.slice(0, end);
  const take = (...works: QueuedWork[]) =>
    thread.change({ queue: thread.record.queue.filter((work) => !works.includes(work)) });
  for (const work of batch) {
    if (work.type !== 'message') continue;
    await writer.update(work.message, { status: 'completed' }, () => {
      take(work);
      // A message begins a session anew.
      thread.change({ session: undefined, session_status: undefined });
    });
  }
  const calls = batch.flatMap((work) => (work.type === 'tool' ? [toCall(work)] : []));
  if (calls.length === 0) return;
  const asking = { role: 'assistant', content: null, tool_calls: JSON.stringify(calls) } as const;
  await writer.create({ ...asking, metadata: { queued: true } }, () => take(...batch));
}

function toCall({ id, name, args }: Extract<QueuedWork, { type: 'tool' }>): ToolCallEntry {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
}
