import type { RefObject } from 'react';
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
    <div className="hr-field" data-invalid={missing ? '' : undefined}>
      <label className="hr-label" htmlFor={id}>
        {labels.typeToConfirm(confirmWord)}
      </label>
      <input
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
        <p className="hr-error" id={errorId}>
          {labels.typeToConfirmMissing(confirmWord)}
        </p>
      )}
    </div>
  );
}
