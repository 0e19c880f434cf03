/** Values of JSON text that may have stopped in the middle. */
import { createIncrementalJson } from '../../shared/incremental-json.ts';
import { compact, deepFreeze, isRecord } from '../../shared/json.ts';
import type { ObjectPart } from './message.ts';

const UNREADABLE_OBJECT = 'Failed to parse response as JSON';

/** As much of a value as the text gives. */
export function parseArriving(json: string): unknown {
  const parser = createIncrementalJson();
  parser.feed(json);
  return parser.value();
}

/** Arguments are always an object, whatever the model wrote. */
export function toArgs(value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  return Object.freeze(value === undefined || value === null ? {} : { value });
}

/** Completes an object part: the text parses as a whole, or the part gets an error and retains its partial value. */
export function completeObject(part: ObjectPart, json: string, error?: string): ObjectPart {
  try {
    const object: unknown = deepFreeze(JSON.parse(json));
    if (error !== undefined) return { ...part, partial: object, status: 'error', error };
    return { ...part, object, partial: object, status: 'done' };
  } catch {
    return {
      ...part,
      ...compact({ partial: parseArriving(json) }),
      status: 'error',
      error: UNREADABLE_OBJECT,
    };
  }
}
