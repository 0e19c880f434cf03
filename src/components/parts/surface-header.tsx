import { type ReactNode, useContext } from 'react';
import type { ConfirmationTone } from '../../store/client-tools.ts';
import { useLabels } from '../text/labels-context.tsx';
import { Button } from './button.tsx';
import { CloseIcon, ToneIcon } from './icons.tsx';
import { Part } from './part.tsx';
import { QueuePositionContext, SurfaceContext } from './surface-context.ts';

export interface SurfaceHeaderProps {
  readonly title: string;
  readonly message?: string | undefined;
  readonly tone: ConfirmationTone;
  readonly onDismiss: () => void;
  /** Between the eyebrow and the title's row, such as a countdown. */
  readonly aside?: ReactNode;
}

/** Title, message and the way out of a question; they name and describe it to assistive technology. */
export function SurfaceHeader({ title, message, tone, onDismiss, aside }: SurfaceHeaderProps) {
  const labels = useLabels();
  const surface = useContext(SurfaceContext);
  const position = useContext(QueuePositionContext);
  const toneText = tone !== 'neutral' && labels[tone];
  const positionText = position && position.total > 1 && labels.queuePosition(position.index, position.total);
  return (
    <Part partName="header" as="header" className="hr-header">
      <ToneIcon tone={tone} />
      <div className="hr-heading">
        {(toneText || positionText || aside) && (
          <p className="hr-eyebrow">
            {toneText && <span className="hr-tone-word">{toneText}</span>}
            {positionText && <span>{positionText}</span>}
            {aside}
          </p>
        )}
        <Part
          partName="title"
          as={surface?.kind === 'dialog' ? 'h2' : 'h3'}
          className="hr-title"
          id={surface?.titleId}
        >
          {title}
        </Part>
        {message !== undefined && (
          <Part partName="description" as="p" className="hr-description" id={surface?.descriptionId}>
            {message}
          </Part>
        )}
      </div>
      <Button look="icon" className="hr-dismiss" onClick={onDismiss} label={labels.cancel}>
        <CloseIcon />
      </Button>
    </Part>
  );
}
