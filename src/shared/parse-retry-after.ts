/**
 * Seconds from `now`: of a `Retry-After` header that is a number of them, with or without a fraction, or a date (RFC 9110,
 * section 10.2.3).
 *
 * @param now milliseconds since the epoch
 */
export function parseRetryAfter(header: string | null | undefined, now: number): number | undefined {
  if (!header?.trim()) return undefined;
  const seconds = Number(header);
  // Date.parse would take 1.5 for a day in January.
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
