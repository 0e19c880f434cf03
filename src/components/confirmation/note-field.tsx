import { useId } from 'react';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import type { Note } from './use-note.ts';

/** The person writes here to the agent, beside a yes or a no. */
export function NoteField({ note }: { note: Note }) {
  const labels = useLabels();
  const id = useId();
  return (
    <Slot slotName="field" as="div" className="hr-field hr-note">
      <Slot slotName="label" as="label" className="hr-label" htmlFor={id}>
        {labels.note}
      </Slot>
      <Slot
        slotName="textarea"
        as="textarea"
        id={id}
        // The button that opened the field is gone.
        autoFocus={note.wasOpened}
        className="hr-input"
        rows={2}
        value={note.text}
        onChange={(event) => note.write(event.currentTarget.value)}
      />
    </Slot>
  );
}

/** The note of a question that can no longer be answered, so that the person can copy it. */
export function UnsentNote({ note }: { note: Note }) {
  const labels = useLabels();
  if (note.text.trim() === '') return null;
  return (
    <Slot slotName="quote" as="div" className="hr-draft">
      <p className="hr-quote-label">{labels.unsentNote}</p>
      <p className="hr-draft-text">{note.text}</p>
    </Slot>
  );
}
