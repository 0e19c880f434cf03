import { deepEqual } from '../../../shared/deep-equal.ts';
import { defineOwn, hasOwn, isRecord, type JsonValue } from '../../../shared/json.ts';
import { displayText, humaniseName } from '../../text/safe-text.ts';
import type { FormField, GroupField, NamedField } from '../schema/form-field.ts';
import type { ControlIssue } from './control-issue.ts';
import { FieldSet } from './field-frame.tsx';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { controlId, hintOf, useFormScope } from './form-context.ts';
import { asGroup, groupKey, isBlank } from './form-values.ts';
import { ABSENT, type ReadContext } from './read-context.ts';
import { useFormLabels } from './use-form-labels.ts';

export const groupKind: FieldKind<GroupField> = {
  create(field, value, inner) {
    const source = isRecord(value) ? value : {};
    return Object.fromEntries(
      field.fields.map(({ name, field: child }, index) => [
        groupKey(index),
        // Properties that the value does not have start with the schema's defaults.
        hasOwn(source, name) ? inner.create(child, source[name]) : inner.create(child),
      ]),
    );
  },
  copy(field, values, secrets, inner) {
    return Object.fromEntries(
      field.fields.map((child, index) => {
        const key = groupKey(index);
        return [key, inner.copy(child.field, asGroup(values)[key], asGroup(secrets)[key])];
      }),
    );
  },
  read(field, values, name, context, inner) {
    const children = asGroup(values);
    const own: ReadContext = { ...context, issues: [] };
    const value: Record<string, JsonValue> = {};
    field.fields.forEach((child, index) => {
      const key = groupKey(index);
      const read = inner.read(child.field, children[key], `${name}.${key}`, own);
      if (read !== ABSENT) defineOwn(value, child.name, read);
    });
    // An optional group without input is left out, and then its required fields are not missing.
    const isDefault = own.issues.length === 0 && deepEqual(value, field.defaultValue);
    if (!field.required && !isDefault && isBlank(children)) return ABSENT;
    context.issues.push(...own.issues.map((issue) => inGroup(field, issue)));
    return value;
  },
  firstControl(field, values, name, inner) {
    for (const [index, child] of field.fields.entries()) {
      const key = groupKey(index);
      const found = inner.firstControl(child.field, asGroup(values)[key], `${name}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  },
  locate(field, values, [step, ...rest], name, inner) {
    const index = field.fields.findIndex((child) => child.name === step);
    const child = field.fields[index];
    if (child === undefined) return undefined;
    const key = groupKey(index);
    const found = inner.locate(child.field, asGroup(values)[key], rest, `${name}.${key}`);
    return found && inGroup(field, found);
  },
  guard(field, asked, inner) {
    const fields = field.fields.map((child) => ({
      ...child,
      field: inner.guard(child.field, child.name, asked !== undefined),
    }));
    const isSame = fields.every((child, index) => child.field === field.fields[index]?.field);
    return isSame ? field : { ...field, fields };
  },
  limit(field, value, budget, inner) {
    const isNested = field !== budget.root;
    if (isNested && field.fields.length > budget.left) return inner.toJson(field);
    budget.left -= isNested ? field.fields.length : 0;
    const fields = field.fields.map(({ name, field: child }) => {
      const isGiven = isRecord(value) && hasOwn(value, name);
      return { name, field: inner.limit(child, isGiven ? value[name] : child.defaultValue, budget) };
    });
    return { ...field, fields };
  },
  parts: (field) => field.fields.map((child) => child.field),
  nameVariant: (field, labels) => readMark(field) || nameByFields(field) || labels.kindNames.group,
  Widget: GroupWidget,
};

/** Adds the label of its group to a place in a form: two groups may have fields of the same name. */
function inGroup<Place extends Pick<ControlIssue, 'group'>>({ label }: GroupField, place: Place): Place {
  return label === '' ? place : { ...place, group: [label, ...(place.group ?? [])] };
}

export function GroupWidget({
  field,
  name,
  inner,
  hidden,
}: WidgetProps<GroupField> & {
  /** A field that is not shown, because the label of the group says it. */
  hidden?: FormField | undefined;
}) {
  const labels = useFormLabels();
  const { formId } = useFormScope();
  const id = controlId(formId, name);
  const rows = pairShort(field.fields.filter((child) => child.field !== hidden)).map((row) => {
    const controls = row.map((child) => (
      <inner.Field
        key={child.name}
        field={child.field}
        name={`${name}.${groupKey(field.fields.indexOf(child))}`}
      />
    ));
    return row.length === 1 ? (
      controls
    ) : (
      <div className="hr-pair" key={row[0]?.name}>
        {controls}
      </div>
    );
  });
  // The dialog's title is the label of the root group.
  if (field.label === '') return <div className="hr-fields">{rows}</div>;
  const hint = hintOf(field);
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <FieldSet
      field={field}
      control={{ id, message: undefined, hint, hintId, errorId: undefined }}
      role="group"
    >
      <div className="hr-fields" data-nested="">
        {rows}
        {rows.length === 0 && <p className="hr-faint">{labels.noFields}</p>}
      </div>
    </FieldSet>
  );
}

/** Puts two short fields that follow each other, such as an amount and a day, into one row. */
function pairShort(fields: readonly NamedField[]): readonly (readonly NamedField[])[] {
  const rows: NamedField[][] = [];
  for (const named of fields) {
    const last = rows.at(-1);
    const isPair = last?.length === 1 && last.every(({ field }) => isShort(field)) && isShort(named.field);
    if (isPair) last.push(named);
    else rows.push([named]);
  }
  return rows;
}

function isShort(field: FormField): boolean {
  if (field.suspect === true) return false;
  return (
    field.kind === 'number' || (field.kind === 'text' && (field.format === 'date' || field.format === 'time'))
  );
}

/** Returns the constant that tells a variant from the others, such as `{ method: 'card' }`. */
export function findMark({ fields }: GroupField): FormField | undefined {
  return fields.find(({ field }) => field.kind === 'constant')?.field;
}

export function readMark(variant: GroupField): string {
  const mark = findMark(variant);
  return mark?.kind === 'constant' && typeof mark.value === 'string' ? humaniseName(mark.value).trim() : '';
}

/** So many fields distinguish one group from another. */
const MAX_NAMED = 3;

/** Returns an empty text where the fields have no labels: JSON allows a blank key. */
function nameByFields({ fields }: GroupField): string {
  const needed = fields.filter(({ field }) => field.required);
  const named = (needed.length > 0 ? needed : fields).flatMap(({ field }) => field.label.trim() || []);
  const text = named.slice(0, MAX_NAMED).join(', ');
  return displayText(named.length > MAX_NAMED ? `${text}, …` : text, 160);
}
