import type { SessionEnds } from './session-ends.ts';
import type { NewMessage, Thread } from './thread.ts';
import type { ThreadHooks } from './thread-hooks.ts';
import type { ThreadState } from './thread-state.ts';

/** Runs a thread, as other parts of the runtime use it: `ThreadRunner`. */
export interface Runner {
  readonly isRunning: boolean;
  readonly ends: SessionEnds;
  readonly hooks: ThreadHooks;
  readonly subagents: { follow(child: OpenThread): void };
  createEndpointState(): ThreadState;
  queueMessage(message: NewMessage): Promise<void>;
  stop(): void;
}

/** A thread that the runtime has in memory. */
export interface OpenThread {
  readonly thread: Thread;
  readonly runner: Runner;
  /** Called when a person stopped the thread. */
  readonly onStopped: () => Promise<void>;
  readonly maxBodyBytes: number;
}
