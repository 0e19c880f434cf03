/**
 * Returns the seconds of a `Retry-After` header, which is a number of seconds or a date (RFC 9110, section 10.2.3). Takes a fraction as
 * well, which some servers send.
 *
 * @param now Milliseconds since the epoch.
 */
export function parseRetryAfter(header: string | null | undefined, now: number): number | undefined {
  if (!header?.trim()) return undefined;
  const seconds = Number(header);
  // Numbers first: Date.parse takes `1.5` for the fifth of January.
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
