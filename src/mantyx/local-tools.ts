/** The app's `clientTools` as the model is told of them. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { invalidOptions } from '../shared/errors.ts';
import { isStandardSchema, readStandardJsonSchema } from '../shared/read-standard-json-schema.ts';
import type { ClientTool, ClientTools } from '../tools/client-tool.ts';
import { checkTools } from './check-tools.ts';
import type { JsonSchema, LocalRef, ToolRef } from './spec.ts';

/** What to say of a tool beyond, or in place of, its definition. */
export type LocalToolWords = Omit<LocalRef, 'kind' | 'name'>;

const ANY_ARGUMENTS: JsonSchema = { type: 'object' };

/**
 * A reference for each of the `clientTools`, to be given in `tools` of `createMantyxTransport`: `input` becomes
 * `parameters`, `output` becomes `outputSchema`. A part JSON Schema cannot express is left open, and so are the arguments
 * of a tool without `input`. Tools that wait for a person are `longRunning`.
 *
 * @param words what to say instead, by tool name; the way for a JSON Schema of your own
 * @throws AgentChatError `invalid_options` for a name that is not 1 to 64 letters, digits and `_`, or is in `words` alone.
 */
export function localTools(
  clientTools: ClientTools,
  words: Readonly<Record<string, LocalToolWords>> = {},
): readonly LocalRef[] {
  const strangers = Object.keys(words).filter((name) => !Object.hasOwn(clientTools, name));
  if (strangers.length > 0) {
    throw invalidOptions(
      `Mantyx: localTools was told of ${strangers.join(', ')}, which clientTools does not have.`,
    );
  }
  const refs = Object.entries(clientTools).map(([name, tool]) =>
    toWireLocal({ kind: 'local', name, ...describe(tool), ...words[name] }),
  );
  checkTools(refs);
  return refs;
}

function describe(tool: ClientTool): LocalToolWords {
  const { description, input, output } = typeof tool === 'object' ? tool : {};
  const isInteractive = tool === 'interactive' || (typeof tool === 'object' && 'interactive' in tool);
  return {
    ...(description === undefined ? {} : { description }),
    parameters: input ?? ANY_ARGUMENTS,
    ...(output === undefined ? {} : { outputSchema: output }),
    ...(isInteractive ? { longRunning: true } : {}),
  };
}

/** A reference as it is sent: its schemas are JSON Schema. */
export function toWireRef(ref: ToolRef): ToolRef {
  return ref?.kind === 'local' ? toWireLocal(ref) : ref;
}

function toWireLocal({ parameters, outputSchema: output, ...rest }: LocalRef): LocalRef {
  const outputSchema = output && toJsonSchema(output, 'output');
  return {
    ...rest,
    ...(parameters && { parameters: toJsonSchema(parameters, 'input') ?? ANY_ARGUMENTS }),
    ...(outputSchema && { outputSchema }),
  };
}

/** Without an object at its root the platform would drop it. */
function toJsonSchema(
  schema: JsonSchema | StandardSchemaV1,
  side: 'input' | 'output',
): JsonSchema | undefined {
  if (!isStandardSchema(schema)) return schema;
  const described = readStandardJsonSchema(schema, side);
  return described?.type === 'object' ? described : undefined;
}
