import { hasOwn, isRecord } from '../../shared/json.ts';
import type { ResultFile } from './events.ts';

/**
 * Returns the result of a tool for a wire that has no place for its files: they are in the result, as `files`. A file whose address the
 * handler has put there itself is not added once more.
 */
export function withFiles(result: unknown, files: readonly ResultFile[] = []): unknown {
  const text = JSON.stringify(result ?? null);
  const missing = files.filter(({ url }) => !text.includes(JSON.stringify(url)));
  if (missing.length === 0) return result;
  return isRecord(result) && !hasOwn(result, 'files')
    ? { ...result, files: missing }
    : { result: result ?? null, files: missing };
}
