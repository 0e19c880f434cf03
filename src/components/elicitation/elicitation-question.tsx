import { useMemo } from 'react';
import type { DialogFrameProps } from '../primitives/dialog-frame.tsx';
import type { QuestionProps } from '../primitives/question.tsx';
import { Question } from '../primitives/question.tsx';
import { severityOf } from '../text/severity-of.ts';
import { ConsentBody } from './consent-body.tsx';
import { judgePage } from './judge-page.ts';
import { PageBody } from './page-body.tsx';
import type { Elicitation } from './read-elicitation.ts';

/** What a server asks that needs no form. Not loaded on demand: a question must not depend on one more request. */
export function ElicitationQuestion({
  elicitation,
  ...props
}: QuestionProps &
  DialogFrameProps & {
    surface: 'dialog' | 'card';
    elicitation: Extract<Elicitation, { ask: 'page' | 'consent' | 'yes-no' }>;
  }) {
  const { tool } = props;
  const page = useMemo(
    () => (elicitation.ask === 'page' ? judgePage(elicitation.url) : undefined),
    [elicitation],
  );
  const isOdd = page !== undefined && (page.state === 'blocked' || page.oddities.length > 0);
  const severity = props.severity ?? (isOdd && severityOf(tool) === 'neutral' ? 'caution' : undefined);
  return (
    <Question {...props} severity={severity} kind="confirmation">
      {(ask) =>
        page !== undefined ? (
          <PageBody {...ask} tool={tool} page={page} />
        ) : (
          elicitation.ask !== 'page' && <ConsentBody {...ask} tool={tool} elicitation={elicitation} />
        )
      }
    </Question>
  );
}
