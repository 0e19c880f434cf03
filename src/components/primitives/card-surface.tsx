import { type FocusEvent, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import { SurfaceContext, useSurface } from '../hooks/surface-context.ts';
import type { AnswerState } from '../hooks/use-answer.ts';
import { SendingContext } from '../hooks/use-sending.ts';
import { useStyleCheck } from '../hooks/use-style-check.ts';
import { useLabels } from '../text/labels-context.tsx';
import { joinWords } from './join-words.ts';
import { ReceiptLine } from './receipt-line.tsx';
import { Slot } from './slot.tsx';

export interface CardSurfaceProps {
  /** The call that is asked about: notifications lead to its surface. */
  readonly toolCallId: string;
  readonly kind: string;
  readonly title: string;
  readonly state: AnswerState;
  readonly severity: Severity;
  /** The card has a message, which becomes its accessible description. */
  readonly described: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/**
 * A question in the flow of the page. It takes no focus. When it is answered, it becomes one line, which opens to what was asked. Where its
 * answer is still on its way, it stays as it is until then.
 */
export function CardSurface({
  toolCallId,
  kind,
  title,
  state,
  severity,
  described,
  className,
  children,
}: CardSurfaceProps) {
  const labels = useLabels();
  const surface = useSurface('card');
  const outcomeId = `${surface.titleId}outcome`;
  const contentId = `${surface.titleId}content`;
  const [isOpen, setOpen] = useState(false);
  useStyleCheck();
  const isSettled = state.status === 'settled';
  const isSending = useContext(SendingContext)?.isSending === true && isSettled;
  const focus = useKeptFocus(isSettled);
  const describedBy = described ? surface.descriptionId : undefined;
  return (
    <Slot
      slotName="card"
      as="section"
      {...focus}
      tabIndex={-1}
      className={joinWords('hr-surface', 'hr-card', className)}
      aria-labelledby={surface.titleId}
      aria-describedby={isSettled && !isSending ? outcomeId : describedBy}
      data-call={toolCallId}
      data-kind={kind}
      data-severity={severity}
      data-answer={state.status}
      data-outcome={state.status === 'settled' ? state.outcome : undefined}
      data-sending={isSending ? '' : undefined}
    >
      {state.status === 'settled' && !isSending && (
        <ReceiptLine
          title={title}
          outcome={state.outcome}
          said={state.said ?? labels.outcomes[state.outcome]}
          outcomeId={outcomeId}
          contentId={contentId}
          isOpen={isOpen}
          onToggle={() => setOpen(!isOpen)}
        />
      )}
      <SurfaceContext.Provider value={surface}>
        <fieldset
          id={contentId}
          className="hr-card-content"
          disabled={isSettled}
          hidden={isSettled && !isSending && !isOpen}
        >
          {children}
        </fieldset>
      </SurfaceContext.Provider>
    </Slot>
  );
}

/** Moves the focus from the pressed button to the card: the button is disabled, and the browser would move the focus to the top of the page. */
function useKeptFocus(isSettled: boolean) {
  const ref = useRef<HTMLElement>(null);
  const isInside = useRef(false);
  useEffect(() => {
    if (isSettled && isInside.current) ref.current?.focus();
  }, [isSettled]);
  return {
    ref,
    onFocus() {
      isInside.current = true;
    },
    onBlur({ relatedTarget, currentTarget }: FocusEvent) {
      // A control that is disabled loses the focus without a related target.
      if (relatedTarget !== null) isInside.current = currentTarget.contains(relatedTarget);
    },
  };
}
