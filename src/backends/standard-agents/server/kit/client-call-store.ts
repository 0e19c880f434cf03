/** Where the kit keeps the calls that wait for the browser. */
import type { CallRow } from '../thread-message.ts';

/** The part of a thread's state that the kit uses. The `ThreadState` of every runtime of the specification has it. */
export interface KitState {
  readonly threadId: string;
  /** The specification says that a tool can stop its execution; whether every runtime names it so is not certain. */
  readonly execution: { readonly abortSignal?: AbortSignal | null; stop?(): void } | null;
  getMessages(): Promise<{ readonly messages: readonly CallRow[] }>;
  queueTool(name: string, args: Record<string, unknown>): unknown;
  emit(eventType: string, data: unknown): unknown;
  getValue(key: string): Promise<unknown>;
  setValue(key: string, value: unknown): Promise<unknown>;
}

/** Keeps JSON values of threads. Pass one to `standardAgentsKit` if several processes serve the same thread. */
export interface ClientCallStore {
  getValue(state: KitState, key: string): Promise<unknown>;
  setValue(state: KitState, key: string, value: unknown): Promise<unknown>;
  /**
   * Runs the action while no other action of this thread runs, in any process. Two answers to one call then find each other, and the
   * first one wins.
   */
  withLock<Value>(state: KitState, action: () => Promise<Value>): Promise<Value>;
}

/** Keeps the calls in the thread's own durable values. Its lock holds within one process. */
export function createThreadValueStore(): ClientCallStore {
  /** The end of the last action of each thread that has one under way. */
  const ends = new Map<string, Promise<unknown>>();
  return {
    getValue: (state, key) => state.getValue(key),
    setValue: (state, key, value) => state.setValue(key, value),
    withLock({ threadId }, action) {
      const result = (ends.get(threadId) ?? Promise.resolve()).then(action);
      const end = result
        .catch(() => {})
        .then(() => {
          if (ends.get(threadId) === end) ends.delete(threadId);
        });
      ends.set(threadId, end);
      return result;
    },
  };
}
