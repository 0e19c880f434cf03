/**
 * JSON Schema to form fields. Covers the primitives of MCP elicitation (specification 2025-11-25), the argument
 * allow-list of Standard Agents to depth 7, what Zod 4 writes, and what older dialects write differently: draft 4
 * (`exclusiveMinimum: true`) and OpenAPI 3.0 (`nullable`, `example`). What it cannot show becomes a JSON field, so any
 * schema gives a form that works. Not read, and left to whoever gets the value: `not`, `if`, `contains`, `pattern` and
 * `format` of a second part of `allOf`, `patternProperties`, `dependent…`.
 */
import { compact, hasOwn, isRecord, type JsonValue } from '../../shared/json.ts';
import { isSecretSchema } from '../../shared/secrets.ts';
import { displayText, humaniseName } from '../text/safe-text.ts';
import type { FieldOption, FormField, NamedField } from './form-field.ts';
import { type Base, type JsonSchema, ownNumber, ownString, type Place, without } from './json-schema.ts';
import { isFile, readFileField, readNumberField, readTextField, withKnownName } from './read-simple-field.ts';
import { type ResolveScope, resolveSchema } from './resolve-schema.ts';

/** Below this depth a part is edited as JSON: schemas can refer to themselves. */
const MAX_DEPTH = 7;
/** A page cannot hold more controls than this at one level. */
const MAX_FIELDS = 200;
/** Nor is more read than this in all: one that holds itself ten times has a hundred million places at depth 7. */
const MAX_PLACES = 3_000;

interface Scope extends ResolveScope {
  readonly depth: number;
  readonly maxDepth: number;
  /** All of what surrounds it is secret. */
  readonly secret: boolean;
}

/**
 * Reads a schema into a field. Never throws: parts that make no sense become JSON fields. One with too many parts is
 * edited as JSON from a lesser depth on, all of it if need be.
 */
export function readJsonSchema(schema: unknown, place: Place): FormField {
  const root = isRecord(schema) ? schema : {};
  for (let deepest = MAX_DEPTH; deepest >= 0; deepest -= 1) {
    const budget = { left: MAX_PLACES };
    const field = readNode(schema, place, { root, depth: 0, maxDepth: deepest, budget, secret: false });
    if (budget.left >= 0) return field;
  }
  return { kind: 'json', ...place };
}

function readNode(schema: unknown, outer: Place, scope: Scope): FormField {
  const node = resolveSchema(schema, scope);
  const title = node === undefined ? undefined : ownString(node, 'title');
  const place = title === undefined ? outer : { ...outer, label: displayText(title, 160) };
  const secret = scope.secret || (node !== undefined && isSecretSchema(node));
  const base = {
    ...place,
    ...(secret ? { secret } : {}),
    description: node === undefined ? undefined : ownString(node, 'description'),
    ...(node !== undefined && hasOwn(node, 'default') ? { defaultValue: node.default as JsonValue } : {}),
  };
  if (node === undefined || scope.depth > scope.maxDepth) return { kind: 'json', ...base };
  const deeper = { ...scope, depth: scope.depth + 1, secret };

  if (isNullable(node)) return readUnion([bare(node, 'nullable'), { type: 'null' }], base, deeper);
  if (isFile(node)) return readFileField(node, base);
  const options = readOptions(node);
  if (options !== undefined) {
    const only = options.length === 1 ? options[0] : undefined;
    if (only !== undefined && hasOwn(node, 'const')) return { kind: 'constant', ...base, value: only.value };
    return { kind: 'choice', ...base, options };
  }
  const alternatives = readAlternatives(node);
  if (alternatives !== undefined) return readUnion(alternatives, base, deeper);

  switch (node.type ?? guessType(node)) {
    case 'string':
      return readTextField(node, base);
    case 'number':
    case 'integer':
      return readNumberField(node, base);
    case 'boolean':
      return { kind: 'boolean', ...base };
    case 'null':
      return { kind: 'constant', ...base, value: null };
    case 'array':
      return readArray(node, base, deeper);
    case 'object':
      return readObject(node, base, deeper);
    default:
      return { kind: 'json', ...base };
  }
}

function readArray(node: JsonSchema, base: Base, scope: Scope): FormField {
  const items = resolveSchema(node.items, scope);
  const limits = { minItems: ownNumber(node, 'minItems'), maxItems: ownNumber(node, 'maxItems') };
  // Tuples have no widget; neither has an array of anything.
  if (items === undefined || Array.isArray(node.prefixItems)) return { kind: 'json', ...base };
  if (isFile(items)) return readFileField(items, base, { multiple: true, ...limits });
  const options = readOptions(items);
  const picks = options !== undefined && options.length > 0 && node.uniqueItems !== false;
  if (picks && options.every((option) => typeof option.value === 'string')) {
    return { kind: 'multi-choice', ...base, ...limits, options };
  }
  const item = readNode(items, { label: base.label, required: true }, scope);
  return { kind: 'list', ...base, ...limits, item, uniqueItems: node.uniqueItems === true };
}

function readObject(schema: JsonSchema, base: Base, scope: Scope): FormField {
  const node = withNamedKeys(schema, scope);
  const properties = isRecord(node.properties) ? Object.entries(node.properties) : [];
  if (properties.length === 0 && isRecord(node.additionalProperties)) {
    const item = readNode(node.additionalProperties, { label: base.label, required: true }, scope);
    return { kind: 'record', ...base, item };
  }
  if (
    (!isRecord(node.properties) && node.additionalProperties !== false && scope.depth > 1) ||
    properties.length > MAX_FIELDS
  ) {
    return { kind: 'json', ...base };
  }
  const required = Array.isArray(node.required) ? node.required : [];
  const fields = properties.map(([name, property]): NamedField => {
    const place = { label: humaniseName(name), required: required.includes(name) };
    return { name, field: withKnownName(readNode(property, place, scope), name) };
  });
  return { kind: 'group', ...base, fields };
}

/** A record whose keys are known asks for them by name, as for properties. Zod writes `z.record(z.enum(…))` so. */
function withNamedKeys(node: JsonSchema, scope: Scope): JsonSchema {
  const keys = resolveSchema(node.propertyNames, scope);
  const options = keys === undefined || isRecord(node.properties) ? undefined : readOptions(keys);
  if (options === undefined) return node;
  const properties = Object.fromEntries(options.map(({ value }) => [value, node.additionalProperties]));
  return { ...node, properties, additionalProperties: false };
}

function readUnion(alternatives: readonly unknown[], place: Base, scope: Scope): FormField {
  const known = alternatives.map((alternative) => resolveSchema(alternative, scope));
  const others = known.filter((node) => !isNull(node));
  const nullable = others.length < known.length;
  // A null among them that is its own default is the default of the whole: left empty it is null, and not left out.
  const isNullDefault = known.some((node) => isNull(node) && node?.default === null);
  const base = isNullDefault ? { defaultValue: null, ...place } : place;
  const options = others.length > 1 && nullable ? readOptions({ anyOf: others }) : undefined;
  if (options !== undefined) return { kind: 'choice', ...base, options, nullable };
  const variants = others.map((variant) => readNode(variant, { label: base.label, required: true }, scope));
  const [only] = variants;
  if (only !== undefined && variants.length === 1) {
    if (!nullable) return { ...only, ...base, label: only.label };
    // Left empty, these say "nothing" by themselves; the others need an explicit choice of it.
    if (only.kind === 'text' || only.kind === 'number' || only.kind === 'choice' || only.kind === 'file') {
      // A wrapper's own words beat those of what it wraps, but their absence does not.
      return { ...only, ...compact(base), nullable: true };
    }
  }
  if (variants.length === 0)
    return nullable ? { kind: 'constant', ...base, value: null } : { kind: 'json', ...base };
  if (nullable) variants.push({ kind: 'constant', label: '', required: true, value: null });
  return { kind: 'union', ...base, variants };
}

function isNull(node: JsonSchema | undefined): boolean {
  return node?.type === 'null' || node?.const === null;
}

/** `enum` (with the older `enumNames`), `const`, and `oneOf`/`anyOf` made of `const`s with titles. */
function readOptions(node: JsonSchema): readonly FieldOption[] | undefined {
  if (hasOwn(node, 'const')) return [toOption(node.const as JsonValue, ownString(node, 'title'))];
  if (Array.isArray(node.enum)) {
    const names =
      Array.isArray(node.enumNames) && node.enumNames.length === node.enum.length ? node.enumNames : [];
    return node.enum.map((value, index) => toOption(value as JsonValue, names[index]));
  }
  for (const key of ['oneOf', 'anyOf'] as const) {
    const list = node[key];
    if (!Array.isArray(list) || list.length === 0) continue;
    if (!list.every((item) => isRecord(item) && hasOwn(item, 'const') && item.const !== null)) continue;
    return list.map((item) => ({
      ...toOption(item.const as JsonValue, item.title),
      description: ownString(item, 'description'),
    }));
  }
  return undefined;
}

/** An option of a choice; without a name for people the value is its own. */
export function toOption(value: JsonValue, name?: unknown): FieldOption {
  const names = [name, value].filter((text) => typeof text === 'string' && text.trim() !== '');
  return { value, label: displayText(String(names[0] ?? JSON.stringify(value)), 300) };
}

/** The schemas of which one holds, each with what is said beside them: `{ properties, anyOf: [{ required }, …] }`. */
function readAlternatives(node: JsonSchema): readonly unknown[] | undefined {
  for (const key of ['oneOf', 'anyOf'] as const) {
    const list = node[key];
    if (!Array.isArray(list) || list.length === 0) continue;
    const beside = bare(node, key);
    return node.type === undefined && node.properties === undefined
      ? list
      : list.map((alternative) => ({ allOf: [beside, alternative] }));
  }
  if (!Array.isArray(node.type)) return undefined;
  // `type: ['string', 'null']` is a union in short.
  return node.type.map((type) => ({ ...bare(node), type }));
}

/** OpenAPI 3.0: beside a type that does not have `null` already. */
function isNullable({ nullable, type, enum: options }: JsonSchema): boolean {
  return nullable === true && ![options].flat().includes(null) && ![type].flat().includes('null');
}

/** A schema without what is said of the whole it is a part of. */
function bare(node: JsonSchema, ...keys: readonly string[]): JsonSchema {
  return without(node, 'default', 'title', 'description', ...keys);
}

function guessType(node: JsonSchema): string | undefined {
  if (isRecord(node.properties)) return 'object';
  return node.items === undefined ? undefined : 'array';
}
