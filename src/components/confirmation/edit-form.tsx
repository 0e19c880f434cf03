import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { isRecord } from '../../shared/json.ts';
import type { AnyTool } from '../any-tool.ts';
import { fields } from '../form/kinds/fields.tsx';
import { ROOT_NAME } from '../form/kinds/form-values.ts';
import { type FormSchema, readSchema } from '../form/schema/read-schema.ts';
import { ModelForm } from '../form/schema-form.tsx';
import { useSavedInput } from '../form/use-saved-input.ts';
import { Button } from '../primitives/button.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { findChanges } from './use-edited-arguments.ts';

/**
 * Edits the arguments in a form. The form replaces the other actions, so the person can confirm only saved arguments. The
 * input is saved with the call and stays readable when the call ends.
 */
export function EditForm({
  tool,
  close,
  schema,
  value,
  onSave,
  onBack,
}: {
  tool: AnyTool;
  /** The button that replaces all others when the call can no longer be answered. */
  close: ReactNode;
  schema: FormSchema;
  value: unknown;
  onSave: (value: unknown) => void;
  onBack: () => void;
}) {
  const labels = useLabels();
  const model = useMemo(() => readSchema(schema), [schema]);
  const keeper = useSavedInput(tool);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    box.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
  }, []);
  return (
    <div ref={box}>
      <ModelForm
        model={model}
        defaultValue={value}
        submitLabel={labels.saveChanges}
        closed={Boolean(close)}
        savedInput={keeper}
        actions={close || <Button onClick={onBack}>{labels.back}</Button>}
        onSubmit={(_, entered) => {
          const untouched = fields.read(model.field, fields.create(model.field, value), ROOT_NAME, {
            labels,
            issues: [],
          });
          onSave(withChanges(value, untouched, entered));
          return undefined;
        }}
      />
    </div>
  );
}

/**
 * Applies the person's changes to the arguments. The form may write a value differently (a date, the order of picks), leaves
 * out empty values and does not know undescribed ones. Those differences are not changes of the person.
 *
 * @param untouched the value of the form before the person changes it
 */
function withChanges(args: unknown, untouched: unknown, entered: unknown): unknown {
  if (!isRecord(args) || !isRecord(untouched) || !isRecord(entered)) return entered;
  const changed = new Map(Object.entries(args));
  for (const { name, before, after } of findChanges(untouched, entered)) {
    if (after === undefined) changed.delete(name);
    else changed.set(name, withChanges(changed.get(name), before, after));
  }
  return Object.fromEntries(changed);
}
