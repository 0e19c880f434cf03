import type { JsonValue } from '../shared/json.ts';
import { defineOwn } from '../shared/json.ts';
import type { CodeExecutionLog, CodeExecutionResult, CodeExecutionStatus } from './code-execution.ts';

/** The result of a run for the agent: JSON, cut to a length that a model can read. */
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

/** The limit for the JSON of the result, of all reports and of all logs, in characters each. */
const MAX_LENGTH = 20_000;
/** The conversion to JSON stops after this many characters: more than MAX_LENGTH, and still done in a moment. */
const MAX_CONVERTED = 100_000;

/**
 * Converts a result to JSON for the agent. Values that JSON lacks get a readable form: `undefined` becomes null, a `Map` a
 * list of its entries, long binary data its number of bytes.
 */
export function toAgentResult(outcome: CodeExecutionResult): RunCodeResult {
  const { status, error, durationMs } = outcome;
  const [convertResult, convertReport, convertLogged] = [
    createJsonConverter(),
    createJsonConverter(),
    createJsonConverter(),
  ];
  const reports = cutList(outcome.reports, (value) => shorten(convertReport(value)));
  const logs = cutList(outcome.logs, ({ level, args }) => ({
    level,
    args: args.map((arg) => shorten(convertLogged(arg))),
  }));
  return {
    status,
    ...(status === 'success' && { result: shorten(convertResult(outcome.result)) }),
    ...(reports.length > 0 && { reports }),
    ...(logs.length > 0 && { logs }),
    ...(error !== undefined && { error }),
    durationMs: Math.round(durationMs),
  } as RunCodeResult;
}

/**
 * Returns a function that converts values of a program to JSON. A value may refer to the same part or the same long text
 * very often, and its JSON would be endless, so the function leaves out everything after `max` characters in total.
 */
export function createJsonConverter(max: number = MAX_CONVERTED): (value: unknown) => JsonValue {
  let length = 0;
  return (value) => convert(value, []);

  function convert(value: unknown, ancestors: readonly object[]): JsonValue {
    if (length > max) return '[left out]';
    const converted = convertAny(value, ancestors);
    length += typeof converted === 'string' ? converted.length : 1;
    return converted;
  }

  function convertAny(value: unknown, ancestors: readonly object[]): JsonValue {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        // Adding 0 turns -0, which JSON lacks, into 0.
        return Number.isFinite(value) ? value + 0 : String(value);
      case 'bigint':
        return `${value}n`;
      case 'object':
        return value === null ? null : convertObject(value, ancestors);
      default:
        return null;
    }
  }

  function convertObject(value: object, ancestors: readonly object[]): JsonValue {
    if (ancestors.includes(value)) return '[contains itself]';
    const within = [...ancestors, value];
    if (within.length > 100) return '[nested deeper than 100 levels]';
    const inner = (item: unknown) => convert(item, within);
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
    for (const [key, item] of Object.entries(value)) {
      length += key.length;
      defineOwn(object, key, inner(item));
    }
    return object;
  }
}

/** Cuts a value that is too long: a list loses its end, any other value becomes the beginning of its JSON. */
function shorten(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return cutList(value, (item) => item);
  const json = JSON.stringify(value);
  if (json.length <= MAX_LENGTH) return value;
  return `${json.slice(0, MAX_LENGTH)}… (cut; ${json.length} characters of JSON or more)`;
}

/** Converts items until the limit is reached, so that a list of 100,000 items costs no more than its beginning. */
function cutList<Item, Converted>(
  items: readonly Item[],
  convertItem: (item: Item) => Converted,
): readonly (Converted | string)[] {
  const converted: Converted[] = [];
  let length = 0;
  for (const item of items) {
    const value = convertItem(item);
    length += JSON.stringify(value).length + 1;
    if (length > MAX_LENGTH) return [...converted, `… (cut; ${items.length - converted.length} more)`];
    converted.push(value);
  }
  return converted;
}
