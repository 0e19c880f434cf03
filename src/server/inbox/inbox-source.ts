import type { ErrorEvent } from '../../core/protocol/events.ts';
import type { Clock } from '../../shared/clock.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import { Mailbox } from '../../shared/mailbox.ts';
import { storeFailure } from '../session-errors.ts';
import type { EventSource } from '../store/event-source.ts';
import type { OpenCallList, SessionStore } from '../store/session-store.ts';
import { hostOf } from '../store/store-host.ts';

/** An event of the inbox: the whole list, or the failure that ends the stream. */
export type InboxEvent = ({ readonly type: 'calls' } & OpenCallList) | ErrorEvent;

export interface InboxSourceOptions {
  readonly store: SessionStore;
  readonly clock: Clock;
  /** Resolves to null if the person is no longer signed in. */
  list(): Promise<OpenCallList | null>;
  /** Called with the error that ended the stream. */
  onError(thrown: unknown): void;
}

/** A run saves several times in a row: the saves of this time make one event. Milliseconds. */
const GATHER_MS = 50;

/** Yields the list, then the list again whenever a save has changed it. */
export function createInboxSource({
  store,
  clock,
  list,
  onError,
}: InboxSourceOptions): EventSource<InboxEvent> {
  let sent: OpenCallList | undefined;
  let isClosed = false;
  const changes = new Mailbox<'changed'>();
  changes.push('changed');
  let cancelTimer: (() => void) | undefined;
  const stopWatching = hostOf(store).watch(() => {
    cancelTimer ??= clock.after(GATHER_MS, () => {
      cancelTimer = undefined;
      changes.pushOnce('changed');
    });
  });
  const close = () => {
    isClosed = true;
    stopWatching();
    cancelTimer?.();
    changes.close();
  };

  return {
    async next() {
      try {
        // A save while the list is read counts as a later change.
        while ((await changes.next()) && !isClosed) {
          const current = await list();
          if (current === null) break;
          if (deepEqual(current, sent)) continue;
          sent = current;
          return { type: 'calls', ...current };
        }
      } catch (thrown) {
        onError(thrown);
        close();
        return storeFailure(thrown);
      }
      close();
      return null;
    },
    close: async () => close(),
  };
}
