import { type Clock, systemClock } from '../shared/clock.ts';
import { describeThrown } from '../shared/errors.ts';
import type { CodeExecution, CodeExecutionOptions, CodeExecutionResult } from './code-execution.ts';

/** The state of the run of one tool call. Every change makes a new object. */
export type RunState =
  | { readonly status: 'running'; readonly reports: readonly unknown[] }
  | { readonly status: 'ended'; readonly reports: readonly unknown[]; readonly outcome: CodeExecutionResult };

/** The runs of one tool by their {@link runKey}. The dialog and the card in the transcript share it to show the same run. */
export interface RunBook {
  get(key: string): RunState | undefined;
  subscribe(listener: () => void): () => void;
  /** Starts the run of a call, once: a second start of the same call returns the first run. */
  start(key: string, source: string, options: CodeExecutionOptions): Promise<CodeExecutionResult>;
  stop(key: string, reason: string): void;
  /**
   * Forgets a run that has ended. The dialog calls this for a new call: an earlier run with the same key belongs to another
   * call, because backends may use the ids of calls again in another run or conversation.
   */
  forgetEnded(key: string): void;
  /** Registers a card that shows this call, so that the dialog may close. The returned function unregisters the card. */
  watch(key: string): () => void;
  isWatched(key: string): boolean;
}

/** Returns the key of a call's run. It contains the program, because two chats that share a tool may have calls of one id. */
export function runKey(toolCallId: string, code: unknown): string {
  return JSON.stringify([toolCallId, code]);
}

/** Older runs that have ended are forgotten. The card then shows the result in the message part. */
const MAX_RUNS = 50;

export function createRunBook(
  run: (source: string, options: CodeExecutionOptions) => CodeExecution,
  timeoutMs: number,
  clock: Clock = systemClock,
): RunBook {
  const states = new Map<string, RunState>();
  const runs = new Map<string, { handle: CodeExecution; outcome: Promise<CodeExecutionResult> }>();
  const listeners = new Set<() => void>();
  const watchers = new Map<string, number>();

  return {
    get: (key) => states.get(key),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(key, source, options) {
      const known = runs.get(key);
      if (known !== undefined) return known.outcome;
      let handle: CodeExecution;
      try {
        handle = run(source, {
          ...options,
          // A getter, because a program may report thousands of values at once, and each look copies the list.
          report: () =>
            set(key, {
              status: 'running',
              get reports() {
                return handle.reports;
              },
            }),
        });
      } catch (thrown) {
        // The sandbox refused a capability. The call still needs an answer.
        return Promise.resolve(end(key, failedResult(thrown)));
      }
      const cancelTimer = clock.after(timeoutMs, () =>
        handle.terminate(`it took longer than ${timeoutMs / 1000} s`),
      );
      const outcome = Promise.resolve(handle)
        .catch(failedResult)
        .then((ended) => {
          cancelTimer();
          return end(key, ended);
        });
      runs.set(key, { handle, outcome });
      set(key, { status: 'running', reports: [] });
      return outcome;
    },
    stop(key, reason) {
      if (states.get(key)?.status === 'running') runs.get(key)?.handle.terminate(reason);
    },
    forgetEnded(key) {
      if (states.get(key)?.status !== 'ended') return;
      forget(key);
      notify();
    },
    watch(key) {
      watchers.set(key, (watchers.get(key) ?? 0) + 1);
      notify();
      return () => {
        const left = (watchers.get(key) ?? 1) - 1;
        if (left > 0) watchers.set(key, left);
        else watchers.delete(key);
        notify();
      };
    },
    isWatched: (key) => watchers.has(key),
  };

  function end(key: string, outcome: CodeExecutionResult): CodeExecutionResult {
    set(key, { status: 'ended', reports: outcome.reports, outcome });
    return outcome;
  }

  function set(key: string, state: RunState): void {
    states.set(key, state);
    if (states.size > MAX_RUNS) forgetOldest();
    notify();
  }

  function forgetOldest(): void {
    const [oldest] = [...states].find(([, { status }]) => status === 'ended') ?? [];
    if (oldest !== undefined) forget(oldest);
  }

  function forget(key: string): void {
    states.delete(key);
    runs.delete(key);
  }

  function notify(): void {
    for (const listener of [...listeners]) listener();
  }
}

function failedResult(thrown: unknown): CodeExecutionResult {
  const name = thrown instanceof Error ? thrown.name : 'Error';
  const message = describeThrown(thrown, 'The code could not be run');
  return { status: 'error', error: { name, message }, reports: [], logs: [], durationMs: 0 };
}
