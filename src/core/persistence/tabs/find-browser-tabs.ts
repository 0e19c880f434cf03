import type { TabsEnvironment } from '../persistence-options.ts';

/**
 * Returns what this browser offers for tabs to find each other; undefined where a piece is missing or may not be used (a page whose
 * storage is blocked).
 *
 * Node has Web Locks and BroadcastChannel too, but no tabs: there, the requests of a server would share a conversation.
 */
export function findBrowserTabs(): TabsEnvironment | undefined {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis;
  if (locks === undefined || !isBrowser) return undefined;
  const openChannel = (name: string) => new BroadcastChannel(name);
  try {
    openChannel('handrail').close();
  } catch {
    return undefined;
  }
  return { locks, openChannel };
}
