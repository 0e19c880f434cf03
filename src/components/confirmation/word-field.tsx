import type { RefObject } from 'react';
import { Part } from '../parts/part.tsx';
import { useLabels } from '../text/labels-context.tsx';

/** "Type DELETE to confirm": slows a hand that says yes out of habit. */
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
    <Part partName="field" as="div" className="hr-field" data-invalid={missing ? '' : undefined}>
      <Part partName="label" as="label" className="hr-label" htmlFor={id}>
        {labels.typeToConfirm(confirmWord)}
      </Part>
      <Part
        partName="input"
        as="input"
        id={id}
        ref={inputRef}
        className="hr-input"
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
        <Part partName="error" as="p" className="hr-error" id={errorId}>
          {labels.typeToConfirmMissing(confirmWord)}
        </Part>
      )}
    </Part>
  );
}
