import { UtpToolError } from '../tool-error.ts';
import type { UtpToolFunction } from '../utp-tool.ts';

/** The places from which {@link withEnvs} takes values. */
export interface EnvSources {
  /** Values by argument, from the configuration of the service. They win over the environment. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** Values by variable: `process.env`, or the part of it that tool definitions may use. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the function with the arguments that its definition takes from the environment (`options.envs`, CommonGround v1r4). The card of
 * a call has only the names of the variables; the values are filled in right before the function runs, and are stored nowhere.
 *
 * A call fails with `internal_error` if a variable is missing or empty. Only the arguments that the card names are filled in.
 */
export function withEnvs(sources: EnvSources, tool: UtpToolFunction): UtpToolFunction {
  return (args, context) => {
    const entries = Object.entries(context.call.envs ?? {});
    const values = entries.map(([argument, variable]) => [argument, findValue(argument, variable, sources)]);
    return tool({ ...args, ...Object.fromEntries(values) }, context);
  };
}

function findValue(
  argument: string,
  variable: string,
  { configuration = {}, environment }: EnvSources,
): unknown {
  if (Object.hasOwn(configuration, argument)) return configuration[argument];
  const value = environment[variable];
  if (value) return value;
  throw new UtpToolError(
    'internal_error',
    `The tool service has no value for the argument ${argument}. Set its environment variable ${variable}.`,
  );
}
