import { type FormEvent, type RefObject, useId, useRef, useState } from 'react';
import { Button } from '../primitives/button.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import type { Note } from './use-note.ts';

/**
 * Declines a call whose tool requires a reason. The form replaces the other actions, so that the person cannot press Confirm by
 * accident. An empty reason is not sent.
 */
export function DeclineForm({
  note,
  verb,
  onBack,
  onDecline,
}: {
  note: Note;
  /** The text of the button that says no. */
  verb: string;
  onBack: () => void;
  onDecline: () => void;
}) {
  const labels = useLabels();
  const field = useRef<HTMLTextAreaElement>(null);
  const [isMissing, setMissing] = useState(false);
  const decline = (event: FormEvent) => {
    event.preventDefault();
    if (note.reason !== undefined) return onDecline();
    setMissing(true);
    field.current?.focus();
  };
  return (
    <Slot slotName="form" as="form" className="hr-answers" onSubmit={decline} noValidate>
      <div className="hr-body">
        <ReasonField
          fieldRef={field}
          reason={note.text}
          isMissing={isMissing}
          onChange={(reason) => {
            setMissing(false);
            note.write(reason);
          }}
        />
      </div>
      <Slot slotName="footer" as="div" className="hr-footer">
        <div className="hr-actions">
          <Button look="quiet" onClick={onBack}>
            {labels.back}
          </Button>
          <Button type="submit">{verb}</Button>
        </div>
      </Slot>
    </Slot>
  );
}

function ReasonField({
  fieldRef,
  reason,
  isMissing,
  onChange,
}: {
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  reason: string;
  isMissing: boolean;
  onChange: (reason: string) => void;
}) {
  const labels = useLabels();
  const id = useId();
  return (
    <Slot slotName="field" as="div" className="hr-field" data-invalid={isMissing ? '' : undefined}>
      <Slot slotName="label" as="label" className="hr-label" htmlFor={id}>
        {labels.whyNot}
      </Slot>
      <Slot
        slotName="textarea"
        as="textarea"
        id={id}
        ref={fieldRef}
        autoFocus
        className="hr-input"
        rows={2}
        required
        value={reason}
        onChange={(event) => onChange(event.currentTarget.value)}
        aria-invalid={isMissing}
        aria-describedby={`${id}hint`}
      />
      <Slot
        slotName={isMissing ? 'error' : 'hint'}
        as="p"
        className={isMissing ? 'hr-error' : 'hr-hint'}
        id={`${id}hint`}
      >
        {isMissing ? labels.whyNotMissing : labels.whyNotHint}
      </Slot>
    </Slot>
  );
}
