import { type ReactNode, useEffect, useRef } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import { SurfaceContext, useSurface } from '../hooks/surface-context.ts';
import type { AnswerState } from '../hooks/use-answer.ts';
import { useLabels } from '../text/labels-context.tsx';
import { joinWords } from './join-words.ts';
import { Slot } from './slot.tsx';

export interface CardSurfaceProps {
  /** The call that is asked about: notifications lead to its surface. */
  readonly toolCallId: string;
  readonly kind: string;
  readonly state: AnswerState;
  readonly severity: Severity;
  /** The card has a message, which becomes its accessible description. */
  readonly described: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A question in the flow of the page. It takes no focus. When it is answered, it stays on the page and shows its outcome. */
export function CardSurface({
  toolCallId,
  kind,
  state,
  severity,
  described,
  className,
  children,
}: CardSurfaceProps) {
  const labels = useLabels();
  const surface = useSurface('card');
  const outcomeId = `${surface.titleId}outcome`;
  const section = useRef<HTMLElement>(null);
  const focusWithin = useRef(false);
  useEffect(() => {
    // The pressed button is disabled now. Without this, the browser would move the focus to the top of the page.
    if (state.status === 'settled' && focusWithin.current) section.current?.focus();
  }, [state.status]);
  const describedBy = described ? surface.descriptionId : undefined;
  return (
    <Slot
      slotName="card"
      as="section"
      ref={section}
      tabIndex={-1}
      onFocus={() => {
        focusWithin.current = true;
      }}
      onBlur={(event) => {
        // A control that is disabled loses the focus without a related target.
        if (event.relatedTarget !== null)
          focusWithin.current = event.currentTarget.contains(event.relatedTarget);
      }}
      className={joinWords('hr-surface', 'hr-card', className)}
      aria-labelledby={surface.titleId}
      aria-describedby={state.status === 'settled' ? outcomeId : describedBy}
      data-call={toolCallId}
      data-kind={kind}
      data-severity={severity}
      data-answer={state.status}
      data-outcome={state.status === 'settled' ? state.outcome : undefined}
    >
      <SurfaceContext.Provider value={surface}>
        <fieldset className="hr-card-content" disabled={state.status === 'settled'}>
          {children}
        </fieldset>
      </SurfaceContext.Provider>
      {state.status === 'settled' && (
        <Slot slotName="outcome" as="p" className="hr-outcome" id={outcomeId}>
          {state.said ?? labels.outcomes[state.outcome]}
        </Slot>
      )}
    </Slot>
  );
}
