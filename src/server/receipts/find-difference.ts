import { deepEqual } from '../../shared/deep-equal.ts';

/** Returns the name of the first expected claim that a receipt does not have so. Claims that are not expected are not compared. */
export function findDifference<Claims extends object>(
  expected: { readonly [Name in keyof Claims]?: Claims[Name] | undefined },
  claims: Claims,
): string | undefined {
  const names = Object.keys(expected) as (keyof Claims & string)[];
  return names.find((name) => !deepEqual(expected[name], claims[name]));
}
