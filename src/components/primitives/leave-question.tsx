import { useId } from 'react';
import type { AnswerControls } from '../hooks/use-answer.ts';
import { useLabels } from '../text/labels-context.tsx';
import { Button } from './button.tsx';
import { Slot } from './slot.tsx';

/** Asks, below a question with unsent input, whether to throw that input away. */
export function LeaveQuestion({ answer }: { answer: AnswerControls }) {
  const labels = useLabels();
  const id = useId();
  return (
    <div className="hr-body">
      <Slot
        slotName="notice"
        as="div"
        className="hr-notice"
        data-look="caution"
        role="group"
        aria-labelledby={id}
      >
        <p id={id}>{labels.unsent}</p>
        <div className="hr-actions">
          <Button autoFocus aria-describedby={id} onClick={answer.stay}>
            {labels.stay}
          </Button>
          <Button answers onClick={answer.leave}>
            {labels.leave}
          </Button>
        </div>
      </Slot>
    </div>
  );
}
