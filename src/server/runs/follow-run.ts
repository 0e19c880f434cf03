import type { AgentEvent } from '../../core/protocol/events.ts';
import { Mailbox } from '../../shared/mailbox.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import type { EventSource } from '../store/event-source.ts';
import type { Run } from '../store/live-run.ts';

/** Reads a run to its end beside its reader, whom it neither displaces nor slows down: `earlier`, then the events after `after`. */
export function followRun(
  run: Run,
  earlier: readonly LoggedEvent[],
  after: number,
  toEvent: (entry: LoggedEvent) => AgentEvent,
): EventSource {
  let pending = earlier;
  let index = 0;
  let position = after;
  const changes = new Mailbox<'changed'>();
  const unfollow = run.follow(() => changes.pushOnce('changed'));

  async function close(): Promise<null> {
    unfollow();
    changes.close();
    return null;
  }
  return {
    async next() {
      for (;;) {
        if (changes.isClosed) return null;
        const entry = pending[index++];
        if (entry !== undefined) return toEvent(entry);
        if (position < run.position()) {
          pending = (await run.read(position)) ?? [];
          index = 0;
          // Events that the log has dropped already are missing: the client opens the conversation again.
          if (pending.length === 0) return close();
          position = pending.at(-1)?.seq ?? position;
        } else if (run.isEnded()) return close();
        else await changes.next();
      }
    },
    async close() {
      await close();
    },
  };
}
