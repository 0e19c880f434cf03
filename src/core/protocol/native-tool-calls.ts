/**
 * Decodes the tool calls of a `client-tool-request` (Octavus wire protocol 2.0, sections 2 and 3), and the `snapshot` of an `open`
 * request, an addition of `handrail/server`.
 *
 * Other malformed events are ignored. A turn cannot go on without its calls, so every function here throws a `TypeError` whose message
 * names the field and its expected type.
 */
import { compact, isRecord } from '../../shared/json.ts';
import { toSeverity } from '../../shared/severity.ts';
import type { UIMessage } from '../state/message.ts';
import type {
  CallQuestion,
  ClientToolRequestEvent,
  PendingToolCall,
  SnapshotEvent,
  ToolResult,
} from './events.ts';
import { type Check, isName, isNumber, isString, pickPassing, type Raw } from './native-fields.ts';

const NAME = 'a non-empty string';
const DIALOGS = ['confirm', 'form', 'choice'] as const satisfies readonly CallQuestion['ui'][];

export function decodeClientToolRequest({
  executionId,
  toolCalls,
  serverToolResults,
  partial,
}: Raw): ClientToolRequestEvent {
  check(executionId, 'executionId', isName, NAME);
  return {
    ...(partial === true && { partial }),
    type: 'client-tool-request',
    executionId,
    toolCalls: decodeToolCalls(toolCalls),
    serverToolResults: decodeAll(serverToolResults ?? [], 'serverToolResults', decodeToolResult),
  };
}

/** A cursor of the frame itself counts, because the snapshot is no event of the run that the cursor is a position in. */
export function decodeSnapshotEvent(raw: Raw): SnapshotEvent {
  return {
    type: 'snapshot',
    messages: decodeAll(raw.messages, 'messages', decodeMessage),
    openCalls: decodeAll(raw.openCalls, 'openCalls', decodeToolCall),
    ...pickPassing(raw, { executionId: isName, cursor: isString }),
    ...(isRecord(raw.restsAt) &&
      isString(raw.restsAt.cursor) && {
        restsAt: { cursor: raw.restsAt.cursor, ...pickPassing(raw.restsAt, { executionId: isName }) },
      }),
  };
}

/** The server has made the message, so only what the page could not go on without is checked. */
function decodeMessage(raw: Raw, path: string): UIMessage {
  const { id, createdAt } = raw;
  check(id, `${path}.id`, isName, NAME);
  check(createdAt, `${path}.createdAt`, isTime, 'a date');
  const parts = decodeAll(raw.parts, `${path}.parts`, (part) => part);
  return { ...raw, parts, createdAt: new Date(createdAt) } as unknown as UIMessage;
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
  const { executedBy, mayAnswer = true, originalArgs, question } = call;
  return compact({
    ...call,
    deadline: toTime(deadline) ?? toTime(expiresAt),
    executedBy: executedBy === 'server' ? executedBy : undefined,
    mayAnswer: mayAnswer === true ? undefined : false,
    originalArgs: isRecord(originalArgs) ? originalArgs : undefined,
    question: isRecord(question) ? decodeQuestion(question) : undefined,
  }) as unknown as PendingToolCall;
}

/** A word that guards counts as the most careful one if it is unknown. Fields that only a later client knows stay. */
function decodeQuestion(raw: Raw): Raw {
  const { severity, ui, editable, remember, reason, title, inputSchema, ...rest } = withoutNulls(raw);
  return compact({
    ...rest,
    severity: severity === undefined ? undefined : toSeverity(severity),
    ui: DIALOGS.find((kind) => kind === ui),
    editable: editable === true || undefined,
    remember: remember === true || undefined,
    reason: reason === undefined ? undefined : 'required',
    // The transcript shows both, and a storage refuses a message in which they are something else.
    title: isString(title) ? title : undefined,
    inputSchema: isRecord(inputSchema) ? inputSchema : undefined,
  });
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

const isTime: Check<string | number> = (value): value is string | number => toTime(value) !== undefined;

/** Returns milliseconds since the epoch, from such a number or an ISO date. */
function toTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return isNumber(time) ? time : undefined;
}
