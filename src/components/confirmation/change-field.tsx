import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { isComposing } from '../../shared/is-composing.ts';
import { compact } from '../../shared/json.ts';
import type { AnyTool } from '../any-tool.ts';
import { describeArguments, describeInside } from '../arguments/describe-value.ts';
import { formatValue, readMeaning } from '../arguments/format-value.ts';
import { fields } from '../form/kinds/fields.tsx';
import { FormContext } from '../form/kinds/form-context.ts';
import { describeSchema } from '../form/schema/describe-schema.ts';
import type { FormField } from '../form/schema/form-field.ts';
import { usePropertyForm } from '../form/use-property-form.ts';
import { Announcement } from '../primitives/announcement.tsx';
import { Button } from '../primitives/button.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { withChanges } from './find-changes.ts';
import type { ChangedArguments } from './use-changed-arguments.ts';

/** The schema of all arguments of a tool. */
type InputSchema = NonNullable<NonNullable<AnyTool['definition']>['input']>;

export interface ChangeFieldProps {
  readonly name: string;
  readonly input: InputSchema;
  readonly changed: ChangedArguments;
  /** The call can no longer be answered: what was typed can be read and copied, but not applied. */
  readonly isClosed: boolean;
}

/** The field of one argument, in its row of the table. Enter applies, Escape goes back to the value. */
export function ChangeField({ name, input, changed, isClosed }: ChangeFieldProps) {
  const labels = useLabels();
  const { cancel, reminders } = changed;
  const form = useChangeForm(name, input, changed);
  const box = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => focusIn(box.current), []);
  const faults = form.located.length + form.general.length + reminders;
  useEffect(() => {
    if (faults > 0) focusIn(box.current);
  }, [faults]);
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent) || isClosed) return;
    event.preventDefault();
    cancel();
  };
  const problem = form.general[0]?.message ?? (reminders > 0 ? labels.applyFirst : undefined);
  return (
    <FormContext.Provider value={form.scope}>
      <Slot
        slotName="form"
        as="form"
        ref={box}
        className="hr-change"
        onSubmit={form.submit}
        onKeyDown={leave}
        data-own-escape={isClosed ? undefined : ''}
        noValidate
      >
        <fields.Field field={form.field} name={form.fieldName} />
        {!isClosed && (
          <div className="hr-change-actions">
            <Button look="quiet" onClick={cancel}>
              {labels.cancel}
            </Button>
            <Button type="submit" aria-disabled={form.busy}>
              {labels.saveChanges}
            </Button>
          </div>
        )}
        {problem !== undefined && (
          <Slot slotName="error" as="p" className="hr-error">
            {problem}
          </Slot>
        )}
        <Announcement text={problem ?? form.located[0]?.message ?? ''} />
      </Slot>
    </FormContext.Provider>
  );
}

/** The control with an error comes first, then the first control. */
function focusIn(box: HTMLElement | null): void {
  const first = box?.querySelector<HTMLElement>('[aria-invalid="true"]:is(input, select, textarea)');
  (first ?? box?.querySelector<HTMLElement>('input, select, textarea, button'))?.focus();
}

function useChangeForm(name: string, schema: InputSchema, changed: ChangedArguments) {
  const labels = useLabels();
  const { value, apply } = changed;
  // The form takes its value and its texts once, and later renders must not put them over what was typed.
  const described = useMemo(
    () => describeInside(describeArguments(value, describeSchema(schema)), name),
    [value, schema, name],
  );
  const adjust = useCallback(
    (field: FormField): FormField => {
      const shown = formatValue(described, labels);
      const was = 'text' in shown && shown.type !== 'long-text' ? labels.wasValue(shown.text) : undefined;
      const { currency, unit } = readMeaning(described);
      const measured = field.kind === 'number' ? { ...field, ...compact({ currency, unit }) } : field;
      return { ...measured, note: was };
    },
    [described, labels],
  );
  const latest = useRef(changed);
  latest.current = changed;
  const savedInput = useMemo(
    () => ({
      load: () => latest.current.loadInput(name),
      save: (values: unknown) => latest.current.saveInput(name, values),
    }),
    [name],
  );
  return usePropertyForm({
    schema,
    name,
    whole: value,
    replace: (untouched, entered) => withChanges(value, untouched, entered),
    adjust,
    onApply: apply,
    savedInput,
  });
}
