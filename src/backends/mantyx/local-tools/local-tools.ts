/** Makes tool references from the app's `clientTools`. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ClientTool, ClientTools } from '../../../core/tools/client-tool.ts';
import { invalidOptions } from '../../../shared/errors.ts';
import { isStandardSchema, readStandardJsonSchema } from '../../../shared/read-standard-json-schema.ts';
import { checkTools } from '../check-tools.ts';
import type { JsonSchema, LocalRef, ToolRef } from '../spec.ts';

/** Fields of a tool reference that replace or extend those of the tool's definition. */
export type LocalToolOverrides = Omit<LocalRef, 'kind' | 'name'>;

const ANY_ARGUMENTS: JsonSchema = { type: 'object' };

/**
 * Makes a reference for each of the `clientTools`, for `tools` of `createMantyxTransport`: `input` becomes `parameters`,
 * `output` becomes `outputSchema`. A part that JSON Schema cannot express accepts anything, and so do the arguments of a tool
 * without `input`. Tools that wait for a person are `longRunning`.
 *
 * @param overrides fields to replace, by tool name; for example your own JSON Schema
 * @throws AgentChatError `invalid_options` for a name that is not 1 to 64 letters, digits and `_`, or only in `overrides`.
 */
export function localTools(
  clientTools: ClientTools,
  overrides: Readonly<Record<string, LocalToolOverrides>> = {},
): readonly LocalRef[] {
  const unknown = Object.keys(overrides).filter((name) => !Object.hasOwn(clientTools, name));
  if (unknown.length > 0) {
    throw invalidOptions(
      `Mantyx: localTools has overrides for ${unknown.join(', ')}, which clientTools does not have.`,
    );
  }
  const refs = Object.entries(clientTools).map(([name, tool]) =>
    toWireLocal({ kind: 'local', name, ...describe(tool), ...overrides[name] }),
  );
  checkTools(refs);
  return refs;
}

function describe(tool: ClientTool): LocalToolOverrides {
  const { description, input, output } = typeof tool === 'object' ? tool : {};
  const isInteractive = tool === 'interactive' || (typeof tool === 'object' && 'interactive' in tool);
  return {
    ...(description === undefined ? {} : { description }),
    parameters: input ?? ANY_ARGUMENTS,
    ...(output === undefined ? {} : { outputSchema: output }),
    ...(isInteractive ? { longRunning: true } : {}),
  };
}

/** A reference in its wire form: its schemas are JSON Schema. */
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

/** Returns undefined for a schema without an object at its root, because the platform drops such a schema. */
function toJsonSchema(
  schema: JsonSchema | StandardSchemaV1,
  side: 'input' | 'output',
): JsonSchema | undefined {
  if (!isStandardSchema(schema)) return schema;
  const described = readStandardJsonSchema(schema, side);
  return described?.type === 'object' ? described : undefined;
}
