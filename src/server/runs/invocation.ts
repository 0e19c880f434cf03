/** The record of one model invocation: its text, its calls, its usage and how it ended. */
import type {
  AgentEvent,
  ErrorEvent,
  FinishReason,
  PendingToolCall,
  TokenUsage,
  ToolResult,
} from '../../core/protocol/events.ts';
import { addTokenUsage } from '../../core/protocol/token-usage.ts';
import { describeThrown } from '../../shared/errors.ts';
import { isTooDeep, MAX_DEPTH } from '../../shared/is-too-deep.ts';
import { isRecord } from '../../shared/json.ts';
import type { AgentAssistantMessage, ModelContentEvent } from '../agent.ts';
import { createCallIds } from '../call-ids.ts';
import { sessionError } from '../session-errors.ts';

/** How an invocation ended. */
export interface Invocation {
  /** The run was ended before the agent was done. */
  readonly isAborted: boolean;
  readonly finishReason: FinishReason;
  /** Set when it failed. */
  readonly error: ErrorEvent | null;
  /** The text of the agent, and its `model-content`, without calls. */
  readonly message: AgentAssistantMessage;
  /** Calls that a server tool or the client has to answer. */
  readonly calls: readonly PendingToolCall[];
  /** Calls the agent made and answered itself (arguments that do not parse). */
  readonly selfAnswered: readonly { call: PendingToolCall; result: ToolResult }[];
  /** The names for people under which the agent has announced calls, by the ids of the calls. */
  readonly titles: ReadonlyMap<string, string>;
  readonly usage: TokenUsage | null;
}

/** An invocation under way. */
interface InvocationRecord {
  readonly earlierUsage: TokenUsage | null;
  /** Returns the id of a call in the execution. */
  readonly callId: (id: string) => string;
  readonly texts: Map<string, string>;
  readonly announced: Map<string, PendingToolCall>;
  readonly answered: Map<string, ToolResult>;
  readonly requested: Map<string, PendingToolCall>;
  readonly titles: Map<string, string>;
  finishReason: FinishReason | null;
  error: ErrorEvent | null;
  usage: TokenUsage | null;
  modelContent: unknown;
}

export function createInvocationRecord(
  earlierUsage: TokenUsage | null,
  usedIds: ReadonlySet<string>,
): InvocationRecord {
  return {
    earlierUsage,
    callId: createCallIds(usedIds),
    texts: new Map(),
    announced: new Map(),
    answered: new Map(),
    requested: new Map(),
    titles: new Map(),
    finishReason: null,
    error: null,
    usage: earlierUsage,
    modelContent: undefined,
  };
}

/**
 * Records an event. Returns the event to forward, `null` for none, or `'end'` when the invocation is over.
 *
 * @throws TypeError for an event that JSON cannot carry.
 */
export function recordEvent(
  record: InvocationRecord,
  value: AgentEvent | ModelContentEvent,
): AgentEvent | null | 'end' {
  if (!isRecord(value) || typeof value.type !== 'string') return reject(record, 'something that is no event');
  checkEvent(value);
  const event = withCallId(record, value as AgentEvent | ModelContentEvent);
  const { texts, answered } = record;
  switch (event.type) {
    case 'start':
    case 'tool-result-acknowledged':
      return null;
    case 'tool-request':
    case 'client-tool-request':
      return recordCalls(record, event.toolCalls);
    case 'finish':
      return recordFinish(record, event.finishReason);
    case 'error':
      record.error = event;
      return 'end';
    case 'text-delta':
      // Some models end with a delta that has no text. The client reports such a delta; the history skips it.
      // The text of a worker is not the answer.
      if (typeof event.delta === 'string' && event.workerId === undefined)
        texts.set(event.id, (texts.get(event.id) ?? '') + event.delta);
      return event;
    case 'text-end':
      if (event.text !== undefined && event.workerId === undefined) texts.set(event.id, event.text);
      return event;
    case 'tool-input-start':
      recordTitle(record, event);
      return event;
    case 'tool-input-available':
      recordTitle(record, event);
      // The session neither runs nor answers a call that the provider executes.
      if (event.providerExecuted) return event;
      return recordAnnounced(record, event) ?? event;
    case 'tool-output-available':
      answered.set(event.toolCallId, { toolCallId: event.toolCallId, result: event.output ?? null });
      return event;
    case 'tool-output-error':
      answered.set(event.toolCallId, { toolCallId: event.toolCallId, error: event.error });
      return event;
    case 'model-content':
      record.modelContent = event.content;
      return null;
    case 'usage':
      record.usage = addTokenUsage(record.earlierUsage ?? {}, event.usage);
      return { ...event, usage: record.usage };
    default:
      // The client may know this type, for example from a later protocol version.
      return event;
  }
}

/** Records the end of the invocation; without a reason the calls decide. */
export function recordFinish(record: InvocationRecord, reason?: FinishReason): 'end' {
  const open = [...record.announced.values()].filter((call) => !record.answered.has(call.toolCallId));
  record.finishReason = reason ?? (open.length > 0 ? 'tool-calls' : 'stop');
  const isAsking = record.finishReason === 'tool-calls' || record.finishReason === 'client-tool-calls';
  // Without a tool-request event the announced calls are the requested ones.
  if (isAsking && record.requested.size === 0)
    for (const call of open) record.requested.set(call.toolCallId, call);
  // Its client would wait for calls that never come.
  if (reason === 'client-tool-calls' && record.requested.size === 0) record.finishReason = 'stop';
  return 'end';
}

export function toInvocation(record: InvocationRecord, isAborted: boolean): Invocation {
  const { announced, answered, requested, titles, finishReason, error, usage, modelContent } = record;
  const content = [...record.texts.values()].filter((text) => text !== '').join('\n\n');
  const calls = [...requested.values()];
  const wantsTools = finishReason === 'tool-calls' || calls.length > 0;
  const selfAnswered = [...answered.values()].flatMap((result) => {
    const call = announced.get(result.toolCallId);
    return call && wantsTools && !requested.has(result.toolCallId) ? [{ call, result }] : [];
  });
  return {
    isAborted,
    finishReason: finishReason ?? 'stop',
    error,
    message: { role: 'assistant', content, ...(modelContent === undefined ? {} : { modelContent }) },
    calls,
    selfAnswered,
    titles,
    usage,
  };
}

function recordTitle(
  { titles }: InvocationRecord,
  { toolCallId, title }: { readonly toolCallId: string; readonly title?: string },
): void {
  if (typeof title === 'string') titles.set(toolCallId, title);
}

/** Returns 'end' for a call that nobody could answer. */
function recordAnnounced(
  record: InvocationRecord,
  { toolCallId, toolName, input }: { toolCallId: string; toolName: string; input: unknown },
): 'end' | undefined {
  const call = toPendingCall({ toolCallId, toolName, args: input });
  if (call === null) return reject(record, 'a call that has no toolCallId or toolName');
  record.announced.set(toolCallId, call);
  return undefined;
}

function recordCalls(record: InvocationRecord, toolCalls: unknown): null | 'end' {
  const { requested } = record;
  if (!Array.isArray(toolCalls)) return reject(record, 'a tool-request without a list of toolCalls');
  for (const call of toolCalls) {
    const given = toPendingCall(call);
    if (given === null)
      return reject(record, 'a tool-request with a call that has no toolCallId or toolName');
    const pending = withCallId(record, given);
    const { toolCallId } = pending;
    if (requested.has(toolCallId)) return reject(record, `the call id '${toolCallId}' twice`);
    requested.set(toolCallId, pending);
  }
  return null;
}

/** Returns the event or call with its id in the execution. */
function withCallId<Item extends object>({ callId }: InvocationRecord, item: Item): Item {
  const { toolCallId: id } = item as { toolCallId?: unknown };
  if (typeof id !== 'string') return item;
  const toolCallId = callId(id);
  return toolCallId === id ? item : { ...item, toolCallId };
}

function reject(record: InvocationRecord, output: string): 'end' {
  record.error = sessionError('invalid_agent_output', 'execution_error', `The agent yielded ${output}.`);
  return 'end';
}

function toPendingCall(call: unknown): PendingToolCall | null {
  if (!isRecord(call) || typeof call.toolCallId !== 'string' || call.toolCallId === '') return null;
  if (typeof call.toolName !== 'string' || call.toolName === '') return null;
  return { ...(call as unknown as PendingToolCall), args: isRecord(call.args) ? call.args : {} };
}

/**
 * Checks that an event can be sent and logged, before it is recorded.
 *
 * @throws TypeError for an event that JSON cannot carry: a bigint, an object that contains itself or is nested too deeply.
 */
function checkEvent(event: object): void {
  // Nearly all events are flat and need no trial run of JSON.stringify.
  if (Object.values(event).every(isPlain)) return;
  let reason = 'it has no JSON';
  try {
    const hasJson = typeof JSON.stringify(event) === 'string';
    if (hasJson && !isTooDeep(event)) return;
    if (hasJson) reason = `it is nested deeper than ${MAX_DEPTH} levels`;
  } catch (thrown) {
    reason = describeThrown(thrown, reason);
  }
  throw new TypeError(`The agent yielded an event that cannot be sent as JSON: ${reason}`);
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean', 'undefined'].includes(typeof value);
}
