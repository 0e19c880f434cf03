/**
 * Resumes a run after a cut, for every transport whose backend sends cursors. The engine sees one uninterrupted stream.
 *
 * | the response | then |
 * |---|---|
 * | ended with `finish`, `error`, or a `client-tool-request` that ends it | the stream ends |
 * | was cut, no cursor known | the stream just ends (the engine makes `stream_interrupted` of it), or throws the cause of the cut, if that is an `AgentChatError` |
 * | was cut, cursor known | resume from the cursor, with back-off, and drop the events that came before |
 * | was to answers that may not have arrived | resume as well; if the run still waits for the answers, send them again |
 * | refused answers because the calls have answers, from here or elsewhere | open from the cursor, with a notice: a resume would take the run away from its reader |
 * | ended because another page took the run over | open from the cursor, too |
 * | was to a resume, and failed in a way that may pass | another attempt, up to `maxAttempts` without progress; a response that lasts for 10 s is progress |
 * | failed while the browser is offline | the same, once there is a network: such a failure does not count as an attempt |
 * | was to a resume that the server refused | `not_resumable`; a missing permission stays the HTTP error it is |
 * | was to an `open`, and brought no `start` | like a resume, but opened again; without end, if it follows the conversation |
 */

import { AgentChatError } from '../../shared/errors.ts';
import { countFailure } from '../../shared/wait-before-retry.ts';
import type { OpenCommand, ResumeCommand, RunCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import type { ResponseStep } from './agent-transport.ts';
import { awaitNextAttempt, type RecoveryOptions } from './recovery.ts';
import { RunProgress } from './run-progress.ts';

/** A response that lasted this long was no failed attempt. */
const STABLE_AFTER_MS = 10_000;

export interface ResumeOptions<Command extends RunCommand | OpenCommand> extends RecoveryOptions {
  /**
   * The first command. A `resume` or `open` counts as an attempt: its events may repeat and its failures may pass. The answers of a
   * `respond` may get lost: a server without them ends a resumed stream with the `finish{client-tool-calls}` of the request, and then
   * the answers are sent again.
   */
  readonly command: Command;
  /** Returns the response to `command`, or to a resume of its run. */
  readonly open: (command: Command | ResumeCommand) => AsyncIterator<readonly AgentEvent[], void>;
  /** True if a `client-tool-request` ends the response, as on the native wire. Default true. */
  readonly requestEndsResponse?: boolean;
}

/**
 * Reads the events of a run over as many responses as it takes. Like `readEventStream`, not an async generator, because that costs every
 * chunk several turns of the microtask queue.
 */
export function readWithResume<Command extends RunCommand | OpenCommand>(
  options: ResumeOptions<Command>,
): AsyncIterableIterator<readonly AgentEvent[], undefined> {
  const { io, clock, requestEndsResponse = true } = options;
  const progress = new RunProgress(options.command, requestEndsResponse);
  /** Undefined once the stream has ended. */
  let command: Command | ResumeCommand | undefined = options.command;
  let response: AsyncIterator<readonly AgentEvent[], void> | undefined;
  let openedAt: number;
  let failedAttempts = 0;
  let isReturned = false;

  /** Returns the command that goes on with the run after a response, once its attempt is due; undefined if the stream ends. */
  const awaitNext = async (failure: unknown, isResumed: boolean): Promise<typeof command> => {
    if (isReturned || io.signal.aborted || progress.isOver()) return;
    if (wasStable(failure, clock.now() - openedAt)) failedAttempts = 0;
    io.trace?.({ type: 'response-cut', failedAttempts, ...describeFailure(failure) });
    const next = progress.next();
    // Answers that did not arrive are sent again at once. Nor is there anything to wait for where the calls have other answers.
    if (next?.type === 'respond' || (next?.type === 'open' && !isResumed)) return next;
    const failedBefore = failedAttempts;
    failedAttempts = countFailure(failedAttempts);
    if (await awaitNextAttempt(failure, isResumed, next, failedBefore, options)) return next;
    if (!io.signal.aborted) throwReason(failure);
  };

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      while (command && !isReturned) {
        const isResumed = command.type === 'resume' || command.type === 'open';
        let failure: unknown;
        try {
          if (!response) {
            openedAt = clock.now();
            response = options.open(command);
          }
          const { done, value } = await response.next();
          if (!done) {
            const events = progress.advance(value, isResumed);
            if (events.length === 0) continue;
            failedAttempts = 0;
            return { done: false, value: events };
          }
        } catch (error) {
          failure = error;
        }
        response = command = undefined;
        command = await awaitNext(failure, isResumed);
        if (command) io.trace?.(toResumedStep(command));
      }
      return { done: true, value: undefined };
    },
    async return() {
      isReturned = true;
      await response?.return?.();
      return this.next();
    },
  };
}

/** @throws AgentChatError the failure or its cause, if one of them says why the response broke off */
function throwReason(failure: unknown): void {
  const reason = [failure, (failure as Partial<Error> | undefined)?.cause].find(AgentChatError.isInstance);
  if (reason) throw reason;
}

function describeFailure(failure: unknown): { code?: string; status?: number | undefined } {
  return AgentChatError.isInstance(failure) ? { code: failure.code, status: failure.status } : {};
}

function toResumedStep(command: RunCommand | OpenCommand): ResponseStep {
  const step = { type: 'response-resumed', command: command.type } as const;
  if (command.type === 'trigger') return step;
  return { ...step, executionId: command.executionId, cursor: command.cursor };
}

/**
 * Returns true for a response that was no failed attempt. A run is silent while a person is asked, and proxies close a silent response
 * after a while. A request that failed is a failed attempt, however long it took.
 */
function wasStable(failure: unknown, lastedMs: number): boolean {
  return !AgentChatError.isInstance(failure) && lastedMs >= STABLE_AFTER_MS;
}
