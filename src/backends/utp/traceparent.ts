/** Trace headers of W3C Trace Context: `00-<trace id>-<span id>-<flags>`. */

/** Ids of zeros alone, and the version `ff`, are invalid. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})$/;

/** The flag of a trace that is recorded. The version `00` has no other flag. */
const SAMPLED = 1;

/**
 * Returns the `traceparent` of a new span below the given one: the same trace id, another span id, and sampled if the parent is. A text that
 * is no `traceparent`, or none at all, starts a new trace: a call is worth more than its trace.
 */
export function createChildSpan(parent: string | undefined): string {
  const [, traceId = randomHex(16), flags = '01'] = parse(parent);
  return `00-${traceId}-${randomHex(8)}-0${Number.parseInt(flags, 16) & SAMPLED}`;
}

/** Returns the trace id of a `traceparent`, or undefined if the text is none. */
export function readTraceId(traceparent: string | undefined): string | undefined {
  return parse(traceparent)[1];
}

function parse(traceparent: string | undefined): readonly (string | undefined)[] {
  return TRACEPARENT.exec(traceparent?.trim().toLowerCase() ?? '') ?? [];
}

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
