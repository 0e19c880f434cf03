/**
 * Values of arguments, each with the part of the schema that describes it. Nothing is read before it is shown: arguments may hold ten
 * megabytes, and their getters may throw.
 */
import { deepEqual } from '../../shared/deep-equal.ts';
import { hasOwn, isRecord, toPlain } from '../../shared/json.ts';
import { isSecretName, withoutSecrets } from '../../shared/secrets.ts';
import { type JsonSchema, without } from '../form/schema/json-schema.ts';
import { mergeSchemas } from '../form/schema/merge-schemas.ts';
import { resolveSchema } from '../form/schema/resolve-schema.ts';

type Path = readonly (string | number)[];

/** A value, and what the schema of the arguments says of it. */
export interface Described {
  /** The content of the value: the text of a date, the items of a set. */
  readonly value: unknown;
  /** The schema of the value, with its references followed. Undefined where the schema says nothing of it. */
  readonly node: JsonSchema | undefined;
  /** The schema marks it as secret, or its name means a secret. */
  readonly isSecret: boolean;
  /** The value around it, where a `currencyField` is looked for. */
  readonly parent: unknown;
  readonly path: Path;
  readonly root: JsonSchema;
}

/** Stands for a value whose getter or `toJSON` threw. */
export const UNREADABLE = Symbol('unreadable');

/** Describes all arguments of a call. `schema` is JSON Schema; anything else describes nothing. */
export function describeArguments(args: unknown, schema: unknown): Described {
  const root = isRecord(schema) ? schema : {};
  const value = readPlain(() => args);
  return { value, node: findNode(schema, value, root), isSecret: false, parent: undefined, path: [], root };
}

/** The names of the entries of an object, in the order of its schema, then in its own. None for any other value. */
export function entryNames({ value, node }: Described): readonly string[] {
  if (!isRecord(value)) return [];
  const names = safely(() => Object.keys(value), []);
  const declared = isRecord(node?.properties) ? Object.keys(node.properties) : [];
  if (declared.length === 0) return names;
  const own = new Set<string>(names);
  return [...declared.filter((name) => own.delete(name)), ...own];
}

/** Returns how many values are inside a value. */
export function countInside(described: Described): number {
  return Array.isArray(described.value) ? described.value.length : entryNames(described).length;
}

/** Describes the entry of an object, or the item of a list. */
export function describeInside(outer: Described, key: string | number): Described {
  const { value: parent, root } = outer;
  const path = [...outer.path, key];
  const value = readPlain(() => (parent as Record<string | number, unknown>)[key]);
  const isSecret =
    outer.isSecret || (typeof key === 'string' && isSecretName(key)) || isSecretPlace(path, root);
  return { value, node: findNode(partFor(outer.node, key), value, root), isSecret, parent, path, root };
}

/** Describes a property that the value does not have. */
export function describeAbsent(outer: Described, name: string): Described {
  const node = findNode(partFor(outer.node, name), undefined, outer.root);
  return {
    ...outer,
    value: undefined,
    node,
    isSecret: false,
    parent: outer.value,
    path: [...outer.path, name],
  };
}

/** Returns what a function reads of a value, or `otherwise` if it throws: getters and `toJSON` of values that a schema made may. */
export function safely<Value, Otherwise>(read: () => Value, otherwise: Otherwise): Value | Otherwise {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function readPlain(read: () => unknown): unknown {
  return safely(() => toPlain(read()), UNREADABLE);
}

/** Returns the schema of a property or an item. */
function partFor(node: JsonSchema | undefined, key: string | number): unknown {
  if (node === undefined) return undefined;
  if (typeof key === 'number') {
    const first = [node.prefixItems, node.items].find(Array.isArray) ?? [];
    return first[key] ?? node.items;
  }
  const { properties, additionalProperties } = node;
  return isRecord(properties) && hasOwn(properties, key) ? properties[key] : additionalProperties;
}

/** The parts of a schema that are read for one value. A schema may refer to itself. */
const MAX_PARTS = 200;
/** So many alternatives are tried for one value. */
const MAX_VARIANTS = 50;

/** Follows references, and chooses the alternative of a union that fits the value. */
function findNode(schema: unknown, value: unknown, root: JsonSchema, depth = 0): JsonSchema | undefined {
  const node = resolveSchema(schema, { root, budget: { left: MAX_PARTS } });
  const alternatives = [node?.oneOf, node?.anyOf].find(Array.isArray);
  if (node === undefined || alternatives === undefined || depth > 5) return node;
  const beside = without(node, 'oneOf', 'anyOf');
  for (const alternative of alternatives.slice(0, MAX_VARIANTS)) {
    const variant = findNode(alternative, value, root, depth + 1);
    // Constants are options, and the whole list names them.
    if (variant === undefined || hasOwn(variant, 'const')) continue;
    const merged = mergeSchemas(beside, variant);
    if (safely(() => fits(merged, value), false)) return merged;
  }
  return node;
}

/** Returns true if a value has the type of a schema, and the constants that tell one variant from another. */
function fits(node: JsonSchema, value: unknown): boolean {
  const types = [node.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => hasType(value, type))) return false;
  if (hasOwn(node, 'const') && !deepEqual(node.const, value)) return false;
  if (Array.isArray(node.enum) && !node.enum.some((option) => deepEqual(option, value))) return false;
  if (!isRecord(value)) return true;
  const required = Array.isArray(node.required) ? node.required : [];
  if (!required.every((name) => hasOwn(value, name))) return false;
  const properties = isRecord(node.properties) ? Object.entries(node.properties) : [];
  return properties.every(
    ([name, part]) =>
      !isRecord(part) || !hasOwn(part, 'const') || !hasOwn(value, name) || deepEqual(part.const, value[name]),
  );
}

function hasType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null || value === undefined;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    default:
      return typeof value === type;
  }
}

/** Asks the rules of secrets about one place: a value with nothing but this place loses it if it is secret. */
function isSecretPlace(path: Path, root: JsonSchema): boolean {
  let probe: unknown = true;
  for (const key of [...path].reverse()) {
    if (typeof key === 'number') {
      const items: unknown[] = [];
      items[key] = probe;
      probe = items;
    } else {
      probe = Object.fromEntries([[key, probe]]);
    }
  }
  let rest = withoutSecrets(probe, root);
  for (const key of path) {
    rest =
      typeof rest === 'object' && rest !== null ? (rest as Record<string | number, unknown>)[key] : undefined;
  }
  return rest !== true;
}
