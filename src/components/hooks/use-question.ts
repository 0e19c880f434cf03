import { type KeyboardEvent, type RefCallback, useCallback, useEffect, useState } from 'react';
import type { Issue, SubmitOptions } from '../../core/tools/client-tool.ts';
import { isComposing } from '../../shared/is-composing.ts';
import type { AnyTool } from '../any-tool.ts';
import type { Surface } from './surface-context.ts';
import type { Answered, AnswerOutcome, AnswerState } from './use-answer.ts';
import { useAsking } from './use-asking.ts';
import { usePanelFocus } from './use-panel-focus.ts';
import { useReturnFocus } from './use-return-focus.ts';
import { useSavedAnswer } from './use-saved-answer.ts';
import { useSecondsLeft } from './use-seconds-left.ts';

/** Options of {@link useQuestion}. */
export interface QuestionOptions {
  /**
   * `dialog`: takes the focus when it is shown, keeps Tab inside and gives the focus back. `card`: stands in the flow of the page, takes
   * no focus and takes answers at once. Default: as the `ClientToolDialogs` around shows its questions, else `dialog`.
   */
  readonly surface?: Surface['kind'] | undefined;
  /** Called once, when the person has answered or closed the question. */
  readonly onSettled?: ((outcome: AnswerOutcome) => void) | undefined;
}

/** Props for the element around a question. */
export interface QuestionPanelProps {
  readonly ref: RefCallback<HTMLElement>;
  readonly tabIndex: -1;
  /** For style sheets: `arming` in the first half second. */
  readonly 'data-arming': 'arming' | 'armed';
  readonly onKeyDownCapture: (event: KeyboardEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** A question for a design of one's own: all behaviour of the kit's dialogs, and no markup. */
export interface Question<Result = unknown> {
  /** Spread them on the element of the dialog or card. Its element with `data-autofocus` gets the focus first. */
  readonly panelProps: QuestionPanelProps;
  /** False in the first half second. Show it on the buttons that answer, with `aria-disabled`, not with `disabled`. */
  readonly armed: boolean;
  /** How far the question is, see {@link AnswerState}. */
  readonly state: AnswerState;
  /** Why the last answer was refused, by path. Empty otherwise. */
  readonly issues: readonly Issue[];
  /** What was kept with `saveInput`, also over a reload. */
  readonly savedInput: unknown;
  /** The seconds until the agent goes on without an answer. Undefined without a deadline. */
  readonly secondsLeft: number | undefined;
  /** Answers. Does nothing in the first half second, for a key or press that began in it, or after an answer. */
  submit(result: Result, options?: SubmitOptions): Answered;
  /** Says no. Returns true if this press declined the call. Too early or late as `submit`. */
  decline(reason?: string, details?: Readonly<Record<string, unknown>>): boolean;
  /** Leaves the question: the agent is told that the person cancelled. Too early or late as `submit`. */
  cancel(): void;
  /** Keeps what the person has filled in so far (a JSON value). */
  saveInput(input: unknown): void;
}

const NO_ISSUES: readonly Issue[] = [];

/**
 * The behaviour of one question without its markup, for an app that draws its own dialogs or cards. The kit's are made of the same parts.
 *
 * - **Arming**: an answer that comes in the first half second, or by a key or press that began before, does nothing.
 * - **Focus**: goes into the dialog, stays there, and comes back to where it was. Escape does what `dismiss` of `ClientToolDialogs` says.
 * - **Answers** settle the call once. A refusal is in `state` and `issues`.
 *
 * Use it in the component that a tool has as its `ui`, or for a call of `usePendingClientTools`, with the call's id as the `key`.
 */
export function useQuestion<Result = unknown>(
  tool: AnyTool,
  { surface: ownSurface, onSettled }: QuestionOptions = {},
): Question<Result> {
  const { surface, arming, answer } = useAsking(tool, onSettled, ownSurface);
  const { state } = answer;
  const focus = useOwnFocus(state.status !== 'settled');
  const { savedInput, saveInput } = useSavedAnswer(tool);
  const secondsLeft = useSecondsLeft(tool.expiresAt);

  const onKeyDown = (event: KeyboardEvent) => {
    focus.onKeyDown(event);
    if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    answer.leaveForNow();
  };
  const arms = arming.armed ? ('armed' as const) : ('arming' as const);
  const dialog = { ...focus, onKeyDown, 'data-arming': arms };
  const card = { ref: NO_REF, tabIndex: -1 as const, onKeyDownCapture: NOTHING, onKeyDown: NOTHING };
  return {
    panelProps: surface === 'dialog' ? dialog : { ...card, 'data-arming': arms },
    armed: arming.armed,
    state,
    issues: state.status === 'refused' ? state.issues : NO_ISSUES,
    savedInput,
    secondsLeft,
    submit: answer.submit,
    decline: answer.decline,
    cancel: answer.leave,
    saveInput,
  };
}

const NO_REF = () => {};
const NOTHING = () => {};

/** The focus of a dialog that no frame of the kit surrounds. */
function useOwnFocus(isOpen: boolean) {
  const { remember, restore } = useReturnFocus(isOpen);
  const [isShown, setShown] = useState(false);
  const { props } = usePanelFocus(remember);
  const ref = useCallback<RefCallback<HTMLElement>>(
    (element) => {
      props.ref(element);
      setShown(element !== null);
    },
    [props.ref],
  );
  // After the panel has left the page: until then the focus is inside.
  useEffect(() => {
    if (isShown) return restore;
  }, [isShown, restore]);
  return { ...props, ref };
}
