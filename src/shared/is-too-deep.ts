/** JSON.parse accepts any depth, but a store or provider that reads the value recursively runs out of stack. */
export const MAX_DEPTH = 1_000;

/** Returns true if a value has more than {@link MAX_DEPTH} objects and arrays inside each other. Ends in a cycle. */
export function isTooDeep(value: unknown): boolean {
  return isDeeperThan(MAX_DEPTH, value);
}

/** Returns true if a value has more than `levels` objects and arrays inside each other. Recursion by a limited depth needs little stack, and makes no object: a list of a million empty lists costs less than its parsing. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeperThan(levels - 1, item)) return true;
    return false;
  }
  for (const key in value) {
    if (isDeeperThan(levels - 1, (value as Record<string, unknown>)[key])) return true;
  }
  return false;
}
