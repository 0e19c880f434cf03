/** What a process knows of a session besides its record: the run under way, and the queue of requests to handle. */

import { SerialQueue } from '../../shared/serial-queue.ts';
import type { Run } from './live-run.ts';
import type { SessionState } from './session-state.ts';

/** Shared by all session objects of one id and store. */
export interface LiveSession {
  /** The run under way, or `null`. */
  getRun(): Run | null;
  /** The record as the run under way has it; the handlers of requests share it with the run. */
  getState(): SessionState | null;
  setRun(run: Run, state: SessionState): void;
  /** To be called when a run has ended. */
  forgetEnded(): void;
  /** Handles requests one after the other, in the order they came. */
  handle<Value>(handler: () => Promise<Value>): Promise<Value>;
}

/** @param onIdle called when no request is left to handle and no run is under way, perhaps more than once */
export function createLiveSession(onIdle: () => void): LiveSession {
  const queue = new SerialQueue();
  let handling = 0;
  let current: { run: Run; state: SessionState } | null = null;
  const getCurrent = () => (current?.run.isEnded() ? null : current);
  const live: LiveSession = {
    getRun: () => getCurrent()?.run ?? null,
    getState: () => getCurrent()?.state ?? null,
    setRun(run, state) {
      current = { run, state };
    },
    forgetEnded() {
      if (handling === 0 && getCurrent() === null) onIdle();
    },
    handle(handler) {
      handling += 1;
      return queue.run(handler).finally(() => {
        handling -= 1;
        live.forgetEnded();
      });
    },
  };
  return live;
}
