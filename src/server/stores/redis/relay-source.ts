/** The events of a request that another process handles. */
import type { AgentEvent } from '../../../core/protocol/events.ts';
import type { Clock } from '../../../shared/clock.ts';
import { Mailbox } from '../../../shared/mailbox.ts';
import { sessionError, storeFailure } from '../../session-errors.ts';
import { createListSource, type EventSource } from '../../store/event-source.ts';

/** A part of a reply. */
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
  /** From 1, without gaps. */
  readonly number: number;
  /** `taken`: the owner with this token has the request. `event`: JSON. `end`: there is no more. */
  readonly field: string;
  readonly value: string;
}

interface RelaySourceOptions {
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  /** Takes what Redis throws. */
  report(thrown: unknown): void;
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

/** Reads the reply of the owner. If the owner dies with the request, the client gets `server_restarted` and repeats it. */
export class RelaySource implements EventSource {
  readonly #options: RelaySourceOptions;
  readonly #stopListening: () => void;
  #ready: AgentEvent[] = [];
  /** The number of the last entry. */
  #last = 0;
  /** The token of the owner that took the request. */
  #owner: string | undefined;
  #executionId: string | undefined;
  /** News of the reply. Closed when the reply is over. */
  readonly #news = new Mailbox<'more'>();
  /** The source in this process, after the request was taken back. */
  #own: Promise<EventSource> | null = null;

  constructor(options: RelaySourceOptions) {
    this.#options = options;
    options.signal?.addEventListener('abort', this.#onAbort);
    this.#stopListening = options.onMore(() => this.#news.pushOnce('more'));
  }

  async next(): Promise<AgentEvent | null> {
    for (;;) {
      if (this.#own !== null) return (await this.#own).next();
      const event = this.#ready.shift();
      if (event !== undefined) return event;
      if (this.#news.isClosed) return null;
      if (await this.#hasNews()) await this.#readOn();
    }
  }

  async close(): Promise<void> {
    if (this.#own !== null) return (await this.#own).close();
    this.#ready = [];
    if (this.#news.isClosed) return;
    this.#end();
    await this.#tell('close');
  }

  readonly #onAbort = () => {
    const executionId = this.#executionId;
    this.#ready = [{ type: 'finish', finishReason: 'stop', ...(executionId && { executionId }) }];
    this.#end();
    void this.#tell('abort');
  };

  /** Never rejects. An owner that is not told ends the run when it sees that nobody listens. */
  #tell(what: 'close' | 'abort'): Promise<void> {
    return this.#options.tell(what).catch((thrown) => this.#options.report(thrown));
  }

  /** Waits for news, or until the reply shall be read anyway. Resolves to false when the reply is over. */
  async #hasNews(): Promise<boolean> {
    const cancel = this.#options.clock.after(this.#options.pollMs, () => this.#news.pushOnce('more'));
    const news = await this.#news.next();
    cancel();
    return news !== undefined && !this.#news.isClosed;
  }

  async #readOn(): Promise<void> {
    try {
      const page = await this.#options.read(this.#last);
      if (!this.#news.isClosed) this.#takePage(page);
    } catch (thrown) {
      this.#options.report(thrown);
      this.#fail(storeFailure(thrown));
    }
  }

  #takePage({ entries, isReturned, isFull, token }: ReplyPage): void {
    // Entries are missing if the reader was so slow that they were dropped.
    const isWhole = entries.every((entry, index) => entry.number === this.#last + 1 + index);
    if (!isWhole) return this.#fail(ownerLost);
    for (const entry of entries) this.#take(entry);
    if (this.#news.isClosed) return;
    if (isFull) this.#news.pushOnce('more');
    if (isReturned) {
      this.#end();
      this.#own = this.#options.reopen().catch((thrown) => {
        this.#options.report(thrown);
        return createListSource([storeFailure(thrown)]);
      });
      return;
    }
    const hasOwner = token !== '' && (this.#owner === undefined || this.#owner === token);
    if (!hasOwner && !isFull) this.#fail(ownerLost);
  }

  #take({ number, field, value }: ReplyEntry): void {
    this.#last = number;
    if (field === 'taken') this.#owner = value;
    else if (field === 'end') this.#end();
    else {
      const event = JSON.parse(value) as AgentEvent;
      if (event.type === 'start') this.#executionId = event.executionId;
      this.#ready.push(event);
    }
  }

  #fail(event: AgentEvent): void {
    this.#ready.push(event);
    this.#end();
    // An owner that lives may wait for its reader.
    void this.#tell('close');
  }

  #end(): void {
    this.#news.close();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#stopListening();
    this.#options.forget();
  }
}

const ownerLost = sessionError(
  'server_restarted',
  'execution_error',
  'The server that handled the request is gone. Repeat the request to continue.',
  true,
);
