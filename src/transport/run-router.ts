/**
 * Whose frame is it? A socket carries one run after the other, and the reference server marks none of its frames.
 *
 * A run that another request replaced before its `finish` or `error` arrived will still send that frame.
 *
 * | frame | goes to |
 * |---|---|
 * | of a run whose `executionId` is known | that run: the current one, or no run when another request replaced it |
 * | `finish{client-tool-calls}`, while the current run has not asked for anything | the run that did ask and was answered before its `finish` (its debt is paid) |
 * | `finish` of the run before, which had ended, before anything of the current one | nobody |
 * | without an id, before the current run's `start`, while a run owes | nobody; a `finish` or `error` pays the debt and opens the gate |
 * | `start` with the `requestId` of another request | the run sent before the current one that has no id yet |
 * | `start` | the current run; opens the gate |
 * | `finish{stop}` while a run owes and the current one has brought nothing yet | nobody; pays the debt |
 * | `finish{stop}` without an id while a run owes and the current one has brought something | held for 3 s: a further frame of the current run shows that it paid the debt, one of the owing run or silence that it was the current run's |
 * | of a part, block or tool call the owing run began | nobody, unless the current run began one of that id itself |
 * | anything else | the current run |
 *
 * What no rule can tell apart: a run stopped before its first frame, whose `start` was already on its way, on a server
 * that does not say which request a `start` answers. Ours does: a request that is sent while another waits for its
 * `start` has a `requestId`, and each `start` says whose it is (empty: of a request without).
 */
import type { AgentEvent } from '../protocol/events.ts';
import { endsRun } from '../protocol/native-endings.ts';
import type { Clock } from '../shared/clock.ts';

/** A run (or a part of one, up to a client tool) as far as frames have told about it. */
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
  let owing: RoutedRun[] = [];
  let requests = 0;
  let gated = false;
  let serverNumbers = false;
  let endedId: string | undefined;
  let held:
    | { readonly debtor: RoutedRun; readonly callOff: () => void; readonly give: () => void }
    | undefined;

  const owes = (test: (run: RoutedRun) => boolean) => owing.find(test);
  const pay = (run: RoutedRun | undefined) => {
    owing = owing.filter((other) => other !== run);
  };
  const release = () => {
    held?.callOff();
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

  const hold = (run: RoutedRun, event: AgentEvent, debtor: RoutedRun) => {
    const giveHeld = () => {
      release();
      give(run, event);
    };
    held = { debtor, callOff: clock.after(HOLD_MS, giveHeld), give: giveHeld };
  };

  const isOfOwing = (run: RoutedRun, event: AgentEvent): boolean => {
    const id = partId(event);
    if (id === undefined || run.ids.has(id) || startsPart(event)) return false;
    return owes((other) => other.ids.has(id)) !== undefined;
  };

  /** A debtor that ended by being stopped, as far as this frame tells. */
  const stoppedDebtor = (event: AgentEvent, { executionId }: FrameOrigin) =>
    event.type === 'finish' && event.finishReason === 'stop'
      ? owes((run) => !run.hasRequest && (executionId === undefined || run.executionId === undefined))
      : undefined;

  /** True when the frame was the owing run's. */
  const settleDebt = (run: RoutedRun, event: AgentEvent, origin: FrameOrigin): boolean => {
    if (event.type === 'finish' && event.finishReason === 'client-tool-calls' && !run.hasRequest) {
      const asked = owes((other) => other.hasRequest);
      pay(asked);
      if (asked !== undefined) return true;
    }
    const debtor = stoppedDebtor(event, origin);
    if (debtor === undefined) return false;
    if (run.hasContent && origin.executionId !== undefined) return false;
    if (run.hasContent) {
      hold(run, event, debtor);
      return true;
    }
    pay(debtor);
    // The `start` that was taken for the current run's was the debtor's too.
    if (origin.executionId !== undefined) run.executionId = undefined;
    return true;
  };

  return {
    /** The run whose request is sent now. */
    open(run: RoutedRun) {
      release();
      if (current !== undefined && !current.ended) owing = [...owing, current].slice(-8);
      endedId = current?.executionId;
      current = run;
      gated = owes((other) => !other.hasRequest) !== undefined;
      if (owes(isAwaited)) run.requestId = String(++requests);
    },
    /** True if a frame that is no event may concern the run. */
    mayBelongTo(run: RoutedRun, executionId: unknown): boolean {
      if (run.ended || gated) return false;
      return (
        executionId === run.executionId || owes((other) => other.executionId === executionId) === undefined
      );
    },
    /** The connection is gone, and with it all debts. */
    reset() {
      release();
      current = undefined;
      owing = [];
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
          : owes((other) => other.executionId === executionId);
      if (owner !== undefined || run === undefined || run.ended) {
        if (endsRun(event)) pay(owner ?? owing[0]);
        return;
      }
      if (event.type === 'start') {
        const { requestId = run.requestId } = origin;
        if (isAwaited(run) && requestId !== run.requestId) {
          const earlier = owes(isAwaited);
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
        pay(owing[0]);
        gated = false;
        return;
      }
      // A `start` may bring the same id again: some servers have one for all runs.
      if (isAwaited(run) && executionId !== undefined && executionId === endedId && endsRun(event)) return;
      if (isOfOwing(run, event)) return held?.give();
      if (held !== undefined) {
        pay(held.debtor);
        release();
      }
      if (!settleDebt(run, event, origin)) give(run, event);
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
