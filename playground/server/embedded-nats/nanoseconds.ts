/** JetStream counts durations in nanoseconds, JavaScript in milliseconds. */
export function toMilliseconds(nanoseconds: number): number {
  return nanoseconds / 1_000_000;
}
