import type { FileField } from './form-field.ts';
import { type Base, type JsonSchema, ownNumber, ownString } from './json-schema.ts';

/** Whether a schema asks for a file: `format: 'file'`, as `fileReference` has it, or OpenAPI's `format: 'binary'`. */
export function isFile(node: JsonSchema): boolean {
  return node.format === 'file' || node.format === 'binary';
}

/** `accept` and `maxSize` (bytes) are ours; `contentMediaType` and `maxLength` say the same in JSON Schema. */
export function readFileField(
  node: JsonSchema,
  base: Base,
  several: Pick<FileField, 'multiple' | 'minItems' | 'maxItems'> = { multiple: false },
): FileField {
  const { accept } = node;
  return {
    kind: 'file',
    ...base,
    ...several,
    accept: Array.isArray(accept)
      ? accept.join(',')
      : (ownString(node, 'accept') ?? ownString(node, 'contentMediaType')),
    maxSize: ownNumber(node, 'maxSize') ?? ownNumber(node, 'maxLength'),
  };
}
