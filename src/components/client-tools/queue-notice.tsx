import type { AnyTool } from '../any-tool.ts';
import { useReturnFocus } from '../hooks/use-return-focus.ts';
import { Button } from '../primitives/button.tsx';
import { CloseIcon } from '../primitives/icons.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { readPrompt } from '../primitives/question.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';

/**
 * Tells the person that a question failed or was withdrawn. The live region is always rendered, because screen readers do
 * not read out a region that appears together with its text.
 */
export function QueueNotice({
  failedTool,
  withdrawn,
  pending,
  announced,
  onDismiss,
}: {
  failedTool: string | undefined;
  withdrawn: readonly AnyTool[];
  /** The number of inline questions that wait. They take no focus, so the live region announces them. */
  pending: number;
  /** Announcements of the questions themselves. */
  announced: string;
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
        {joinWords(text, pending > 0 && labels.pendingTitle(pending), announced)}
      </div>
      {text !== '' && (
        <Slot slotName="toast" as="div" className="hr-toast">
          <p>{text}</p>
          <Button
            look="icon"
            label={labels.close}
            // A press with the pointer must not take the focus from the field in which the person types.
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
