import { compact, isRecord } from '../../shared/json.ts';
import type { ToolProgress } from '../state/message.ts';

/**
 * Returns what a handler reports, or undefined for a report that says nothing, or has a number that is none (`0 / 0`). A handler must not
 * fail because of it.
 */
export function readProgress(given: unknown): ToolProgress | undefined {
  if (!isRecord(given)) return undefined;
  const { done, total, text } = given;
  const isWrong = [done, total].some(
    (count) => count !== undefined && !(Number.isFinite(count) && Number(count) >= 0),
  );
  if (isWrong || (text !== undefined && typeof text !== 'string')) return undefined;
  const progress = compact({ done, total, text }) as ToolProgress;
  return Object.keys(progress).length > 0 ? Object.freeze(progress) : undefined;
}
