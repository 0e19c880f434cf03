import type { StandardSchemaV1 } from '@standard-schema/spec';

/**
 * Returns a Standard Schema that describes values by a JSON Schema and accepts all of them. It is for questions whose answers the server
 * checks: a check in the page would cost a library.
 */
export function toOpaqueSchema(jsonSchema: Readonly<Record<string, unknown>>): StandardSchemaV1 {
  const describe = () => jsonSchema;
  return {
    '~standard': {
      version: 1,
      vendor: 'handrail',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: describe, output: describe },
    },
  } as StandardSchemaV1;
}
