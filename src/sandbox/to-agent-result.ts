import type { JsonValue } from '../shared/json.ts';
import { defineOwn } from '../shared/json.ts';
import type { CodeExecutionLog, CodeExecutionResult, CodeExecutionStatus } from './code-execution.ts';

/** A result as the agent reads it: JSON, and no longer than a model should have to read. */
export interface RunCodeResult {
  readonly status: CodeExecutionStatus;
  readonly result?: JsonValue;
  readonly reports?: readonly JsonValue[];
  readonly logs?: readonly {
    readonly level: CodeExecutionLog['level'];
    readonly args: readonly JsonValue[];
  }[];
  readonly error?: {
    readonly name: string;
    readonly message: string;
    readonly stack?: string;
    readonly specifier?: string;
    readonly filename?: string;
    readonly line?: number;
    readonly column?: number;
  };
  readonly durationMs: number;
}

/** Characters of JSON the agent gets of one value, and of the lists of reports and logs, each. */
const LONGEST = 20_000;

/** What JSON has no word for is put into words: `undefined` as null, `Map` as entries, bytes by their number. */
export function toAgentResult(outcome: CodeExecutionResult): RunCodeResult {
  const { status, error, durationMs } = outcome;
  const reports = shorten(outcome.reports.map((value) => shorten(toJson(value), LONGEST)));
  const logs = shorten(
    outcome.logs.map(({ level, args }) => ({
      level,
      args: args.map((arg) => shorten(toJson(arg), LONGEST)),
    })),
  );
  return {
    status,
    ...(status === 'success' && { result: shorten(toJson(outcome.result), LONGEST) }),
    ...(reports.length > 0 && { reports }),
    ...(logs.length > 0 && { logs }),
    ...(error !== undefined && { error }),
    durationMs: Math.round(durationMs),
  } as RunCodeResult;
}

function toJson(value: unknown, ancestors: readonly object[] = []): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      // JSON has no -0 either, but nobody would miss it.
      return Number.isFinite(value) ? value + 0 : String(value);
    case 'bigint':
      return `${value}n`;
    case 'object':
      return value === null ? null : objectToJson(value, ancestors);
    default:
      return null;
  }
}

function objectToJson(value: object, ancestors: readonly object[]): JsonValue {
  if (ancestors.includes(value)) return '[contains itself]';
  const within = [...ancestors, value];
  if (within.length > 100) return '[nested deeper than 100 levels]';
  const inner = (item: unknown) => toJson(item, within);
  if (Array.isArray(value)) return Array.from(value, inner);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof Map) return Array.from(value, ([key, item]) => [inner(key), inner(item)]);
  if (value instanceof Set) return Array.from(value, inner);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof RegExp) return String(value);
  if (value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (ArrayBuffer.isView(value)) {
    if (!(Symbol.iterator in value) || value.byteLength > 1000) return `[${value.byteLength} bytes]`;
    return Array.from(value as unknown as Iterable<unknown>, inner);
  }
  const object: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value)) defineOwn(object, key, inner(item));
  return object;
}

/** A list loses its end, anything else becomes the beginning of its JSON; both say that they were cut. */
function shorten<Value>(items: readonly Value[]): readonly (Value | string)[];
function shorten(value: JsonValue, limit: number): JsonValue;
function shorten(value: JsonValue | readonly unknown[], limit: number = LONGEST): unknown {
  const json = JSON.stringify(value);
  if (json.length <= limit) return value;
  if (!Array.isArray(value))
    return `${json.slice(0, limit)}… (cut; ${json.length} characters of JSON in all)`;
  const kept: unknown[] = [];
  let length = 0;
  for (const item of value) {
    length += JSON.stringify(item).length + 1;
    if (length > limit) break;
    kept.push(item);
  }
  return [...kept, `… (cut; ${value.length - kept.length} more)`];
}
