/** A run on a socket, with its unread events. */
import type { RunCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { AgentChatError } from '../shared/errors.ts';
import type { TransportIO } from './agent-transport.ts';
import type { RoutedRun } from './run-router.ts';

export interface SocketRun extends RoutedRun {
  readonly io: TransportIO;
  /** Ends the run with an error, after what arrived before. */
  fail(error: Error): void;
  /** Another request takes over the socket: nothing more is read here. */
  handOver(): void;
  /**
   * Sends the request, then yields what arrives, together what arrives together. Ends after the run's last event and when
   * its signal aborts. One generator for both: each more costs every frame several turns of the microtask queue.
   */
  read(send: () => Promise<void>): AsyncGenerator<readonly AgentEvent[], void>;
}

export function createSocketRun(io: TransportIO, command: RunCommand): SocketRun {
  const { signal } = io;
  let arrived: AgentEvent[] = [];
  let failure: Error | undefined;
  let closed = false;
  let wake = () => {};
  const run: SocketRun = {
    io,
    executionId: command.type === 'trigger' ? undefined : command.executionId,
    requestId: '',
    hasContent: false,
    hasRequest: command.type === 'resume',
    ended: false,
    ids: new Set(),
    take(event) {
      if (signal.aborted || closed) return;
      arrived.push(event);
      wake();
    },
    fail(error) {
      if (run.ended) return;
      run.ended = true;
      failure = error;
      wake();
    },
    handOver() {
      closed = true;
      wake();
    },
    async *read(send) {
      await send();
      const onAbort = () => wake();
      signal.addEventListener('abort', onAbort);
      try {
        while (!signal.aborted) {
          if (arrived.length > 0) {
            const events = arrived;
            arrived = [];
            yield events;
          } else if (failure !== undefined) throw failure;
          else if (run.ended) return;
          else if (closed) throw takenOver();
          else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        signal.removeEventListener('abort', onAbort);
        arrived = [];
      }
    },
  };
  return run;
}

/** Reports no error if the run had requested client tools, or was aborted first. */
function takenOver(): AgentChatError {
  return new AgentChatError({
    code: 'stream_interrupted',
    message: 'Another request took the connection over before this run had ended. Retry to ask again.',
    retryable: true,
  });
}

/** A response that was accepted broke off. Whether that is the end is for `readWithResume` to say; the cause is for then. */
export function streamCut(cause: AgentChatError): Error {
  return new Error(cause.message, { cause });
}
