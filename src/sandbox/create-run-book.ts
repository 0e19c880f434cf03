import { type Clock, systemClock } from '../shared/clock.ts';
import { describeThrown } from '../shared/errors.ts';
import type { CodeExecution, CodeExecutionOptions, CodeExecutionResult } from './code-execution.ts';

/** Where the run of one tool call stands. A new object for every change. */
export type RunState =
  | { readonly word: 'running'; readonly reports: readonly unknown[] }
  | { readonly word: 'ended'; readonly reports: readonly unknown[]; readonly outcome: CodeExecutionResult };

/** The runs of one tool by the ids of their calls, so that a dialog and a card in the transcript show the same run. */
export interface RunBook {
  get(toolCallId: string): RunState | undefined;
  subscribe(listener: () => void): () => void;
  /** Starts the run of a call. A second start of the same call gives the first run. */
  start(toolCallId: string, source: string, options: CodeExecutionOptions): Promise<CodeExecutionResult>;
  stop(toolCallId: string, reason: string): void;
  /** Forgets a run that has ended. For a call that is asked about: what ran under its id was another's, of a run or a conversation that counts anew. */
  forgetEnded(toolCallId: string): void;
  /** Says that something else shows this call; the dialog then need not stay open. The returned function takes it back. */
  watch(toolCallId: string): () => void;
  isWatched(toolCallId: string): boolean;
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
    get: (id) => states.get(id),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(id, source, options) {
      const known = runs.get(id);
      if (known !== undefined) return known.outcome;
      let handle: CodeExecution;
      try {
        handle = run(source, {
          ...options,
          // Copied when somebody looks, not for every report of a program that makes thousands at once.
          report: () =>
            set(id, {
              word: 'running',
              get reports() {
                return handle.reports;
              },
            }),
        });
      } catch (thrown) {
        // A capability that cannot be handed in. The call is answered nevertheless.
        return Promise.resolve(end(id, refusal(thrown)));
      }
      const cancelTimer = clock.after(timeoutMs, () =>
        handle.terminate(`it took longer than ${timeoutMs / 1000} s`),
      );
      const outcome = Promise.resolve(handle)
        .catch(refusal)
        .then((ended) => {
          cancelTimer();
          return end(id, ended);
        });
      runs.set(id, { handle, outcome });
      set(id, { word: 'running', reports: [] });
      return outcome;
    },
    stop(id, reason) {
      if (states.get(id)?.word === 'running') runs.get(id)?.handle.terminate(reason);
    },
    forgetEnded(id) {
      if (states.get(id)?.word !== 'ended') return;
      forget(id);
      notify();
    },
    watch(id) {
      watchers.set(id, (watchers.get(id) ?? 0) + 1);
      notify();
      return () => {
        const left = (watchers.get(id) ?? 1) - 1;
        if (left > 0) watchers.set(id, left);
        else watchers.delete(id);
        notify();
      };
    },
    isWatched: (id) => watchers.has(id),
  };

  function end(id: string, outcome: CodeExecutionResult): CodeExecutionResult {
    set(id, { word: 'ended', reports: outcome.reports, outcome });
    return outcome;
  }

  function set(id: string, state: RunState): void {
    states.set(id, state);
    if (states.size > KEPT) forgetOldest();
    notify();
  }

  function forgetOldest(): void {
    const [oldest] = [...states].find(([, { word }]) => word === 'ended') ?? [];
    if (oldest !== undefined) forget(oldest);
  }

  function forget(id: string): void {
    states.delete(id);
    runs.delete(id);
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
