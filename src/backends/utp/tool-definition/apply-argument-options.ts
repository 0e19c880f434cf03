import { renderTemplate, type UtpTemplateFields } from './render-template.ts';
import type { UtpToolOptions } from './utp-tool-definition.ts';

/** The arguments for the `tool.call` card, and what its metadata records about them. */
export interface AppliedArguments {
  readonly args: Readonly<Record<string, unknown>>;
  /** Only the entries that apply. Environment variables are recorded by name, never by value. */
  readonly metadata: {
    readonly tool_args_defaults_applied?: readonly string[];
    readonly tool_args_fixed_applied?: readonly string[];
    readonly tool_args_envs?: Readonly<Record<string, string>>;
  };
}

/**
 * Applies the options of a tool to the arguments of the model (CommonGround v1r4). An argument of the environment is removed, and neither
 * a default nor a fixed value replaces it. A default is used if the model gave no such argument. A fixed value always wins.
 *
 * @param fields The values of the placeholders in defaults and fixed values.
 */
export function applyArgumentOptions(
  given: Readonly<Record<string, unknown>>,
  { args: { defaults = {}, fixed = {} } = {}, envs = {} }: UtpToolOptions,
  fields: UtpTemplateFields,
): AppliedArguments {
  const isOfEnvironment = (name: string) => Object.hasOwn(envs, name);
  const own = pick(given, (name) => !isOfEnvironment(name));
  const added = pick(defaults, (name) => !isOfEnvironment(name) && !Object.hasOwn(own, name), fields);
  const replaced = pick(fixed, (name) => !isOfEnvironment(name), fields);
  return {
    args: { ...own, ...added, ...replaced },
    metadata: {
      ...(isEmpty(added) ? {} : { tool_args_defaults_applied: Object.keys(added).sort() }),
      ...(isEmpty(replaced) ? {} : { tool_args_fixed_applied: Object.keys(replaced).sort() }),
      ...(isEmpty(envs) ? {} : { tool_args_envs: envs }),
    },
  };
}

function pick(
  values: Readonly<Record<string, unknown>>,
  wanted: (name: string) => boolean,
  fields: UtpTemplateFields = {},
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(values).filter(([name]) => wanted(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, renderTemplate(value, fields)]));
}

function isEmpty(values: object): boolean {
  return Object.keys(values).length === 0;
}
