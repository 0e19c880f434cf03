import type { StorageOption } from './chat-storage.ts';
import type { PageLifecycle } from './tabs/tab-link.ts';

/** How a conversation outlives its page. */
export interface PersistenceOptions {
  /** Default: `localStorage`. */
  readonly storage?: StorageOption;
  /** Default: `handrail:` and the chat's `id`, which is then required. */
  readonly key?: string;
  /**
   * How the tabs of the conversation find each other: Web Locks and BroadcastChannel unless given here. `false`: each
   * tab is on its own, and the backend takes the first answer. So it is, too, where the browser has no Web Locks,
   * and outside of browsers.
   */
  readonly tabs?: TabsEnvironment | false;
  /** What is older is not restored. Milliseconds, default seven days. */
  readonly maxAgeMs?: number;
}

/** What tabs find each other by. */
export interface TabsEnvironment {
  readonly locks: Pick<LockManager, 'request'>;
  readonly openChannel: (name: string) => BroadcastChannel;
  /** Tells `freeze` and `resume`, as a document does. Default: `document`, where there is one. */
  readonly page?: PageLifecycle;
}
