import { useMemo } from 'react';
import { ElicitationQuestion } from '../elicitation/elicitation-question.tsx';
import { type Elicitation, readElicitation } from '../elicitation/read-elicitation.ts';
import type { DialogFrameProps } from '../primitives/dialog-frame.tsx';
import { Question } from '../primitives/question.tsx';
import type { QuestionProps } from '../primitives/question-props.ts';
import { QuestionBoundary } from '../primitives/tool-boundary.tsx';
import { ConfirmationBody } from './confirmation-body.tsx';

export interface ConfirmationProps extends QuestionProps {
  /** A word the person types before Confirm works. Default: from the tool's definition. */
  readonly confirmWord?: string | undefined;
}

/**
 * Asks yes or no in a modal dialog.
 *
 * Confirm submits `{ confirmed: true }`, or the yes that the tool's `output` schema describes (`true`, or `{ agreed: true }`
 * where `agreed` is its one property). Decline answers no: the agent gets
 * `{ confirmed: false, outcome: 'declined', reason? }`. Escape, the backdrop and the cross cancel. The focus starts
 * on Confirm for severity `neutral`, else on Decline; on the dialog itself as long as that button is out of sight. Enter and
 * Space count only after a quiet half second when the dialog appeared under somebody's typing.
 *
 * Arguments of an MCP elicitation ask in their own way and submit its `content`. Without properties, Confirm submits
 * `{}`; one yes/no property gives Yes, No and Decline; `{ mode: 'url', message, url }` shows the address, opens it in a
 * new tab when the person says so, and submits `null` when they are done there.
 */
export function ConfirmationDialog(props: ConfirmationProps & DialogFrameProps) {
  return (
    <QuestionBoundary tool={props.tool} onError={props.onError}>
      <ConfirmationQuestion {...props} surface="dialog" />
    </QuestionBoundary>
  );
}

/** The same question inline, in the flow of the page. It takes no focus by itself. */
export function ConfirmationCard(props: ConfirmationProps) {
  return (
    <QuestionBoundary tool={props.tool} onError={props.onError}>
      <ConfirmationQuestion {...props} surface="card" />
    </QuestionBoundary>
  );
}

/**
 * A confirmation without its error boundary.
 *
 * @param elicitation as `pickQuestion` read it, `null` for none; read from the arguments when absent
 */
export function ConfirmationQuestion({
  confirmWord,
  elicitation: picked,
  ...props
}: ConfirmationProps &
  DialogFrameProps & { surface: 'dialog' | 'card'; elicitation?: Elicitation | null | undefined }) {
  const { tool } = props;
  const elicitation = useMemo(
    () => (picked === undefined ? (readElicitation(tool) ?? null) : picked),
    [picked, tool],
  );
  switch (elicitation?.ask) {
    case 'page':
    case 'consent':
    case 'yes-no':
      return <ElicitationQuestion {...props} elicitation={elicitation} />;
    case 'choice':
    case 'form':
    case undefined:
      return (
        <Question {...props} kind="confirmation">
          {(ask) => (
            <ConfirmationBody
              {...ask}
              tool={tool}
              confirmWord={confirmWord ?? tool.definition?.confirmWord}
            />
          )}
        </Question>
      );
    default:
      return elicitation satisfies never;
  }
}
