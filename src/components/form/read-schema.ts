import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isStandardSchema, readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import type { FormField, GroupField } from './form-field.ts';
import type { JsonSchema } from './json-schema.ts';
import { readFields } from './read-fields.ts';
import { readJsonSchema } from './read-json-schema.ts';

/** What a form can be made from: a Standard Schema (Zod, Valibot, ArkType …), JSON Schema, or a `fields` array. */
export type FormSchema = StandardSchemaV1 | JsonSchema | readonly unknown[];

/** What a form of that schema hands over: of a Standard Schema what it parses to. */
export type FormValue<Schema> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Schema>
  : unknown;

/** A form, ready to be shown, and the schema that has the last word on its value. */
export interface FormModel {
  readonly field: FormField;
  readonly validate: StandardSchemaV1 | undefined;
  /** Fields that could not be understood and are not asked. */
  readonly skipped: number;
  /** Properties that ask for a secret where none may be asked for; they are not shown again. `all`: nothing is. */
  readonly suspects?: readonly string[] | 'all';
}

/**
 * Reads any of the accepted schemas. Never throws: a schema that says nothing about its shape gives one JSON
 * field, and its own validation still applies.
 */
export function readSchema(schema: FormSchema): FormModel {
  if (isFieldList(schema)) return { ...readFields(schema), validate: undefined };
  return {
    field: readJsonSchema(describeSchema(schema), { label: '', required: true }),
    validate: isStandardSchema(schema) ? schema : undefined,
    skipped: 0,
  };
}

/** The same as data: JSON Schema or the `fields` array; `undefined` where a Standard Schema cannot describe itself. */
export function describeSchema(schema: FormSchema): unknown {
  return isStandardSchema(schema) ? readStandardJsonSchema(schema, 'input', zodOptions) : schema;
}

/**
 * JSON has no dates, but `z.coerce.date()` makes one of what is typed. `z.date()` takes nothing that can be typed, kept as a
 * draft or sent to an agent, so it stays open: it belongs on the other side of a transform.
 */
const zodOptions = {
  override({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Record<string, unknown> }) {
    const { type, coerce } = (zodSchema as { _zod: { def: { type: string; coerce?: boolean } } })._zod.def;
    if (type === 'date' && coerce === true)
      Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
  },
};

function isFieldList(schema: FormSchema): schema is readonly unknown[] {
  return Array.isArray(schema);
}

/** The one property of an object schema that has just one. */
export function onlyProperty(field: FormField): GroupField['fields'][number] | undefined {
  return field.kind === 'group' && field.fields.length === 1 ? field.fields[0] : undefined;
}
