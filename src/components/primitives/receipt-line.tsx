import { useContext, useState } from 'react';
import type { AnswerOutcome } from '../hooks/use-answer.ts';
import { ClockContext } from '../hooks/use-arming.ts';
import { useLabels } from '../text/labels-context.tsx';
import { StatusIcon } from './icons.tsx';
import { Slot } from './slot.tsx';

/** An answered card as one line: what was asked, what the person said, and when. A press shows and hides the rest of the card. */
export function ReceiptLine({
  title,
  outcome,
  said,
  outcomeId,
  contentId,
  isOpen,
  onToggle,
}: {
  title: string;
  outcome: AnswerOutcome;
  said: string;
  outcomeId: string;
  /** The id of the rest of the card. */
  contentId: string;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const { locale } = useLabels();
  const clock = useContext(ClockContext);
  // The line appears when the card is answered.
  const [answeredAt] = useState(() => new Date(clock.now()));
  return (
    <button
      type="button"
      className="hr-receipt"
      aria-expanded={isOpen}
      aria-controls={contentId}
      onClick={onToggle}
    >
      <StatusIcon status={outcome === 'submitted' ? 'done' : 'cancelled'} />
      <span className="hr-call-name">{title}</span>
      <Slot slotName="outcome" as="span" className="hr-outcome" id={outcomeId}>
        {said}
      </Slot>
      <time dateTime={answeredAt.toISOString()}>
        {answeredAt.toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' })}
      </time>
    </button>
  );
}
