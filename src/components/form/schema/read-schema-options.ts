import { hasOwn, isRecord, type JsonValue, ownString } from '../../../shared/json.ts';
import { type FieldOption, toOption } from '../../text/read-options.ts';
import { humaniseName } from '../../text/safe-text.ts';
import type { JsonSchema } from './json-schema.ts';

/** Reads options from `enum` (with the older `enumNames`), `const`, and `oneOf`/`anyOf` of `const`s with titles. */
export function readSchemaOptions(node: JsonSchema): readonly FieldOption[] | undefined {
  if (hasOwn(node, 'const')) return [toOption(node.const as JsonValue, ownString(node, 'title'))];
  if (Array.isArray(node.enum)) {
    const names =
      Array.isArray(node.enumNames) && node.enumNames.length === node.enum.length ? node.enumNames : [];
    return node.enum.map((value, index) =>
      toOption(value as JsonValue, names[index] ?? humaniseValue(value)),
    );
  }
  for (const key of ['oneOf', 'anyOf'] as const) {
    const list = node[key];
    if (!Array.isArray(list) || list.length === 0) continue;
    if (!list.every((item) => isRecord(item) && hasOwn(item, 'const') && item.const !== null)) continue;
    return list.map((item) => ({
      ...toOption(item.const as JsonValue, item.title ?? humaniseValue(item.const)),
      description: ownString(item, 'description'),
    }));
  }
  return undefined;
}

/** `in_transit`, `in-transit` and `inTransit`. Two letters are a code, such as that of a country. */
const IDENTIFIER = /^(?:[a-z]{3,}|[a-z][a-z0-9]*(?:[_-][a-z0-9]+)+|[a-z]{2,}(?:[A-Z][a-z]+)+)$/;
const CONSTANT = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** Returns the words of a value that is written for programs: `in_transit` and `IN_TRANSIT` become `In transit`. */
function humaniseValue(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (CONSTANT.test(value)) return humaniseName(value.toLowerCase());
  return IDENTIFIER.test(value) ? humaniseName(value) : undefined;
}
