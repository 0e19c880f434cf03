import type { JsonSchema, UtpToolDefinition } from './utp-tool-definition.ts';

const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {} };

/**
 * Returns the schema of the arguments that the model sees (CommonGround v1r4): without the fixed arguments and those of the environment,
 * and with the defaults of the options where the schema has none.
 */
export function toModelParameters({
  parameters = NO_PARAMETERS,
  options = {},
}: UtpToolDefinition): JsonSchema {
  const { args: { defaults = {}, fixed = {} } = {}, envs = {} } = options;
  const isVisible = (name: string) => !Object.hasOwn(fixed, name) && !Object.hasOwn(envs, name);
  const { properties, required } = parameters as { properties?: object; required?: readonly string[] };
  const shown = Object.entries(properties ?? {})
    .filter(([name]) => isVisible(name))
    .map(([name, schema]) => [name, addDefault(schema, name, defaults)]);
  return {
    ...parameters,
    ...(properties && { properties: Object.fromEntries(shown) }),
    ...(required && { required: required.filter(isVisible) }),
  };
}

function addDefault(schema: unknown, name: string, defaults: Readonly<Record<string, unknown>>): unknown {
  if (typeof schema !== 'object' || !Object.hasOwn(defaults, name)) return schema;
  return { default: defaults[name], ...schema };
}
