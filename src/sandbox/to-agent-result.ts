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
/** Characters told of the result, of all reports and of all logs: more than fits, and done in a moment. */
const MOST_TOLD = 100_000;

/** What JSON has no word for is put into words: `undefined` as null, `Map` as entries, bytes by their number. */
export function toAgentResult(outcome: CodeExecutionResult): RunCodeResult {
  const { status, error, durationMs } = outcome;
  const [tellResult, tellReport, tellLogged] = [createTeller(), createTeller(), createTeller()];
  const reports = tellList(outcome.reports, (value) => shorten(tellReport(value)));
  const logs = tellList(outcome.logs, ({ level, args }) => ({
    level,
    args: args.map((arg) => shorten(tellLogged(arg))),
  }));
  return {
    status,
    ...(status === 'success' && { result: shorten(tellResult(outcome.result)) }),
    ...(reports.length > 0 && { reports }),
    ...(logs.length > 0 && { logs }),
    ...(error !== undefined && { error }),
    durationMs: Math.round(durationMs),
  } as RunCodeResult;
}

/**
 * Puts values of a program as JSON. One that holds the same part over and over, or the same long text, would be
 * endlessly large, so once this many characters were told, of all values together, the rest is left out.
 */
export function createTeller(most: number = MOST_TOLD): (value: unknown) => JsonValue {
  let length = 0;
  return (value) => put(value, []);

  function put(value: unknown, ancestors: readonly object[]): JsonValue {
    if (length > most) return '[left out]';
    const told = putAny(value, ancestors);
    length += typeof told === 'string' ? told.length : 1;
    return told;
  }

  function putAny(value: unknown, ancestors: readonly object[]): JsonValue {
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
        return value === null ? null : putObject(value, ancestors);
      default:
        return null;
    }
  }

  function putObject(value: object, ancestors: readonly object[]): JsonValue {
    if (ancestors.includes(value)) return '[contains itself]';
    const within = [...ancestors, value];
    if (within.length > 100) return '[nested deeper than 100 levels]';
    const inner = (item: unknown) => put(item, within);
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

/** A list loses its end, anything else becomes the beginning of its JSON; both say that they were cut. */
function shorten(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return tellList(value, (item) => item);
  const json = JSON.stringify(value);
  if (json.length <= LONGEST) return value;
  return `${json.slice(0, LONGEST)}… (cut; ${json.length} characters of JSON or more)`;
}

/** Tells no more than fits, so that a list of a hundred thousand costs no more than its beginning. */
function tellList<Item, Told>(
  items: readonly Item[],
  tellItem: (item: Item) => Told,
): readonly (Told | string)[] {
  const told: Told[] = [];
  let length = 0;
  for (const item of items) {
    const value = tellItem(item);
    length += JSON.stringify(value).length + 1;
    if (length > LONGEST) return [...told, `… (cut; ${items.length - told.length} more)`];
    told.push(value);
  }
  return told;
}
