/** What must not be shown again or kept: one definition for forms and for the engine. */
import { hasOwn, isRecord, toJsonValue } from './json.ts';

type Node = Readonly<Record<string, unknown>>;

/**
 * Whether a value is secret: by a JSON Schema (`writeOnly: true`, `format: 'password'`; in Zod `.meta({ writeOnly: true })`)
 * or by an entry of a `fields` list (`secret: true`, `type: 'password'`).
 */
export function isSecret({ writeOnly, format, secret, type }: Node): boolean {
  return (
    writeOnly === true ||
    secret === true ||
    format === 'password' ||
    (typeof type === 'string' && type.toLowerCase() === 'password')
  );
}

/** What {@link isSecret} looks for, anywhere in a description. */
const SECRET = /"(?:writeOnly|secret)":true|"(?:format|type)":"password"/i;

/**
 * What of the answer to a bare tool may be shown and kept, by the form that its arguments describe: all fields but those
 * whose description has a secret in it, each as a whole; nothing (`null`) where something else has one, or where references
 * leave open which field it is. `undefined` where all of it may.
 *
 * @throws TypeError when JSON cannot carry what is left
 */
export function withoutSecretFields(answer: unknown, { requestedSchema, fields, schema }: Node): unknown {
  const form = [requestedSchema, fields, schema].find((given) => given === Object(given));
  const isSaid = (description: unknown) => SECRET.test(JSON.stringify(description));
  if (!isSaid(form)) return undefined;
  let secret: unknown[];
  if (Array.isArray(form)) {
    secret = form.filter(isSaid).flatMap(({ name, id, key }) => [name, id, key]);
  } else {
    const { properties, ...rest } = form as { readonly properties: Node };
    if (isSaid(rest) || JSON.stringify(properties).includes('"$ref"')) return null;
    secret = Object.keys(properties).filter((name) => isSaid(properties[name]));
  }
  const entries = Object.entries(Object(answer));
  const kept = entries.filter(([name]) => !secret.includes(name));
  return kept.length < entries.length ? toJsonValue(Object.fromEntries(kept)) : undefined;
}

/**
 * A JSON value without its secrets: the same when there are none, `undefined` when all of it is secret. Where a schema
 * leaves several readings (a union), a value that is secret in one of them is secret.
 *
 * @param schema JSON Schema, or a `fields` list
 */
export function withoutSecrets(value: unknown, schema: unknown): unknown {
  return strip(value, Array.isArray(schema) ? { properties: byName(schema) } : schema, schema);
}

/**
 * @param begun Schemas that were held against this very value before, with whether they are through. One is enough of
 *   each, or a few references back and forth would take for ever.
 */
function strip(value: unknown, schema: unknown, root: unknown, begun = new Map<unknown, boolean>()): unknown {
  if (!isRecord(schema)) return value;
  const isThrough = begun.get(schema);
  // A schema that refers to itself for ever hides the value.
  if (isSecret(schema) || isThrough === false) return undefined;
  if (isThrough) return value;
  begun.set(schema, false);
  let rest = value;
  for (const reading of readings(schema, root)) rest = strip(rest, reading, root, begun);
  begun.set(schema, true);
  const { properties, patternProperties, additionalProperties, items, prefixItems } = schema;
  if (Array.isArray(rest)) {
    // Up to draft 7 a list of `items` is what `prefixItems` is now.
    const first = [prefixItems, items].find(Array.isArray) ?? [];
    return map(rest, (item, index) => strip(item, first[index] ?? items, root) ?? null);
  }
  if (!isRecord(rest)) return rest;
  const named = isRecord(properties) ? properties : {};
  // Which names a pattern means is not looked at: each that is not declared may be meant.
  const others = { allOf: [additionalProperties, ...Object.values(patternProperties ?? {})] };
  const entries = Object.entries(rest);
  const kept = map(entries, (entry): [string, unknown] => {
    const [key, item] = entry;
    const next = strip(item, hasOwn(named, key) ? named[key] : others, root);
    return next === item ? entry : [key, next];
  });
  return kept === entries ? rest : Object.fromEntries(kept.filter(([, item]) => item !== undefined));
}

/** The schemas that hold, or may hold, for the same value. */
function readings(
  { $ref, allOf, anyOf, oneOf, then, else: otherwise }: Node,
  root: unknown,
): readonly unknown[] {
  return [allOf, anyOf, oneOf, then, otherwise, typeof $ref === 'string' && resolve(root, $ref)].flat();
}

/** `#/$defs/name`; what cannot be found says nothing. */
function resolve(root: unknown, ref: string): unknown {
  return ref
    .split('/')
    .slice(1)
    .reduce((node, step) => (isRecord(node) && hasOwn(node, step) ? node[step] : undefined), root);
}

/** The same list where nothing changes. */
function map<Item>(list: Item[], change: (item: Item, index: number) => Item): Item[] {
  const next = list.map(change);
  return next.some((item, index) => item !== list[index]) ? next : list;
}

/** A `fields` list as properties, by the names a form gives them: of several with one name it shows the first. */
function byName(fields: readonly unknown[]): Node {
  return Object.fromEntries(
    fields
      .filter(isRecord)
      .map((field) => [
        [field.name, field.id, field.key].find((name) => name && typeof name === 'string'),
        field,
      ])
      .reverse(),
  );
}
