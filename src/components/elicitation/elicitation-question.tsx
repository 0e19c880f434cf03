import { useMemo } from 'react';
import type { OnSurface } from '../primitives/create-question.tsx';
import { Question, type QuestionProps } from '../primitives/question.tsx';
import { severityOf } from '../text/tool-prompt.ts';
import { checkUrl } from './check-url.ts';
import { ConsentBody } from './consent-body.tsx';
import { PageBody } from './page-body.tsx';
import type { Elicitation } from './read-elicitation.ts';

/** An elicitation without a form: a page to open, a consent, or a yes/no question. */
export function ElicitationQuestion({
  elicitation,
  ...props
}: OnSurface<QuestionProps> & {
  elicitation: Extract<Elicitation, { type: 'page' | 'consent' | 'yes-no' }>;
}) {
  const { tool } = props;
  const url = useMemo(
    () => (elicitation.type === 'page' ? checkUrl(elicitation.url) : undefined),
    [elicitation],
  );
  const isUnusual = url !== undefined && (url.status === 'blocked' || url.warnings.length > 0);
  const severity = props.severity ?? (isUnusual && severityOf(tool) === 'neutral' ? 'caution' : undefined);
  return (
    <Question {...props} severity={severity} kind="confirmation">
      {(ask) =>
        url !== undefined ? (
          <PageBody {...ask} tool={tool} url={url} />
        ) : (
          elicitation.type !== 'page' && <ConsentBody {...ask} tool={tool} elicitation={elicitation} />
        )
      }
    </Question>
  );
}

/** The same for a queue, which has read the arguments of the call. */
export function PickedElicitation({
  elicitation,
  ...props
}: OnSurface<QuestionProps> & { elicitation?: Elicitation | null | undefined }) {
  if (elicitation == null || elicitation.type === 'choice' || elicitation.type === 'form') return null;
  return <ElicitationQuestion {...props} elicitation={elicitation} />;
}
