import type { StandardSchemaV1 } from '@standard-schema/spec';
import { canonicalJson } from './canonical-json.ts';
import { isRecord } from './json.ts';
import { readStandardJsonSchema } from './read-standard-json-schema.ts';

/** The parts of a tool's definition by which a person decides about its calls. */
interface DecidedBy {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly severity?: string | undefined;
  readonly input?: StandardSchemaV1 | undefined;
}

/**
 * Returns the canonical JSON of what a person who decides about a tool goes by. A choice of a person counts for this text alone: a tool with
 * another one is another tool to people. Another handler, schema of the result or label of a button changes nothing.
 */
export function describeDefinition({ title, description, severity, input }: DecidedBy): string {
  const inputSchema = input && withoutDefaults(readStandardJsonSchema(input));
  // The copy is the value as JSON carries it: a property that is undefined counts as absent.
  return canonicalJson(JSON.parse(JSON.stringify({ title, description, severity, inputSchema })));
}

/** The keywords whose value holds schemas by names of the author. */
const NAMED_SCHEMAS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** A default may be another value each time it is read, such as the time. A person sees it among the arguments. */
function withoutDefaults(schema: unknown, isKeyword = true): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutDefaults(item));
  if (!isRecord(schema)) return schema;
  const entries = Object.entries(schema)
    .filter(([key]) => !(isKeyword && key === 'default'))
    .map(([key, value]) => [key, withoutDefaults(value, !(isKeyword && NAMED_SCHEMAS.includes(key)))]);
  return Object.fromEntries(entries);
}
