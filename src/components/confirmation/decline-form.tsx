import { type FormEvent, type ReactNode, useContext, useId, useState } from 'react';
import type { AnyTool } from '../any-tool.ts';
import { RetainedQuestionsContext } from '../hooks/surface-context.ts';
import { Button } from '../primitives/button.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';

/**
 * Declines with a reason. The form replaces the other actions, so that the person cannot press Confirm by accident. The
 * reason is saved with the call and stays readable when the call ends.
 */
export function DeclineForm({
  tool,
  close,
  onBack,
  onDecline,
}: {
  tool: AnyTool;
  /** The button that replaces all others when the call can no longer be answered. */
  close: ReactNode;
  onBack: () => void;
  onDecline: (reason?: string) => void;
}) {
  const labels = useLabels();
  const [reason, setReason] = useState(() => {
    const saved = tool.getSavedInput?.();
    // The saved input may also be edited arguments.
    return typeof saved === 'string' ? saved : '';
  });
  const retained = useContext(RetainedQuestionsContext);
  const decline = (event: FormEvent) => {
    event.preventDefault();
    onDecline(reason.trim() || undefined);
  };
  return (
    <Slot slotName="form" as="form" className="hr-form" onSubmit={decline}>
      <ReasonField
        reason={reason}
        onChange={(next) => {
          retained?.markDirty(tool);
          tool.saveInput?.(next);
          setReason(next);
        }}
      />
      <Slot slotName="footer" as="div" className="hr-footer" data-spread="">
        {!close && (
          <Button look="quiet" onClick={onBack}>
            {labels.back}
          </Button>
        )}
        <div className="hr-actions">{close || <Button type="submit">{labels.sendDecline}</Button>}</div>
      </Slot>
    </Slot>
  );
}

function ReasonField({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  const labels = useLabels();
  const id = useId();
  return (
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
        onChange={(event) => onChange(event.currentTarget.value)}
        aria-describedby={`${id}hint`}
      />
      <Slot slotName="hint" as="p" className="hr-hint" id={`${id}hint`}>
        {labels.declineReasonHint}
      </Slot>
    </Slot>
  );
}
