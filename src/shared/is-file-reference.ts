import { isRecord } from './json.ts';

/** Returns true for a reference to an uploaded file. Its other fields may be anything. */
export function isFileReference(
  value: unknown,
): value is { readonly id: string; readonly mediaType: string; readonly url: string } {
  return isRecord(value) && ['id', 'mediaType', 'url'].every((key) => typeof value[key] === 'string');
}
