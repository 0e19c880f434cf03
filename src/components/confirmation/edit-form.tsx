import { useEffect, useMemo, useRef } from 'react';
import { type FormSchema, readSchema } from '../form/read-schema.ts';
import { ModelForm } from '../form/schema-form.tsx';
import { Button } from '../parts/button.tsx';
import { useLabels } from '../text/labels-context.tsx';

/** The arguments as a form. It takes the place of the other actions: what is confirmed is always what was saved. */
export function EditForm({
  schema,
  value,
  onSave,
  onBack,
}: {
  schema: FormSchema;
  value: unknown;
  onSave: (value: unknown) => void;
  onBack: () => void;
}) {
  const labels = useLabels();
  const model = useMemo(() => readSchema(schema), [schema]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
  }, []);
  return (
    <div ref={box}>
      <ModelForm
        model={model}
        defaultValue={value}
        submitLabel={labels.saveChanges}
        actions={<Button onClick={onBack}>{labels.back}</Button>}
        onSubmit={(_, entered) => {
          onSave(entered);
          return undefined;
        }}
      />
    </div>
  );
}
