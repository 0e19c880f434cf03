/** True if two lists hold the same items, by identity and in the same order. */
export function hasSameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
