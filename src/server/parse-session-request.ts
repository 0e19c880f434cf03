/** Parses the request of a client (Octavus protocol 2.0, section 2, plus `resume`). Trusts nothing in it. */
import type { ToolDescription } from '../core/protocol/commands.ts';
import type { ErrorEvent, ResultFile, ToolResult } from '../core/protocol/events.ts';
import { isFileReference } from '../shared/is-file-reference.ts';
import { isTooDeep, MAX_DEPTH } from '../shared/is-too-deep.ts';
import { isRecord } from '../shared/json.ts';
import { isToolOutcome, TOOL_OUTCOMES } from '../shared/tool-outcome.ts';
import { readClientTools } from './read-client-tools.ts';
import { refusal } from './session-errors.ts';

export interface TriggerRequest {
  readonly type: 'trigger';
  readonly triggerName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Names the message. A client that sends the message again sends the same key. */
  readonly idempotencyKey: string | undefined;
  /** The key of the message that this one replaces, with all that followed it. */
  readonly rewindTo: string | undefined;
  /** True if the replaced message is sent again. The session has its trigger. */
  readonly repeats: boolean;
  /** The tools that the page describes. Whether the agent sees them is a rule of the session. A process of an earlier version relays none. */
  readonly clientTools?: readonly ToolDescription[];
}
export interface ContinueRequest {
  readonly type: 'continue';
  readonly executionId: string;
  readonly toolResults: readonly ToolResult[];
  /** True if other people answer the other calls. */
  readonly partial: boolean;
}
export interface ResumeRequest {
  readonly type: 'resume';
  readonly executionId: string;
  /** The last sequence number the client has. */
  readonly after: number;
}
export interface StopRequest {
  readonly type: 'stop';
  readonly executionId: string | undefined;
  /** Names the run by its trigger, for a client that has not got the `executionId` yet. */
  readonly idempotencyKey: string | undefined;
}
export interface OpenRequest {
  readonly type: 'open';
  /** The execution that the client has, and the last sequence number of it; undefined if it has none, or does not say. */
  readonly executionId: string | undefined;
  readonly after: number | undefined;
  readonly follow: boolean;
}
export type SessionRequest = TriggerRequest | ContinueRequest | ResumeRequest | OpenRequest | StopRequest;

/** Returns the request, or the error event that names the problem. Ignores unknown keys. */
export function parseSessionRequest(payload: unknown): SessionRequest | ErrorEvent {
  if (!isRecord(payload)) {
    return invalid(
      `The request must be a JSON object such as { type: 'trigger', triggerName }, got ${kindOf(payload)}.`,
    );
  }
  if (isTooDeep(payload)) return invalid(`The request is nested deeper than ${MAX_DEPTH} levels.`);
  switch (payload.type) {
    case 'trigger':
      return parseTrigger(payload);
    case 'continue':
      return parseContinue(payload);
    case 'resume':
      return parseResume(payload);
    case 'open':
      return parseOpen(payload);
    case 'stop':
      return parseStop(payload);
    default:
      return invalid(
        `type must be 'trigger', 'continue', 'resume', 'open' or 'stop', got ${show(payload.type)}.${describeForeign(payload)}`,
      );
  }
}

/** Names the protocol of a request that a transport for another backend has sent. */
function describeForeign(payload: Readonly<Record<string, unknown>>): string {
  if (payload.type !== undefined || !Array.isArray(payload.messages)) return '';
  const protocol = 'runId' in payload ? 'AG-UI' : 'the AI SDK';
  const names = Object.keys(payload).slice(0, MAX_NAMES).join(', ').slice(0, MAX_EXCERPT);
  return ` The request { ${names} } looks like one of ${protocol}. Use createHttpTransport on the page, or send it to a route of ${protocol}.`;
}

/** The fields of a foreign request that an error text names, and its characters. */
const MAX_NAMES = 8;
const MAX_EXCERPT = 120;

/** The requests that routes have read for a session. */
const readByRoute = /* @__PURE__ */ new WeakMap<object, SessionRequest | ErrorEvent>();

/**
 * Parses a body for a route. The session that gets the same body takes the result from {@link takeParsed}, because each parsing walks
 * through the whole body. The body is frozen: a change would be ignored.
 */
export function parseOnce(body: unknown): SessionRequest | ErrorEvent {
  const request = parseSessionRequest(body);
  if (isRecord(body)) readByRoute.set(Object.freeze(body), request);
  return request;
}

/** Returns what a route has read of a payload, or parses the payload. */
export function takeParsed(payload: unknown): SessionRequest | ErrorEvent {
  return (isRecord(payload) && readByRoute.get(payload)) || parseSessionRequest(payload);
}

function parseTrigger({
  triggerName,
  input,
  idempotencyKey,
  rewindTo,
  repeats,
  clientTools,
}: Record<string, unknown>): TriggerRequest | ErrorEvent {
  if (!isName(triggerName))
    return invalid(`triggerName must be a non-empty string, got ${show(triggerName)}.`);
  if (input !== undefined && input !== null && !isRecord(input)) {
    return invalid(`input must be an object, got ${kindOf(input)}.`);
  }
  const described = readClientTools(clientTools);
  if (typeof described === 'string') return invalid(described);
  return {
    type: 'trigger',
    triggerName,
    input: input ?? {},
    idempotencyKey: toKey(idempotencyKey),
    rewindTo: toKey(rewindTo),
    repeats: repeats === true,
    clientTools: described,
  };
}

/** Parses the answers of a client. The session that gets them also checks how deep they are. */
export function parseContinue({
  executionId,
  toolResults,
  partial,
}: Record<string, unknown>): ContinueRequest | ErrorEvent {
  if (!isName(executionId))
    return invalid(`executionId must be a non-empty string, got ${show(executionId)}.`);
  if (!Array.isArray(toolResults))
    return invalid(`toolResults must be an array, got ${kindOf(toolResults)}.`);
  const seen = new Set<string>();
  const results: ToolResult[] = [];
  for (const [index, item] of toolResults.entries()) {
    if (!isRecord(item) || !isName(item.toolCallId)) {
      return invalid(`toolResults[${index}] must be an object with a toolCallId.`);
    }
    if (item.error !== undefined && item.error !== null && typeof item.error !== 'string') {
      return invalid(`toolResults[${index}].error must be a string, got ${kindOf(item.error)}.`);
    }
    if (seen.has(item.toolCallId))
      return invalid(`toolResults answers the call ${show(item.toolCallId)} twice.`);
    seen.add(item.toolCallId);
    const { files = null } = item;
    if (files !== null && !(Array.isArray(files) && files.every(isFileReference))) {
      return invalid(`toolResults[${index}].files must be a list of files with id, mediaType and url.`);
    }
    const { outcome = null } = item;
    if (outcome !== null && !isToolOutcome(outcome)) {
      const words = TOOL_OUTCOMES.join(', ');
      return invalid(`toolResults[${index}].outcome must be one of ${words}, got ${show(outcome)}.`);
    }
    results.push(toResult(item.toolCallId, item));
  }
  return { type: 'continue', executionId, toolResults: results, partial: partial === true };
}

function toResult(
  toolCallId: string,
  { result, error, outcome, reason, files, receipt, shown, definition }: Record<string, unknown>,
): ToolResult {
  return {
    toolCallId,
    // As on the reference server, a result with a truthy error is an error.
    ...(typeof error === 'string' && error ? { error } : { result: result ?? null }),
    ...(isToolOutcome(outcome) && { outcome }),
    ...(typeof reason === 'string' && { reason }),
    ...(Array.isArray(files) && files.length > 0 && { files: files.map(toFile) }),
    ...(typeof receipt === 'string' && { receipt }),
    ...(typeof shown === 'string' && { shown }),
    ...(typeof definition === 'string' && { definition }),
  };
}

function toFile({ id, mediaType, url, filename, size }: ResultFile): ResultFile {
  return {
    ...{ id, mediaType, url },
    ...(typeof filename === 'string' && { filename }),
    ...(typeof size === 'number' && { size }),
  };
}

function parseResume({ executionId, cursor }: Record<string, unknown>): ResumeRequest | ErrorEvent {
  if (!isName(executionId))
    return invalid(`executionId must be a non-empty string, got ${show(executionId)}.`);
  const after = toSeq(cursor);
  if (after === undefined)
    return invalid(`cursor must be one this server sent (a whole number), got ${show(cursor)}.`);
  return { type: 'resume', executionId, after };
}

/** What the client says it has is a hint: a server that does not know it sends a snapshot. */
function parseOpen({ executionId, cursor, follow }: Record<string, unknown>): OpenRequest {
  return { type: 'open', executionId: toKey(executionId), after: toSeq(cursor), follow: follow === true };
}

/** A socket frame carries the cursor as the number `seq`, an event stream as the text of `id`. */
function toSeq(cursor: unknown): number | undefined {
  const isText = typeof cursor === 'string' || typeof cursor === 'number';
  return isText && /^\d{1,15}$/.test(String(cursor)) ? Number(cursor) : undefined;
}

function parseStop({ executionId, idempotencyKey }: Record<string, unknown>): StopRequest | ErrorEvent {
  const key = toKey(idempotencyKey);
  if (executionId === undefined || executionId === null)
    return { type: 'stop', executionId: undefined, idempotencyKey: key };
  if (!isName(executionId))
    return invalid(`executionId must be a non-empty string, got ${show(executionId)}.`);
  return { type: 'stop', executionId, idempotencyKey: key };
}

function invalid(message: string): ErrorEvent {
  return refusal('invalid_request', message);
}

/** Returns the key of a message; undefined if the client sent none. */
function toKey(value: unknown): string | undefined {
  return isName(value) ? value : undefined;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

function show(value: unknown): string {
  return typeof value === 'string' ? `'${value.slice(0, 80)}'` : kindOf(value);
}
