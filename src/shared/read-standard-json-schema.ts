import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { isRecord } from './json.ts';

/**
 * Returns the JSON Schema of a schema's `input` (the values a person enters) or `output`, through the Standard JSON
 * Schema interface. Returns `undefined` where the library does not implement it (Zod before 4.2) or cannot describe this
 * schema.
 *
 * @param more Further options for the library.
 */
export function readStandardJsonSchema(
  schema: StandardSchemaV1,
  side: 'input' | 'output' = 'input',
  more?: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const { jsonSchema } = schema['~standard'] as Partial<StandardJSONSchemaV1.Props>;
  if (typeof jsonSchema?.[side] !== 'function') return undefined;
  // The option is for Zod: it leaves a part that JSON Schema cannot express (a date, a file) open instead of throwing.
  for (const options of [{ libraryOptions: { unrepresentable: 'any', ...more } }, {}]) {
    try {
      const described = jsonSchema[side]({ target: 'draft-2020-12', ...options });
      if (isRecord(described)) return described;
    } catch {
      // The library cannot describe the schema with these options.
    }
  }
  return undefined;
}

/** Returns true for a Standard Schema. It may be an object, or a function (ArkType). */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as { '~standard'?: unknown })['~standard'];
  return isRecord(standard) && typeof standard.validate === 'function';
}
