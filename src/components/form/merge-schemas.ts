import { isRecord } from '../../shared/json.ts';
import { isSecret } from '../../shared/secret-fields.ts';
import { sameJson } from './draft.ts';
import { type JsonSchema, ownNumber } from './json-schema.ts';

/** Of two of these the greater one is the stricter; what is a multiple of both is one of the greater. */
const LOWER_LIMITS = ['minLength', 'minItems', 'minimum', 'exclusiveMinimum', 'multipleOf'];
const UPPER_LIMITS = ['maxLength', 'maxItems', 'maximum', 'exclusiveMaximum'];

/**
 * Two schemas that hold for the same value, as one: the stricter rule counts, and the words of the first. Of two patterns
 * and two formats the form checks the first; who gets the value has the last word.
 *
 * @returns `undefined` where nothing can be both: types that exclude each other.
 */
export function mergeSchemas(one: JsonSchema, other: JsonSchema): JsonSchema | undefined {
  const type = commonType(one.type, other.type);
  if (type.length === 0) return undefined;
  const merged: Record<string, unknown> = { ...other, ...one };
  for (const [keys, stricter] of [
    [LOWER_LIMITS, Math.max],
    [UPPER_LIMITS, Math.min],
  ] as const) {
    for (const key of keys) {
      const limits = [ownNumber(one, key), ownNumber(other, key)].filter((limit) => limit !== undefined);
      if (limits.length === 2) merged[key] = stricter(...limits);
    }
  }
  if (type[0] !== undefined) merged.type = type.length === 1 ? type[0] : type;
  const { enum: options } = other;
  if (Array.isArray(one.enum) && Array.isArray(options)) {
    merged.enum = one.enum.filter((value) => options.some((option) => sameJson(option, value)));
  }
  const required = [one.required, other.required].filter(Array.isArray).flat();
  if (required.length > 0) merged.required = required;
  for (const key of ['items', 'additionalProperties']) {
    if (key in one && key in other) merged[key] = both(one[key], other[key]);
  }
  for (const key of ['anyOf', 'oneOf']) {
    const [choice, next] = [one[key], other[key]];
    // One choice after the other.
    if (Array.isArray(choice) && Array.isArray(next))
      merged[key] = choice.map((alternative) => ({ allOf: [alternative, { [key]: next }] }));
  }
  if (isRecord(one.properties) && isRecord(other.properties)) {
    const { properties } = one;
    const shared = Object.entries(other.properties).map(([name, schema]) => [
      name,
      Object.hasOwn(properties, name) ? both(properties[name], schema) : schema,
    ]);
    merged.properties = { ...properties, ...Object.fromEntries(shared) };
  }
  if (other.uniqueItems === true) merged.uniqueItems = true;
  if (isSecret(other)) merged.writeOnly = true;
  return merged;
}

/** `true` allows everything, `false` nothing. */
function both(one: unknown, other: unknown): unknown {
  if (one === false || other === true) return one;
  return other === false || one === true ? other : { allOf: [one, other] };
}

/** The types both allow; none when they exclude each other, and `undefined` alone where neither says. */
function commonType(one: unknown, other: unknown): readonly unknown[] {
  if (one === undefined || other === undefined) return [one ?? other].flat();
  const [ones, others] = [[one].flat(), [other].flat()];
  const fits = (type: unknown, types: readonly unknown[]) =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  return [
    ...new Set([...ones.filter((type) => fits(type, others)), ...others.filter((type) => fits(type, ones))]),
  ];
}
