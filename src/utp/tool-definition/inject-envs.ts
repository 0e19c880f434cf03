/** Where the executor takes the values of `envs` from. */
export interface EnvSources {
  /** Values by argument, from the configuration of the service. They win over the environment. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** Values by variable, usually `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The arguments with their secret values. Keep them out of cards and logs. */
export interface InjectedArguments {
  readonly args: Readonly<Record<string, unknown>>;
  /** The arguments that stay absent, because their variable is missing or empty. */
  readonly missing: readonly string[];
}

/**
 * Fills in the arguments that a tool takes from the environment (`options.envs`, CommonGround v1r4), right before it runs.
 *
 * @param envs Variable names by argument: `tool_args_envs` in the metadata of the `tool.call` card.
 */
export function injectEnvs(
  args: Readonly<Record<string, unknown>>,
  envs: Readonly<Record<string, string>>,
  { configuration = {}, environment }: EnvSources,
): InjectedArguments {
  const find = (argument: string, variable: string) =>
    Object.hasOwn(configuration, argument) ? configuration[argument] : environment[variable] || undefined;
  const values = Object.entries(envs).map(
    ([argument, variable]) => [argument, find(argument, variable)] as const,
  );
  return {
    args: { ...args, ...Object.fromEntries(values.filter(([, value]) => value !== undefined)) },
    missing: values.filter(([, value]) => value === undefined).map(([argument]) => argument),
  };
}
