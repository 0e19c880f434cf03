import { AnswerNotice } from '../primitives/answer-notice.tsx';
import type { AnyTool } from '../primitives/any-tool.ts';
import { Button } from '../primitives/button.tsx';
import { CallDetails } from '../primitives/call-details.tsx';
import type { QuestionBodyProps } from '../primitives/question.tsx';
import { QuestionHeader } from '../primitives/question-header.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import type { Elicitation } from './read-elicitation.ts';

/**
 * A server's question that needs no form. Where nothing was asked for, Confirm submits `{}`. Where the question has one
 * property to fill with yes or no, both are answers, and to decline, which answers neither, is a third way.
 */
export function ConsentBody({
  tool,
  prompt,
  severity,
  answer,
  elicitation,
}: QuestionBodyProps & { tool: AnyTool; elicitation: Extract<Elicitation, { ask: 'consent' | 'yes-no' }> }) {
  const labels = useLabels();
  const busy = answer.state.status === 'settled';
  const isSafe = severity === 'neutral';
  const say = (value: boolean) =>
    answer.submit(elicitation.ask === 'yes-no' ? Object.fromEntries([[elicitation.property, value]]) : {});
  const asksBoth = elicitation.ask === 'yes-no';
  return (
    <>
      <QuestionHeader tool={tool} prompt={prompt} severity={severity} answer={answer} />
      <Slot slotName="body" as="div" className="hr-body">
        {asksBoth &&
          [...new Set([elicitation.schema.title, elicitation.schema.description])].map(
            (words) =>
              typeof words === 'string' &&
              words !== '' && (
                <Slot key={words} slotName="hint" as="p" className="hr-hint">
                  {displayText(words)}
                </Slot>
              ),
          )}
        <CallDetails tool={tool} />
        <AnswerNotice state={answer.state} />
      </Slot>
      <Slot slotName="footer" as="footer" className="hr-footer" data-spread={asksBoth ? '' : undefined}>
        {answer.state.status === 'gone' ? (
          <Button look="primary" onClick={answer.dismiss}>
            {labels.close}
          </Button>
        ) : (
          <>
            <Button
              look={asksBoth ? 'quiet' : 'secondary'}
              onClick={() => answer.decline()}
              autofocus={!asksBoth && !isSafe}
              aria-disabled={busy}
            >
              {labels.decline}
            </Button>
            <div className="hr-actions">
              {asksBoth && (
                <Button onClick={() => say(false)} autofocus={!isSafe} aria-disabled={busy}>
                  {labels.no}
                </Button>
              )}
              <Button
                look="primary"
                data-severity={severity}
                onClick={() => say(true)}
                autofocus={isSafe}
                aria-disabled={busy}
              >
                {asksBoth ? labels.yes : labels.confirm}
              </Button>
            </div>
          </>
        )}
      </Slot>
    </>
  );
}
