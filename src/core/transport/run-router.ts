/**
 * Decides to which run a frame belongs. A socket carries one run after the other, and the reference server marks none of its frames.
 *
 * A new request replaces the current run. If that run had not ended, it is *pending*: its `finish` or `error` is still to come, and must
 * not end the new run. (A person stops a turn and sends another message at once; or a client tool answers faster than the
 * `finish{client-tool-calls}` of its request arrives.)
 *
 * | frame | goes to |
 * |---|---|
 * | with the `executionId` of a run | that run; dropped if the run is pending, and its last frame settles it |
 * | `finish{client-tool-calls}`, while the current run has not asked for anything | the pending run that did ask: settled |
 * | a second `finish` of the run before, which had ended, before anything of the current one | dropped |
 * | without an id, before the current run's `start`, while a pending run has not asked for anything | dropped; a `finish` or `error` settles the pending run and opens the gate |
 * | `start` with the `requestId` of another request | the run sent before the current one that has no id yet |
 * | `start`, `snapshot` | the current run; opens the gate |
 * | `finish{stop}` while a run is pending and the current one has brought nothing yet | the pending run: settled |
 * | `finish{stop}` without an id while a run is pending and the current one has brought something | held for 3 s: a further frame of the current run shows that the pending run has ended, one of the pending run or silence that the current run has |
 * | of a part, block or tool call the pending run began | dropped, unless the current run began one of that id itself |
 * | anything else | the current run |
 *
 * No rule covers a run that was stopped before its first frame, while its `start` was already on its way, on a server that does not
 * say which request a `start` answers. `handrail/server` does: a request that is sent while another waits for its `start` has a
 * `requestId`, and each `start` repeats the one it answers (empty: a request without).
 */

import type { Clock } from '../../shared/clock.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { endsRun } from '../protocol/native-endings.ts';

/** A run, or the part of one up to a client tool, as far as its frames have shown it. */
export interface RoutedRun {
  executionId: string | undefined;
  /** Sent with the request, if an earlier request may still get its `start`. */
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
  /** The request that a `start` answers; undefined if the server does not say. */
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
    if (this.#pending.some(isAwaited)) run.requestId = String(++this.#requestCount);
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

  route(event: AgentEvent, origin: FrameOrigin): void {
    const { executionId, numbered } = origin;
    this.#isNumbered ||= numbered;
    const run = this.#current;
    const isCurrent = executionId !== undefined && executionId === run?.executionId;
    const owner =
      isCurrent || executionId === undefined
        ? undefined
        : this.#pending.find((other) => other.executionId === executionId);
    if (owner !== undefined || run === undefined || run.ended) {
      if (endsRun(event)) this.#settle(owner ?? this.#pending[0]);
      return;
    }
    if (event.type === 'start' || event.type === 'snapshot') return this.#routeStart(run, event, origin);
    if (numbered && executionId !== undefined && !isCurrent && run.executionId !== undefined) return;
    if (this.#isGated && !isCurrent && !this.#isNumbered) {
      if (!endsRun(event)) return;
      this.#settle(this.#pending[0]);
      this.#isGated = false;
      return;
    }
    // The `start` of the current run may have the same id again, because some servers use one id for all runs.
    const isRepeatedEnd = executionId !== undefined && executionId === this.#previousId && endsRun(event);
    if (isAwaited(run) && isRepeatedEnd) return;
    if (this.#isOfPending(run, event)) return this.#held?.deliver();
    if (this.#held !== undefined) {
      this.#settle(this.#held.pending);
      this.#release();
    }
    if (!this.#settlesPending(run, event, origin)) this.#give(run, event);
  }

  #routeStart(
    run: RoutedRun,
    event: AgentEvent,
    { executionId, requestId = run.requestId }: FrameOrigin,
  ): void {
    if (isAwaited(run) && requestId !== run.requestId) {
      const earlier = this.#pending.find(isAwaited);
      if (earlier !== undefined) earlier.executionId = executionId;
      return;
    }
    this.#isGated = false;
    run.executionId = executionId ?? run.executionId;
    this.#give(run, event);
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

  /** Returns true if the frame was the last one of a pending run, or is held because it may be. */
  #settlesPending(run: RoutedRun, event: AgentEvent, { executionId }: FrameOrigin): boolean {
    if (event.type !== 'finish') return false;
    if (event.finishReason === 'client-tool-calls' && !run.hasRequest) {
      const asking = this.#pending.find((other) => other.hasRequest);
      this.#settle(asking);
      if (asking !== undefined) return true;
    }
    if (event.finishReason !== 'stop') return false;
    const stopped = this.#pending.find(
      (other) => !other.hasRequest && (executionId === undefined || other.executionId === undefined),
    );
    if (stopped === undefined) return false;
    if (run.hasContent && executionId !== undefined) return false;
    if (run.hasContent) {
      this.#hold(run, event, stopped);
      return true;
    }
    this.#settle(stopped);
    // The `start` that the current run took was the pending run's too.
    if (executionId !== undefined) run.executionId = undefined;
    return true;
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

  #isOfPending(run: RoutedRun, event: AgentEvent): boolean {
    const id = partId(event);
    if (id === undefined || run.ids.has(id) || startsPart(event)) return false;
    return this.#pending.some((other) => other.ids.has(id));
  }
}

/** Returns true if nothing of the run has arrived. */
function isAwaited(run: RoutedRun): boolean {
  return run.executionId === undefined && !run.hasContent;
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
