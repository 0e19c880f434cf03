import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { isRecord } from './json.ts';

/**
 * The JSON Schema of what a schema takes (`input`: what a person has to enter) or gives, by the Standard JSON Schema
 * interface; `undefined` where the library has none (Zod before 4.2) or cannot describe this schema.
 *
 * @param more Further options of the library.
 */
export function readStandardJsonSchema(
  schema: StandardSchemaV1,
  side: 'input' | 'output' = 'input',
  more?: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const { jsonSchema } = schema['~standard'] as Partial<StandardJSONSchemaV1.Props>;
  if (typeof jsonSchema?.[side] !== 'function') return undefined;
  // The option is Zod's: a part it cannot express (a date, a file) is left open instead of failing the whole.
  for (const options of [{ libraryOptions: { unrepresentable: 'any', ...more } }, {}]) {
    try {
      const described = jsonSchema[side]({ target: 'draft-2020-12', ...options });
      if (isRecord(described)) return described;
    } catch {
      // Not expressible this way.
    }
  }
  return undefined;
}

/** A schema that says how it validates. Libraries make them of objects and of functions (ArkType). */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as { '~standard'?: unknown })['~standard'];
  return isRecord(standard) && typeof standard.validate === 'function';
}
