/**
 * A list in a storage, shown in several places and changed by several tabs. Every change starts from what is stored at
 * that moment, so that a tab neither brings back what another one removed nor loses what it added.
 */
import { deepFreeze } from '../../shared/json.ts';
import { callSafely, reportThrown } from '../../shared/report-thrown.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { type StorageOption, toChatStorage } from './chat-storage.ts';

export interface PersistedList<Item> {
  /** As last read; empty before the first `read` or `change` is done. Identical until something changes. */
  getItems(): readonly Item[];
  /** Reads the list as it is stored now. Rejects when the storage fails. */
  read(): Promise<readonly Item[]>;
  /**
   * Never rejects: a storage that fails is reported, and the change counts on this page until it works again. Then it is
   * made once more, on what is stored by then: what could not be read is not written over.
   */
  change(next: Change<Item>): Promise<void>;
  /** Calls back after changes, those of other tabs included where the storage is `localStorage`. */
  subscribe(listener: () => void): () => void;
}

type Change<Item> = (items: readonly Item[]) => readonly Item[];

interface PersistedListOptions<Item> {
  /** `undefined`: kept in memory only. */
  readonly storage: StorageOption | undefined;
  readonly key: string;
  readonly isItem: (value: unknown) => value is Item;
}

export function createPersistedList<Item>({
  storage: given,
  key,
  isItem,
}: PersistedListOptions<Item>): PersistedList<Item> {
  const storage = given && toChatStorage(given);
  let items: readonly Item[] = Object.freeze([]);
  let text = '[]';
  /** Changes that are shown but could not be stored. */
  let unsaved: Change<Item>[] = [];
  const listeners = new Set<() => void>();
  /** Each read and each change sees what the one before it stored. */
  const queue = new SerialQueue();

  const show = (next: readonly Item[], nextText: string) => {
    if (nextText === text) return;
    text = nextText;
    items = deepFreeze([...next]);
    for (const listener of [...listeners]) callSafely(listener);
  };

  const load = async () => {
    if (storage === undefined) return;
    const stored = (await storage.load(key)) ?? '[]';
    if (stored === text) return;
    const { usable, fault } = parseItems(stored, isItem);
    if (fault !== undefined) {
      await storage.save(`${key}.rejected`, stored);
      reportThrown(
        new TypeError(`What is kept under "${key}" ${fault}. All of it was put aside as "${key}.rejected".`),
      );
    }
    const next = unsaved.reduce((before, change) => change(before), usable);
    show(next, unsaved.length === 0 ? stored : JSON.stringify(next));
  };

  const apply = (change: Change<Item>) => {
    const next = change(items);
    show(next, JSON.stringify(next));
    unsaved.push(change);
  };

  const change = async (next: Change<Item>) => {
    try {
      await load().finally(() => apply(next));
      await storage?.save(key, text);
      unsaved = [];
    } catch (thrown) {
      reportThrown(thrown);
    }
  };

  const refresh = () => void queue.run(load).catch(reportThrown);
  const onStorage = (event: StorageEvent) => {
    if (event.key === key || event.key === null) refresh();
  };

  return {
    getItems: () => items,
    read: () => queue.run(load).then(() => items),
    change: (next) => queue.run(() => alone(key, () => change(next))),
    subscribe(listener) {
      if (listeners.size === 0) globalThis.addEventListener?.('storage', onStorage);
      listeners.add(listener);
      refresh();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) globalThis.removeEventListener?.('storage', onStorage);
      };
    },
  };
}

/** No other tab changes the list meanwhile, where the browser has Web Locks. */
async function alone(key: string, act: () => Promise<void>): Promise<void> {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (locks === undefined) return act();
  let done: Promise<void> | undefined;
  const once = () => {
    done ??= act();
    return done;
  };
  // Locks are refused to some frames, and one that was granted may be stolen.
  await locks.request(`${key}.change`, once).catch(once);
}

/** What this version did not write is left out. */
function parseItems<Item>(
  stored: string,
  isItem: (value: unknown) => value is Item,
): { readonly usable: readonly Item[]; readonly fault?: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(stored);
  } catch {
    return { usable: [], fault: 'is not JSON' };
  }
  if (!Array.isArray(parsed)) return { usable: [], fault: 'is no list' };
  const usable = parsed.filter(isItem);
  const unusable = parsed.length - usable.length;
  return unusable === 0 ? { usable } : { usable, fault: `has ${unusable} entries that cannot be used` };
}
