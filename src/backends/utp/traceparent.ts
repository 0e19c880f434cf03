/** Trace headers of W3C Trace Context: `00-<trace id>-<span id>-<flags>`. */

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/;

/**
 * Returns the `traceparent` of a new span below the given one: the same trace id, another span id. A text that is no `traceparent`, or
 * none at all, starts a new trace: a call is worth more than its trace.
 */
export function createChildSpan(parent: string | undefined): string {
  return `00-${readTraceId(parent) ?? randomHex(16)}-${randomHex(8)}-01`;
}

/** Returns the trace id of a `traceparent`, or undefined if the text is none. An id of zeros alone is no id. */
export function readTraceId(traceparent: string | undefined): string | undefined {
  const [, traceId = ''] = TRACEPARENT.exec(traceparent?.trim().toLowerCase() ?? '') ?? [];
  return /[^0]/.test(traceId) ? traceId : undefined;
}

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
