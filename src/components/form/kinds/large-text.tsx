import { type ReactNode, useState } from 'react';
import { FoldedValue } from '../../arguments/folded-value.tsx';
import { TextButton } from '../../arguments/text-button.tsx';
import { useLabels } from '../../text/labels-context.tsx';
import type { FormField } from '../schema/form-field.ts';
import { FieldSet } from './field-frame.tsx';
import type { ControlState } from './form-context.ts';

/** A browser takes half a second to lay out so many characters in a control, and eight seconds for ten times as many. */
const MAX_CONTROL_LENGTH = 1_000_000;

/**
 * Shows a text that no control can hold without a stop of the page: folded, in pieces on demand, and in its control once the person
 * changes it. The value of the form is the whole text all along.
 *
 * @param renderControl `autoFocus`: the button that asked for the control is gone
 */
export function LargeText({
  field,
  control,
  renderControl,
}: {
  field: FormField;
  control: ControlState;
  renderControl: (autoFocus: boolean) => ReactNode;
}) {
  const labels = useLabels();
  // A secret is in its control alone.
  const [isLarge] = useState(field.secret !== true && control.text.length > MAX_CONTROL_LENGTH);
  const [isChanging, setChanging] = useState(false);
  if (!isLarge || isChanging) return renderControl(isChanging);
  return (
    <FieldSet field={field} control={control} role="group">
      <div>
        <FoldedValue text={control.text} />{' '}
        <TextButton aria-label={labels.changeArgument(field.label)} onClick={() => setChanging(true)}>
          {labels.change}
        </TextButton>
      </div>
    </FieldSet>
  );
}
