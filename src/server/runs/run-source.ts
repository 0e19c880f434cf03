import type { AgentEvent, FinishEvent } from '../../core/protocol/events.ts';
import { storeFailure } from '../session-errors.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import type { EventSource } from '../store/event-source.ts';
import type { AttachedReader, Run } from '../store/live-run.ts';

interface ReplayOptions {
  readonly run: Run;
  /** Events to send before the live ones, already filtered. */
  readonly replay: readonly LoggedEvent[];
  /** The position after the replay. */
  readonly after: number;
  /** Returns the event as the reader gets it, or null to skip it. */
  readonly toEvent: (entry: LoggedEvent) => AgentEvent | null;
}

/** Options of {@link createRunSource}. */
export interface RunSourceOptions extends ReplayOptions {
  /** How long the run waits for another reader when this reader closes. Milliseconds. */
  readonly windowMs: number;
  /** Ends the run; the reader gets `finish{stop}` at once. */
  readonly signal: AbortSignal | undefined;
}

/** Attaches to a run and reads it: the replay, then the events sent meanwhile, then live until its end. */
export function createRunSource(options: RunSourceOptions): EventSource {
  const { run, windowMs, signal } = options;
  const nextEvent = createReplay(options);
  let closed = false;
  /** Set while `next` waits; resolves it with the last event of this reader. */
  let release: ((event: AgentEvent | null) => void) | null = null;
  /** The last event of a reader that was closed between two `next`. It is not in the log, so it has no cursor. */
  let last: AgentEvent | null = null;

  const reader: AttachedReader = { displace: close };
  const onAbort = () => {
    close({ type: 'finish', finishReason: 'stop', executionId: run.executionId } satisfies FinishEvent);
    void run.detach(reader, 0);
  };

  function close(event: AgentEvent | null): void {
    if (closed) return;
    closed = true;
    signal?.removeEventListener('abort', onAbort);
    if (release) release(event);
    else last = event;
  }

  run.attach(reader);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort);
  return {
    next() {
      if (closed) {
        const event = last;
        last = null;
        return Promise.resolve(event);
      }
      return new Promise((resolve) => {
        release = resolve;
        nextEvent().then(
          (event) => {
            release = null;
            if (event === null) close(null);
            resolve(event);
          },
          (thrown) => close(storeFailure(thrown)),
        );
      });
    },
    async close() {
      close(null);
      last = null;
      await run.detach(reader, windowMs);
    },
  };
}

/** Returns a function that resolves to the next event after the position of the reader, or to `null` at the end. */
function createReplay({ run, replay, after, toEvent }: ReplayOptions): () => Promise<AgentEvent | null> {
  let pending = replay;
  let index = 0;
  let position = after;
  return async () => {
    for (;;) {
      const ready = pending[index++];
      const event = ready && toEvent(ready);
      if (event) return event;
      if (ready !== undefined) continue;
      if (position < run.position()) {
        pending = (await run.read(position)) ?? [];
        index = 0;
        position = pending.at(-1)?.seq ?? run.position();
        continue;
      }
      const entry = await run.pull();
      if (entry === null) return null;
      if (entry.seq <= position) continue;
      position = entry.seq;
      const next = toEvent(entry);
      if (next !== null) return next;
    }
  };
}

/** The event as the client gets it: its sequence number is the cursor. */
export function withCursor({ seq, event }: LoggedEvent): AgentEvent {
  return { ...event, cursor: String(seq) };
}
