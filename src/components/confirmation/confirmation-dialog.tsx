import type { DialogFrameProps } from '../parts/dialog-frame.tsx';
import { Question } from '../parts/question.tsx';
import type { QuestionProps } from '../parts/question-props.ts';
import { QuestionBoundary } from '../parts/tool-boundary.tsx';
import { ConfirmationBody } from './confirmation-body.tsx';

export interface ConfirmationProps extends QuestionProps {
  /** A word the person types before Confirm works. Default: from the tool's definition. */
  readonly confirmWord?: string | undefined;
}

/**
 * Asks yes or no in a modal dialog.
 *
 * Confirm submits `{ confirmed: true }`. Decline answers no: the agent gets
 * `{ confirmed: false, outcome: 'declined', reason? }`. Escape, the backdrop and the cross cancel. The focus starts
 * on Confirm for tone `neutral`, else on Decline. Enter and Space count only after a quiet half second when the
 * dialog appeared under somebody's typing.
 */
export function ConfirmationDialog(props: ConfirmationProps & DialogFrameProps) {
  return (
    <QuestionBoundary tool={props.tool} onError={props.onError}>
      <Confirmation {...props} surface="dialog" />
    </QuestionBoundary>
  );
}

/** The same question inline, in the flow of the page. It takes no focus by itself. */
export function ConfirmationCard(props: ConfirmationProps) {
  return (
    <QuestionBoundary tool={props.tool} onError={props.onError}>
      <Confirmation {...props} surface="card" />
    </QuestionBoundary>
  );
}

function Confirmation({
  confirmWord,
  ...props
}: ConfirmationProps & DialogFrameProps & { surface: 'dialog' | 'card' }) {
  return (
    <Question {...props} kind="confirmation">
      {(ask) => (
        <ConfirmationBody
          {...ask}
          tool={props.tool}
          confirmWord={confirmWord ?? props.tool.definition?.confirmWord}
        />
      )}
    </Question>
  );
}
