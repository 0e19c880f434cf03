import { useMemo } from 'react';
import { ElicitationQuestion } from '../elicitation/elicitation-question.tsx';
import { type Elicitation, readElicitation } from '../elicitation/read-elicitation.ts';
import { createCard, createDialog, type OnSurface } from '../primitives/create-question.tsx';
import type { QuestionProps } from '../primitives/question.tsx';
import { Question } from '../primitives/question.tsx';
import { ConfirmationBody } from './confirmation-body.tsx';

export interface ConfirmationProps extends QuestionProps {
  /** A word that the person has to type before Confirm works. Default: from the tool's definition. */
  readonly confirmWord?: string | undefined;
}

/**
 * Asks yes or no in a modal dialog.
 *
 * - Confirm submits `{ confirmed: true }`, or the yes that the tool's `output` schema describes: `true`, or
 *   `{ agreed: true }` if `agreed` is its only property.
 * - Decline sends `{ confirmed: false, outcome: 'declined', reason? }`.
 * - Escape and the cross cancel the call, and ask first when the person has written a reason or edited an
 *   argument. A press on the backdrop does nothing.
 *
 * The focus starts on Confirm for severity `neutral`, else on Decline. If that button is not visible without scrolling, the
 * focus starts on the dialog. It also does if an element that may take text had the focus; then the first Tab moves it to
 * the button. Keys and presses that come in the first half second of a dialog do not count.
 *
 * For the arguments of an MCP elicitation the dialog submits the `content` of an `accept`: `{}` for a schema without
 * properties; the value of a single yes/no property, with Yes, No and Decline as buttons; `null` for
 * `{ mode: 'url', message, url }`, whose address the dialog shows and opens in a new tab on a press.
 */
export const ConfirmationDialog = /* @__PURE__ */ createDialog<ConfirmationProps>(ConfirmationQuestion);

/** The same question inline, in the flow of the page. It takes no focus by itself. */
export const ConfirmationCard = /* @__PURE__ */ createCard<ConfirmationProps>(ConfirmationQuestion);

/**
 * A confirmation without its error boundary.
 *
 * @param elicitation as `pickQuestion` read it, `null` for none; read from the arguments when absent
 */
function ConfirmationQuestion({
  confirmWord,
  elicitation: picked,
  ...props
}: OnSurface<ConfirmationProps> & { elicitation?: Elicitation | null | undefined }) {
  const { tool } = props;
  const elicitation = useMemo(
    () => (picked === undefined ? (readElicitation(tool) ?? null) : picked),
    [picked, tool],
  );
  switch (elicitation?.type) {
    case 'page':
    case 'consent':
    case 'yes-no':
      return <ElicitationQuestion {...props} elicitation={elicitation} />;
    case 'choice':
    case 'form':
    case undefined:
      return <PlainConfirmation {...props} confirmWord={confirmWord} />;
    default:
      return elicitation satisfies never;
  }
}

/** A confirmation of a call that is no elicitation, for pages that have no other kind of question. */
export function PlainConfirmation({ confirmWord, ...props }: OnSurface<ConfirmationProps>) {
  const { tool } = props;
  return (
    <Question {...props} kind="confirmation">
      {(ask) => (
        <ConfirmationBody {...ask} tool={tool} confirmWord={confirmWord ?? tool.definition?.confirmWord} />
      )}
    </Question>
  );
}
