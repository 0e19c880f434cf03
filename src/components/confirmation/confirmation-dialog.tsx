import { useMemo } from 'react';
import { ConsentBody } from '../elicitation/consent-body.tsx';
import { judgePage } from '../elicitation/judge-page.ts';
import { PageBody } from '../elicitation/page-body.tsx';
import { readElicitation } from '../elicitation/read-elicitation.ts';
import type { DialogFrameProps } from '../parts/dialog-frame.tsx';
import { Question } from '../parts/question.tsx';
import type { QuestionProps } from '../parts/question-props.ts';
import { QuestionBoundary } from '../parts/tool-boundary.tsx';
import { readTone } from '../text/tone.ts';
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
 *
 * Arguments of an MCP elicitation ask in their own way and submit its `content`. Without properties, Confirm submits
 * `{}`; one yes/no property gives Yes, No and Decline; `{ mode: 'url', message, url }` shows the address, opens it in a
 * new tab when the person says so, and submits `null` when they are done there.
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
  const { tool } = props;
  const elicitation = useMemo(() => readElicitation(tool), [tool]);
  const page = useMemo(
    () => (elicitation?.ask === 'page' ? judgePage(elicitation.url) : undefined),
    [elicitation],
  );
  const isOdd = page !== undefined && (page.state === 'blocked' || page.oddities.length > 0);
  const tone = props.tone ?? (isOdd && readTone(tool) === 'neutral' ? 'caution' : undefined);
  return (
    <Question {...props} tone={tone} kind="confirmation">
      {(ask) =>
        page !== undefined ? (
          <PageBody {...ask} tool={tool} page={page} />
        ) : elicitation?.ask === 'consent' || elicitation?.ask === 'yes-no' ? (
          <ConsentBody {...ask} tool={tool} elicitation={elicitation} />
        ) : (
          <ConfirmationBody {...ask} tool={tool} confirmWord={confirmWord ?? tool.definition?.confirmWord} />
        )
      }
    </Question>
  );
}
