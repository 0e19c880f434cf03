import type { ErrorEvent } from '../../core/protocol/events.ts';
import type { Clock } from '../../shared/clock.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import { Mailbox } from '../../shared/mailbox.ts';
import { storeFailure } from '../session-errors.ts';
import type { EventSource } from '../store/event-source.ts';
import type { OpenCallList } from '../store/session-store.ts';
import type { InboxSource } from './inbox-source.ts';

/** An event of the inbox: the whole list, or the failure that ends the stream. */
export type InboxEvent = ({ readonly type: 'calls' } & OpenCallList) | ErrorEvent;

export interface InboxEventsOptions {
  /** Where a change of the list is heard of. */
  readonly sources: readonly InboxSource[];
  readonly clock: Clock;
  /**
   * Resolves to null if the person is no longer signed in.
   *
   * @param onFailure takes the error of a source that could not be read. The list is read again a little later.
   */
  list(onFailure: (thrown: unknown) => void): Promise<OpenCallList | null>;
  /** Called with the errors of sources, and with the error that ended the stream. */
  onError(thrown: unknown): void;
}

/** A run saves several times in a row: the changes of this time make one event. Milliseconds. */
const GATHER_MS = 50;

/** How long after a failure of a source the list is read again: nobody tells when the source is back. Milliseconds. */
const RETRY_MS = 5_000;

/** Yields the list, then the list again whenever it has changed. */
export function createInboxEvents({
  sources,
  clock,
  list,
  onError,
}: InboxEventsOptions): EventSource<InboxEvent> {
  let sent: OpenCallList | undefined;
  let isClosed = false;
  const changes = new Mailbox<'changed'>();
  changes.push('changed');
  let cancelTimer: (() => void) | undefined;
  const onChange = () => {
    cancelTimer ??= clock.after(GATHER_MS, () => {
      cancelTimer = undefined;
      changes.pushOnce('changed');
    });
  };
  let cancelRetry: (() => void) | undefined;
  const onFailure = (thrown: unknown) => {
    onError(thrown);
    cancelRetry?.();
    cancelRetry = isClosed ? undefined : clock.after(RETRY_MS, onChange);
  };
  const unsubscribes = sources.map((source) => {
    try {
      return source.subscribe(onChange);
    } catch (thrown) {
      onError(thrown);
      return () => {};
    }
  });
  const close = () => {
    isClosed = true;
    for (const unsubscribe of unsubscribes) unsubscribe();
    cancelTimer?.();
    cancelRetry?.();
    changes.close();
  };

  return {
    async next() {
      try {
        // A change while the list is read counts as a later change.
        while ((await changes.next()) && !isClosed) {
          const current = await list(onFailure);
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
