import type { AgentEvent, FinishEvent } from '../../protocol/events.ts';
import type { LoggedEvent } from './event-log.ts';
import type { EventSource } from './event-source.ts';
import type { Run, RunReader } from './run.ts';
import { storeFailure } from './session-errors.ts';

/** What a reader of a run is opened with. */
export interface RunSourceOptions {
  readonly run: Run;
  /** What is sent before the live events, already filtered. */
  readonly replay: readonly LoggedEvent[];
  /** The position after the replay. */
  readonly after: number;
  /** How long the run is kept when this reader closes. Milliseconds. */
  readonly windowMs: number;
  /** Ends the run; the reader gets `finish{stop}` at once. */
  readonly signal: AbortSignal | undefined;
  /** Events of this kind are passed over. */
  readonly omit?: AgentEvent['type'];
}

/** Attaches to a run and reads it: the replay, then what was sent meanwhile, then live until its end. */
export function createRunSource({
  run,
  replay,
  after,
  windowMs,
  signal,
  omit,
}: RunSourceOptions): EventSource {
  let pending = replay;
  let index = 0;
  let position = after;
  let closed = false;
  /** Set while `next` waits; settles it with the end. */
  let release: ((event: AgentEvent | null) => void) | null = null;
  /** The last thing a reader that was cut off gets. Not part of the log, so it has no cursor. */
  let last: AgentEvent | null = null;

  const reader: RunReader = { displace: cut };
  const onAbort = () => {
    cut({ type: 'finish', finishReason: 'stop', executionId: run.executionId } satisfies FinishEvent);
    void run.detach(reader, 0);
  };

  function cut(event: AgentEvent | null): void {
    if (closed) return;
    closed = true;
    signal?.removeEventListener('abort', onAbort);
    if (release) release(event);
    else last = event;
  }
  async function advance(): Promise<AgentEvent | null> {
    for (;;) {
      const ready = pending[index++];
      if (ready !== undefined && ready.event.type === omit) continue;
      if (ready !== undefined) return withCursor(ready);
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
      if (entry.event.type !== omit) return withCursor(entry);
    }
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
        advance().then(
          (event) => {
            release = null;
            if (event === null) cut(null);
            resolve(event);
          },
          (thrown) => cut(storeFailure(thrown)),
        );
      });
    },
    async close() {
      cut(null);
      last = null;
      await run.detach(reader, windowMs);
    },
  };
}

/** The event as the client gets it: its place in the execution is the cursor. */
export function withCursor({ seq, event }: LoggedEvent): AgentEvent {
  return { ...event, cursor: String(seq) };
}
