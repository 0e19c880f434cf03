import { useWatch } from 'react-hook-form';
import { Slot } from '../primitives/slot.tsx';
import type { Labels } from '../text/labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import { displayText, humaniseName } from '../text/safe-text.ts';
import { CheckboxFrame } from './choice-widgets.tsx';
import { FieldHint, FieldSet } from './field-frame.tsx';
import { controlId, type FieldComponent, useFormScope } from './form-context.ts';
import type { ConstantField, FormField, GroupField, UnionField } from './form-field.ts';
import { groupKey, INCLUDED, pickedVariant, variantKey } from './form-values.ts';

export function GroupWidget({
  field,
  name,
  Field,
  hidden,
}: {
  field: GroupField;
  name: string;
  Field: FieldComponent;
  /** A field that is not shown, because the label of the group says it. */
  hidden?: FormField | undefined;
}) {
  const labels = useLabels();
  const { formId } = useFormScope();
  const id = controlId(formId, name);
  const rows = field.fields.flatMap((child, index) =>
    child.field === hidden ? (
      []
    ) : (
      <Field key={child.name} field={child.field} name={`${name}.${groupKey(index)}`} />
    ),
  );
  // The dialog's title is the label of the root group.
  if (field.label === '') return <div className="hr-fields">{rows}</div>;
  const control = {
    id,
    message: undefined,
    hintId: field.description === undefined ? undefined : `${id}-hint`,
    errorId: undefined,
  };
  return (
    <FieldSet field={field} control={control} role="group">
      <div className="hr-fields" data-nested="">
        {rows}
        {rows.length === 0 && <p className="hr-faint">{labels.noFields}</p>}
      </div>
    </FieldSet>
  );
}

export function UnionWidget({
  field,
  name,
  Field,
}: {
  field: UnionField;
  name: string;
  Field: FieldComponent;
}) {
  const labels = useLabels();
  const { control } = useFormScope();
  // Without a pick there are no fields, because their input would not be part of the value.
  const pick = pickedVariant({ pick: useWatch({ control, name: `${name}.pick` }) ?? '' });
  const variant = field.variants[pick];
  const names = nameVariants(field, labels);
  const place = `${name}.${variantKey(pick)}`;
  const chooser: FormField = {
    kind: 'choice',
    label: field.label,
    required: field.required,
    description: field.description,
    options: names.map((label, index) => ({ value: index, label })),
  };
  return (
    <div className="hr-union">
      <Field field={chooser} name={`${name}.pick`} />
      {variant !== undefined && variant.kind !== 'constant' && (
        <div className="hr-fields" data-nested="">
          {variant.kind === 'group' && variant.description === undefined ? (
            // The chooser above shows the label of the variant already.
            <GroupWidget
              key={pick}
              field={{ ...variant, label: '' }}
              name={place}
              Field={Field}
              hidden={names[pick] === readMark(variant) ? findMark(variant) : undefined}
            />
          ) : (
            <Field key={pick} field={{ ...variant, label: names[pick] ?? '' }} name={place} />
          )}
        </div>
      )}
    </div>
  );
}

/** Returns a different name for each variant, because a person can choose only by name. */
function nameVariants({ variants, label }: UnionField, labels: Labels): readonly string[] {
  const names = variants.map((variant) => nameVariant(variant, label, labels));
  return names.map((name, index) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : labels.itemLabel(name, index + 1),
  );
}

/** Names a variant by its title, by its constant, by its fields, or else by its kind. */
function nameVariant(variant: FormField, unionLabel: string, labels: Labels): string {
  if (variant.label.trim() !== '' && variant.label !== unionLabel) return variant.label;
  switch (variant.kind) {
    case 'constant':
      return displayText(String(variant.value ?? ''), 80).trim() || labels.none;
    case 'group':
      return readMark(variant) || nameByFields(variant) || labels.kindNames.group;
    case 'multi-choice':
    case 'list':
      return labels.kindNames.list;
    case 'record':
      return labels.kindNames.group;
    case 'file':
      return labels.file;
    case 'union':
    case 'json':
      return labels.kindNames.json;
    case 'text':
    case 'number':
    case 'boolean':
    case 'choice':
      return labels.kindNames[variant.kind];
    default:
      return variant satisfies never;
  }
}

/** Returns the constant that tells a variant from the others, such as `{ method: 'card' }`. */
function findMark({ fields }: GroupField): FormField | undefined {
  return fields.find(({ field }) => field.kind === 'constant')?.field;
}

function readMark(variant: GroupField): string {
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

/** Shows a constant, so that the person knows that it is sent. */
export function ConstantWidget({ field, name }: { field: ConstantField; name: string }) {
  const labels = useLabels();
  const { formId } = useFormScope();
  const text =
    field.value === null
      ? labels.none
      : typeof field.value === 'string'
        ? field.value
        : JSON.stringify(field.value);
  const shown = (
    <Slot slotName="constant" as="output" className="hr-constant">
      {displayText(text, 300)}
    </Slot>
  );
  if (!field.required) {
    return (
      <CheckboxFrame field={field} name={name} values={['', INCLUDED]}>
        {shown}
      </CheckboxFrame>
    );
  }
  return (
    <Slot slotName="field" as="div" className="hr-field" data-kind="constant">
      <Slot slotName="label" as="span" className="hr-label">
        {field.label}
      </Slot>
      <FieldHint field={field} id={`${controlId(formId, name)}-hint`} />
      {shown}
    </Slot>
  );
}
