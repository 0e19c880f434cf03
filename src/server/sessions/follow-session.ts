/** Follows a session over its runs and over the questions between them: an `open` request with `follow: true`. */
import type { AgentEvent } from '../../core/protocol/events.ts';
import { endsRun } from '../../core/protocol/native-endings.ts';
import type { OpenRequest } from '../parse-session-request.ts';
import type { EventSource } from '../store/event-source.ts';

/** What the client has: an execution, and the last sequence number of it. */
type Position = Pick<OpenRequest, 'executionId' | 'after'>;

interface FollowOptions {
  /** Opens the session once: its events up to the end of the run, or nothing new. */
  open(position: Position): Promise<EventSource>;
  /** Calls back when the session may have changed. Returns the function that ends it. */
  watch(listener: () => void): () => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Ends when the execution is over. A run may be in any process, so nothing is read from the run itself: after each change the session is
 * opened again, from the last event that the reader has.
 */
export function followSession(
  { executionId, after }: Position,
  { open, watch, signal }: FollowOptions,
): EventSource {
  let position: Position = { executionId, after };
  let source: EventSource | null = null;
  let isOver = false;
  let hasChanged = true;
  let wake = () => {};
  const unwatch = watch(() => {
    hasChanged = true;
    wake();
  });
  const close = async () => {
    isOver = true;
    unwatch();
    signal?.removeEventListener('abort', close);
    wake();
    await source?.close();
  };
  signal?.addEventListener('abort', close);

  function record(event: AgentEvent): void {
    if (event.type === 'snapshot') {
      position = { executionId: event.executionId, after: Number(event.cursor ?? 0) };
      if (event.executionId === undefined) void close();
      return;
    }
    if (event.cursor !== undefined) position = { ...position, after: Number(event.cursor) };
    const isQuestion = event.type === 'finish' && event.finishReason === 'client-tool-calls';
    if (endsRun(event) && !isQuestion) void close();
  }
  async function waitForChange(): Promise<void> {
    while (!hasChanged && !isOver) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    async next() {
      while (!isOver) {
        if (source === null) {
          await waitForChange();
          if (isOver) break;
          hasChanged = false;
          source = await open(position);
        }
        const event = await source.next();
        if (event !== null) {
          record(event);
          return event;
        }
        source = null;
      }
      return null;
    },
    close,
  };
}
