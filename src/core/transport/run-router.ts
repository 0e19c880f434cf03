/**
 * Decides to which run a frame belongs. A socket carries one run after the other, and the reference server marks none of its frames.
 *
 * A new request replaces the current run. If that run had not ended, it is *pending*: its `finish` or `error` is still to come, and must
 * not end the new run. (A person stops a turn and sends another message at once; or a client tool answers faster than the
 * `finish{client-tool-calls}` of its request arrives.)
 *
 * The rows stand in the order in which `route` asks them: the first one that knows the frame decides.
 *
 * | frame | goes to |
 * |---|---|
 * | with the `executionId` of a pending run | dropped; its last frame settles the run |
 * | any, while no run is current, or the current one has ended | dropped; a `finish` or `error` settles the oldest pending run |
 * | `error` with the `requestId` of another request | dropped: an earlier request was refused |
 * | `start` with the `requestId` of another request | the run sent before the current one that has no id yet |
 * | `start`, `snapshot` | the current run; opens the gate |
 * | numbered, with another `executionId` than the current run has | dropped: it is of a run that was forgotten |
 * | unnumbered and without the current run's id, while the gate is closed: before the current run's `start`, while a pending run has not asked for anything | dropped; a `finish` or `error` settles the oldest pending run and opens the gate |
 * | a second `finish` of the run before, which had ended, before anything of the current one | dropped |
 * | of a part, block or tool call the pending run began, unless the current run began one of that id itself | dropped; a held `finish` was that of the current run |
 * | any other, while a `finish` is held | the `finish` was that of the pending run: settled. The frame is for the rows below |
 * | `finish{client-tool-calls}`, while the current run has not asked for anything | the pending run that did ask: settled |
 * | `finish{stop}` while a run is pending and the current one has brought nothing yet | the pending run: settled |
 * | `finish{stop}` without an id while a run is pending and the current one has brought something | held for 3 s, then that of the current run |
 * | anything else | the current run |
 *
 * No rule covers a run that was stopped before its first frame, while its `start` was already on its way, on a server that does not
 * say which request a `start` answers. `handrail/server` does: a request to it, and one that is sent while another waits for its `start`, has a
 * `requestId`. Each `start` and each refusal repeats the one it answers (empty: a request without).
 */

import type { Clock } from '../../shared/clock.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { endsRun } from '../protocol/native-endings.ts';

/** A run, or the part of one up to a client tool, as far as its frames have shown it. */
export interface RoutedRun {
  executionId: string | undefined;
  /** Sent with the request, if the answer to an earlier one may still come. */
  requestId: string;
  /** True once the run brought something besides `start`. */
  hasContent: boolean;
  /** True once the run asked for client tools, and for a run that was resumed or opened, which may have asked before. */
  hasRequest: boolean;
  ended: boolean;
  /** The ids of the parts, blocks and calls that the run began. */
  readonly ids: Set<string>;
  take(event: AgentEvent): void;
}

/** The marks by which a frame names its run. */
export interface FrameOrigin {
  readonly executionId: string | undefined;
  /** The request that a `start` or an `error` answers; undefined if the server does not say. */
  readonly requestId?: string | undefined;
  /** True for frames of `handrail/server`, which numbers them. Then every frame of a run has its `executionId`. */
  readonly numbered: boolean;
}

/** A `finish{stop}` that may belong to either run. */
interface HeldFinish {
  readonly pending: RoutedRun;
  readonly cancelTimer: () => void;
  /** Gives the `finish` to the current run. */
  readonly deliver: () => void;
}

const HOLD_MS = 3_000;
const MAX_PENDING = 8;

export class RunRouter {
  readonly #clock: Clock;
  #current: RoutedRun | undefined;
  /** Oldest first. */
  #pending: RoutedRun[] = [];
  #requestCount = 0;
  /** True until the current run's `start`: frames without an id belong to a pending run. */
  #isGated = false;
  #isNumbered = false;
  #previousId: string | undefined;
  #held: HeldFinish | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes a run the current one. Its request is sent now. */
  open(run: RoutedRun): void {
    this.#release();
    const previous = this.#current;
    if (previous !== undefined && !previous.ended) {
      this.#pending = [...this.#pending, previous].slice(-MAX_PENDING);
    }
    this.#previousId = previous?.executionId;
    this.#current = run;
    this.#isGated = this.#pending.some((other) => !other.hasRequest);
    if (this.#isNumbered || this.#pending.some(isAwaited)) run.requestId = String(++this.#requestCount);
  }

  /** Returns true if a frame that is no event may concern the run. */
  mayBelongTo(run: RoutedRun, executionId: unknown): boolean {
    if (run.ended || this.#isGated) return false;
    return (
      executionId === run.executionId || !this.#pending.some((other) => other.executionId === executionId)
    );
  }

  /** Forgets all runs, because their connection is gone. */
  reset(): void {
    this.#release();
    this.#current = undefined;
    this.#pending = [];
    this.#isGated = this.#isNumbered = false;
  }

  /** One line for each row of the table above. */
  route(event: AgentEvent, origin: FrameOrigin): void {
    this.#isNumbered ||= origin.numbered;
    const run = this.#current;
    if (this.#isOfNamedPending(event, origin)) return;
    if (run === undefined || run.ended) return this.#settleAtEnd(event, this.#pending[0]);
    if (this.#refusesEarlier(run, event, origin)) return;
    if (isOfOtherRequest(run, event, origin)) return this.#nameEarlier(origin);
    if (isBeginning(event)) return this.#begin(run, event, origin);
    if (isOfForgotten(run, origin)) return;
    if (this.#isBeforeGate(run, event, origin)) return;
    if (this.#isRepeatedEnd(run, event, origin)) return;
    if (this.#isOfPending(run, event)) return this.#held?.deliver();
    if (this.#held) this.#settleHeld(this.#held);
    if (this.#endsAsking(run, event)) return;
    if (this.#endsStopped(run, event, origin)) return;
    this.#give(run, event);
  }

  #isOfNamedPending(event: AgentEvent, { executionId }: FrameOrigin): boolean {
    // Some servers use one id for all runs: then the frame is taken for one of the current run.
    if (executionId === undefined || executionId === this.#current?.executionId) return false;
    const owner = this.#pending.find((other) => other.executionId === executionId);
    if (owner) this.#settleAtEnd(event, owner);
    return owner !== undefined;
  }

  #refusesEarlier(
    { requestId: current }: RoutedRun,
    event: AgentEvent,
    { requestId = current }: FrameOrigin,
  ): boolean {
    if (event.type !== 'error' || requestId === current) return false;
    this.#settle(this.#pending.find((other) => other.requestId === requestId));
    return true;
  }

  /** The `start` names the run sent before the current one that has no id yet. */
  #nameEarlier({ executionId }: FrameOrigin): void {
    const earlier = this.#pending.find(isAwaited);
    if (earlier) earlier.executionId = executionId;
  }

  #begin(run: RoutedRun, event: AgentEvent, { executionId }: FrameOrigin): void {
    this.#isGated = false;
    run.executionId = executionId ?? run.executionId;
    this.#give(run, event);
  }

  #isBeforeGate(run: RoutedRun, event: AgentEvent, { executionId }: FrameOrigin): boolean {
    const isCurrent = executionId !== undefined && executionId === run.executionId;
    if (!this.#isGated || isCurrent || this.#isNumbered) return false;
    if (endsRun(event)) this.#isGated = false;
    this.#settleAtEnd(event, this.#pending[0]);
    return true;
  }

  /** The `start` of the current run may have the same id again, because some servers use one id for all runs. */
  #isRepeatedEnd(run: RoutedRun, event: AgentEvent, { executionId }: FrameOrigin): boolean {
    const isOfPrevious = executionId !== undefined && executionId === this.#previousId;
    return isAwaited(run) && isOfPrevious && endsRun(event);
  }

  #isOfPending(run: RoutedRun, event: AgentEvent): boolean {
    const id = partId(event);
    if (id === undefined || run.ids.has(id) || startsPart(event)) return false;
    return this.#pending.some((other) => other.ids.has(id));
  }

  #settleHeld({ pending }: HeldFinish): void {
    this.#settle(pending);
    this.#release();
  }

  #endsAsking(run: RoutedRun, event: AgentEvent): boolean {
    if (event.type !== 'finish' || event.finishReason !== 'client-tool-calls' || run.hasRequest) return false;
    const asking = this.#pending.find((other) => other.hasRequest);
    this.#settle(asking);
    return asking !== undefined;
  }

  /** Also true for a `finish` that is held, because it may be that of the pending run. */
  #endsStopped(run: RoutedRun, event: AgentEvent, { executionId }: FrameOrigin): boolean {
    if (event.type !== 'finish' || event.finishReason !== 'stop') return false;
    const stopped = this.#pending.find(
      (other) => !other.hasRequest && (executionId === undefined || other.executionId === undefined),
    );
    if (stopped === undefined) return false;
    if (run.hasContent) {
      if (executionId === undefined) this.#hold(run, event, stopped);
      return executionId === undefined;
    }
    this.#settle(stopped);
    // The `start` that the current run took was the pending run's too.
    if (executionId !== undefined) run.executionId = undefined;
    return true;
  }

  #give(run: RoutedRun, event: AgentEvent): void {
    if (event.type !== 'start') run.hasContent = true;
    if (event.type === 'client-tool-request') run.hasRequest = true;
    const id = beginsPart(event);
    if (id !== undefined && !this.#isNumbered) run.ids.add(id);
    if (endsRun(event)) run.ended = true;
    run.take(event);
  }

  /** Forgets a pending run: its last frame has arrived. */
  #settle(run: RoutedRun | undefined): void {
    this.#pending = this.#pending.filter((other) => other !== run);
  }

  #settleAtEnd(event: AgentEvent, run: RoutedRun | undefined): void {
    if (endsRun(event)) this.#settle(run);
  }

  #hold(run: RoutedRun, event: AgentEvent, pending: RoutedRun): void {
    const deliver = () => {
      this.#release();
      this.#give(run, event);
    };
    this.#held = { pending, cancelTimer: this.#clock.after(HOLD_MS, deliver), deliver };
  }

  #release(): void {
    this.#held?.cancelTimer();
    this.#held = undefined;
  }
}

/** Returns true if nothing of the run has arrived. */
function isAwaited(run: RoutedRun): boolean {
  return run.executionId === undefined && !run.hasContent;
}

function isBeginning({ type }: AgentEvent): boolean {
  return type === 'start' || type === 'snapshot';
}

function isOfOtherRequest(
  run: RoutedRun,
  event: AgentEvent,
  { requestId = run.requestId }: FrameOrigin,
): boolean {
  return isBeginning(event) && isAwaited(run) && requestId !== run.requestId;
}

function isOfForgotten(run: RoutedRun, { executionId, numbered }: FrameOrigin): boolean {
  const isOther = executionId !== undefined && executionId !== run.executionId;
  return numbered && isOther && run.executionId !== undefined;
}

function partId(event: AgentEvent): string | undefined {
  if ('toolCallId' in event && event.toolCallId !== undefined) return event.toolCallId;
  if ('blockId' in event) return event.blockId;
  return 'id' in event ? event.id : undefined;
}

function startsPart({ type }: AgentEvent): boolean {
  return (
    type === 'text-start' ||
    type === 'reasoning-start' ||
    type === 'tool-input-start' ||
    type === 'block-start'
  );
}

function beginsPart(event: AgentEvent): string | undefined {
  return startsPart(event) || event.type === 'tool-input-available' ? partId(event) : undefined;
}
