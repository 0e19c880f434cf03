import { deepEqual } from '../../../shared/deep-equal.ts';
import { hasOwn, isRecord } from '../../../shared/json.ts';
import { isSecretSchema } from '../../../shared/secrets.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * Merges two schemas that hold for the same value: with the stricter of two rules, and the texts of the first schema. The
 * form checks the first of two patterns or formats; the receiver of the value checks both. Types that exclude each other
 * leave no type.
 */
export function mergeSchemas(one: JsonSchema, other: JsonSchema): JsonSchema {
  const merged = mergeKeys(one, other, mergeRule);
  return isSecretSchema(other) ? { ...merged, writeOnly: true } : merged;
}

type Merge = (one: unknown, other: unknown, key: string) => unknown;

function mergeKeys(one: JsonSchema, other: JsonSchema, merge: Merge): JsonSchema {
  const shared = Object.keys(one).filter((key) => hasOwn(other, key));
  const merged = shared.map((key) => [key, merge(one[key], other[key], key)]);
  return { ...one, ...other, ...Object.fromEntries(merged) };
}

/** Merges a keyword that both schemas have. */
const mergeRule: Merge = (one, other, key) => {
  if (key === 'type') return commonType([one].flat(), [other].flat());
  if (key === 'items' || key === 'additionalProperties') return mergeParts(one, other, key);
  if (typeof one === 'number' && typeof other === 'number') {
    // `minimum`, `minLength`, `multipleOf`: a multiple of both numbers is a multiple of the greater one.
    if (/m(in|ul)/i.test(key)) return Math.max(one, other);
    if (/max/i.test(key)) return Math.min(one, other);
  }
  if (isRecord(one) && isRecord(other)) return key === 'properties' ? mergeKeys(one, other, mergeParts) : one;
  if (!Array.isArray(one) || !Array.isArray(other)) return one || key !== 'uniqueItems' ? one : other;
  switch (key) {
    case 'required':
      return [...one, ...other];
    case 'enum':
      return one.filter((value) => other.some((option) => deepEqual(option, value)));
    case 'anyOf':
    case 'oneOf':
      // One of the first alternatives has to hold, and one of the others.
      return one.map((alternative) => ({ allOf: [alternative, { [key]: other }] }));
    default:
      return one;
  }
};

/** In JSON Schema `true` allows every value and `false` none. */
const mergeParts: Merge = (one, other) => {
  if (one === false || other === true) return one;
  return other === false || one === true ? other : { allOf: [one, other] };
};

/** Returns the types that both allow, a single one without a list. An integer is a number. */
function commonType(ones: readonly unknown[], others: readonly unknown[]): unknown {
  const types = ones.flatMap((type) => {
    if (others.includes(type)) return type;
    const pair = type === 'integer' ? 'number' : type === 'number' ? 'integer' : undefined;
    return others.includes(pair) ? 'integer' : [];
  });
  return types.length === 1 ? types[0] : types;
}
