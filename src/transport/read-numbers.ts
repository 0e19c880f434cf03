import { invalidOptions } from '../shared/errors.ts';
import { compact } from '../shared/json.ts';

/**
 * The numbers of an option, those that are not set by default.
 *
 * @throws AgentChatError `invalid_options` for one that is no number of 0 or more.
 */
export function readNumbers<Name extends string>(
  option: string,
  given: { readonly [Key in Name]?: number } | null | undefined,
  defaults: Readonly<Record<Name, number>>,
): Record<Name, number> {
  // Settings of an app that are not set come as undefined.
  const numbers = { ...defaults, ...compact(given ?? {}) };
  for (const name in defaults) {
    const value: unknown = numbers[name];
    if (typeof value === 'number' && value >= 0) continue;
    throw invalidOptions(`${option}.${name} must be a number of 0 or more, not ${String(value)}.`);
  }
  return numbers;
}
