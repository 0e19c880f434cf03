import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { CallQuestion } from '../protocol/events.ts';
import { compact } from '../shared/json.ts';
import type { TransportQuestion } from '../transport/agent-transport.ts';
import type { InteractiveToolDefinition } from './client-tool.ts';

/** Returns the definition that a dialog asks with, for a call whose server says how to ask. */
export function toQuestion({
  inputSchema,
  outputSchema,
  remember: _,
  ...texts
}: CallQuestion): InteractiveToolDefinition & TransportQuestion {
  return {
    interactive: true,
    ...texts,
    ...compact({
      input: inputSchema && toDescribingSchema(inputSchema),
      output: outputSchema && toDescribingSchema(outputSchema),
    }),
  };
}

/** JSON Schema as a Standard Schema that makes the form. It accepts every value: the form checks it, and the server again. */
function toDescribingSchema(schema: Readonly<Record<string, unknown>>): StandardSchemaV1 {
  const describe = () => schema;
  return {
    '~standard': {
      version: 1,
      vendor: 'handrail',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: describe, output: describe },
    },
  } as StandardSchemaV1;
}
