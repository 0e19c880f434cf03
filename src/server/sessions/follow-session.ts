/** Follows a session over its turns and the rests between them: an `open` request with `follow: true`. */
import type { AgentEvent, SnapshotEvent } from '../../core/protocol/events.ts';
import { Mailbox } from '../../shared/mailbox.ts';
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
 * Ends when the reader leaves or the signal aborts, and after a refusal. A run may be in any process, so nothing is read from the run itself:
 * after each change the session is opened again, from the last event that the reader has.
 */
export function followSession(
  { executionId, after }: Position,
  { open, watch, signal }: FollowOptions,
): EventSource {
  let position: Position = { executionId, after };
  let source: EventSource | null = null;
  const changes = new Mailbox<'changed'>();
  const unwatch = watch(() => changes.pushOnce('changed'));
  const close = async () => {
    unwatch();
    signal?.removeEventListener('abort', close);
    changes.close();
    changes.takeAll();
    await source?.close();
  };
  signal?.addEventListener('abort', close);
  changes.push('changed');

  function record(event: AgentEvent): void {
    if (event.type === 'snapshot') position = positionOf(event);
    else if (event.cursor !== undefined) position = { ...position, after: Number(event.cursor) };
    // The events of a run have cursors. An error without one refuses the request.
    else if (event.type === 'error') void close();
  }
  return {
    async next() {
      for (;;) {
        if (source === null) {
          if ((await changes.next()) === undefined) return null;
          source = await open(position);
          // Closed while the session was being opened.
          if (changes.isClosed) await source.close();
        }
        const event = await source.next();
        if (event !== null) {
          record(event);
          return event;
        }
        if (changes.isClosed) return null;
        source = null;
      }
    },
    close,
  };
}

/** At rest a snapshot names no run to read, but the execution whose end it shows. */
function positionOf({ executionId, cursor, restsAt }: SnapshotEvent): Position {
  const at = restsAt ?? { executionId, cursor };
  return { executionId: at.executionId, after: Number(at.cursor ?? 0) };
}
