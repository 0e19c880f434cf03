import { useReturnFocus } from '../hooks/use-return-focus.ts';
import type { AnyTool } from '../primitives/any-tool.ts';
import { Button } from '../primitives/button.tsx';
import { CloseIcon } from '../primitives/icons.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { readPrompt } from '../primitives/question.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';

/**
 * What happened to a question without the person: it failed, or it was taken away. The live region is always
 * there, because one that appears together with its text is not read out.
 */
export function QueueNotice({
  failedTool,
  withdrawn,
  pending,
  said,
  onDismiss,
}: {
  failedTool: string | undefined;
  withdrawn: readonly AnyTool[];
  /** Inline questions that wait: they take no focus, so their arrival has to be said. */
  pending: number;
  /** What the questions themselves have to say. */
  said: string;
  onDismiss: () => void;
}) {
  const labels = useLabels();
  const titles = new Set(withdrawn.map((tool) => readPrompt(tool, undefined, labels).title));
  const text =
    failedTool === undefined
      ? [...titles].map(labels.withdrawn).join(' ')
      : labels.dialogFailed(displayText(failedTool, 120));
  const { remember } = useReturnFocus(text !== '');
  return (
    <>
      <div className="hr-hidden" role="status" aria-live="polite">
        {joinWords(text, pending > 0 && labels.pendingTitle(pending), said)}
      </div>
      {text !== '' && (
        <Slot slotName="toast" as="div" className="hr-toast">
          <p>{text}</p>
          <Button
            look="icon"
            label={labels.close}
            // By a pointer it is pressed without taking the focus from where somebody writes.
            onMouseDown={(event) => event.preventDefault()}
            onFocus={remember}
            onClick={onDismiss}
          >
            <CloseIcon />
          </Button>
        </Slot>
      )}
    </>
  );
}
