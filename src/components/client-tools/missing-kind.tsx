import { useEffect } from 'react';
import { warnOnce } from '../../shared/warn-once.ts';
import type { AnyTool } from '../any-tool.ts';
import { CallArguments } from '../arguments/call-arguments.tsx';
import { AnswerNotice } from '../primitives/answer-notice.tsx';
import { Button } from '../primitives/button.tsx';
import { Question } from '../primitives/question.tsx';
import { QuestionHeader } from '../primitives/question-header.tsx';
import { Slot } from '../primitives/slot.tsx';
import { readVerbs } from '../text/answer-words.ts';
import { useLabels } from '../text/labels-context.tsx';
import type { KindProps, QuestionKind } from './question-kinds.ts';

/** A question of a kind that the page does not have: what was asked, to read, and a no. */
export function MissingKind({ name, ...props }: KindProps & Pick<QuestionKind, 'name'>) {
  const { tool } = props;
  const labels = useLabels();
  useEffect(() => warnOfMissingKind(tool, name), [tool, name]);
  return (
    <Question {...props} kind="missing">
      {({ prompt, severity, answer }) => (
        <>
          <QuestionHeader tool={tool} prompt={prompt} severity={severity} answer={answer} />
          <Slot slotName="body" as="div" className="hr-body">
            <Slot slotName="notice" as="p" className="hr-notice" data-look="caution">
              {labels.kindMissing}
            </Slot>
            <CallArguments tool={tool} rest={prompt.rest} />
            <AnswerNotice state={answer.state} />
          </Slot>
          <Slot slotName="footer" as="div" className="hr-footer">
            {answer.state.status === 'gone' ? (
              <Button look="primary" onClick={answer.dismiss}>
                {labels.close}
              </Button>
            ) : (
              <Button
                answers
                autofocus
                onClick={() => answer.decline()}
                aria-disabled={answer.state.status === 'settled'}
              >
                {readVerbs(tool, labels).no}
              </Button>
            )}
          </Slot>
        </>
      )}
    </Question>
  );
}

function warnOfMissingKind({ toolName }: AnyTool, name: string): void {
  if (process.env.NODE_ENV === 'production') return;
  warnOnce(
    `The tool "${toolName}" asks a question of the kind \`${name}\`, which is not in \`kinds\` of ClientToolDialogs. The person can only ` +
      `decline it. Import \`${name}\` from 'handrail/components' and add it to \`kinds\`.`,
  );
}
