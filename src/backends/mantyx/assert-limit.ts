/** Checks values against the limits of Mantyx. An error names the field, the limit and the value. */
import { invalidOptions } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';

/** Longest excerpt of a value in an error text, in characters. */
const EXCERPT_LENGTH = 60;

/** The name of a tool, an agent or a server (Mantyx protocol 0.11, section 2). */
export const TOOL_NAME = /^[a-zA-Z0-9_]{1,64}$/;

const encoder = /* @__PURE__ */ new TextEncoder();

export function countBytes(text: string): number {
  return encoder.encode(text).byteLength;
}

/** @throws AgentChatError `invalid_options` unless `holds`. */
export function assertLimit(holds: boolean, field: string, limit: string, value: unknown): asserts holds {
  if (!holds)
    throw invalidOptions(`Mantyx: ${field} must be ${limit}, not ${excerpt(value)}. Nothing was sent.`);
}

export function assertText(value: unknown, field: string): asserts value is string {
  assertLimit(typeof value === 'string' && value !== '', field, 'a text that is not empty', value);
}

export function assertOptionalText(value: unknown, field: string): void {
  assertLimit(value === undefined || typeof value === 'string', field, 'a text', value);
}

export function assertInteger(
  value: unknown,
  min: number,
  max: number,
  field: string,
): asserts value is number {
  const holds = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
  assertLimit(holds, field, `a whole number from ${min} to ${max}`, value);
}

export function assertRecord(value: unknown, field: string): asserts value is Record<string, unknown> {
  assertLimit(isRecord(value), field, 'an object', value);
}

export function assertPattern(value: unknown, pattern: RegExp, field: string): void {
  assertLimit(
    typeof value === 'string' && pattern.test(value),
    field,
    `a text that matches ${pattern.source}`,
    value,
  );
}

/** @param limit the limit for the error text, such as `2 MB` */
export function assertBytes(text: string, maxBytes: number, limit: string, field: string): void {
  const bytes = countBytes(text);
  if (bytes <= maxBytes) return;
  throw invalidOptions(
    `Mantyx: ${field} must be at most ${limit} in UTF-8, not ${bytes} bytes. Nothing was sent.`,
  );
}

function excerpt(value: unknown): string {
  const isText = typeof value === 'string';
  const text = isText ? value : stringify(value);
  const short = text.slice(0, EXCERPT_LENGTH);
  const shown = isText ? JSON.stringify(short) : short;
  return text.length > EXCERPT_LENGTH ? `${shown}… (${text.length} characters)` : shown;
}

/** JSON if possible. JSON.stringify returns undefined for some values and throws for others. */
function stringify(value: unknown): string {
  if (typeof value === 'number') return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
