import { useCallback, useContext, useMemo, useRef, useState } from 'react';
import type { Issue, Settlement, SubmitOptions } from '../../core/tools/client-tool.ts';
import type { PersonOutcome } from '../../shared/tool-outcome.ts';
import type { AnyTool } from '../any-tool.ts';
import { readActiveElement } from './focus-in-shadow.ts';
import { LaterContext, RetainedQuestionsContext } from './surface-context.ts';
import type { Arming } from './use-arming.ts';

/** How a person ended a dialog. `expired`: the person closed a dialog whose call had ended before. */
export type AnswerOutcome = PersonOutcome;

/**
 * The status of one question.
 *
 * - `waiting`: the person has not answered yet
 * - `refused`: the engine or the server refused the last answer, and the call is still open
 * - `gone`: the call has an answer already, the agent no longer waits, or other people have to answer
 * - `settled`: this dialog answered the call
 */
export type AnswerState =
  | { readonly status: 'waiting' }
  | {
      readonly status: 'refused';
      readonly reason: 'invalid-result' | 'not-serializable' | 'refused-by-server';
      readonly issues: readonly Issue[];
    }
  | { readonly status: 'gone'; readonly reason: 'already-settled' | 'expired' | 'not-allowed' }
  | {
      readonly status: 'settled';
      readonly outcome: AnswerOutcome;
      /** The text of a settled card, such as "You chose Express". Default: the label of the outcome. */
      readonly said?: string | undefined;
    };

/**
 * Says what became of an answer. `too-early`: the key or press came, or began, before the question took answers, so nothing was sent and
 * nothing changed.
 */
export type Answered =
  | Settlement
  | { readonly settled: false; readonly reason: 'too-early'; readonly issues?: undefined };

/** The status of one question and the ways to answer it. None of them does anything for a key or press that came too early. */
export interface AnswerControls {
  readonly state: AnswerState;
  /** @param said the text of the settled card, see {@link AnswerState} */
  submit(result: unknown, options?: SubmitOptions, said?: string): Answered;
  /** Returns true if this press declined the call: a press after another answer must not have the effects of a decline. */
  decline(...details: Parameters<AnyTool['decline']>): boolean;
  /**
   * Leaves the question: until later, where its queue keeps it, else for good. Asks before that, with `isLeaving`, if the call has saved
   * input, which has not been sent.
   */
  dismiss(): void;
  /** The person is asked whether to leave unsent input. A second `dismiss` means no. */
  readonly isLeaving: boolean;
  /** Returns to the question, and to the element that had the focus. */
  stay(): void;
  /** Cancels the call. A dialog whose call has ended only closes. */
  leave(): void;
  /** Leaves the question without asking: until later, where its queue keeps it, else as `leave`. */
  leaveForNow(): void;
}

const ENDED: AnswerState = { status: 'gone', reason: 'expired' };
const SETTLED: Settlement = { settled: true };
const TOO_EARLY: Answered = { settled: false, reason: 'too-early' };

/** Settles a call once and keeps the result. A second press after a successful one does nothing and reports no error. */
export function useAnswer(
  tool: AnyTool,
  onSettled: ((outcome: AnswerOutcome) => void) | undefined,
  { isEarly }: Arming,
): AnswerControls {
  const later = useContext(LaterContext);
  const [own, setState] = useState(() => readBeginning(tool));
  const isEnded = useContext(RetainedQuestionsContext)?.isEnded(tool) === true && own.status !== 'settled';
  const state = isEnded ? ENDED : own;
  const settled = useRef(false);
  const [isLeaving, setLeaving] = useState(false);
  const leftFrom = useRef<Element | null>(null);

  const finish = useCallback(
    (outcome: AnswerOutcome, said?: string) => {
      settled.current = true;
      setState({ status: 'settled', outcome, said });
      onSettled?.(outcome);
    },
    [onSettled],
  );
  const record = useCallback(
    // A call that the app made by hand may return nothing. That counts as settled.
    (returned: Settlement | undefined, outcome: AnswerOutcome, said?: string): Settlement => {
      const settlement = returned ?? SETTLED;
      if (settlement.settled) finish(outcome, said);
      else setState(readRefusal(settlement));
      return settlement;
    },
    [finish],
  );

  return useMemo(() => {
    const stay = () => {
      setLeaving(false);
      if (leftFrom.current instanceof HTMLElement) leftFrom.current.focus();
    };
    const leave = () => {
      if (settled.current || isEarly()) return;
      if (state.status === 'gone') finish('expired');
      else record(tool.cancel(), 'cancelled');
    };
    const leaveForNow = () => {
      // The queue would ask a call that has ended for ever.
      if (later === undefined || state.status === 'gone') leave();
      else if (!settled.current && !isEarly()) later(tool);
    };
    return {
      state,
      isLeaving,
      stay,
      leave,
      leaveForNow,
      submit(result, options, said) {
        if (settled.current) return SETTLED;
        if (isEarly()) return TOO_EARLY;
        return record(
          options === undefined ? tool.submit(result) : tool.submit(result, options),
          'submitted',
          said,
        );
      },
      decline(...details) {
        if (settled.current || isEarly()) return false;
        return record(tool.decline(...details), 'declined').settled;
      },
      dismiss() {
        if (isEarly()) return;
        if (isLeaving) return stay();
        if (later !== undefined) return leaveForNow();
        // A call that a test or a preview makes by hand may have no saved input.
        const hasInput = state.status !== 'gone' && (tool.getSavedInput?.() ?? null) !== null;
        if (!hasInput || settled.current) return leave();
        leftFrom.current = readActiveElement();
        setLeaving(true);
      },
    };
  }, [tool, state, isLeaving, record, finish, isEarly, later]);
}

/** A call whose earlier answer the server refused begins with the reason. */
function readBeginning({ refusal }: AnyTool): AnswerState {
  if (refusal === undefined) return { status: 'waiting' };
  return { status: 'refused', reason: 'refused-by-server', issues: [{ message: refusal }] };
}

function readRefusal({ reason, issues = [] }: Extract<Settlement, { settled: false }>): AnswerState {
  return reason === 'invalid-result' || reason === 'not-serializable'
    ? { status: 'refused', reason, issues }
    : { status: 'gone', reason };
}
