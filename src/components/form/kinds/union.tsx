import { useWatch } from 'react-hook-form';
import { deepEqual } from '../../../shared/deep-equal.ts';
import { isRecord } from '../../../shared/json.ts';
import { englishLabels } from '../../text/labels.ts';
import type { FormField, GroupField, UnionField } from '../schema/form-field.ts';
import type { ControlIssue } from './control-issue.ts';
import type { FieldKind, FieldTools, WidgetProps } from './field-kind.ts';
import { useFormScope } from './form-context.ts';
import { asGroup, asText, type FormValues, pickedVariant, variantKey } from './form-values.ts';
import { findMark, GroupWidget, readMark } from './group.tsx';
import { ABSENT, addIssue } from './read-context.ts';
import { type FormRoomLabels, useFormLabels } from './use-form-labels.ts';

export const unionKind: FieldKind<UnionField> = {
  create(field, value, inner) {
    const scores = field.variants.map((variant) =>
      value === undefined ? 0 : matchScore(variant, value, inner),
    );
    const best = scores.indexOf(Math.max(...scores));
    const variants = field.variants.map((variant, index): [string, FormValues] => [
      variantKey(index),
      inner.create(variant, index === best ? value : undefined),
    ]);
    // Without a value an optional union starts without a pick, and a required one with its first variant.
    const pick = value === undefined && !field.required ? '' : String(best);
    return { pick, ...Object.fromEntries(variants) };
  },
  copy(field, values, secrets, inner) {
    const variants = field.variants.map((variant, index): [string, FormValues] => {
      const key = variantKey(index);
      return [key, inner.copy(variant, asGroup(values)[key], asGroup(secrets)[key])];
    });
    return { pick: asText(asGroup(values).pick), ...Object.fromEntries(variants) };
  },
  read(field, values, name, context, inner) {
    const pick = pickedVariant(values);
    const variant = field.variants[pick];
    if (!field.required && pick === -1) return ABSENT;
    if (variant === undefined) {
      addIssue(context, `${name}.pick`, field, context.labels.choiceMissing);
      return ABSENT;
    }
    const key = variantKey(pick);
    return inner.read({ ...variant, required: true }, asGroup(values)[key], `${name}.${key}`, context);
  },
  firstControl: (_field, _values, name) => `${name}.pick`,
  locate(field, values, path, name, inner) {
    const { label } = field;
    const pick = pickedVariant(values);
    const variant = field.variants[pick];
    if (variant === undefined) return { name: `${name}.pick`, label };
    const key = variantKey(pick);
    return inner.locate({ ...variant, label }, asGroup(values)[key], path, `${name}.${key}`);
  },
  guard(field, asked, inner) {
    const variants = field.variants.map((variant) => inner.guard(variant, '', asked !== undefined));
    const isSame = variants.every((variant, index) => variant === field.variants[index]);
    return isSame ? field : { ...field, variants };
  },
  limit: (field, value, budget, inner) => ({
    ...field,
    variants: field.variants.map((variant) => inner.limit(variant, value, budget)),
  }),
  parts: (field) => field.variants,
  nameVariant: (_field, labels) => labels.kindNames.json,
  Widget: UnionWidget,
};

/** Scores how well a value fits a field. Infinity: typed in, the value would be read back as it is. */
function matchScore(field: FormField, value: unknown, inner: FieldTools): number {
  const issues: ControlIssue[] = [];
  const read = inner.read({ ...field, required: true }, inner.create(field, value), '', {
    labels: englishLabels,
    issues,
  });
  const isSame = deepEqual(read, value);
  if (isSame && issues.length === 0) return Infinity;
  if (isRecord(read) && isRecord(value)) {
    return Object.keys(read).filter((key) => deepEqual(read[key], value[key])).length;
  }
  // A text may be read back in another spelling: a time in UTC, an email address without spaces around it.
  return isSame || (field.kind === 'text' && typeof value === 'string') ? 1 : 0;
}

function UnionWidget({ field, name, inner }: WidgetProps<UnionField>) {
  const labels = useFormLabels();
  const { control } = useFormScope();
  // Without a pick there are no fields, because their input would not be part of the value.
  const pick = pickedVariant({ pick: useWatch({ control, name: `${name}.pick` }) ?? '' });
  const variant = field.variants[pick];
  const names = nameVariants(field, labels, inner);
  const place = `${name}.${variantKey(pick)}`;
  const chooser: FormField = {
    kind: 'choice',
    label: field.label,
    required: field.required,
    description: field.description,
    note: field.note,
    options: names.map((label, index) => ({ value: index, label })),
  };
  return (
    <div className="hr-union">
      <inner.Field field={chooser} name={`${name}.pick`} />
      {variant !== undefined && variant.kind !== 'constant' && (
        <div className="hr-fields" data-nested="">
          {variant.kind === 'group' ? (
            // The chooser above shows the label of the variant already, and so what its constant says.
            <GroupWidget
              key={pick}
              field={{ ...variant, label: variant.description === undefined ? '' : (names[pick] ?? '') }}
              name={place}
              inner={inner}
              hidden={findTag(variant, names[pick], field.variants)}
            />
          ) : (
            <inner.Field key={pick} field={{ ...variant, label: names[pick] ?? '' }} name={place} />
          )}
        </div>
      )}
    </div>
  );
}

/**
 * Returns the constant that the name of a variant says already: the variant is named after it, or its property has another
 * constant in each other variant.
 */
function findTag(
  variant: GroupField,
  variantName: string | undefined,
  variants: readonly FormField[],
): FormField | undefined {
  if (variantName === readMark(variant)) return findMark(variant);
  const isTag = (name: string, value: unknown) =>
    variants.every(
      (other) =>
        other === variant ||
        (other.kind === 'group' &&
          other.fields.some(
            (part) =>
              part.name === name && part.field.kind === 'constant' && !deepEqual(part.field.value, value),
          )),
    );
  return variant.fields.find(
    ({ name, field }) => field.kind === 'constant' && field.required && isTag(name, field.value),
  )?.field;
}

/**
 * Returns a different name for each variant, because a person can choose only by name: its title, or else what its kind says of
 * it, such as its constant or its fields.
 */
function nameVariants(
  { variants, label }: UnionField,
  labels: FormRoomLabels,
  inner: FieldTools,
): readonly string[] {
  const names = variants.map((variant) => {
    const hasTitle = variant.label.trim() !== '' && variant.label !== label;
    return hasTitle ? variant.label : inner.nameVariant(variant, labels);
  });
  return names.map((name, index) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : labels.itemLabel(name, index + 1),
  );
}
