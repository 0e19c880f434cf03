import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { callSafely } from '../../shared/report-thrown.ts';
import { type BackoffPolicy, waitBeforeRetry } from '../../shared/wait-before-retry.ts';
import { watchPageCache } from '../../shared/watch-page-cache.ts';
import type { OpenCallList } from '../protocol/open-calls.ts';
import { toConnectionError } from '../transport/http-error.ts';
import type { InboxCall } from './inbox-call.ts';
import { InboxCalls } from './inbox-calls.ts';
import type { InboxOptions } from './inbox-options.ts';
import { followList, readList } from './inbox-requests.ts';

/** The list as people see it. */
export interface InboxState {
  /** The calls that wait for this person, the oldest first. */
  readonly calls: readonly InboxCall[];
  /**
   * - `loading`: there is no list yet
   * - `ready`: the list is there
   * - `error`: the last request failed, see `error`; a live inbox tries again by itself if the error is `retryable`
   */
  readonly status: 'loading' | 'ready' | 'error';
  readonly error: AgentChatError | null;
  /** True if the server has more calls, which follow when these are answered. */
  readonly hasMore: boolean;
}

/** All open questions of a person, over conversations. */
export interface Inbox {
  getState(): InboxState;
  /** Calls back after each change. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Begins to read the list. Returns the function that ends it. */
  start(): () => void;
  /** Reads the list again, at once. */
  refresh(): void;
  /** Removes a call that has ended. */
  dismiss(key: string): void;
}

/** The state before the first list. */
export const EMPTY_INBOX: InboxState = /* @__PURE__ */ Object.freeze({
  calls: Object.freeze([]),
  status: 'loading',
  error: null,
  hasMore: false,
});

const POLICY: BackoffPolicy = { initialDelayMs: 500, maxDelayMs: 30_000 };

/** Creates the inbox of a person. Nothing happens before `start`. `getOptions` is asked anew for each request. */
export function createInbox(getOptions: () => InboxOptions): Inbox {
  const { clock = systemClock, random = Math.random } = getOptions();
  const store = createStore<InboxState>(() => EMPTY_INBOX);
  const calls = new InboxCalls({ clock, random, getOptions, onChange: () => publish() });
  const publish = (change: Partial<InboxState> = {}) => store.setState({ ...change, calls: calls.list() });
  let current: AbortController | undefined;

  const receive = (list: OpenCallList) => {
    calls.receive(list.calls);
    publish({ status: 'ready', error: null, hasMore: list.next !== undefined });
  };
  const read = async () => {
    current?.abort();
    current = new AbortController();
    await readLists({ getOptions, clock, random, receive, store, signal: current.signal });
  };

  return {
    getState: store.getState,
    subscribe: (listener) => store.subscribe(() => callSafely(listener)),
    start() {
      calls.start();
      void read();
      const unwatch = watchPageCache(() => current?.abort(), read);
      return () => {
        unwatch();
        current?.abort();
        current = undefined;
        calls.stop();
      };
    },
    refresh() {
      if (current !== undefined) void read();
    },
    dismiss: (key) => calls.dismiss(key),
  };
}

interface ListReader {
  readonly getOptions: () => InboxOptions;
  readonly clock: Clock;
  readonly random: () => number;
  readonly receive: (list: OpenCallList) => void;
  readonly store: StoreApi<InboxState>;
  readonly signal: AbortSignal;
}

/** Reads lists until the signal aborts. A live inbox opens a stream that ended again. Never rejects. */
async function readLists({ getOptions, clock, random, receive, store, signal }: ListReader): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const options = getOptions();
    let failure: AgentChatError | undefined;
    try {
      if (options.live === false) {
        const list = await readList(options, clock, signal);
        return list && receive(list);
      }
      for await (const lists of followList(options, clock, signal)) {
        attempt = 0;
        for (const list of lists) receive(list);
      }
    } catch (thrown) {
      if (signal.aborted) return;
      failure = AgentChatError.isInstance(thrown) ? thrown : toConnectionError(thrown);
      store.setState({ status: 'error', error: failure });
      if (!failure.retryable || options.live === false) return;
    }
    await waitBeforeRetry(attempt, failure, { policy: POLICY, clock, random, signal });
  }
}
