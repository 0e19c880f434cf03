import type { FileReference } from '../../core/state/message.ts';
import { isRecord, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Labels } from '../text/labels.ts';
import type { Checked } from './check-text.ts';
import type { FileField } from './form-field.ts';

/** The form value of a file field: references of uploaded files, and how many files are not uploaded. */
export interface FileValues {
  readonly files: readonly FileReference[];
  /** Number of files whose upload is running. */
  readonly uploading: number;
  readonly failed: number;
}

/** Writes the value as text, like every leaf of the form values; an empty one is an empty text. */
export function writeFileValues(values: FileValues): string {
  const isEmpty = values.files.length === 0 && values.uploading === 0 && values.failed === 0;
  return isEmpty ? '' : JSON.stringify(values);
}

/** Parses the text of a file field. Text of another kind of field, restored after the schema changed, counts as empty. */
export function parseFileValues(text: unknown): FileValues {
  const parsed = parseJson(String(text));
  const { files, uploading, failed } = isRecord(parsed) ? parsed : {};
  return { files: readReferences(files), uploading: Number(uploading ?? 0), failed: Number(failed ?? 0) };
}

/** Returns the file references in a value, which may be one or a list. */
export function readReferences(value: unknown): readonly FileReference[] {
  return (Array.isArray(value) ? value : [value]).filter(isReference);
}

function isReference(value: unknown): value is FileReference {
  return isRecord(value) && [value.id, value.mediaType, value.url].every((text) => typeof text === 'string');
}

/** Checks a file field that is not empty: its uploads and the number of files. */
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
