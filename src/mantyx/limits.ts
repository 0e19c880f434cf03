/** Saying which limit a value breaks: the field, the limit and the value, in one sentence. */
import { invalidOptions } from '../shared/errors.ts';
import { isRecord } from '../shared/json.ts';

/** Characters of a value that may go into a message. */
const EXCERPT_LENGTH = 60;

/** What names a tool, an agent or a server (Mantyx protocol 0.11, section 2). */
export const TOOL_NAME = /^[a-zA-Z0-9_]{1,64}$/;

const encoder = /* @__PURE__ */ new TextEncoder();

export function countBytes(text: string): number {
  return encoder.encode(text).byteLength;
}

/** @throws AgentChatError `invalid_options` unless the value keeps to the limit. */
export function demand(holds: boolean, field: string, limit: string, value: unknown): asserts holds {
  if (!holds)
    throw invalidOptions(`Mantyx: ${field} must be ${limit}, not ${excerpt(value)}. Nothing was sent.`);
}

export function demandText(value: unknown, field: string): asserts value is string {
  demand(typeof value === 'string' && value !== '', field, 'a text that is not empty', value);
}

export function demandOptionalText(value: unknown, field: string): void {
  demand(value === undefined || typeof value === 'string', field, 'a text', value);
}

export function demandInteger(
  value: unknown,
  least: number,
  most: number,
  field: string,
): asserts value is number {
  const holds = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
  demand(holds, field, `a whole number from ${least} to ${most}`, value);
}

export function demandRecord(value: unknown, field: string): asserts value is Record<string, unknown> {
  demand(isRecord(value), field, 'an object', value);
}

export function demandPattern(value: unknown, pattern: RegExp, field: string): void {
  demand(
    typeof value === 'string' && pattern.test(value),
    field,
    `a text that matches ${pattern.source}`,
    value,
  );
}

/** @param limit in words, such as `2 MB` */
export function demandBytes(text: string, most: number, limit: string, field: string): void {
  const bytes = countBytes(text);
  if (bytes <= most) return;
  throw invalidOptions(
    `Mantyx: ${field} must be at most ${limit} in UTF-8, not ${bytes} bytes. Nothing was sent.`,
  );
}

function excerpt(value: unknown): string {
  const isText = typeof value === 'string';
  const text = isText ? value : spell(value);
  const short = text.slice(0, EXCERPT_LENGTH);
  const shown = isText ? JSON.stringify(short) : short;
  return text.length > EXCERPT_LENGTH ? `${shown}… (${text.length} characters)` : shown;
}

/** As JSON, which has no word for some values and throws over others. */
function spell(value: unknown): string {
  if (typeof value === 'number') return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
