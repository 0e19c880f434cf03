import { deepEqual } from '../../shared/deep-equal.ts';
import { hasOwn, isRecord } from '../../shared/json.ts';
import { isSecretSchema } from '../../shared/secrets.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * Two schemas that hold for the same value, as one: the stricter rule counts, and the words of the first. Of two patterns
 * and two formats the form checks the first; who gets the value has the last word. Of types that exclude each other
 * none is left.
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

/** What a keyword of both says. */
const mergeRule: Merge = (one, other, key) => {
  if (key === 'type') return commonType([one].flat(), [other].flat());
  if (key === 'items' || key === 'additionalProperties') return mergeParts(one, other, key);
  if (typeof one === 'number' && typeof other === 'number') {
    // What is a multiple of two numbers is one of the greater.
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
      // One choice after the other.
      return one.map((alternative) => ({ allOf: [alternative, { [key]: other }] }));
    default:
      return one;
  }
};

/** `true` allows everything, `false` nothing. */
const mergeParts: Merge = (one, other) => {
  if (one === false || other === true) return one;
  return other === false || one === true ? other : { allOf: [one, other] };
};

/** The types both allow, one by itself; an integer is a number. */
function commonType(ones: readonly unknown[], others: readonly unknown[]): unknown {
  const types = ones.flatMap((type) => {
    if (others.includes(type)) return type;
    const pair = type === 'integer' ? 'number' : type === 'number' ? 'integer' : undefined;
    return others.includes(pair) ? 'integer' : [];
  });
  return types.length === 1 ? types[0] : types;
}
