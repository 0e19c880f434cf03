import { type Clock, systemClock } from '../shared/clock.ts';
import { describeThrown } from '../shared/errors.ts';
import type { CodeExecution, CodeExecutionOptions, CodeExecutionResult } from './code-execution.ts';

/** Where the run of one tool call stands. A new object for every change. */
export type RunState =
  | { readonly word: 'running'; readonly reports: readonly unknown[] }
  | { readonly word: 'ended'; readonly reports: readonly unknown[]; readonly outcome: CodeExecutionResult };

/** The runs of one tool by their {@link runKey}, so that a dialog and a card in the transcript show the same run. */
export interface RunBook {
  get(key: string): RunState | undefined;
  subscribe(listener: () => void): () => void;
  /** Starts the run of a call. A second start of the same call gives the first run. */
  start(key: string, source: string, options: CodeExecutionOptions): Promise<CodeExecutionResult>;
  stop(key: string, reason: string): void;
  /** Forgets a run that has ended. For a call that is asked about: what ran under its key was another's, of a run or a conversation that counts anew. */
  forgetEnded(key: string): void;
  /** Says that something else shows this call; the dialog then need not stay open. The returned function takes it back. */
  watch(key: string): () => void;
  isWatched(key: string): boolean;
}

/** Names the run of a call. With its program: two chats that share a tool may have calls of one id at the same time. */
export function runKey(toolCallId: string, code: unknown): string {
  return JSON.stringify([toolCallId, code]);
}

/** Ended runs that are remembered; the message part of a call holds its result anyway. */
const KEPT = 50;

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
          // Copied when somebody looks, not for every report of a program that makes thousands at once.
          report: () =>
            set(key, {
              word: 'running',
              get reports() {
                return handle.reports;
              },
            }),
        });
      } catch (thrown) {
        // A capability that cannot be handed in. The call is answered nevertheless.
        return Promise.resolve(end(key, refusal(thrown)));
      }
      const cancelTimer = clock.after(timeoutMs, () =>
        handle.terminate(`it took longer than ${timeoutMs / 1000} s`),
      );
      const outcome = Promise.resolve(handle)
        .catch(refusal)
        .then((ended) => {
          cancelTimer();
          return end(key, ended);
        });
      runs.set(key, { handle, outcome });
      set(key, { word: 'running', reports: [] });
      return outcome;
    },
    stop(key, reason) {
      if (states.get(key)?.word === 'running') runs.get(key)?.handle.terminate(reason);
    },
    forgetEnded(key) {
      if (states.get(key)?.word !== 'ended') return;
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
    set(key, { word: 'ended', reports: outcome.reports, outcome });
    return outcome;
  }

  function set(key: string, state: RunState): void {
    states.set(key, state);
    if (states.size > KEPT) forgetOldest();
    notify();
  }

  function forgetOldest(): void {
    const [oldest] = [...states].find(([, { word }]) => word === 'ended') ?? [];
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

function refusal(thrown: unknown): CodeExecutionResult {
  const name = thrown instanceof Error ? thrown.name : 'Error';
  const message = describeThrown(thrown, 'The code could not be run');
  return { status: 'error', error: { name, message }, reports: [], logs: [], durationMs: 0 };
}
