/** Asks a person for the value of an environment variable of the thread (`setEnv` of the Standard Agents specification 0.15). */
import * as z from 'zod/mini';
import type { InteractiveToolDefinition } from '../../core/tools/client-tool.ts';
import { defineClientTool } from '../../core/tools/define-client-tool.ts';
import type { Typed } from '../../core/tools/typed-tools.ts';
import { MIN_HIDDEN_LENGTH } from '../../shared/hide-texts.ts';
import { isRecord } from '../../shared/json.ts';

/** How the server treats the value: it never shows a `secret` to the model or to a page. */
export type EnvType = 'text' | 'secret';

/** Options of {@link createEnvTool}. */
export interface EnvToolOptions {
  /** The variable, such as `GITHUB_TOKEN`. */
  readonly name: string;
  /** Default `secret`: the form masks the value, and nothing of it is shown or stored. */
  readonly type?: EnvType;
  /** The title of the dialog. Default: the name of the tool. */
  readonly title?: string;
  /** Says for people what the value is for. */
  readonly description?: string;
  /** The label of the field. Default: the name of the variable. */
  readonly label?: string;
}

/** The tool that {@link createEnvTool} returns. */
export type EnvTool = InteractiveToolDefinition &
  Typed<Record<string, unknown>, { readonly value: string }> & { readonly env: EnvVariable };

interface EnvVariable {
  readonly name: string;
  readonly type: EnvType;
}

/**
 * Creates an interactive tool whose form asks for the value of an environment variable. The standard agents transport puts the value
 * into the thread (`PUT env/{name}`) and answers the call with `{ name, isSet: true }`: the value does not pass through the model.
 *
 * @example
 * ```ts
 * const clientTools = { 'set-github-token': createEnvTool({ name: 'GITHUB_TOKEN', description: 'To read your issues.' }) };
 * ```
 */
export function createEnvTool({
  name,
  type = 'secret',
  title,
  description,
  label = name,
}: EnvToolOptions): EnvTool {
  const definition = defineClientTool({
    interactive: true,
    ui: 'form',
    output: createOutput(label, type),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  });
  return Object.assign(definition, { env: { name, type } }) as unknown as EnvTool;
}

/** `zod/mini` leaves the Standard JSON Schema interface out, which the form needs. */
function createOutput(label: string, type: EnvType) {
  // Servers refuse a shorter secret, which cannot be masked: the form says so before the value is sent.
  const value = z.string().check(z.minLength(type === 'secret' ? MIN_HIDDEN_LENGTH : 1));
  const marks = type === 'secret' ? { title: label, writeOnly: true } : { title: label };
  const schema = z.object({ value: value.check(z.meta(marks)) });
  const describe = (io: 'input' | 'output') => () => z.toJSONSchema(schema, { io });
  Object.assign(schema['~standard'], {
    jsonSchema: { input: describe('input'), output: describe('output') },
  });
  return schema;
}

/** Returns the variable of a tool that `createEnvTool` made, or undefined. */
export function findEnvVariable(tool: unknown): EnvVariable | undefined {
  return isRecord(tool) && isRecord(tool.env) ? (tool as unknown as EnvTool).env : undefined;
}
