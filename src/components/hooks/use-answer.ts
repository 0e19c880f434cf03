import { useCallback, useContext, useMemo, useRef, useState } from 'react';
import type { Issue, Settlement, SubmitOptions } from '../../tools/client-tool.ts';
import type { AnyTool } from '../primitives/any-tool.ts';
import { RetainedQuestionsContext } from '../primitives/surface-context.ts';

/** How a person ended a dialog; `expired` when it turned out that nobody waits for the answer any more. */
export type AnswerOutcome = 'submitted' | 'declined' | 'cancelled' | 'expired';

/**
 * Where the answering of one call stands.
 *
 * - `waiting`: nothing was tried yet
 * - `refused`: the last answer was not taken, the call is still open
 * - `gone`: the call has its answer already, or the agent no longer waits
 * - `settled`: this dialog answered
 */
export type AnswerState =
  | { readonly status: 'waiting' }
  | {
      readonly status: 'refused';
      readonly reason: 'invalid-result' | 'not-serializable';
      readonly issues: readonly Issue[];
    }
  | { readonly status: 'gone'; readonly reason: 'already-settled' | 'expired' }
  | { readonly status: 'settled'; readonly outcome: AnswerOutcome };

/** The answering of one call: what to press, and what came of it. */
export interface AnswerControls {
  readonly state: AnswerState;
  submit(result: unknown, options?: SubmitOptions): Settlement;
  /** Whether this press said no: what hangs on a no must not follow from one after a yes. */
  decline(...said: Parameters<AnyTool['decline']>): boolean;
  /** Cancels; when nobody waits any more it only puts the dialog away. */
  dismiss(): void;
}

const OVER: AnswerState = { status: 'gone', reason: 'expired' };
const TAKEN: Settlement = { settled: true };

/**
 * Settles a call once and remembers what came of it. A second press after the first one counted does nothing:
 * the person answered, there is nothing to tell.
 */
export function useAnswer(tool: AnyTool, onSettled?: (outcome: AnswerOutcome) => void): AnswerControls {
  const [own, setState] = useState<AnswerState>({ status: 'waiting' });
  const isOver = useContext(RetainedQuestionsContext)?.isEnded(tool) === true && own.status !== 'settled';
  const state = isOver ? OVER : own;
  const settled = useRef(false);

  const finish = useCallback(
    (outcome: AnswerOutcome) => {
      settled.current = true;
      setState({ status: 'settled', outcome });
      onSettled?.(outcome);
    },
    [onSettled],
  );
  const record = useCallback(
    // A call made by hand may return nothing, as those of the Octavus docs do: it took the answer.
    (returned: Settlement | undefined, outcome: AnswerOutcome): Settlement => {
      const settlement = returned ?? TAKEN;
      if (settlement.settled) finish(outcome);
      else setState(readRefusal(settlement));
      return settlement;
    },
    [finish],
  );

  return useMemo(
    () => ({
      state,
      submit(result, options) {
        if (settled.current) return TAKEN;
        return record(
          options === undefined ? tool.submit(result) : tool.submit(result, options),
          'submitted',
        );
      },
      decline(...said) {
        if (settled.current) return false;
        // One made by hand takes what the page of the API says, a reason.
        const taken =
          'saveInput' in tool ? said : (said.filter((each) => typeof each === 'string') as [string?]);
        return record(tool.decline(...taken), 'declined').settled;
      },
      dismiss() {
        if (settled.current) return;
        if (state.status === 'gone') finish('expired');
        else record(tool.cancel(), 'cancelled');
      },
    }),
    [tool, state, record, finish],
  );
}

function readRefusal({ reason, issues = [] }: Extract<Settlement, { settled: false }>): AnswerState {
  return reason === 'already-settled' || reason === 'expired'
    ? { status: 'gone', reason }
    : { status: 'refused', reason, issues };
}
