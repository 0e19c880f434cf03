/**
 * Decides which values are secret. A value is secret by a mark in its schema (`isSecretSchema`) or by an English name
 * (`isSecretName`). Questions of servers that ask for a secret in words are found by `asks-for-secret.ts`.
 */
import { hasOwn, isRecord } from './json.ts';

type Node = Readonly<Record<string, unknown>>;

/**
 * Returns true for a JSON Schema with `writeOnly: true` or `format: 'password'` (in Zod `.meta({ writeOnly: true })`) and
 * for an entry of a `fields` list with `secret: true` or `type: 'password'`.
 */
export function isSecretSchema({ writeOnly, format, secret, type }: Node): boolean {
  return (
    writeOnly === true ||
    secret === true ||
    format === 'password' ||
    (typeof type === 'string' && type.toLowerCase() === 'password')
  );
}

/** The first words are secret anywhere in a name, the others only at its end: `tokenCount` is not a secret. */
const SECRET_NAME =
  /password|passwd|passphrase|passcode|secret|credential|authorization|(^| )(pwd|pin|otp|cvv|cvc|ssn|cookies?|jwt|bearer|auth|tokens?|api ?key|access key|private key|signing key|card number|session id)$/;

/** Returns true for a name that means a secret, in any spelling: `password`, `apiKey`, `access_token`, `card-number`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(
    splitCamelCase(name)
      .replace(/[^a-z0-9]+/g, ' ')
      .trim(),
  );
}

/** Returns the words of a name or a text in small letters: `apiKey` becomes `api key`. */
export function splitCamelCase(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
}

/** Replaces a secret where a person or a log can see that there was one. */
export const MASK = '••••••';

/**
 * Returns a JSON value with {@link MASK} in place of every secret by name; the same value when there is none.
 *
 * @param isSecret Decides by the name of a property. Default: {@link isSecretName}.
 */
export function maskSecrets(value: unknown, isSecret: (name: string) => boolean = isSecretName): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const masked = entries.map(([name, item]): [string, unknown] => {
    // An empty value hides nothing, and a reader of the log may need to know that it was empty.
    const isMasked = !Array.isArray(value) && isSecret(name) && item !== null && item !== '';
    return [name, isMasked ? MASK : maskSecrets(item, isSecret)];
  });
  if (masked.every(([, item], index) => item === entries[index]?.[1])) return value;
  return Array.isArray(value) ? masked.map(([, item]) => item) : Object.fromEntries(masked);
}

/**
 * Returns a JSON value without the parts that its schema marks as secret: the same value when there is no secret, `undefined` when
 * all of it is secret. Where a schema has alternatives, a value that is secret in one of them is secret.
 *
 * @param schema JSON Schema, or a `fields` list
 */
export function withoutSecrets(value: unknown, schema: unknown): unknown {
  return strip(value, Array.isArray(schema) ? { properties: toProperties(schema) } : schema, schema);
}

/**
 * @param visited The schemas already applied to this very value; true once applied completely. Without it, a few
 *   references to each other would never end.
 */
function strip(
  value: unknown,
  schema: unknown,
  root: unknown,
  visited = new Map<unknown, boolean>(),
): unknown {
  if (!isRecord(schema)) return value;
  const isDone = visited.get(schema);
  // A schema that refers to nothing but itself describes no value; hiding it is safe.
  if (isSecretSchema(schema) || isDone === false) return undefined;
  if (isDone) return value;
  visited.set(schema, false);
  let rest = value;
  for (const part of partsOf(schema, root)) rest = strip(rest, part, root, visited);
  visited.set(schema, true);
  if (Array.isArray(rest)) {
    const { items, prefixItems } = schema;
    // In JSON Schema up to draft 7, a list in `items` means the present `prefixItems`.
    const first = [prefixItems, items].find(Array.isArray) ?? [];
    return mapChanged(rest, (item, index) => strip(item, first[index] ?? items, root) ?? null);
  }
  return isRecord(rest) ? stripProperties(rest, schema, root) : rest;
}

function stripProperties(value: Node, schema: Node, root: unknown): Node {
  const { properties, patternProperties, additionalProperties } = schema;
  const named = isRecord(properties) ? properties : {};
  // Patterns are not matched: any name that is not declared may be meant by any of them.
  const others = { allOf: [additionalProperties, ...Object.values(patternProperties ?? {})] };
  const entries = Object.entries(value);
  const stripped = mapChanged(entries, (entry): [string, unknown] => {
    const [key, item] = entry;
    const next = strip(item, hasOwn(named, key) ? named[key] : others, root);
    return next === item ? entry : [key, next];
  });
  return stripped === entries ? value : Object.fromEntries(stripped.filter(([, item]) => item !== undefined));
}

/** The schemas that hold, or may hold, for the same value as this one. */
function partsOf(
  { $ref, allOf, anyOf, oneOf, then, else: otherwise }: Node,
  root: unknown,
): readonly unknown[] {
  return [allOf, anyOf, oneOf, then, otherwise, typeof $ref === 'string' && resolve(root, $ref)].flat();
}

/** Follows `#/$defs/name`; returns undefined for a reference to nowhere. */
function resolve(root: unknown, ref: string): unknown {
  return ref
    .split('/')
    .slice(1)
    .reduce((node, step) => (isRecord(node) && hasOwn(node, step) ? node[step] : undefined), root);
}

/** Maps a list, and returns the list itself when no item changed. */
function mapChanged<Item>(list: Item[], change: (item: Item, index: number) => Item): Item[] {
  const next = list.map(change);
  return next.some((item, index) => item !== list[index]) ? next : list;
}

/** A `fields` list as `properties`. Of several entries with one name the form shows the first, so the first counts. */
function toProperties(fields: readonly unknown[]): Node {
  const entries = fields.filter(isRecord).map((field) => {
    const name = [field.name, field.id, field.key].find((key) => key && typeof key === 'string');
    return [name, field] as const;
  });
  return Object.fromEntries(entries.reverse());
}
