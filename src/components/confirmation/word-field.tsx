import type { RefObject } from 'react';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';

/** "Type atlas-website to allow this": keeps the person from confirming out of habit. A dialog starts at the field. */
export function WordField({
  id,
  inputRef,
  confirmWord,
  word,
  missing,
  onChange,
}: {
  id: string;
  inputRef: RefObject<HTMLInputElement | null>;
  confirmWord: string;
  word: string;
  missing: boolean;
  onChange: (word: string) => void;
}) {
  const labels = useLabels();
  const errorId = `${id}error`;
  return (
    <Slot slotName="field" as="div" className="hr-field" data-invalid={missing ? '' : undefined}>
      <Slot slotName="label" as="label" className="hr-label" htmlFor={id}>
        {labels.typeToConfirm(confirmWord)}
      </Slot>
      <Slot
        slotName="input"
        as="input"
        id={id}
        ref={inputRef}
        className="hr-input hr-word"
        data-autofocus=""
        value={word}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        required
        aria-invalid={missing}
        aria-describedby={missing ? errorId : undefined}
      />
      {missing && (
        <Slot slotName="error" as="p" className="hr-error" id={errorId}>
          {labels.typeToConfirmMissing(confirmWord)}
        </Slot>
      )}
    </Slot>
  );
}
