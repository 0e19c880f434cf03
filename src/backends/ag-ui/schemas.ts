/** The schemas of answers, which an agent sends as JSON Schema. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { fromJSONSchema } from 'zod';
import { hasOwn, isRecord } from '../../shared/json.ts';
import { toOpaqueSchema } from '../../shared/to-opaque-schema.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** Returns true for a schema of a yes or no. */
export function isYesOrNo(schema: Schema): boolean {
  return schema.type === 'boolean' || hasApproved(schema);
}

export function hasApproved(schema: Schema | undefined): boolean {
  return propertyOf(schema, 'approved') !== undefined;
}

/** Returns the schema of a property, also of one that only some alternatives have. */
export function propertyOf(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema === undefined) return undefined;
  const { properties, oneOf, anyOf } = schema;
  const own = isRecord(properties) && hasOwn(properties, name) ? properties[name] : undefined;
  if (isRecord(own)) return own;
  const alternatives = [oneOf, anyOf].flat().filter(isRecord);
  for (const alternative of alternatives) {
    const found = propertyOf(alternative, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns true if each alternative of a schema requires the property. */
export function isRequired(schema: Schema | undefined, name: string): boolean {
  const { required, oneOf, anyOf } = schema ?? {};
  if (Array.isArray(required) && required.includes(name)) return true;
  const alternatives = [oneOf ?? anyOf ?? []].flat().filter(isRecord);
  return alternatives.length > 0 && alternatives.every((alternative) => isRequired(alternative, name));
}

/** Returns a schema that checks the answer. One that cannot be checked here still describes its form: the agent checks the answer. */
export function toAnswerSchema(schema: Schema): StandardSchemaV1 {
  try {
    const checked = fromJSONSchema(schema)['~standard'];
    return { '~standard': { ...checked, validate: (value) => checked.validate(withoutPrototypes(value)) } };
  } catch {
    return toOpaqueSchema(schema);
  }
}

/** Zod looks properties up by name, and would find what objects inherit: a property may be called `constructor`. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutPrototypes(inner)] as const);
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}
