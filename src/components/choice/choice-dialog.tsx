import { useMemo } from 'react';
import { createCard, createDialog, type OnSurface } from '../primitives/create-question.tsx';
import type { QuestionProps } from '../primitives/question.tsx';
import { Question } from '../primitives/question.tsx';
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
export const ChoiceDialog = /* @__PURE__ */ createDialog<ChoiceProps>(ChoiceQuestion);

/** The same choice as a card in the flow of the page. It does not take the focus when it appears. */
export const ChoiceCard = /* @__PURE__ */ createCard<ChoiceProps>(ChoiceQuestion);

export function ChoiceQuestion({ submitLabel, ...props }: OnSurface<ChoiceProps>) {
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
