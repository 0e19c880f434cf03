/**
 * Reads JSON Schema into form fields: the primitives of MCP elicitation (specification 2025-11-25), the argument
 * allow-list of Standard Agents to depth 7, the schemas of Zod 4, and the keywords of older dialects: draft 4
 * (`exclusiveMinimum: true`) and OpenAPI 3.0 (`nullable`, `example`). A part without a widget becomes a JSON field, so
 * every schema gives a working form. The form does not check `not`, `if`, `contains`, `patternProperties`, `dependent…`,
 * nor the `pattern` and `format` of a second part of `allOf`; the receiver of the value does.
 */
import { compact, hasOwn, isRecord, type JsonValue, ownString } from '../../../shared/json.ts';
import { isSecretSchema } from '../../../shared/secrets.ts';
import { displayText, humaniseName } from '../../text/safe-text.ts';
import type { FormField, NamedField } from './form-field.ts';
import { type Base, isFile, type JsonSchema, ownNumber, type Place, without } from './json-schema.ts';
import { optionsToScale, toScale } from './read-scale.ts';
import { readSchemaOptions } from './read-schema-options.ts';
import { readFileField, readNumberField, readTextField, withKnownName } from './read-simple-field.ts';
import { type ResolveScope, resolveSchema } from './resolve-schema.ts';

/** Below this depth a part is edited as JSON, because a schema can refer to itself. */
const MAX_DEPTH = 7;
/** A group with more fields is edited as JSON, because a page cannot hold as many controls. */
const MAX_FIELDS = 200;
/** Limit for a whole schema: one that contains itself ten times has a hundred million parts at depth 7. */
const MAX_PLACES = 3_000;

interface Scope extends ResolveScope {
  readonly depth: number;
  readonly maxDepth: number;
  /** The schema around this part is marked as secret. */
  readonly secret: boolean;
  readonly hasLocalTimes: boolean;
}

/**
 * Reads a schema into a field. It never throws: a part that it does not understand becomes a JSON field. A schema with
 * too many parts is edited as JSON from a smaller depth on, or as a whole.
 *
 * @param hasLocalTimes a time of day has no offset: some libraries describe their local times by the format of RFC 3339
 */
export function readJsonSchema(schema: unknown, place: Place, hasLocalTimes = false): FormField {
  const root = isRecord(schema) ? schema : {};
  for (let deepest = MAX_DEPTH; deepest >= 0; deepest -= 1) {
    const budget = { left: MAX_PLACES };
    const scope = { root, depth: 0, maxDepth: deepest, budget, secret: false, hasLocalTimes };
    const field = readNode(schema, place, scope);
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

  if (node.readOnly === true) return { kind: 'fixed', ...base, schema: node };
  if (isNullable(node)) return readUnion([bare(node, 'nullable'), { type: 'null' }], base, deeper);
  if (isFile(node)) return readFileField(node, base);
  const options = readSchemaOptions(node);
  if (options !== undefined) {
    const only = options.length === 1 ? options[0] : undefined;
    if (only !== undefined && hasOwn(node, 'const')) return { kind: 'constant', ...base, value: only.value };
    return optionsToScale(options, base) ?? { kind: 'choice', ...base, options };
  }
  const alternatives = readAlternatives(node);
  if (alternatives !== undefined) return readUnion(alternatives, base, deeper);

  switch (node.type ?? guessType(node)) {
    case 'string':
      return readTextField(node, base, scope.hasLocalTimes);
    case 'number':
    case 'integer': {
      const field = readNumberField(node, base);
      return toScale(field) ?? field;
    }
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
  // Tuples, and arrays without a schema for their items, have no widget.
  if (items === undefined || Array.isArray(node.prefixItems)) return { kind: 'json', ...base };
  if (isFile(items)) return readFileField(items, base, { multiple: true, ...limits });
  const options = readSchemaOptions(items);
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
  return { kind: 'group', ...base, fields: withCurrencies(fields, properties) };
}

/** Joins each amount to the property that its `currencyField` names. */
function withCurrencies(
  fields: readonly NamedField[],
  properties: readonly (readonly [string, unknown])[],
): readonly NamedField[] {
  return fields.map((named, at) => {
    const property = properties[at]?.[1];
    const source = isRecord(property) ? ownString(property, 'currencyField') : undefined;
    const index = fields.findIndex(({ name }) => name === source);
    const field = fields[index]?.field;
    if (named.field.kind !== 'number' || field === undefined) return named;
    return { ...named, field: { ...named.field, currencyFrom: { index, field } } };
  });
}

/** A record with a closed list of keys, such as Zod's `z.record(z.enum(…))`, has a field for each key. */
function withNamedKeys(node: JsonSchema, scope: Scope): JsonSchema {
  const keys = resolveSchema(node.propertyNames, scope);
  const options = keys === undefined || isRecord(node.properties) ? undefined : readSchemaOptions(keys);
  if (options === undefined) return node;
  const properties = Object.fromEntries(options.map(({ value }) => [value, node.additionalProperties]));
  return { ...node, properties, additionalProperties: false };
}

function readUnion(alternatives: readonly unknown[], place: Base, scope: Scope): FormField {
  const known = alternatives.map((alternative) => resolveSchema(alternative, scope));
  const others = known.filter((node) => !isNull(node));
  const nullable = others.length < known.length;
  // A null variant with the default null is the default of the union: an empty field is null, and not left out.
  const isNullDefault = known.some((node) => isNull(node) && node?.default === null);
  const base = isNullDefault ? { defaultValue: null, ...place } : place;
  const options = others.length > 1 && nullable ? readSchemaOptions({ anyOf: others }) : undefined;
  if (options !== undefined) {
    const scale = optionsToScale(options, base);
    return scale === undefined ? { kind: 'choice', ...base, options, nullable } : { ...scale, nullable };
  }
  const variants = others.map((variant) => readNode(variant, { label: base.label, required: true }, scope));
  const [only] = variants;
  if (only !== undefined && variants.length === 1) {
    if (!nullable) return { ...only, ...base, label: only.label };
    // Left empty, these fields mean null; every other kind needs an explicit choice of "None".
    if (NULL_IF_EMPTY.has(only.kind)) {
      // The texts of the union come before those of its variant, where the union has any.
      return { ...only, ...compact(base), nullable: true };
    }
  }
  if (variants.length === 0)
    return nullable ? { kind: 'constant', ...base, value: null } : { kind: 'json', ...base };
  if (nullable) variants.push({ kind: 'constant', label: '', required: true, value: null });
  return { kind: 'union', ...base, variants };
}

/** The kinds whose controls can be left empty. */
const NULL_IF_EMPTY: ReadonlySet<FormField['kind']> = /* @__PURE__ */ new Set([
  'text',
  'number',
  'scale',
  'choice',
  'file',
] as const);

function isNull(node: JsonSchema | undefined): boolean {
  return node?.type === 'null' || node?.const === null;
}

/** Returns the alternatives of a union, each with the keywords beside it: `{ properties, anyOf: [{ required }, …] }`. */
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
  // `type: ['string', 'null']` is short for a union.
  return node.type.map((type) => ({ ...bare(node), type }));
}

/** Returns true for OpenAPI's `nullable`, unless the type or the enum lists `null` anyway. */
function isNullable({ nullable, type, enum: options }: JsonSchema): boolean {
  return nullable === true && ![options].flat().includes(null) && ![type].flat().includes('null');
}

/** A schema without the keywords that belong to the union around it. */
function bare(node: JsonSchema, ...keys: readonly string[]): JsonSchema {
  return without(node, 'default', 'title', 'description', ...keys);
}

function guessType(node: JsonSchema): string | undefined {
  if (isRecord(node.properties)) return 'object';
  return node.items === undefined ? undefined : 'array';
}
