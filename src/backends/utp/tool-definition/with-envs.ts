import type { HiddenText } from '../../../shared/hide-texts.ts';
import { hasOwn } from '../../../shared/json.ts';
import { UtpToolError } from '../tool-error.ts';
import type { UtpToolFunction } from '../utp-tool.ts';
import { redactResult, redactThrown, toHiddenTexts } from './redact-values.ts';

/** The places from which {@link withEnvs} takes values. */
export interface EnvSources {
  /** Values by argument, from the configuration of the service. They win over the environment. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** Values by variable: `process.env`, or the part of it that tool definitions may use. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the function with the arguments that its definition takes from the environment (`options.envs`, CommonGround v1r4). The card of
 * a call has only the names of the variables; the values are filled in right before the function runs, and are stored nowhere: where the
 * function returns or throws one, the card and `onError` get the name of its variable in its place. A value of fewer than four characters is
 * hidden only where it is the whole of a text or a number.
 *
 * A call fails with `internal_error` if a variable is missing or empty. Only the arguments that the card names are filled in.
 */
export function withEnvs(sources: EnvSources, tool: UtpToolFunction): UtpToolFunction {
  return (args, context) => {
    const filled = Object.entries(context.call.envs ?? {}).map(([argument, variable]) => ({
      ...{ argument, variable },
      value: findEnvValue(argument, variable, sources),
    }));
    const values = Object.fromEntries(filled.map(({ argument, value }) => [argument, value]));
    const hidden = filled.flatMap(({ variable, value }) => toHiddenTexts(value, variable));
    if (hidden.length === 0) return tool(args, context);
    return hideIn(hidden, () => tool({ ...args, ...values }, context));
  };
}

/** Runs the work of a tool. Neither what it resolves to nor what it throws has the texts. */
export async function hideIn(hidden: readonly HiddenText[], work: () => unknown): Promise<unknown> {
  let result: unknown;
  try {
    result = await work();
  } catch (thrown) {
    throw redactThrown(thrown, hidden);
  }
  return redactResult(result, hidden);
}

/** Returns the value of a variable. @throws UtpToolError `internal_error` that names the variable if there is none. */
export function findEnvValue(
  argument: string,
  variable: string,
  { configuration = {}, environment }: EnvSources,
): unknown {
  if (hasOwn(configuration, argument)) return configuration[argument];
  const value = hasOwn(environment, variable) ? environment[variable] : undefined;
  if (value) return value;
  throw new UtpToolError(
    'internal_error',
    `The tool service has no value for the argument ${argument}. Set its environment variable ${variable}.`,
  );
}
