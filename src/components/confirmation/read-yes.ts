import { isRecord } from '../../shared/json.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import type { AnyTool } from '../primitives/any-tool.ts';

/**
 * What Confirm submits: `{ confirmed: true }`, or a yes of the shape the tool's `output` schema asks for, which is `true`
 * itself, or an object with it under its one property.
 */
export function createYesResult({ approvalReason, definition }: AnyTool): unknown {
  // Of a tool that has a handler, `output` is what the handler gives.
  const output = approvalReason === undefined ? definition?.output : undefined;
  const schema = output && readStandardJsonSchema(output);
  if (schema?.type === 'boolean') return true;
  const [only, ...others] = isRecord(schema?.properties) ? Object.entries(schema.properties) : [];
  const isOne = only !== undefined && others.length === 0 && isRecord(only[1]) && only[1].type === 'boolean';
  return isOne ? Object.fromEntries([[only[0], true]]) : { confirmed: true };
}
