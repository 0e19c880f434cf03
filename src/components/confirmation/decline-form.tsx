import { type FormEvent, type ReactNode, useContext, useId, useState } from 'react';
import type { AnyTool } from '../primitives/any-tool.ts';
import { Button } from '../primitives/button.tsx';
import { Slot } from '../primitives/slot.tsx';
import { RetainedQuestionsContext } from '../primitives/surface-context.ts';
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
    const kept = tool.getSavedInput?.();
    // The draft may be one of the arguments.
    return typeof kept === 'string' ? kept : '';
  });
  const keeping = useContext(RetainedQuestionsContext);

  const decline = (event: FormEvent) => {
    event.preventDefault();
    onDecline(reason.trim() || undefined);
  };
  return (
    <Slot slotName="form" as="form" className="hr-form" onSubmit={decline}>
      <Slot slotName="field" as="div" className="hr-field">
        <Slot slotName="label" as="label" className="hr-label" htmlFor={id}>
          {labels.declineReason}
        </Slot>
        <Slot
          slotName="textarea"
          as="textarea"
          id={id}
          autoFocus
          className="hr-input"
          rows={3}
          value={reason}
          onChange={({ currentTarget: { value } }) => {
            keeping?.markDirty(tool);
            tool.saveInput?.(value);
            setReason(value);
          }}
          aria-describedby={`${id}hint`}
        />
        <Slot slotName="hint" as="p" className="hr-hint" id={`${id}hint`}>
          {labels.declineReasonHint}
        </Slot>
      </Slot>
      <Slot slotName="footer" as="footer" className="hr-footer" data-spread="">
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
      </Slot>
    </Slot>
  );
}
