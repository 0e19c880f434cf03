import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { createFormValues } from '../form/create-form-values.ts';
import { ROOT_NAME } from '../form/form-values.ts';
import { readFormValues } from '../form/read-form-values.ts';
import { type FormSchema, readSchema } from '../form/read-schema.ts';
import { ModelForm } from '../form/schema-form.tsx';
import { useSavedInput } from '../form/use-saved-input.ts';
import type { AnyTool } from '../primitives/any-tool.ts';
import { Button } from '../primitives/button.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { withChanges } from './with-changes.ts';

/**
 * The arguments as a form. It takes the place of the other actions: what is confirmed is always what was saved. What is
 * typed is kept with the call, and can still be read when the call is over.
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
  /** Nobody waits for the answer any more: the one way out there is. */
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
          const untouched = readFormValues(model.field, createFormValues(model.field, value), ROOT_NAME, {
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
