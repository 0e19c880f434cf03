/**
 * Resumes a run after a cut, for every transport whose backend sends cursors. The engine sees one uninterrupted stream.
 *
 * | the response | then |
 * |---|---|
 * | ended with `finish`, `error`, or a `client-tool-request` that ends it | the stream ends |
 * | was cut, no cursor known | the stream just ends (the engine makes `stream_interrupted` of it), or throws the cause of the cut, if that is an `AgentChatError` |
 * | was cut, cursor known | resume from the cursor, with back-off, and drop the events that came before |
 * | was to answers that may not have arrived | resume as well; if the run still waits for the answers, send them again |
 * | refused answers because the calls have answers, from here or elsewhere | resume as well, with a notice |
 * | was to a resume, and failed in a way that may pass | another attempt, up to `maxAttempts` without progress; a response that lasts for 10 s is progress |
 * | was to a resume that the server refused | `not_resumable`; a missing permission stays the HTTP error it is |
 */
import type { ResumeCommand, RunCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { AgentChatError } from '../shared/errors.ts';
import { awaitNextAttempt, type RecoveryOptions } from './recovery.ts';
import { RunProgress } from './run-progress.ts';

/** A response that lasted this long was no failed attempt. */
const STABLE_AFTER_MS = 10_000;

export interface ResumeOptions<Command extends RunCommand> extends RecoveryOptions {
  /**
   * The first command. A `resume` counts as an attempt: its events may repeat and its failures may pass. The answers of a
   * `respond` may get lost: a server without them ends a resumed stream with the `finish{client-tool-calls}` of the request, and then
   * the answers are sent again.
   */
  readonly command: Command;
  /** Returns the response to `command`, or to a resume of its run. */
  readonly open: (command: Command | ResumeCommand) => AsyncIterator<readonly AgentEvent[], void>;
  /** True if a `client-tool-request` ends the response, as on the native wire. Default true. */
  readonly requestEndsResponse?: boolean;
}

/** Reads the events of a run over as many responses as it takes. */
export function readWithResume<Command extends RunCommand>(
  options: ResumeOptions<Command>,
): AsyncIterableIterator<readonly AgentEvent[], undefined> {
  return new ResumableStream(options);
}

/** Like `EventStream`, not an async generator, because that costs every chunk several turns of the microtask queue. */
class ResumableStream<Command extends RunCommand>
  implements AsyncIterableIterator<readonly AgentEvent[], undefined>
{
  readonly #options: ResumeOptions<Command>;
  readonly #progress: RunProgress<Command>;
  /** The command of the current response. Undefined once the stream has ended. */
  #command: Command | ResumeCommand | undefined;
  #response: AsyncIterator<readonly AgentEvent[], void> | undefined;
  #openedAt = 0;
  #failedAttempts = 0;
  #isReturned = false;

  constructor(options: ResumeOptions<Command>) {
    const { command, requestEndsResponse = true } = options;
    this.#options = options;
    this.#command = command;
    this.#progress = new RunProgress(command, requestEndsResponse);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly AgentEvent[], undefined>> {
    while (this.#command && !this.#isReturned) {
      const isResumed = this.#command.type === 'resume';
      let failure: unknown;
      try {
        this.#response ??= this.#open(this.#command);
        const { done, value } = await this.#response.next();
        if (!done) {
          const events = this.#progress.advance(value, isResumed);
          if (events.length === 0) continue;
          this.#failedAttempts = 0;
          return { done: false, value: events };
        }
      } catch (error) {
        failure = error;
      }
      this.#response = this.#command = undefined;
      this.#command = await this.#awaitNextCommand(failure, isResumed);
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<readonly AgentEvent[], undefined>> {
    this.#isReturned = true;
    await this.#response?.return?.();
    return this.next();
  }

  #open(command: Command | ResumeCommand): AsyncIterator<readonly AgentEvent[], void> {
    this.#openedAt = this.#options.clock.now();
    return this.#options.open(command);
  }

  /**
   * Returns the command that goes on with the run after a response, once its attempt is due; undefined if the stream ends.
   *
   * @throws The error of the response, if no further attempt is made.
   */
  async #awaitNextCommand(
    failure: unknown,
    isResumed: boolean,
  ): Promise<Command | ResumeCommand | undefined> {
    const { clock, command, io } = this.#options;
    if (this.#isReturned || io.signal.aborted || this.#progress.isOver()) return undefined;
    // A run is silent while a person is asked, and proxies close a silent response after a while: that is no failed attempt. A
    // request that failed is one, however long it took.
    const isStable = clock.now() - this.#openedAt >= STABLE_AFTER_MS;
    if (isStable && !AgentChatError.isInstance(failure)) this.#failedAttempts = 0;
    const next = this.#progress.next();
    // Answers that did not arrive are sent again at once.
    if (next === command) return next;
    if (await awaitNextAttempt(failure, isResumed, next, this.#failedAttempts++, this.#options)) return next;
    if (io.signal.aborted) return undefined;
    const reason = findError(failure) ?? findError((failure as Partial<Error> | undefined)?.cause);
    if (reason) throw reason;
    return undefined;
  }
}

function findError(value: unknown): AgentChatError | undefined {
  return AgentChatError.isInstance(value) ? value : undefined;
}
