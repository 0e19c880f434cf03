import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isRecord } from './json.ts';
import { readStandardJsonSchema } from './read-standard-json-schema.ts';

/** Returns the arguments whose schema has `readOnly: true`: a person who corrects the others leaves them as they are. */
export function findReadOnlyArguments(input: StandardSchemaV1 | undefined): readonly string[] {
  const properties = input && readStandardJsonSchema(input)?.properties;
  const isReadOnly = (property: unknown) => isRecord(property) && property.readOnly === true;
  return Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, property]) =>
    isReadOnly(property) ? name : [],
  );
}
