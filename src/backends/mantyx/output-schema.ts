/** Structured output: the schema that is sent, and the check of the final text (Mantyx protocol 0.11, section 5). */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describeThrown, invalidOptions } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';
import { isStandardSchema, readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import { describeIssues, validate } from '../../shared/validate.ts';
import { assertRecord } from './assert-limit.ts';
import type { JsonSchema, OutputSchema } from './spec.ts';

/** Checks final texts. Some providers ignore the schema and send prose, so every text is checked. */
export interface OutputReader {
  /** The `typeName` of the `object` part. */
  readonly typeName: string;
  /** Describes why a text does not match the schema; undefined if it matches. */
  findIssues(text: string): string | undefined;
}

/**
 * The output schema in its wire form.
 *
 * @throws AgentChatError `invalid_options` for a schema that cannot describe itself.
 */
export function toWireOutputSchema(outputSchema: OutputSchema): { name?: string; schema: JsonSchema } {
  assertRecord(outputSchema, 'outputSchema');
  const { schema } = outputSchema;
  if (!isStandardSchema(schema)) return { ...outputSchema, schema };
  const described = readStandardJsonSchema(schema);
  if (described !== undefined) return { ...outputSchema, schema: described };
  throw invalidOptions(
    'Mantyx: outputSchema.schema cannot be turned into JSON Schema. Use Zod 4.2 or later, or give the JSON Schema itself. Nothing was sent.',
  );
}

/** @throws AgentChatError `invalid_options` for a JSON Schema that cannot be checked here. */
export async function createOutputReader({ name = 'output', schema }: OutputSchema): Promise<OutputReader> {
  const standard = isStandardSchema(schema) ? schema : await fromJsonSchema(schema);
  return {
    typeName: name,
    findIssues(text) {
      const json = parseJson(text);
      if (json === undefined) return 'it is not JSON';
      const checked = validate(standard, json);
      return 'issues' in checked ? describeIssues(checked.issues) : undefined;
    },
  };
}

/** Loads zod only for a plain JSON Schema; a Standard Schema has its own check. */
async function fromJsonSchema(schema: JsonSchema): Promise<StandardSchemaV1> {
  const { fromJSONSchema } = await import('zod');
  try {
    return fromJSONSchema(schema);
  } catch (thrown) {
    throw invalidOptions(
      `Mantyx: answers cannot be checked against outputSchema.schema (${describeThrown(thrown, 'it is no JSON Schema')}). Simplify it, or give a Standard Schema. Nothing was sent.`,
      thrown,
    );
  }
}
