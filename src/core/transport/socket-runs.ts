/** The requests on a socket: gives each frame that arrives to the run it belongs to. */

import type { Clock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import { decodeNativeEvent } from '../protocol/native.ts';
import { RunRouter } from './run-router.ts';
import type { SocketRun } from './socket-run.ts';

export class SocketRuns {
  readonly #router: RunRouter;
  #latest: SocketRun | undefined;
  #isNumbered = false;
  /** A frame arrived over the connection. */
  #hasReceived = false;

  constructor(clock: Clock) {
    this.#router = new RunRouter(clock);
  }

  /** True once a frame had a number. Only a server that numbers frames takes a stop that names the run. */
  get isNumbered(): boolean {
    return this.#isNumbered;
  }

  /**
   * True while a run waits for a server that owes it a frame: one that numbers frames sends heartbeats as well, and every server
   * sends at least one frame over a connection that stands.
   */
  expectsFrame(): boolean {
    const run = this.#latest;
    return run?.isReading === true && !run.ended && (this.#isNumbered || !this.#hasReceived);
  }

  /**
   * True while a run is read that could not be resumed over another connection.
   *
   * @param resumes false if the app wants no run to be resumed
   */
  needsConnection(resumes: boolean): boolean {
    const run = this.#latest;
    if (!run?.isReading || run.ended) return false;
    return !resumes || !this.#isNumbered || (run.executionId === undefined && !run.hasRequest);
  }

  /** Makes a run the current one. Its request is sent now. */
  open(run: SocketRun): void {
    this.#latest?.replace();
    this.#latest = run;
    this.#router.open(run);
  }

  /** Takes a parsed frame, or text that is no JSON. */
  receive(frame: unknown): void {
    this.#hasReceived = true;
    const event = decodeNativeEvent(frame);
    if (event === undefined || event instanceof AgentChatError) return this.#reportUnreadable(frame, event);
    const { executionId, requestId, seq } = frame as Record<'executionId' | 'requestId' | 'seq', unknown>;
    const numbered = typeof seq === 'number';
    if (numbered) event.cursor = String(seq);
    this.#isNumbered ||= numbered;
    this.#router.route(event, { executionId: toText(executionId), requestId: toText(requestId), numbered });
  }

  /** Returns the current run if nothing of it has arrived. The end of the connection does not end it then. */
  takeUnanswered(): SocketRun | undefined {
    const run = this.#latest;
    if (!run?.isReading || run.ended || run.isAnswered) return undefined;
    this.#latest = undefined;
    return run;
  }

  /** Ends the current run with an error, because its connection is gone. */
  cut(error: Error): void {
    const latest = this.#latest;
    this.#hasReceived = false;
    this.#router.reset();
    latest?.fail(error);
  }

  #reportUnreadable(frame: unknown, error: AgentChatError | undefined): void {
    const run = this.#latest;
    const executionId = isRecord(frame) ? frame.executionId : undefined;
    if (run === undefined || !this.#router.mayBelongTo(run, executionId)) return;
    if (error) run.fail(error);
    else run.io.onUnknownEvent(frame);
  }
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
