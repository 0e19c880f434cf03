/**
 * Tool calls that wait for an answer, as the Octavus wire protocol 2.0 carries them (sections 2 and 3).
 *
 * The turn cannot go on without them, so a fault is an error and not ignored: every function throws a
 * `TypeError` whose message names the field and its expected type.
 */
import { compact, isRecord } from '../shared/json.ts';
import type { ClientToolRequestEvent, PendingToolCall, ToolResult } from './events.ts';
import { type Check, isName, isNumber, type Raw } from './native-fields.ts';

const NAME = 'a non-empty string';

export function decodeClientToolRequest(raw: Raw): ClientToolRequestEvent {
  const { type, executionId, toolCalls, serverToolResults } = raw;
  check(executionId, 'executionId', isName, NAME);
  const event = { type, executionId, toolCalls: decodeToolCalls(toolCalls) } as ClientToolRequestEvent;
  if (!isPresent(serverToolResults)) return event;
  return {
    ...event,
    serverToolResults: decodeAll(serverToolResults, 'serverToolResults', decodeToolResult),
  };
}

export function decodeToolCalls(raw: unknown): readonly PendingToolCall[] {
  const calls = decodeAll(raw, 'toolCalls', decodeToolCall);
  if (calls.length === 0) throw new TypeError('toolCalls is empty, expected at least one call');
  return calls;
}

/** Retains unknown keys, because the result of the call repeats them. */
function decodeToolCall(raw: Raw, path: string): PendingToolCall {
  const { source, outputVariable, blockIndex, deadline, expiresAt, ...call } = raw;
  check(call.toolCallId, `${path}.toolCallId`, isName, NAME);
  check(call.toolName, `${path}.toolName`, isName, NAME);
  check(call.args, `${path}.args`, isRecord, 'an object');
  if (isPresent(outputVariable)) check(outputVariable, `${path}.outputVariable`, isName, NAME);
  if (isPresent(blockIndex)) check(blockIndex, `${path}.blockIndex`, isNumber, 'a number');
  return compact({
    ...call,
    source: source === 'llm' || source === 'block' ? source : undefined,
    outputVariable: outputVariable ?? undefined,
    blockIndex: blockIndex ?? undefined,
    deadline: toTime(deadline) ?? toTime(expiresAt),
  }) as unknown as PendingToolCall;
}

/** Results of server tools go back as they came, without the nulls that the reference server would refuse. */
function decodeToolResult(raw: Raw, path: string): ToolResult {
  check(raw.toolCallId, `${path}.toolCallId`, isName, NAME);
  const kept = Object.entries(raw).filter(([key, value]) => value !== null || key === 'result');
  return Object.fromEntries(kept) as unknown as ToolResult;
}

function decodeAll<Item>(
  raw: unknown,
  name: string,
  decode: (item: Raw, path: string) => Item,
): readonly Item[] {
  check(raw, name, Array.isArray, 'a list');
  return raw.map((item: unknown, index) => {
    const path = `${name}[${index}]`;
    check(item, path, isRecord, 'an object');
    return decode(item, path);
  });
}

function check<Value>(
  value: unknown,
  path: string,
  passes: Check<Value>,
  expected: string,
): asserts value is Value {
  if (passes(value)) return;
  throw new TypeError(`${path} is ${value === '' ? 'empty' : nameType(value)}, expected ${expected}`);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Milliseconds since the epoch, from a number of them or an ISO date. */
function toTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return isNumber(time) ? time : undefined;
}

function nameType(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
