import { AgentChatError } from '../../shared/errors.ts';
import { mayPass } from '../../shared/wait-before-retry.ts';
import type { ThreadApi } from './create-thread-api.ts';

/**
 * Stops threads. A stop names the thread and not the run, so it must arrive after the message that started the run, and before the next
 * message.
 */
export class StopSender {
  readonly #api: ThreadApi;
  /** The message that was posted last. */
  #posting: { readonly threadId: string; readonly posted: Promise<unknown> } | undefined;
  #stopping: Promise<unknown> = Promise.resolve();
  /** The thread whose stop did not arrive. */
  #unstopped: string | undefined;

  constructor(api: ThreadApi) {
    this.#api = api;
  }

  onPosting(threadId: string, posted: Promise<unknown>): void {
    this.#posting = { threadId, posted: posted.catch(() => {}) };
  }

  /** Stops a thread; undefined: the one whose message is being posted. Rejects if the request fails. */
  send(threadId = this.#posting?.threadId): Promise<void> {
    const stopped = this.#send(threadId);
    this.#stopping = stopped.catch(() => {});
    return stopped;
  }

  /** Resolves when no stop is under way. A stop that failed is sent once more. Never rejects. */
  async settled(): Promise<void> {
    await this.#stopping;
    if (this.#unstopped !== undefined) await this.send(this.#unstopped).catch(() => {});
    // Later, it would end another run.
    this.#unstopped = undefined;
  }

  async #send(threadId: string | undefined): Promise<void> {
    await this.#posting?.posted;
    if (threadId === undefined) return;
    this.#unstopped = undefined;
    const path = `/${encodeURIComponent(threadId)}/stop`;
    try {
      await this.#api.ask({ method: 'POST', path, body: {} }, new AbortController().signal);
    } catch (thrown) {
      if (AgentChatError.isInstance(thrown) && mayPass(thrown)) this.#unstopped = threadId;
      throw thrown;
    }
  }
}
