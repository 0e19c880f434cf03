import { defineOwn, isRecord, type JsonValue } from '../../../shared/json.ts';
import type { RecordField } from '../schema/form-field.ts';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { asRows, asText, wholeName } from './form-values.ts';
import { ABSENT, addIssue } from './read-context.ts';
import { copyRowItem, guardItem, limitItems, RowsWidget } from './rows.tsx';
import { TextWidget } from './text.tsx';
import { useFormLabels } from './use-form-labels.ts';

export const recordKind: FieldKind<RecordField> = {
  create(field, value, inner) {
    if (!isRecord(value)) return [];
    return Object.entries(value).map(([key, item]) => ({ key, item: inner.create(field.item, item) }));
  },
  copy: (field, values, secrets, inner) =>
    asRows(values).map((row) => ({
      key: asText(row.key),
      item: copyRowItem(field, row, values === secrets, inner),
    })),
  read(field, values, name, context, inner) {
    const { labels } = context;
    const rows = asRows(values);
    if (rows.length === 0 && !field.required) return ABSENT;
    const value: Record<string, JsonValue> = {};
    const seen = new Set<string>();
    const item = { ...field.item, required: true };
    rows.forEach((row, index) => {
      const key = typeof row.key === 'string' ? row.key : '';
      const keyIssue = key === '' ? labels.required : seen.has(key) ? labels.duplicateKey : undefined;
      if (keyIssue !== undefined)
        addIssue(context, `${name}.${index}.key`, { label: labels.entryKey }, keyIssue);
      seen.add(key);
      const read = inner.read(item, row.item, `${name}.${index}.item`, context);
      if (read !== ABSENT) defineOwn(value, key, read);
    });
    return value;
  },
  firstControl: (_field, values, name) => (asRows(values).length > 0 ? `${name}.0.key` : name),
  locate(field, values, [step, ...rest], name, inner) {
    const rows = asRows(values);
    const index = rows.findIndex((row) => row.key === step);
    const row = rows[index];
    if (step === undefined || row === undefined) return { name: wholeName(name), label: field.label };
    return inner.locate(field.item, row.item, rest, `${name}.${index}.item`);
  },
  guard: guardItem,
  limit: limitItems,
  parts: (field) => [field.item],
  nameVariant: (_field, labels) => labels.kindNames.group,
  Widget: RecordWidget,
};

const KEY_FIELD = { kind: 'text', format: 'plain', required: true } as const;

function RecordWidget({ field, name, inner }: WidgetProps<RecordField>) {
  const labels = useFormLabels();
  return (
    <RowsWidget
      field={field}
      name={name}
      isPair
      createRow={() => ({ key: '', item: inner.create(field.item) })}
    >
      {(_label, place) => (
        <>
          <TextWidget field={{ ...KEY_FIELD, label: labels.entryKey }} name={`${place}.key`} />
          <inner.Field
            field={{ ...field.item, label: labels.entryValue, required: true }}
            name={`${place}.item`}
          />
        </>
      )}
    </RowsWidget>
  );
}
