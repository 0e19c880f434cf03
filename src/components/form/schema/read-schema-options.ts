import { hasOwn, isRecord, type JsonValue, ownString } from '../../../shared/json.ts';
import { type FieldOption, toOption } from '../../text/read-options.ts';
import type { JsonSchema } from './json-schema.ts';

/** Reads options from `enum` (with the older `enumNames`), `const`, and `oneOf`/`anyOf` of `const`s with titles. */
export function readSchemaOptions(node: JsonSchema): readonly FieldOption[] | undefined {
  if (hasOwn(node, 'const')) return [toOption(node.const as JsonValue, ownString(node, 'title'))];
  if (Array.isArray(node.enum)) {
    const names =
      Array.isArray(node.enumNames) && node.enumNames.length === node.enum.length ? node.enumNames : [];
    return node.enum.map((value, index) => toOption(value as JsonValue, names[index]));
  }
  for (const key of ['oneOf', 'anyOf'] as const) {
    const list = node[key];
    if (!Array.isArray(list) || list.length === 0) continue;
    if (!list.every((item) => isRecord(item) && hasOwn(item, 'const') && item.const !== null)) continue;
    return list.map((item) => ({
      ...toOption(item.const as JsonValue, item.title),
      description: ownString(item, 'description'),
    }));
  }
  return undefined;
}
