/** One request on a socket: the events that arrived for it and were not read yet. */

import type { Clock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { Mailbox } from '../../shared/mailbox.ts';
import type { OpenCommand, RunCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import type { TransportIO } from './agent-transport.ts';
import { endsResponse } from './run-cursor.ts';
import type { RoutedRun } from './run-router.ts';

export class SocketRun implements RoutedRun {
  readonly io: TransportIO;
  readonly #command: RunCommand | OpenCommand;
  executionId: string | undefined;
  requestId = '';
  hasContent = false;
  hasRequest: boolean;
  ended = false;
  /** True while the stream waits for events. */
  isReading = false;
  readonly ids: Set<string> = new Set();
  readonly #arrived = new Mailbox<AgentEvent>();
  #stopWaiting = () => {};
  /** Sends the request once more, over the next connection. */
  sendAgain = (): void => {};
  /** An event of the run has arrived. */
  isAnswered = false;

  constructor(io: TransportIO, command: RunCommand | OpenCommand) {
    this.io = io;
    this.#command = command;
    this.executionId = command.type === 'trigger' ? undefined : command.executionId;
    this.hasRequest = command.type === 'resume' || command.type === 'open';
  }

  take(event: AgentEvent): void {
    if (this.io.signal.aborted || this.#arrived.isClosed) return;
    this.#stopWaiting();
    this.isAnswered = true;
    this.#arrived.push(event);
    if (!endsResponse(event, this.#command)) return;
    this.ended = true;
    this.#arrived.close();
  }

  /** Calls back if the run gets no event and does not end within the time. */
  awaitFirst(clock: Clock, limitMs: number, onLate: () => void): void {
    this.#stopWaiting = clock.after(limitMs, onLate);
  }

  /** Ends the wait of `awaitFirst`. */
  endWait(): void {
    this.#stopWaiting();
  }

  /** Ends the stream with an error, after the events that arrived before. */
  fail(error: Error): void {
    if (this.ended) return;
    this.ended = true;
    this.#arrived.fail(error);
  }

  /** Ends the stream because another request uses the socket now. */
  replace(): void {
    this.#arrived.fail(replaced());
  }

  /**
   * Sends the request, then yields the events, those that arrived together as one array. Ends after the run's last event and when
   * the signal aborts. Sending is part of the generator, because a second generator around this one would cost every frame
   * several turns of the microtask queue.
   */
  async *read(send: () => Promise<void>): AsyncGenerator<readonly AgentEvent[], void> {
    const { signal } = this.io;
    try {
      await send();
      this.isReading = true;
      for (;;) {
        const events = await this.#arrived.nextAll(signal);
        if (events === undefined) return;
        yield events;
      }
    } finally {
      this.isReading = false;
      this.#stopWaiting();
      this.#arrived.close();
    }
  }
}

/** The engine ignores this error for a run that asked for client tools or that was aborted. */
function replaced(): AgentChatError {
  return new AgentChatError({
    code: 'stream_interrupted',
    message: 'Another request took the connection over before this run had ended. Retry to ask again.',
    retryable: true,
  });
}

/**
 * Returns the error of a response that broke off after it was accepted. It is no `AgentChatError`, because `readWithResume` may still
 * resume the run; otherwise the run fails with the cause.
 */
export function streamCut(cause: AgentChatError): Error {
  return new Error(cause.message, { cause });
}
