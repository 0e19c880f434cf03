/**
 * Tool calls that somebody has to answer, as the Octavus wire protocol 2.0 carries them (sections 2 and 3).
 *
 * The turn cannot go on without them, so here a fault is told by name instead of passed over.
 */
import { isRecord } from '../shared/json.ts';
import type { ClientToolRequestEvent, PendingToolCall, ToolResult } from './events.ts';
import type { Raw } from './native-fields.ts';

/** What is wrong with a request, in words that go into an error message. */
export interface Fault {
  readonly fault: string;
}

export function decodeClientToolRequest(raw: Raw): ClientToolRequestEvent | Fault {
  if (typeof raw.executionId !== 'string' || raw.executionId === '') {
    return { fault: 'executionId is missing, expected a non-empty string' };
  }
  const toolCalls = decodeToolCalls(raw.toolCalls);
  if ('fault' in toolCalls) return toolCalls;
  const event: ClientToolRequestEvent = {
    type: 'client-tool-request',
    executionId: raw.executionId,
    toolCalls,
  };
  if (raw.serverToolResults === undefined || raw.serverToolResults === null) return event;
  const serverToolResults = decodeAll(raw.serverToolResults, 'serverToolResults', decodeToolResult);
  return 'fault' in serverToolResults ? serverToolResults : { ...event, serverToolResults };
}

export function decodeToolCalls(raw: unknown): readonly PendingToolCall[] | Fault {
  const calls = decodeAll(raw, 'toolCalls', decodeToolCall);
  if ('fault' in calls || calls.length > 0) return calls;
  return { fault: 'toolCalls is empty, expected at least one call' };
}

/** Keys we do not know stay: the call's result repeats them. */
function decodeToolCall(raw: Raw, path: string): PendingToolCall | Fault {
  const { source, outputVariable, blockIndex, deadline, expiresAt, ...call } = raw;
  const fault =
    faultOf(call.toolCallId, `${path}.toolCallId`) ??
    faultOf(call.toolName, `${path}.toolName`) ??
    (isRecord(call.args) ? undefined : `${path}.args is ${nameType(call.args)}, expected an object`) ??
    (isAbsent(outputVariable) ? undefined : faultOf(outputVariable, `${path}.outputVariable`)) ??
    (isAbsent(blockIndex) || typeof blockIndex === 'number'
      ? undefined
      : `${path}.blockIndex is ${nameType(blockIndex)}, expected a number`);
  if (fault !== undefined) return { fault };
  const dueAt = toTime(deadline) ?? toTime(expiresAt);
  return {
    ...call,
    ...(source === 'llm' || source === 'block' ? { source } : {}),
    ...(isAbsent(outputVariable) ? {} : { outputVariable }),
    ...(isAbsent(blockIndex) ? {} : { blockIndex }),
    ...(dueAt === undefined ? {} : { deadline: dueAt }),
  } as PendingToolCall;
}

/** Results of server tools go back as they came, without the nulls that the reference server would refuse. */
function decodeToolResult(raw: Raw, path: string): ToolResult | Fault {
  const fault = faultOf(raw.toolCallId, `${path}.toolCallId`);
  if (fault !== undefined) return { fault };
  const kept = Object.entries(raw).filter(([key, value]) => value !== null || key === 'result');
  return Object.fromEntries(kept) as unknown as ToolResult;
}

function decodeAll<Item extends object>(
  raw: unknown,
  name: string,
  decode: (item: Raw, path: string) => Item | Fault,
): readonly Item[] | Fault {
  if (!Array.isArray(raw)) return { fault: `${name} is ${nameType(raw)}, expected a list` };
  const items: Item[] = [];
  for (const [index, item] of raw.entries()) {
    const path = `${name}[${index}]`;
    const decoded = isRecord(item)
      ? decode(item, path)
      : { fault: `${path} is ${nameType(item)}, expected an object` };
    if ('fault' in decoded) return decoded as Fault;
    items.push(decoded);
  }
  return items;
}

function faultOf(value: unknown, path: string): string | undefined {
  return typeof value === 'string' && value !== ''
    ? undefined
    : `${path} is ${value === '' ? 'empty' : nameType(value)}, expected a non-empty string`;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Milliseconds since the epoch, from a number of them or an ISO date. */
function toTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined;
}

function nameType(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
