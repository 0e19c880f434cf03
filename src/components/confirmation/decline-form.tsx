import { type FormEvent, type ReactNode, useContext, useId, useState } from 'react';
import type { AnyTool } from '../parts/any-tool.ts';
import { Button } from '../parts/button.tsx';
import { Part } from '../parts/part.tsx';
import { KeepingContext } from '../parts/surface-context.ts';
import { useLabels } from '../text/labels-context.tsx';

/**
 * Saying no with a reason. It takes the place of the other actions, so Confirm cannot be hit by accident. What is typed is
 * kept with the call, and can still be read when that is over.
 */
export function DeclineForm({
  tool,
  close,
  onBack,
  onDecline,
}: {
  tool: AnyTool;
  /** Nobody waits for the answer any more: the one way out there is. */
  close: ReactNode;
  onBack: () => void;
  onDecline: (reason?: string) => void;
}) {
  const labels = useLabels();
  const id = useId();
  const [reason, setReason] = useState(() => {
    const kept = tool.getDraft?.();
    // The draft may be one of the arguments.
    return typeof kept === 'string' ? kept : '';
  });
  const keeping = useContext(KeepingContext);

  const decline = (event: FormEvent) => {
    event.preventDefault();
    onDecline(reason.trim() || undefined);
  };
  return (
    <Part partName="form" as="form" className="hr-form" onSubmit={decline}>
      <Part partName="field" as="div" className="hr-field">
        <Part partName="label" as="label" className="hr-label" htmlFor={id}>
          {labels.declineReason}
        </Part>
        <Part
          partName="textarea"
          as="textarea"
          id={id}
          autoFocus
          className="hr-input"
          rows={3}
          value={reason}
          onChange={({ currentTarget: { value } }) => {
            keeping?.noteTyped(tool);
            tool.saveDraft?.(value);
            setReason(value);
          }}
          aria-describedby={`${id}hint`}
        />
        <Part partName="hint" as="p" className="hr-hint" id={`${id}hint`}>
          {labels.declineReasonHint}
        </Part>
      </Part>
      <Part partName="footer" as="footer" className="hr-footer" data-spread="">
        {!close && (
          <Button look="quiet" onClick={onBack}>
            {labels.back}
          </Button>
        )}
        <div className="hr-actions">
          {close || (
            <Button type="submit" look="primary">
              {labels.sendDecline}
            </Button>
          )}
        </div>
      </Part>
    </Part>
  );
}
