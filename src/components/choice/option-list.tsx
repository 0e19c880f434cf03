import type { RefObject } from 'react';
import { FieldError } from '../form/kinds/field-frame.tsx';
import { OptionRows } from '../primitives/option-rows.tsx';
import { Slot } from '../primitives/slot.tsx';
import { englishChoiceLabels } from '../text/choice-labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import type { ChoiceModel } from './read-choice.ts';

/** The options of a choice, below a hint that says how many may be picked. */
export function OptionList({
  id,
  listRef,
  choice,
  picked,
  error,
  autofocus,
  onPick,
}: {
  id: string;
  listRef: RefObject<HTMLFieldSetElement | null>;
  choice: ChoiceModel;
  picked: readonly number[];
  error: string | undefined;
  autofocus: boolean;
  onPick: (index: number) => void;
}) {
  const labels = useLabels(englishChoiceLabels);
  return (
    <Slot
      slotName="fieldset"
      as="fieldset"
      className="hr-field"
      ref={listRef}
      data-invalid={error === undefined ? undefined : ''}
      aria-labelledby={`${id}hint`}
      aria-describedby={error === undefined ? undefined : `${id}error`}
      {...(choice.multiple
        ? {}
        : { role: 'radiogroup', 'aria-required': !choice.optional, 'aria-invalid': error !== undefined })}
    >
      <Slot slotName="hint" as="p" className="hr-hint" id={`${id}hint`}>
        {choice.caption !== undefined && <span>{displayText(choice.caption)} · </span>}
        {choice.multiple ? labels.chooseSeveral(choice.min, choice.max) : labels.chooseOne}
      </Slot>
      <OptionRows
        id={id}
        options={choice.options}
        multiple={choice.multiple}
        picked={picked}
        clearable={choice.optional}
        numbered
        autofocus={autofocus}
        onPick={onPick}
      />
      <FieldError control={{ message: error, errorId: `${id}error` }} />
    </Slot>
  );
}
