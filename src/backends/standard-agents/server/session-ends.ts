import { describeThrown } from '../../../shared/errors.ts';
import { redactText } from './redact-secrets.ts';
import type { Thread } from './thread.ts';
import type { ThreadMessage } from './thread-message.ts';
import type { SessionEnd } from './thread-record.ts';

/** Tells those who wait for it that a session of the thread has ended. What they get has no secrets of the thread. */
export class SessionEnds {
  readonly #thread: Thread;
  readonly #listeners = new Set<(end: SessionEnd) => void>();
  /** The error that ended the last execution, until the next one starts. */
  #failure: SessionEnd | undefined;

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  /** Calls back whenever a session ends. Returns the function that ends it. */
  listen(listener: (end: SessionEnd) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns the end of the last session, or undefined if one is under way. */
  read(): SessionEnd | undefined {
    const { session, run } = this.#thread.record;
    if (this.#failure !== undefined) return this.#failure;
    if (session === undefined || run !== 'idle') return undefined;
    return { ...session, message: redactText(session.message, this.#thread.secretTexts) };
  }

  /** Resolves when the session that the message began, or came into, has ended. */
  untilEnd(messageId: string): Promise<SessionEnd> {
    const end = this.read();
    const { queue } = this.#thread.record;
    const waits = queue.some((work) => work.type === 'message' && work.message.id === messageId);
    if (end !== undefined && (!waits || end === this.#failure)) return Promise.resolve(end);
    return new Promise((resolve) => {
      const stopListening = this.listen((ended) => {
        stopListening();
        resolve(ended);
      });
    });
  }

  /** Ends the session as stopped, if nobody goes on in it and it has not ended. */
  async stop(): Promise<void> {
    const { session, run } = this.#thread.record;
    if (run !== 'idle' || session !== undefined) return;
    this.#thread.change({ session: STOPPED });
    await this.#thread.save();
    this.tell();
  }

  /** To be called when an execution starts. */
  start(): void {
    this.#failure = undefined;
  }

  /**
   * To be called when a hook or the store has ended an execution. The next message goes on with it, so the record has no end; but whoever
   * waits for this one would wait for ever.
   */
  fail(thrown: unknown): void {
    const message = redactText(describeThrown(thrown), this.#thread.secretTexts);
    this.#failure = { status: 'failed', message };
    this.tell();
  }

  /** To be called after an execution was saved. */
  tell(): void {
    const end = this.read();
    if (end !== undefined) for (const listener of this.#listeners) listener(end);
  }
}

/** The session of a subagent whose execution was stopped. */
export const STOPPED: SessionEnd = { status: 'failed', message: 'Stopped by the user' };

/** The last message of a subagent is its result. */
export function readResult(messages: readonly ThreadMessage[]): SessionEnd {
  const last = messages.findLast(({ depth }) => depth === 0);
  if (last?.status !== 'failed') return { status: 'completed', message: last?.content ?? '' };
  return { status: 'failed', message: last.metadata?.error ?? 'The subagent failed without saying why' };
}
