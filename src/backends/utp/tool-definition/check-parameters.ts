import * as z from 'zod/mini';
import { invalidOptions } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/json.ts';
import type { JsonSchema } from './utp-tool-definition.ts';

const typeName = z.enum(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);
const count = z.int().check(z.gte(0));
const list = z.array(z.unknown());
const schemas = list.check(z.minLength(1));
const schemasByName = z.record(z.string(), z.unknown());

/** The values that JSON Schema 2020-12 allows for its keywords. The schemas inside are checked one by one. */
const KEYWORDS = z.partial(
  z.looseObject({
    type: z.union([typeName, z.array(typeName).check(z.minLength(1))]),
    enum: list,
    properties: schemasByName,
    patternProperties: schemasByName,
    $defs: schemasByName,
    definitions: schemasByName,
    required: z.array(z.string()),
    prefixItems: schemas,
    anyOf: schemas,
    oneOf: schemas,
    allOf: schemas,
    minimum: z.number(),
    maximum: z.number(),
    exclusiveMinimum: z.number(),
    exclusiveMaximum: z.number(),
    multipleOf: z.number().check(z.gt(0)),
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
    minProperties: count,
    maxProperties: count,
    uniqueItems: z.boolean(),
    pattern: z.string(),
    format: z.string(),
    title: z.string(),
    description: z.string(),
    $ref: z.string(),
  }),
);

/** The keywords whose value is a schema. The others with schemas have a list or an object of them. */
const ONE_SCHEMA = [
  'items',
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];
const MANY_SCHEMAS = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
];

/**
 * Checks the `parameters` of a tool definition as CommonGround does: a JSON Schema of an object, in which every array says what its items
 * are. Some model APIs refuse a call with a schema that does not.
 *
 * @throws AgentChatError `invalid_options` that names the place in the schema and the fix.
 */
export function checkParameters(parameters: unknown, tool: string): asserts parameters is JsonSchema {
  const type = isRecord(parameters) ? (parameters.type ?? 'object') : undefined;
  const fault =
    type === 'object'
      ? findFault(parameters, 'parameters')
      : `parameters is ${JSON.stringify(parameters)}; the arguments of a tool are an object, so give a schema with type: 'object'`;
  if (fault !== undefined) throw invalidOptions(`In the definition of the tool ${tool}, ${fault}.`);
}

function findFault(schema: unknown, place: string): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isRecord(schema)) return `${place} is ${JSON.stringify(schema)}, but a schema is an object`;
  const [issue] = KEYWORDS.safeParse(schema).error?.issues ?? [];
  if (issue !== undefined) {
    const [keyword = ''] = issue.path.map(String);
    return `${place}.${keyword} is ${JSON.stringify(schema[keyword])}, which JSON Schema does not allow`;
  }
  if (schema.type === 'array' && (!isRecord(schema.items) || Object.keys(schema.items).length === 0)) {
    return `${place} is an array without items: add the schema of its items, such as items: { type: 'string' }`;
  }
  return findInnerFault(schema, place);
}

function findInnerFault(schema: JsonSchema, place: string): string | undefined {
  const inner = [
    ...ONE_SCHEMA.flatMap((keyword) =>
      schema[keyword] === undefined ? [] : [[keyword, schema[keyword]] as const],
    ),
    ...MANY_SCHEMAS.flatMap((keyword) =>
      Object.entries((schema[keyword] ?? {}) as object).map(
        ([name, part]) => [`${keyword}.${name}`, part] as const,
      ),
    ),
  ];
  for (const [name, part] of inner) {
    const fault = findFault(part, `${place}.${name}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
