import type { AgentEvent } from '../../core/protocol/events.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';

/** The events of one request, for its reader; `null` is the end. */
export interface EventSource<Event = AgentEvent> {
  next(): Promise<Event | null>;
  /** Closes the source for the reader: a waiting `next` resolves to `null` at once. Never rejects: nobody may wait for it. */
  close(): Promise<void>;
}

/** A source of events that are known already. */
export function createListSource(events: readonly AgentEvent[]): EventSource {
  let index = 0;
  return {
    next: async () => events[index++] ?? null,
    async close() {
      index = events.length;
    },
  };
}

/**
 * A source as an async generator. Unlike that of an `async function*`, its `return()` takes effect while a `next()` is still
 * waiting, so a response whose client is gone ends the run at once.
 *
 * `open` is called by the first `next()`.
 */
export function createEventGenerator<Event = AgentEvent>(
  open: () => Promise<EventSource<Event>>,
): AsyncGenerator<Event, void, undefined> {
  let source: Promise<EventSource<Event>> | null = null;
  let finished = false;
  const queue = new SerialQueue();

  async function pull(): Promise<IteratorResult<Event, void>> {
    if (finished) return { done: true, value: undefined };
    source ??= open();
    try {
      const event = await (await source).next();
      if (event !== null && !finished) return { done: false, value: event };
    } catch (thrown) {
      finished = true;
      throw thrown;
    }
    finished = true;
    return { done: true, value: undefined };
  }
  async function close(): Promise<void> {
    finished = true;
    await (await source)?.close();
  }
  const generator: AsyncGenerator<Event, void, undefined> = {
    next: () => queue.run(pull),
    async return() {
      await close();
      return { done: true, value: undefined };
    },
    async throw(thrown) {
      await close();
      throw thrown;
    },
    [Symbol.asyncIterator]: () => generator,
  };
  return generator;
}

/** Cancels events that have no reader any more. Does not await their clean-up, and ignores its errors. */
export function cancelEvents(events: AsyncIterator<unknown> | undefined): void {
  (async () => events?.return?.())().catch(() => {});
}
