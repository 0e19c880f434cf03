import type { StandardSchemaV1 } from '@standard-schema/spec';
import { useId, useMemo } from 'react';
import { useSurroundingChat } from '../../react/agent-chat-provider.tsx';
import { deepEqual } from '../../shared/deep-equal.ts';
import { uploadThroughChat } from '../attachments/use-attachments.ts';
import { humaniseName } from '../text/safe-text.ts';
import { fields } from './kinds/fields.tsx';
import { groupKey, ROOT_NAME } from './kinds/form-values.ts';
import { useFormLabels } from './kinds/use-form-labels.ts';
import type { FormField } from './schema/form-field.ts';
import { type FormModel, readSchema } from './schema/read-schema.ts';
import type { SavedInput } from './use-saved-input.ts';
import { useSchemaForm } from './use-schema-form.ts';

export interface PropertyFormOptions {
  /** The schema of the whole object. */
  readonly schema: StandardSchemaV1;
  readonly name: string;
  /** The object that has the property, or may have it. */
  readonly whole: unknown;
  /** Returns the whole with the entered value of the property. `untouched` is what the form has before a person changes it. */
  readonly replace: (untouched: unknown, entered: unknown) => unknown;
  /** Changes what a person reads of the field. Keep its identity stable. */
  readonly adjust: (field: FormField) => FormField;
  /** Called with the whole, once it fits the schema. */
  readonly onApply: (whole: unknown) => void;
  readonly savedInput: SavedInput;
}

/** A form for one property of an object. The whole object is checked, because a schema may compare properties. */
export function usePropertyForm({
  schema,
  name,
  whole,
  replace,
  adjust,
  onApply,
  savedInput,
}: PropertyFormOptions) {
  const labels = useFormLabels();
  const formId = useId();
  const chat = useSurroundingChat();
  const uploadFile = useMemo(() => (chat === null ? undefined : uploadThroughChat(chat)), [chat]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form takes its value once
  const model = useMemo(() => {
    const field = toGroup(name, adjust(findField(readSchema(schema).field, name)));
    const limited = fields.limit(field, whole);
    const untouched = fields.read(limited, fields.create(limited, whole), ROOT_NAME, { labels, issues: [] });
    const change = (entered: unknown) => replace(untouched, entered);
    return { field: limited, validate: checkWhole(schema, whole, change), skipped: 0 } satisfies FormModel;
  }, [schema, name]);
  const form = useSchemaForm(model, whole, (changed) => onApply(changed), savedInput);
  const scope = useMemo(
    () => ({ control: form.control, formId, uploadFile, autofocusName: undefined }),
    [form.control, formId, uploadFile],
  );
  const [property] = model.field.kind === 'group' ? model.field.fields : [];
  return { ...form, scope, field: property?.field ?? model.field, fieldName: `${ROOT_NAME}.${groupKey(0)}` };
}

function toGroup(name: string, field: FormField): FormField {
  return { kind: 'group', label: '', required: true, fields: [{ name, field }] };
}

/** Finds the field of a property, also in a variant of a union. A property that has none is edited as JSON. */
function findField(field: FormField, name: string): FormField {
  const groups = field.kind === 'union' ? field.variants : [field];
  for (const group of groups) {
    const found = group.kind === 'group' && group.fields.find((property) => property.name === name);
    if (found) return found.field;
  }
  return { kind: 'json', label: humaniseName(name), required: false };
}

/**
 * Returns a schema for the entered property that checks the whole. What the schema finds wrong with the whole as it was is not the
 * person's to mend: a schema that transforms its values refuses its own results.
 */
function checkWhole(
  schema: StandardSchemaV1,
  whole: unknown,
  change: (entered: unknown) => unknown,
): StandardSchemaV1 {
  const check = async (value: unknown) => (await schema['~standard'].validate(value)).issues ?? [];
  return {
    '~standard': {
      version: 1,
      vendor: 'handrail',
      async validate(entered) {
        const changed = change(entered);
        const known = await check(whole).catch(() => []);
        const issues = (await check(changed)).filter(
          (issue) =>
            !known.some(({ message, path }) => message === issue.message && deepEqual(path, issue.path)),
        );
        return issues.length === 0 ? { value: changed } : { issues };
      },
    },
  };
}
