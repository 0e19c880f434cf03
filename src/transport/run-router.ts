/**
 * Finds the run of a frame. A socket carries one run after another, and the reference server marks none of its frames.
 *
 * A run that another request replaced before its `finish` or `error` arrived is *unfinished*: it will still send that frame.
 *
 * | frame | goes to |
 * |---|---|
 * | of a run whose `executionId` is known | that run: the current one, or no run when another request replaced it |
 * | `finish{client-tool-calls}`, while the current run has not requested a tool | the run that did, and was answered before its `finish`; that run is finished now |
 * | `finish` of the run before, which had ended, before any frame of the current one | no run |
 * | without an id, before the current run's `start`, while a run is unfinished | no run; a `finish` or `error` finishes it and opens the gate |
 * | `start` with the `requestId` of another request | the run sent before the current one that has no id yet |
 * | `start` | the current run; opens the gate |
 * | `finish{stop}` while a run is unfinished and the current one has no frame yet | no run; finishes the unfinished one |
 * | `finish{stop}` without an id while a run is unfinished and the current one has frames | held for 3 s: a further frame of the current run shows that it ended the unfinished run; a frame of the unfinished run, or silence, shows that it ended the current run |
 * | of a part, block or tool call of an unfinished run | no run, unless the current run began one of that id itself |
 * | anything else | the current run |
 *
 * One case is undecidable: a run stopped before its first frame, whose late `start` comes from a server that does not say
 * which request a `start` answers. Our server does: a request that is sent while another waits for its `start` has a
 * `requestId`, and each `start` repeats it (empty: of a request without).
 */
import type { AgentEvent } from '../protocol/events.ts';
import { endsRun } from '../protocol/native-endings.ts';
import type { Clock } from '../shared/clock.ts';

/** The known state of a run, or of a part of a run up to a client tool. */
export interface RoutedRun {
  executionId: string | undefined;
  /** Sent with the request, where an earlier one may still get its `start`. */
  requestId: string;
  /** Brought something besides `start`. */
  hasContent: boolean;
  /** Asked for client tools, or is read again and may have asked before. */
  hasRequest: boolean;
  ended: boolean;
  /** Ids of what it began. */
  readonly ids: Set<string>;
  take(event: AgentEvent): void;
}

/** The marks by which a frame names its run. */
export interface FrameOrigin {
  readonly executionId: string | undefined;
  /** Of the request a `start` answers; undefined where the server does not say. */
  readonly requestId?: string | undefined;
  /** Frames of our own server are numbered, and then every frame of a run has its id. */
  readonly numbered: boolean;
}

const HOLD_MS = 3_000;

export function createRunRouter(clock: Clock) {
  let current: RoutedRun | undefined;
  let unfinished: RoutedRun[] = [];
  let requests = 0;
  let gated = false;
  let serverNumbers = false;
  let endedId: string | undefined;
  let held:
    | { readonly unfinishedRun: RoutedRun; readonly cancel: () => void; readonly give: () => void }
    | undefined;

  const findUnfinished = (test: (run: RoutedRun) => boolean) => unfinished.find(test);
  const removeUnfinished = (run: RoutedRun | undefined) => {
    unfinished = unfinished.filter((other) => other !== run);
  };
  const release = () => {
    held?.cancel();
    held = undefined;
  };

  const give = (run: RoutedRun, event: AgentEvent) => {
    if (event.type !== 'start') run.hasContent = true;
    if (event.type === 'client-tool-request') run.hasRequest = true;
    const id = beginsPart(event);
    if (id !== undefined && !serverNumbers) run.ids.add(id);
    if (endsRun(event)) run.ended = true;
    run.take(event);
  };

  const hold = (run: RoutedRun, event: AgentEvent, unfinishedRun: RoutedRun) => {
    const giveHeld = () => {
      release();
      give(run, event);
    };
    held = { unfinishedRun, cancel: clock.after(HOLD_MS, giveHeld), give: giveHeld };
  };

  const belongsToUnfinished = (run: RoutedRun, event: AgentEvent): boolean => {
    const id = partId(event);
    if (id === undefined || run.ids.has(id) || startsPart(event)) return false;
    return findUnfinished((other) => other.ids.has(id)) !== undefined;
  };

  /** Finds the unfinished run that this frame ends because it was stopped. */
  const findStoppedRun = (event: AgentEvent, { executionId }: FrameOrigin) =>
    event.type === 'finish' && event.finishReason === 'stop'
      ? findUnfinished(
          (run) => !run.hasRequest && (executionId === undefined || run.executionId === undefined),
        )
      : undefined;

  /** True if the frame ended an unfinished run. */
  const settleUnfinishedRun = (run: RoutedRun, event: AgentEvent, origin: FrameOrigin): boolean => {
    if (event.type === 'finish' && event.finishReason === 'client-tool-calls' && !run.hasRequest) {
      const asked = findUnfinished((other) => other.hasRequest);
      removeUnfinished(asked);
      if (asked !== undefined) return true;
    }
    const unfinishedRun = findStoppedRun(event, origin);
    if (unfinishedRun === undefined) return false;
    if (run.hasContent && origin.executionId !== undefined) return false;
    if (run.hasContent) {
      hold(run, event, unfinishedRun);
      return true;
    }
    removeUnfinished(unfinishedRun);
    // The `start` that was assigned to the current run came from the unfinished run too.
    if (origin.executionId !== undefined) run.executionId = undefined;
    return true;
  };

  return {
    /** The run whose request is sent now. */
    open(run: RoutedRun) {
      release();
      if (current !== undefined && !current.ended) unfinished = [...unfinished, current].slice(-8);
      endedId = current?.executionId;
      current = run;
      gated = findUnfinished((other) => !other.hasRequest) !== undefined;
      if (findUnfinished(isAwaited)) run.requestId = String(++requests);
    },
    /** True if a frame that is no event may concern the run. */
    mayBelongTo(run: RoutedRun, executionId: unknown): boolean {
      if (run.ended || gated) return false;
      return (
        executionId === run.executionId ||
        findUnfinished((other) => other.executionId === executionId) === undefined
      );
    },
    /** The connection is lost, and with it all frames of unfinished runs. */
    reset() {
      release();
      current = undefined;
      unfinished = [];
      gated = serverNumbers = false;
    },
    route(event: AgentEvent, origin: FrameOrigin) {
      const { executionId, numbered } = origin;
      serverNumbers ||= numbered;
      const run = current;
      const isCurrent = executionId !== undefined && executionId === run?.executionId;
      const owner =
        isCurrent || executionId === undefined
          ? undefined
          : findUnfinished((other) => other.executionId === executionId);
      if (owner !== undefined || run === undefined || run.ended) {
        if (endsRun(event)) removeUnfinished(owner ?? unfinished[0]);
        return;
      }
      if (event.type === 'start') {
        const { requestId = run.requestId } = origin;
        if (isAwaited(run) && requestId !== run.requestId) {
          const earlier = findUnfinished(isAwaited);
          if (earlier !== undefined) earlier.executionId = executionId;
          return;
        }
        gated = false;
        run.executionId = executionId ?? run.executionId;
        return give(run, event);
      }
      if (numbered && executionId !== undefined && !isCurrent && run.executionId !== undefined) return;
      if (gated && !isCurrent && !serverNumbers) {
        if (!endsRun(event)) return;
        removeUnfinished(unfinished[0]);
        gated = false;
        return;
      }
      // A `start` may bring the same id again: some servers have one for all runs.
      if (isAwaited(run) && executionId !== undefined && executionId === endedId && endsRun(event)) return;
      if (belongsToUnfinished(run, event)) return held?.give();
      if (held !== undefined) {
        removeUnfinished(held.unfinishedRun);
        release();
      }
      if (!settleUnfinishedRun(run, event, origin)) give(run, event);
    },
  };
}

/** Nothing of it has arrived. */
const isAwaited = (run: RoutedRun) => run.executionId === undefined && !run.hasContent;

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
