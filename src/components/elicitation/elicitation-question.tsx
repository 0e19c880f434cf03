import { useMemo } from 'react';
import type { DialogFrameProps } from '../primitives/dialog-frame.tsx';
import { Question } from '../primitives/question.tsx';
import type { QuestionProps } from '../primitives/question-props.ts';
import { severityOf } from '../text/tool-prompt.ts';
import { checkUrl } from './check-url.ts';
import { ConsentBody } from './consent-body.tsx';
import { PageBody } from './page-body.tsx';
import type { Elicitation } from './read-elicitation.ts';

/** What a server asks that needs no form. Not loaded on demand: a question must not depend on one more request. */
export function ElicitationQuestion({
  elicitation,
  ...props
}: QuestionProps &
  DialogFrameProps & {
    surface: 'dialog' | 'card';
    elicitation: Extract<Elicitation, { type: 'page' | 'consent' | 'yes-no' }>;
  }) {
  const { tool } = props;
  const page = useMemo(
    () => (elicitation.type === 'page' ? checkUrl(elicitation.url) : undefined),
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
          elicitation.type !== 'page' && <ConsentBody {...ask} tool={tool} elicitation={elicitation} />
        )
      }
    </Question>
  );
}
