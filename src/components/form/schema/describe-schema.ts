import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isStandardSchema, readStandardJsonSchema } from '../../../shared/read-standard-json-schema.ts';
import type { JsonSchema } from './json-schema.ts';

/** The schema of a form: a Standard Schema (Zod, Valibot, ArkType …), JSON Schema, or a `fields` array. */
export type FormSchema = StandardSchemaV1 | JsonSchema | readonly unknown[];

/** Returns JSON Schema or the `fields` array, or `undefined` for a Standard Schema that cannot describe itself. */
export function describeSchema(schema: FormSchema): unknown {
  return isStandardSchema(schema) ? readStandardJsonSchema(schema, 'input', zodOptions) : schema;
}

/** Returns true for a schema whose form has fields, and not only a JSON editor. */
export function describesItself(schema: FormSchema | undefined): schema is FormSchema {
  return schema !== undefined && describeSchema(schema) !== undefined;
}

/**
 * Describes `z.coerce.date()` as a date and time, because it parses text. `z.date()` takes only a `Date`, which a person
 * cannot type and JSON cannot carry, so it gives a JSON field.
 */
const zodOptions = {
  override({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Record<string, unknown> }) {
    const { type, coerce } = (zodSchema as { _zod: { def: { type: string; coerce?: boolean } } })._zod.def;
    if (type === 'date' && coerce === true)
      Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
  },
};
