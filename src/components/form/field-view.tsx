import type { ReactNode } from 'react';
import { useLabels } from '../text/labels-context.tsx';
import { BooleanWidget, ChoiceWidget, MultiChoiceWidget } from './choice-widgets.tsx';
import { FileWidget } from './file-widget.tsx';
import type { FormField } from './form-field.ts';
import { ROOT_NAME } from './form-values.ts';
import { ConstantWidget, GroupWidget, UnionWidget } from './group-widgets.tsx';
import { RowsWidget } from './list-widgets.tsx';
import { JsonWidget, NumberWidget, TextWidget } from './text-widgets.tsx';

/** Renders the widget of a field. `name` is its place in the form values. */
export function FieldView({ field: asRead, name }: { field: FormField; name: string }): ReactNode {
  const labels = useLabels();
  // A property may be called "" or " " and still needs a label. Only the root group has none, below the dialog's title.
  const nameless = asRead.label.trim() === '' && !(name === ROOT_NAME && asRead.kind === 'group');
  const field = nameless ? { ...asRead, label: labels.value } : asRead;
  switch (field.kind) {
    case 'text':
      return <TextWidget field={field} name={name} />;
    case 'number':
      return <NumberWidget field={field} name={name} />;
    case 'boolean':
      return <BooleanWidget field={field} name={name} />;
    case 'choice':
      return <ChoiceWidget field={field} name={name} />;
    case 'multi-choice':
      return <MultiChoiceWidget field={field} name={name} />;
    case 'file':
      return <FileWidget field={field} name={name} />;
    case 'constant':
      return <ConstantWidget field={field} name={name} />;
    case 'group':
      return <GroupWidget field={field} name={name} Field={FieldView} />;
    case 'list':
    case 'record':
      return <RowsWidget field={field} name={name} Field={FieldView} />;
    case 'union':
      return <UnionWidget field={field} name={name} Field={FieldView} />;
    case 'json':
      return <JsonWidget field={field} name={name} />;
    default:
      return field satisfies never;
  }
}
