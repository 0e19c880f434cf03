import { type ReactNode, useContext } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import { LaterContext, QueuePositionContext, SurfaceContext } from '../hooks/surface-context.ts';
import { useLabels } from '../text/labels-context.tsx';
import { Button } from './button.tsx';
import { CloseIcon, SeverityIcon } from './icons.tsx';
import { Slot } from './slot.tsx';

export interface SurfaceHeaderProps {
  readonly title: string;
  readonly message?: string | undefined;
  readonly severity: Severity;
  readonly onDismiss: () => void;
  /** The agent that asks, if the agent of the conversation started it. */
  readonly origin?: string | undefined;
  /** Shown above the title, such as a countdown. */
  readonly aside?: ReactNode;
}

/** The title, message and close button of a question. Title and message are its accessible name and description. */
export function SurfaceHeader({ title, message, severity, origin, onDismiss, aside }: SurfaceHeaderProps) {
  const labels = useLabels();
  const surface = useContext(SurfaceContext);
  const position = useContext(QueuePositionContext);
  const isPutOff = useContext(LaterContext) !== undefined;
  const severityText = severity !== 'neutral' && labels[severity];
  const positionText = position && position.total > 1 && labels.queuePosition(position.index, position.total);
  return (
    <Slot slotName="header" as="div" className="hr-header">
      <SeverityIcon severity={severity} />
      <div className="hr-heading">
        {(severityText || origin || positionText || aside) && (
          <p className="hr-eyebrow">
            {severityText && <span className="hr-severity-word">{severityText}</span>}
            {origin && <span>{labels.askedByAgent(origin)}</span>}
            {positionText && <span>{positionText}</span>}
            {aside}
          </p>
        )}
        <Slot
          slotName="title"
          as={surface?.kind === 'dialog' ? 'h2' : 'h3'}
          className="hr-title"
          id={surface?.titleId}
        >
          {title}
        </Slot>
        {message !== undefined && (
          <Slot slotName="description" as="p" className="hr-description" id={surface?.descriptionId}>
            {message}
          </Slot>
        )}
      </div>
      <Button
        look="icon"
        className="hr-dismiss"
        answers
        onClick={onDismiss}
        label={isPutOff ? labels.answerLater : labels.cancel}
      >
        <CloseIcon />
      </Button>
    </Slot>
  );
}
