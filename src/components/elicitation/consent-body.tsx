import { AnswerNotice } from '../parts/answer-notice.tsx';
import type { AnyTool } from '../parts/any-tool.ts';
import { Button } from '../parts/button.tsx';
import { CallDetails } from '../parts/call-details.tsx';
import { Part } from '../parts/part.tsx';
import type { Ask } from '../parts/question.tsx';
import { QuestionHeader } from '../parts/question-header.tsx';
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
  tone,
  answer,
  elicitation,
}: Ask & { tool: AnyTool; elicitation: Extract<Elicitation, { ask: 'consent' | 'yes-no' }> }) {
  const labels = useLabels();
  const busy = answer.state.word === 'settled';
  const isSafe = tone === 'neutral';
  const say = (value: boolean) =>
    answer.submit(elicitation.ask === 'yes-no' ? Object.fromEntries([[elicitation.property, value]]) : {});
  const asksBoth = elicitation.ask === 'yes-no';
  return (
    <>
      <QuestionHeader tool={tool} prompt={prompt} tone={tone} answer={answer} />
      <Part partName="body" as="div" className="hr-body">
        {asksBoth &&
          [...new Set([elicitation.schema.title, elicitation.schema.description])].map(
            (words) =>
              typeof words === 'string' &&
              words !== '' && (
                <Part key={words} partName="hint" as="p" className="hr-hint">
                  {displayText(words)}
                </Part>
              ),
          )}
        <CallDetails tool={tool} />
        <AnswerNotice state={answer.state} />
      </Part>
      <Part partName="footer" as="footer" className="hr-footer" data-spread={asksBoth ? '' : undefined}>
        {answer.state.word === 'gone' ? (
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
                data-tone={tone}
                onClick={() => say(true)}
                autofocus={isSafe}
                aria-disabled={busy}
              >
                {asksBoth ? labels.yes : labels.confirm}
              </Button>
            </div>
          </>
        )}
      </Part>
    </>
  );
}
