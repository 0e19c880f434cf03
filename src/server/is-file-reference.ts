import type { FileReference } from '../core/state/message.ts';
import { isRecord } from '../shared/json.ts';

export function isFileReference(value: unknown): value is FileReference {
  return isRecord(value) && ['id', 'mediaType', 'url'].every((key) => typeof value[key] === 'string');
}
