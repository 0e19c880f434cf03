import { isRecord } from './json.ts';

/**
 * Returns the canonical text of a JSON value (RFC 8785): the same value gives the same text, whatever the order of its keys. Numbers
 * and strings are written as `JSON.stringify` writes them, as the RFC says.
 *
 * Half of a surrogate pair, which a model may write, is escaped. The RFC refuses such a text, but then a call could not be asked about.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  // `sort` compares UTF-16 code units, the order of RFC 8785, section 3.2.3.
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(',')}}`;
}
