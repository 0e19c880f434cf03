import { deepEqual } from '../../../shared/deep-equal.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { FormField, ListField } from '../schema/form-field.ts';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { asRows, wholeName } from './form-values.ts';
import { ABSENT, addIssue, checkCount } from './read-context.ts';
import { copyRowItem, guardItem, limitItems, RowsWidget } from './rows.tsx';

/** A schema that requires a million items must still give a form that opens. */
const MAX_INITIAL_ITEMS = 20;

export const listKind: FieldKind<ListField> = {
  create(field, value, inner) {
    const items = Array.isArray(value) ? value.map((item) => inner.create(field.item, item)) : [];
    while (field.required && items.length < Math.min(field.minItems ?? 0, MAX_INITIAL_ITEMS))
      items.push(inner.create(field.item));
    return items.map((item) => ({ item }));
  },
  copy: (field, values, secrets, inner) =>
    asRows(values).map((row) => ({ item: copyRowItem(field, row, values === secrets, inner) })),
  read(field, values, name, context, inner) {
    const rows = asRows(values);
    const isNeverEmpty = (field.minItems ?? 0) > 0 && field.defaultValue !== undefined;
    if (rows.length === 0 && !field.required && !isNeverEmpty) return ABSENT;
    const items: JsonValue[] = [];
    // A list has no absent items, so every item is read as required.
    const item = { ...rowItem(field.item), required: true };
    rows.forEach((row, index) => {
      const place = `${name}.${index}.item`;
      const before = context.issues.length;
      const read = inner.read(item, row.item, place, context);
      if (read === ABSENT) return;
      const isFirst = !items.some((earlier) => deepEqual(earlier, read));
      if (field.uniqueItems === true && !isFirst && context.issues.length === before) {
        addIssue(context, place, field.item, context.labels.duplicateItem);
      }
      items[index] = read;
    });
    // An unreadable item keeps its place, because the issues of a schema refer to rows by index.
    items.length = rows.length;
    // A blank row counts: it has an error of its own.
    const { tooFewItems: tooFew, tooManyItems: tooMany } = context.labels;
    checkCount(field, rows.length, wholeName(name), context, { tooFew, tooMany });
    return items;
  },
  firstControl(field, values, name, inner) {
    const [first] = asRows(values);
    const row =
      first === undefined ? undefined : inner.firstControl(field.item, first.item, `${name}.0.item`);
    return row ?? (field.maxItems === 0 ? undefined : name);
  },
  locate(field, values, [step, ...rest], name, inner) {
    const row = step === undefined ? undefined : asRows(values)[Number(step)];
    if (row === undefined) return { name: wholeName(name), label: field.label };
    return inner.locate(rowItem(field.item), row.item, rest, `${name}.${Number(step)}.item`);
  },
  guard: guardItem,
  limit: limitItems,
  parts: (field) => [field.item],
  nameVariant: (_field, labels) => labels.kindNames.list,
  Widget: ListWidget,
};

/** Returns the item of a list as the field of one row. The row is named by its number, so a group in it adds no name of its own. */
function rowItem(item: FormField): FormField {
  return item.kind === 'group' ? { ...item, label: '' } : item;
}

function ListWidget({ field, name, inner }: WidgetProps<ListField>) {
  return (
    <RowsWidget
      field={field}
      name={name}
      maxItems={field.maxItems}
      createRow={() => ({ item: inner.create(field.item) })}
    >
      {(label, place) => (
        <inner.Field field={{ ...field.item, label, required: true }} name={`${place}.item`} />
      )}
    </RowsWidget>
  );
}
