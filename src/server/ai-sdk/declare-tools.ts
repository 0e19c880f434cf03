import type { ToolSet } from 'ai';
import { isRecord } from '../../shared/json.ts';

/**
 * The description of a tool for a model. The session runs the tool or asks the client: `execute` of an AI SDK tool is ignored.
 *
 * A tool of a provider, such as `anthropic.tools.webSearch_20250305()`, is one as it is. If the provider executes it, neither the session
 * nor the client does; the client shows its calls as `executedBy: 'provider'`.
 */
export interface AiSdkTool {
  readonly description?: ToolSet[string]['description'];
  /** Display name, for people. */
  readonly title?: string | undefined;
  /** JSON Schema, a zod schema, or any other schema the AI SDK takes. Default: an object of anything. */
  readonly inputSchema?: unknown;
  /** As `inputSchema`, by the name that `defineServerTool` gives it, so that its tools can be declared as they are. */
  readonly input?: unknown;
}

type AiSdk = Pick<typeof import('ai'), 'asSchema' | 'jsonSchema'>;

/** Declares the tools without `execute`, so that a call ends the model's turn and the session gets it. */
export function declareTools(ai: AiSdk, tools: Readonly<Record<string, AiSdkTool>>): ToolSet {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, declareTool(ai, tool)]));
}

function declareTool(ai: AiSdk, tool: AiSdkTool): ToolSet[string] {
  if (isProviderTool(tool)) {
    const { execute: _, needsApproval: __, ...declared } = tool;
    return declared;
  }
  const { description, title, input, inputSchema = input } = tool;
  return {
    ...(description === undefined ? {} : { description }),
    ...(title === undefined ? {} : { title }),
    inputSchema: toInputSchema(ai, inputSchema ?? { type: 'object' }),
  };
}

/** The provider knows such a tool by an id and arguments, which an ordinary declaration does not have. */
function isProviderTool(tool: AiSdkTool): tool is ToolSet[string] {
  return 'type' in tool && tool.type === 'provider';
}

type InputSchema = Parameters<AiSdk['asSchema']>[0] & object;

/** A plain object without the marker properties of a schema library is a JSON Schema. */
function toInputSchema(ai: AiSdk, schema: unknown): InputSchema {
  const isPlain =
    isRecord(schema) && !('~standard' in schema) && !('jsonSchema' in schema) && !('_zod' in schema);
  return isPlain ? ai.jsonSchema(schema) : (schema as InputSchema);
}
