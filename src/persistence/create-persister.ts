/**
 * Keeps a conversation in a storage while it goes on. Loaded on demand: who does not persist does not pay for it.
 *
 * A snapshot holds the messages and the position in the run that belongs to them, taken at one moment, so that reading
 * on after a reload neither repeats nor loses a word.
 */
import type { Clock } from '../shared/clock.ts';
import { AgentChatError, describeThrown } from '../shared/errors.ts';
import type { Conversation } from '../state/conversation.ts';
import type { ChatStorage } from './chat-storage.ts';
import { decodeSnapshot, encodeSnapshot } from './snapshot.ts';

/** While text streams, this often is enough; what a person did is kept at once. */
const SAVE_EVERY_MS = 500;

/** Databases of browsers are known to never answer at times, and what a person sends waits for them. */
const LOAD_LIMIT_MS = 10_000;

export interface KeptConversation {
  /** What is kept could not be read, by this page or by the one it has the conversation from: it is not written over. */
  isUnread: boolean;
  /**
   * The conversation kept last, or nothing. One that cannot be read is left as it is: until the page is loaded again, or
   * the conversation is cleared, nothing is kept in its place.
   */
  load(): Promise<Conversation | undefined>;
  /** Keeps the current conversation soon. */
  saveSoon(): void;
  /** Keeps it as soon as what is being done is done: somebody acted. What is done in one go is one write. */
  save(): void;
  /** Keeps it now: the page may go away. */
  saveNow(): void;
  /** Removes what was kept. */
  clear(): Promise<void>;
  close(): void;
}

/** What chats that are gone still write, by key: the next one of the page reads, or removes, after that. */
const leaving = /* @__PURE__ */ new Map<string, Promise<void>>();

/** Removes what was kept of a conversation, and what was put aside. */
export async function forgetConversation(storage: ChatStorage, key: string): Promise<void> {
  await leaving.get(key);
  await storage.remove(key);
  await storage.remove(asideOf(key));
}

/** Where a snapshot that cannot be used goes. */
const asideOf = (key: string) => `${key}.rejected`;

interface KeepContext {
  readonly storage: ChatStorage;
  readonly key: string;
  readonly maxAgeMs: number;
  readonly clock: Clock;
  readonly read: () => Conversation;
  readonly onError: (error: AgentChatError) => void;
}

export function keepConversation({
  storage,
  key,
  maxAgeMs,
  clock,
  read,
  onError,
}: KeepContext): KeptConversation {
  let cancelTimer: (() => void) | undefined;
  let saved: Conversation | undefined;
  let writing: Promise<void> | undefined;
  let isStale = false;
  let isDue = false;
  let isFailing = false;
  let callOffLimit = () => {};
  /** What it was when it was closed: ending the turn that was under way is not kept. */
  let final: Conversation | undefined;

  const report = (what: string, thrown: unknown) => {
    if (isFailing) return;
    isFailing = true;
    onError(
      new AgentChatError({
        code: 'persistence_failed',
        errorType: 'internal_error',
        message: `${what} (${describeThrown(thrown, 'no reason given')}). The chat goes on, but a reload may lose what came since.`,
        cause: thrown,
      }),
    );
  };

  const write = async () => {
    const conversation = final ?? read();
    if (kept.isUnread || conversation === saved) return;
    saved = conversation;
    try {
      await storage.save(key, encodeSnapshot(conversation, clock.now()));
      isFailing = false;
    } catch (thrown) {
      // What is kept is older: it is tried again, at the latest when the page is left.
      saved = undefined;
      report('The conversation could not be kept', thrown);
    }
  };

  const saveNow = () => {
    cancelTimer?.();
    cancelTimer = undefined;
    isDue = false;
    // One write at a time; what changed meanwhile follows at once.
    if (writing !== undefined) {
      isStale = true;
      return;
    }
    writing = write().finally(() => {
      writing = undefined;
      if (!isStale) return;
      isStale = false;
      saveNow();
    });
  };

  const written = async () => {
    while (writing !== undefined) await writing;
  };

  const save = () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => isDue && saveNow());
  };

  const saveSoon = () => {
    cancelTimer ??= clock.after(SAVE_EVERY_MS, saveNow);
  };

  const loadText = async () => {
    const before = leaving.get(key);
    const limit = new Promise<never>((_, reject) => {
      const giveUp = () => reject(new Error(`the storage did not answer within ${LOAD_LIMIT_MS / 1000} s`));
      callOffLimit = clock.after(LOAD_LIMIT_MS, giveUp);
    });
    try {
      return await Promise.race([before ? before.then(() => storage.load(key)) : storage.load(key), limit]);
    } finally {
      callOffLimit();
    }
  };

  /** What cannot be used is put aside, where a developer can look at it. */
  const putAside = async (text: string, fault: string) => {
    report(
      `The conversation kept under "${key}" cannot be used and was put aside as "${asideOf(key)}"`,
      fault,
    );
    isFailing = false;
    await storage.save(asideOf(key), text);
    await storage.remove(key);
  };

  const kept: KeptConversation = {
    isUnread: false,
    async load() {
      try {
        const text = await loadText();
        kept.isUnread = false;
        if (text === null || text === undefined) return undefined;
        const decoded = decodeSnapshot(text);
        if ('fault' in decoded) {
          await putAside(text, decoded.fault);
          return undefined;
        }
        if (clock.now() - decoded.savedAt > maxAgeMs) {
          await storage.remove(key);
          return undefined;
        }
        return decoded.conversation;
      } catch (thrown) {
        kept.isUnread = true;
        report(
          `The conversation kept under "${key}" could not be restored, and is left there as it is`,
          thrown,
        );
        return undefined;
      }
    },
    saveSoon,
    save,
    saveNow,
    async clear() {
      cancelTimer?.();
      cancelTimer = undefined;
      await written();
      saved = read();
      await forgetConversation(storage, key);
      kept.isUnread = false;
    },
    close() {
      callOffLimit();
      final = read();
      // Where nothing is due this page may never have run the conversation, or never have read it.
      if (isDue || cancelTimer !== undefined) saveNow();
      if (writing === undefined) return;
      const left = written().then(() => {
        if (leaving.get(key) === left) leaving.delete(key);
      });
      leaving.set(key, left);
    },
  };
  return kept;
}
