import { useMemo } from 'react';
import type { DialogFrameProps } from '../primitives/dialog-frame.tsx';
import type { QuestionProps } from '../primitives/question.tsx';
import { Question } from '../primitives/question.tsx';
import { QuestionBoundary } from '../primitives/tool-boundary.tsx';
import { ChoiceBody } from './choice-body.tsx';
import { readChoice } from './read-choice.ts';

export interface ChoiceProps extends QuestionProps {
  /** Replaces the text of the submit button. */
  readonly submitLabel?: string | undefined;
}

/**
 * Lets the person pick one or several options in a modal dialog. Number keys pick; with more than twelve options there is
 * a search. Without an `output` schema the result is `{ selected }`. The Decline button declines; Escape and the cross
 * cancel, and ask first when the person has picked something.
 */
export function ChoiceDialog(props: ChoiceProps & DialogFrameProps) {
  return (
    <QuestionBoundary tool={props.tool} onError={props.onError}>
      <ChoiceQuestion {...props} surface="dialog" />
    </QuestionBoundary>
  );
}

/** The same choice as a card in the flow of the page. It does not take the focus when it appears. */
export function ChoiceCard(props: ChoiceProps) {
  return (
    <QuestionBoundary tool={props.tool} onError={props.onError}>
      <ChoiceQuestion {...props} surface="card" />
    </QuestionBoundary>
  );
}

export function ChoiceQuestion({
  submitLabel,
  ...props
}: ChoiceProps & DialogFrameProps & { surface: 'dialog' | 'card' }) {
  const choice = useMemo(() => readChoice(props.tool), [props.tool]);
  return (
    <Question {...props} kind="choice" consumed={choice.consumed}>
      {(ask) => (
        <ChoiceBody
          {...ask}
          tool={props.tool}
          choice={choice}
          submitLabel={submitLabel}
          autofocus={props.surface === 'dialog'}
        />
      )}
    </Question>
  );
}
