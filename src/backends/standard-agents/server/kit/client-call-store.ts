/** Where the kit keeps the calls that wait for the browser. */
import { KeyedSerialQueue } from '../../../../shared/serial-queue.ts';
import type { CallRow } from '../thread-message.ts';

/** The part of a thread's state that the kit uses. The `ThreadState` of every runtime of the specification has it. */
export interface KitState {
  readonly threadId: string;
  /** The specification says that a tool can stop its execution; whether every runtime names it so is not certain. */
  readonly execution: { readonly abortSignal?: AbortSignal | null; stop?(): void } | null;
  getMessages(): Promise<{ readonly messages: readonly CallRow[] }>;
  queueTool(name: string, args: Record<string, unknown>): unknown;
  /** The subagents, whose questions the clients of this thread get, too. Absent in a runtime without subagents. */
  readonly children?: readonly { readonly reference: string }[];
  getChildThread?(reference: string): Promise<KitState | null>;
  /** Masks the secrets of the thread in a value for a page. Absent in other runtimes. */
  redact?(value: unknown): unknown;
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
  const queue = new KeyedSerialQueue();
  return {
    getValue: (state, key) => state.getValue(key),
    setValue: (state, key, value) => state.setValue(key, value),
    withLock: ({ threadId }, action) => queue.run(threadId, action),
  };
}
