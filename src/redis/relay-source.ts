/** The events of a request that another process handles. */
import type { AgentEvent } from '../protocol/events.ts';
import type { ClusterRequest } from '../server/sessions/cluster/session-cluster.ts';
import { createListSource, type EventSource } from '../server/sessions/event-source.ts';
import { sessionError, storeFailure } from '../server/sessions/session-errors.ts';
import type { Clock } from '../shared/clock.ts';

/** What was read of a reply. */
export interface ReplyPage {
  /** The token of the lease, or an empty text if no process owns the session. */
  readonly token: string;
  /** True if no process had taken the request, and it was taken back. */
  readonly isReturned: boolean;
  readonly entries: readonly ReplyEntry[];
  /** True if the page is full, so that there may be more. */
  readonly isFull: boolean;
}

interface ReplyEntry {
  readonly number: number;
  /** `taken`: the owner with this token has the request. `event`: JSON. `end`: there is no more. */
  readonly field: string;
  readonly value: string;
}

interface RelaySourceOptions {
  readonly signal: ClusterRequest['signal'];
  readonly clock: Clock;
  /** The reply is read at least so often, to see whether its owner still has the lease. Milliseconds. */
  readonly pollMs: number;
  /** Reads the entries after a number. */
  read(after: number): Promise<ReplyPage>;
  /** Tells the owner that the reader is gone, or that the run shall end. */
  tell(what: 'close' | 'abort'): Promise<void>;
  /** Calls back when the reply has more. Returns the function that ends it. */
  onMore(listener: () => void): () => void;
  /** Opens the request anew after it was taken back. */
  reopen(): Promise<EventSource>;
  /** Deletes the reply. */
  forget(): void;
}

/** Reads the reply of the owner. If the owner dies with the request, the client gets `run_interrupted` and repeats it. */
export function createRelaySource(options: RelaySourceOptions): EventSource {
  const { signal, clock, pollMs } = options;
  let ready: AgentEvent[] = [];
  let last = 0;
  let owner: string | undefined;
  let executionId: string | undefined;
  let isOver = false;
  /** The source in this process, after the request was taken back. */
  let own: Promise<EventSource> | null = null;
  let hasMore = false;
  let wake = () => {};

  const stopListening = options.onMore(() => {
    hasMore = true;
    wake();
  });
  const onAbort = () => {
    ready = [{ type: 'finish', finishReason: 'stop', ...(executionId && { executionId }) }];
    end();
    options.tell('abort').catch(() => {});
  };
  signal?.addEventListener('abort', onAbort);

  function end(): void {
    isOver = true;
    signal?.removeEventListener('abort', onAbort);
    stopListening();
    options.forget();
    wake();
  }
  const untilMore = () =>
    new Promise<void>((resolve) => {
      if (hasMore || isOver) return resolve();
      const cancel = clock.after(pollMs, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  /** Returns false if entries are missing, because the reader was too slow. */
  function take({ number, field, value }: ReplyEntry): boolean {
    if (number !== last + 1) return false;
    last = number;
    if (field === 'taken') owner = value;
    else if (field === 'end') end();
    else {
      const event = JSON.parse(value) as AgentEvent;
      if (event.type === 'start') executionId = event.executionId;
      ready.push(event);
    }
    return true;
  }
  async function readOn(): Promise<void> {
    hasMore = false;
    const page = await options.read(last);
    if (isOver) return;
    const isWhole = page.entries.every(take);
    if (isOver) return;
    if (page.isReturned) {
      end();
      own = options.reopen().catch((thrown) => createListSource([storeFailure(thrown)]));
    } else if (
      !isWhole ||
      (!page.isFull && (page.token === '' || (owner !== undefined && owner !== page.token)))
    ) {
      ready.push(ownerLost);
      end();
    } else if (page.isFull) hasMore = true;
  }

  return {
    async next() {
      for (;;) {
        if (own !== null) return (await own).next();
        const event = ready.shift();
        if (event !== undefined) return event;
        if (isOver) return null;
        await untilMore();
        try {
          if (!isOver) await readOn();
        } catch (thrown) {
          ready.push(storeFailure(thrown));
          end();
          // The owner may wait for its reader.
          options.tell('close').catch(() => {});
        }
      }
    },
    async close() {
      if (own !== null) return (await own).close();
      ready = [];
      if (isOver) return;
      end();
      await options.tell('close');
    },
  };
}

const ownerLost = sessionError(
  'run_interrupted',
  'execution_error',
  'The server that handled the request is gone. Repeat the request to continue.',
  true,
);
