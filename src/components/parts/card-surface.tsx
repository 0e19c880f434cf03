import { type ReactNode, useId, useMemo } from 'react';
import type { ConfirmationTone } from '../../store/client-tools.ts';
import { classNames } from './class-names.ts';
import { SurfaceContext } from './surface-context.ts';
import type { AnswerState } from './use-answer.ts';

export interface CardSurfaceProps {
  readonly kind: string;
  readonly state: AnswerState;
  readonly tone: ConfirmationTone;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A question in the flow of the page: it takes no focus and blocks nothing. */
export function CardSurface({ kind, state, tone, className, children }: CardSurfaceProps) {
  const id = useId();
  const surface = useMemo(
    () => ({ kind: 'card', titleId: `${id}title`, descriptionId: `${id}description` }) as const,
    [id],
  );
  return (
    <section
      className={classNames('hr-surface', 'hr-card', className)}
      aria-labelledby={surface.titleId}
      data-kind={kind}
      data-tone={tone}
      data-answer={state.word}
      data-outcome={state.word === 'settled' ? state.outcome : undefined}
    >
      <SurfaceContext.Provider value={surface}>{children}</SurfaceContext.Provider>
    </section>
  );
}
