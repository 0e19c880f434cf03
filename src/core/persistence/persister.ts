import type { Clock } from '../../shared/clock.ts';
import { AgentChatError, describeThrown } from '../../shared/errors.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import { withTimeout } from '../../shared/with-timeout.ts';
import type { Tracer } from '../chat/trace.ts';
import type { Conversation } from '../state/conversation.ts';
import type { ChatStorage } from './chat-storage.ts';
import { decodeSnapshot, encodeSnapshot } from './snapshot.ts';

/** How often a conversation is saved while text streams. What a person does is saved at once. */
const SAVE_EVERY_MS = 500;

/** Databases of browsers are known to never answer at times, and the person's first message waits for the restored conversation. */
const LOAD_LIMIT_MS = 10_000;

/** Writes of destroyed chats that are still going on, by key: the next chat of the page reads, or removes, after them. */
const lastWrites = /* @__PURE__ */ new Map<string, Promise<void>>();

/** Removes a stored conversation, and the one that was put aside because it could not be used. */
export async function forgetConversation(storage: ChatStorage, key: string): Promise<void> {
  await lastWrites.get(key);
  await storage.remove(key);
  await storage.remove(toRejectedKey(key));
}

function toRejectedKey(key: string): string {
  return `${key}.rejected`;
}

interface PersisterContext {
  readonly storage: ChatStorage;
  readonly key: string;
  readonly maxAgeMs: number;
  readonly clock: Clock;
  /** Returns the conversation as it is now. */
  readonly read: () => Conversation;
  readonly tracer: Pick<Tracer, 'step'>;
  readonly onError: (error: AgentChatError) => void;
}

/**
 * Saves a conversation to a storage while it goes on, and loads it again.
 *
 * A snapshot holds the messages and the position in the run that belongs to them, taken at one moment, so that a run that is
 * resumed after a reload neither repeats nor loses a word.
 */
export class Persister {
  readonly #context: PersisterContext;
  #cancelTimer: (() => void) | undefined;
  #saved: Conversation | undefined;
  #writing: Promise<void> | undefined;
  #changedWhileWriting = false;
  #isSaveQueued = false;
  #isFailing = false;
  /** The conversation as `close` found it. The end of the turn, which follows, is not saved. */
  #final: Conversation | undefined;

  /**
   * The stored conversation could not be read, by this tab or by the one that this tab has the conversation from. It is not
   * overwritten.
   */
  isUnread = false;

  constructor(context: PersisterContext) {
    this.#context = context;
  }

  /**
   * Loads the stored conversation, if there is one. A conversation that cannot be read stays as it is: until the page is loaded
   * again, or the conversation is cleared, nothing is saved in its place.
   *
   * @param signal ends the load, which then changes nothing
   */
  async load(signal: AbortSignal): Promise<Conversation | undefined> {
    const { storage, key, maxAgeMs, clock, tracer } = this.#context;
    try {
      const text = await this.#loadText(signal);
      if (signal.aborted) return undefined;
      this.isUnread = false;
      if (text === null || text === undefined) return undefined;
      const decoded = decodeSnapshot(text);
      if ('fault' in decoded) {
        await this.#putAside(text, decoded.fault);
        return undefined;
      }
      const { conversation, savedAt } = decoded;
      if (clock.now() - savedAt <= maxAgeMs) {
        tracer.step?.({
          type: 'snapshot-restored',
          size: text.length,
          messages: conversation.messages.length,
          calls: conversation.calls.length,
        });
        return conversation;
      }
      await storage.remove(key);
    } catch (thrown) {
      this.isUnread = true;
      this.#report(
        `The conversation stored under "${key}" could not be restored, and is left as it is`,
        thrown,
      );
    }
    return undefined;
  }

  /** Saves within half a second. */
  saveSoon(): void {
    this.#cancelTimer ??= this.#context.clock.after(SAVE_EVERY_MS, () => this.saveNow());
  }

  /** Saves at the end of this task: what happens in one go is one write. */
  save(): void {
    if (this.#isSaveQueued) return;
    this.#isSaveQueued = true;
    queueMicrotask(() => this.#isSaveQueued && this.saveNow());
  }

  /** Saves now: the page may go away. */
  saveNow(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isSaveQueued = false;
    // One write at a time. Changes meanwhile are written right after it.
    if (this.#writing !== undefined) {
      this.#changedWhileWriting = true;
      return;
    }
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
      if (!this.#changedWhileWriting) return;
      this.#changedWhileWriting = false;
      this.saveNow();
    });
  }

  /** Removes the stored conversation. */
  async clear(): Promise<void> {
    const { storage, key, read } = this.#context;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    await this.#written();
    this.#saved = read();
    await forgetConversation(storage, key);
    this.isUnread = false;
  }

  close(): void {
    const { key, read } = this.#context;
    this.#final = read();
    // Only pending saves are written: this page may never have loaded the conversation, and saving would overwrite it.
    if (this.#isSaveQueued || this.#cancelTimer !== undefined) this.saveNow();
    if (this.#writing === undefined) return;
    const last = this.#written().then(() => {
      if (lastWrites.get(key) === last) lastWrites.delete(key);
    });
    lastWrites.set(key, last);
  }

  async #loadText(signal: AbortSignal): Promise<string | null | undefined> {
    const { storage, key, clock } = this.#context;
    const load = async () => {
      await lastWrites.get(key);
      return storage.load(key);
    };
    return withTimeout(untilAborted(load(), signal), {
      clock,
      limitMs: LOAD_LIMIT_MS,
      onTimeout: () => {
        throw new Error(`the storage did not answer within ${LOAD_LIMIT_MS / 1000} s`);
      },
    });
  }

  /** Moves a snapshot that cannot be used to another key, where a developer can look at it. */
  async #putAside(text: string, fault: string): Promise<void> {
    const { storage, key } = this.#context;
    const rejectedKey = toRejectedKey(key);
    this.#report(
      `The conversation stored under "${key}" cannot be used and was moved to "${rejectedKey}"`,
      fault,
    );
    this.#isFailing = false;
    await storage.save(rejectedKey, text);
    await storage.remove(key);
  }

  async #write(): Promise<void> {
    const { storage, key, clock, read, tracer } = this.#context;
    const conversation = this.#final ?? read();
    if (this.isUnread || conversation === this.#saved) return;
    this.#saved = conversation;
    try {
      const text = encodeSnapshot(conversation, clock.now());
      await storage.save(key, text);
      tracer.step?.({ type: 'snapshot-saved', size: text.length });
      this.#isFailing = false;
    } catch (thrown) {
      // The stored snapshot is older: the next change saves again, at the latest when the page is left.
      this.#saved = undefined;
      this.#report('The conversation could not be saved', thrown);
    }
  }

  async #written(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  /** Reports a failure once, until the storage works again. */
  #report(what: string, thrown: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#context.onError(
      new AgentChatError({
        code: 'persistence_failed',
        errorType: 'internal_error',
        message: `${what} (${describeThrown(thrown, 'no reason given')}). The chat goes on, but a reload may lose what came since.`,
        cause: thrown,
      }),
    );
  }
}
