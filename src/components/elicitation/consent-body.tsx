import type { AnyTool } from '../any-tool.ts';
import { AnswerNotice } from '../primitives/answer-notice.tsx';
import { Button } from '../primitives/button.tsx';
import { CallDetails } from '../primitives/call-details.tsx';
import type { QuestionBodyProps } from '../primitives/question.tsx';
import { QuestionHeader } from '../primitives/question-header.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import type { Elicitation } from './read-elicitation.ts';

type ConsentProps = QuestionBodyProps & {
  tool: AnyTool;
  elicitation: Extract<Elicitation, { type: 'consent' | 'yes-no' }>;
};

/**
 * A server's question without a form. For a consent, Confirm submits `{}`. For a yes/no question, Yes and No both submit
 * the property, and Decline leaves the question unanswered.
 */
export function ConsentBody({ tool, prompt, severity, answer, elicitation }: ConsentProps) {
  const labels = useLabels();
  const isYesNo = elicitation.type === 'yes-no';
  return (
    <>
      <QuestionHeader tool={tool} prompt={prompt} severity={severity} answer={answer} />
      <Slot slotName="body" as="div" className="hr-body">
        {isYesNo && <SchemaHints schema={elicitation.schema} />}
        <CallDetails tool={tool} />
        <AnswerNotice state={answer.state} />
      </Slot>
      <Slot slotName="footer" as="div" className="hr-footer" data-spread={isYesNo ? '' : undefined}>
        {answer.state.status === 'gone' ? (
          <Button look="primary" onClick={answer.dismiss}>
            {labels.close}
          </Button>
        ) : (
          <ConsentActions severity={severity} answer={answer} elicitation={elicitation} />
        )}
      </Slot>
    </>
  );
}

/** The title and the description of the property, once if they are the same. */
function SchemaHints({ schema }: { schema: Readonly<Record<string, unknown>> }) {
  const texts = [...new Set([schema.title, schema.description])];
  return texts.map(
    (text) =>
      typeof text === 'string' &&
      text !== '' && (
        <Slot key={text} slotName="hint" as="p" className="hr-hint">
          {displayText(text)}
        </Slot>
      ),
  );
}

function ConsentActions({
  severity,
  answer,
  elicitation,
}: Pick<ConsentProps, 'severity' | 'answer' | 'elicitation'>) {
  const labels = useLabels();
  const busy = answer.state.status === 'settled';
  const isSafe = severity === 'neutral';
  const isYesNo = elicitation.type === 'yes-no';
  const submit = (value: boolean) =>
    answer.submit(
      elicitation.type === 'yes-no' ? Object.fromEntries([[elicitation.property, value]]) : {},
      undefined,
      isYesNo ? labels.outcomes.chose(value ? labels.yes : labels.no) : labels.outcomes.confirmed,
    );
  return (
    <>
      <Button
        look={isYesNo ? 'quiet' : 'secondary'}
        answers
        onClick={() => answer.decline()}
        autofocus={!isYesNo && !isSafe}
        aria-disabled={busy}
      >
        {labels.decline}
      </Button>
      <div className="hr-actions">
        {isYesNo && (
          <Button answers onClick={() => submit(false)} autofocus={!isSafe} aria-disabled={busy}>
            {labels.no}
          </Button>
        )}
        <Button
          look="primary"
          data-severity={severity}
          answers
          onClick={() => submit(true)}
          autofocus={isSafe}
          aria-disabled={busy}
        >
          {isYesNo ? labels.yes : labels.confirm}
        </Button>
      </div>
    </>
  );
}
