import type { StorageOption } from './chat-storage.ts';

/** How a conversation outlives its page. */
export interface PersistenceOptions {
  /** Default: `localStorage`. */
  readonly storage?: StorageOption;
  /** The key in the storage. Default: `handrail:` and the chat's `id`, which is then required. */
  readonly key?: string;
  /**
   * How the tabs of the conversation find each other. Default: Web Locks and BroadcastChannel. With `false`, without Web Locks
   * and outside of browsers each tab is on its own, and the backend takes the first answer.
   */
  readonly tabs?: TabsEnvironment | false;
  /** Older conversations are not restored. Milliseconds; default seven days. */
  readonly maxAgeMs?: number;
}

/** The browser features by which the tabs of a conversation find each other. */
export interface TabsEnvironment {
  readonly locks: Pick<LockManager, 'request'>;
  readonly openChannel: (name: string) => BroadcastChannel;
  /**
   * Dispatches `freeze` and `resume`, and `pagehide` and `pageshow` with `persisted`, or is passed by them on their way, as a window
   * is. Default: the window, where there is one.
   */
  readonly page?: PageLifecycle;
}

/** The part of a window that says when its page is frozen or kept for the back button, and when it goes on. */
export type PageLifecycle = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
