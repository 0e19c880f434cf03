/** What a file field holds while it is filled in: references of what is uploaded, and how much is not. */
import { isRecord, type JsonValue } from '../../shared/json.ts';
import type { FileReference } from '../../state/message.ts';
import type { Labels } from '../text/labels.ts';
import type { Checked } from './check-text.ts';
import type { FileField } from './form-field.ts';

export interface FileValues {
  readonly files: readonly FileReference[];
  /** Files still on their way. */
  readonly uploading: number;
  readonly failed: number;
}

/** As text, because every leaf of a draft is one; empty when there is nothing. */
export function writeFileValues(draft: FileValues): string {
  const isEmpty = draft.files.length === 0 && draft.uploading === 0 && draft.failed === 0;
  return isEmpty ? '' : JSON.stringify(draft);
}

export function parseFileValues(text: unknown): FileValues {
  const draft = parse(text);
  const { files, uploading, failed } = isRecord(draft) ? draft : {};
  return { files: readReferences(files), uploading: Number(uploading ?? 0), failed: Number(failed ?? 0) };
}

/** A draft may be empty, or kept from a form that asked for something else in this place. */
function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

/** The references among what a value holds, one or several. */
export function readReferences(value: unknown): readonly FileReference[] {
  return (Array.isArray(value) ? value : [value]).filter(isReference);
}

function isReference(value: unknown): value is FileReference {
  return isRecord(value) && [value.id, value.mediaType, value.url].every((text) => typeof text === 'string');
}

/** Never called with a blank draft. */
export function checkFiles(field: FileField, text: string, labels: Labels): Checked {
  const { files, uploading, failed } = parseFileValues(text);
  if (uploading > 0) return { message: labels.uploadsUnfinished };
  if (failed > 0) return { message: labels.uploadsFailed };
  const values = files.map((file): JsonValue => ({ ...file }));
  const value = field.multiple ? values : (values[0] ?? null);
  const { minItems = 0, maxItems } = field;
  if (files.length < minItems) return { message: labels.tooFewItems(minItems), value };
  if (maxItems !== undefined && files.length > maxItems)
    return { message: labels.tooManyItems(maxItems), value };
  return { value };
}
