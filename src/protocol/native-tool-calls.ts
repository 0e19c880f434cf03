/**
 * Decodes the tool calls of a `client-tool-request` (Octavus wire protocol 2.0, sections 2 and 3).
 *
 * Other malformed events are ignored. A turn cannot go on without its calls, so every function here throws a `TypeError` whose message
 * names the field and its expected type.
 */
import { compact, isRecord } from '../shared/json.ts';
import type { ClientToolRequestEvent, PendingToolCall, ToolResult } from './events.ts';
import { type Check, isName, isNumber, type Raw } from './native-fields.ts';

const NAME = 'a non-empty string';

export function decodeClientToolRequest({
  executionId,
  toolCalls,
  serverToolResults,
}: Raw): ClientToolRequestEvent {
  check(executionId, 'executionId', isName, NAME);
  return {
    type: 'client-tool-request',
    executionId,
    toolCalls: decodeToolCalls(toolCalls),
    serverToolResults: decodeAll(serverToolResults ?? [], 'serverToolResults', decodeToolResult),
  };
}

function decodeToolCalls(raw: unknown): readonly PendingToolCall[] {
  const calls = decodeAll(raw, 'toolCalls', decodeToolCall);
  if (calls.length === 0) throw new TypeError('toolCalls is empty, expected at least one call');
  return calls;
}

/** The fields that this client does not use stay on the call, because its result must repeat them. */
export function decodeToolCall(raw: Raw, path: string): PendingToolCall {
  check(raw.toolCallId, `${path}.toolCallId`, isName, NAME);
  check(raw.toolName, `${path}.toolName`, isName, NAME);
  check(raw.args, `${path}.args`, isRecord, 'an object');
  const { deadline, expiresAt, ...call } = withoutNulls(raw);
  return compact({ ...call, deadline: toTime(deadline) ?? toTime(expiresAt) }) as unknown as PendingToolCall;
}

function decodeToolResult(raw: Raw, path: string): ToolResult {
  check(raw.toolCallId, `${path}.toolCallId`, isName, NAME);
  return withoutNulls(raw) as unknown as ToolResult;
}

/** These fields go back to the server, and the reference server refuses null in all of them but `result`. */
function withoutNulls(raw: Raw): Raw {
  return Object.fromEntries(Object.entries(raw).filter(([key, value]) => value !== null || key === 'result'));
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
  const given = String(JSON.stringify(value)).slice(0, 100);
  throw new TypeError(`${path} is ${given}, expected ${expected}`);
}

/** Returns milliseconds since the epoch, from such a number or an ISO date. */
function toTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return isNumber(time) ? time : undefined;
}
