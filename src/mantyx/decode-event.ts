/**
 * The frames of a run to events of the engine (Mantyx protocol 0.11, section 5).
 *
 * All text of a turn has one id and all its thinking another: `text-end` closes the part, and the next turn's text opens
 * a new one. So a reader that begins in the middle of a run, after a reload, goes on with the part that is open.
 */
import type { AgentEvent, PendingToolCall } from '../protocol/events.ts';
import { AgentChatError } from '../shared/errors.ts';
import { isRecord } from '../shared/json.ts';
import {
  decodeError,
  decodeFailedResult,
  decodeInvalidOutput,
  isSuccess,
  readUsage,
  toFinishReason,
} from './decode-ending.ts';
import type { Frame } from './frame.ts';
import type { OutputReader } from './output-schema.ts';

type Payload = Frame['payload'];

const TEXT = 'answer';
const THINKING = 'thinking';

export interface EventDecoderOptions {
  readonly runId: string;
  /** Reads the final text, where the run was asked for data. */
  readonly output: OutputReader | undefined;
  /** When a call that arrives now will no longer be waited for: milliseconds since the epoch. */
  readonly deadline: () => number | undefined;
  /** Whether it begins in the middle of the run: what was said before is not known. */
  readonly isLate: boolean;
  readonly onUnknownEvent: (event: unknown) => void;
}

/** Decodes each frame of a run once; repeats give nothing. */
export function createEventDecoder(options: EventDecoderOptions): (frame: Frame) => readonly AgentEvent[] {
  const { runId, output, deadline, isLate, onUnknownEvent } = options;
  let lastSeq = -1;
  let isTextOpen = false;
  /** The turn has come to its calls. What is said after them is another turn's, also where none of them was told as complete. */
  let isCalling = false;
  let isThinkingOpen = isLate;
  /** The completed text of the latest turn, and of the one under way: undefined where that is not known. */
  let said: string | undefined;
  let saidNow = isLate ? undefined : '';
  let finishReason: unknown;

  function* endThinking(): Generator<AgentEvent> {
    if (isThinkingOpen) yield { type: 'reasoning-end', id: THINKING };
    isThinkingOpen = false;
  }
  /** Reads text that begins like an object, which is the data that was asked for; what a model says on the way to it does not. */
  const readerOf = (text: string) => (text.trimStart().startsWith('{') ? output : undefined);
  function* openText(text: string): Generator<AgentEvent> {
    if (isTextOpen) return;
    isTextOpen = true;
    const reader = readerOf(text);
    yield { type: 'text-start', id: TEXT, ...(reader && { responseType: reader.typeName }) };
  }
  function* say(text: string): Generator<AgentEvent> {
    // Data or prose is told by the first character; the whole text brings back what stood before it.
    if (output !== undefined && !isTextOpen && text.trim() === '') return;
    yield* endThinking();
    if (isTextOpen && isCalling) yield* complete(undefined);
    isCalling = false;
    yield* openText(text);
    yield { type: 'text-delta', id: TEXT, delta: text };
  }
  /** The whole text of a turn: it counts more than the deltas. */
  function* complete(text: string | undefined): Generator<AgentEvent> {
    yield* endThinking();
    if (text) yield* openText(text);
    const error = text && readerOf(text)?.findIssues(text);
    yield { type: 'text-end', id: TEXT, ...(text === undefined ? {} : { text }), ...(error && { error }) };
    isTextOpen = false;
  }
  /** The text a run ends with, where its last turn has not said it: said twice would be worse than not repeated. */
  function* sayAtLast(text: unknown): Generator<AgentEvent> {
    if (typeof text !== 'string' || text.trim() === '' || text.trim() === said?.trim()) return;
    if (isTextOpen || saidNow?.trim() === '') yield* complete(text);
  }
  function* answeredByPlatform({
    toolUseId,
    name,
    phase,
    ok,
    result,
    summary,
  }: Payload): Generator<AgentEvent> {
    if (typeof toolUseId !== 'string') return;
    saidNow = '';
    const toolCallId = toolUseId;
    const toolName = String(name);
    yield { type: 'tool-input-start', toolCallId, toolName };
    if (phase === 'start') return;
    const told = result ?? summary ?? null;
    if (ok === false)
      yield { type: 'tool-output-error', toolCallId, error: String(told ?? 'The tool failed.') };
    else yield { type: 'tool-output-available', toolCallId, output: told };
  }
  function* answeredByClient({ toolUseId, output: given, result, error }: Payload): Generator<AgentEvent> {
    if (typeof toolUseId !== 'string') return;
    saidNow = '';
    yield { type: 'tool-result-acknowledged', toolCallId: toolUseId, status: 'accepted' };
    if (typeof error === 'string') yield { type: 'tool-output-error', toolCallId: toolUseId, error };
    else yield { type: 'tool-output-available', toolCallId: toolUseId, output: given ?? result ?? null };
  }
  function* succeed(payload: Payload): Generator<AgentEvent> {
    yield* sayAtLast(payload.text);
    const issues = output?.findIssues(typeof payload.text === 'string' ? payload.text : (said ?? ''));
    yield issues === undefined
      ? { type: 'finish', finishReason: toFinishReason(finishReason), executionId: runId }
      : decodeInvalidOutput(payload, issues);
  }
  function* endRun(type: string, payload: Payload): Generator<AgentEvent> {
    const usage = readUsage(payload);
    if (usage !== undefined) yield { type: 'usage', usage };
    if (type === 'result' && isSuccess(payload)) return yield* succeed(payload);
    if (type === 'cancelled') {
      const why = typeof payload.reason === 'string' ? `: ${payload.reason}` : '';
      yield { type: 'notice', code: 'cancelled', text: `The run was cancelled${why}.` };
      return yield { type: 'finish', finishReason: 'other', executionId: runId };
    }
    yield* sayAtLast(payload.partialText);
    yield type === 'error' ? decodeError(payload) : decodeFailedResult(payload);
  }

  function* decode({ type, payload }: Frame): Generator<AgentEvent> {
    switch (type) {
      case 'started':
        return yield { type: 'start', executionId: runId };
      case 'assistant_delta':
        if (typeof payload.text === 'string' && payload.text !== '') yield* say(payload.text);
        return;
      case 'thinking_delta':
        if (typeof payload.text !== 'string') return;
        isThinkingOpen = true;
        return yield { type: 'reasoning-delta', id: THINKING, delta: payload.text };
      case 'assistant_message':
        finishReason = payload.finishReason;
        said = saidNow = typeof payload.text === 'string' ? payload.text : '';
        isCalling = false;
        yield* complete(typeof payload.text === 'string' ? payload.text : undefined);
        return yield* announceCalls(payload.toolCalls);
      case 'tool_call':
        isCalling = true;
        if (typeof payload.toolUseId !== 'string') return onUnknownEvent({ type, ...payload });
        return yield {
          type: 'tool-input-available',
          toolCallId: payload.toolUseId,
          toolName: String(payload.name),
          input: payload.input,
        };
      case 'tool_result':
        return yield* answeredByPlatform(payload);
      case 'local_tool_call':
        isCalling = true;
        return yield {
          type: 'client-tool-request',
          executionId: runId,
          toolCalls: [readLocalCall(payload, deadline())],
        };
      case 'local_tool_result_in':
        return yield* answeredByClient(payload);
      case 'loop_detected':
        return yield { type: 'notice', code: type, text: describeLoop(payload) };
      case 'tool_budget_exceeded':
        return yield { type: 'notice', code: type, text: describeBudget(payload) };
      case 'result':
      case 'error':
      case 'cancelled':
        return yield* endRun(type, payload);
      default:
        onUnknownEvent({ type, ...payload });
    }
  }

  return (frame) => {
    const { seq } = frame;
    if (seq !== undefined && seq <= lastSeq) return [];
    lastSeq = seq ?? lastSeq;
    const events = [...decode(frame)];
    // Only the last stands for the whole frame: read on from an earlier one, the rest would be missing.
    const last = events.at(-1);
    if (last !== undefined && seq !== undefined) last.cursor = String(seq);
    return events;
  };
}

/** A call for this page. What its kind says besides travels with it, so that it can be made after a reload. */
function readLocalCall(payload: Payload, deadline: number | undefined): PendingToolCall {
  const { toolUseId, name, ...more } = payload;
  const args = payload.args ?? {};
  if (typeof toolUseId !== 'string' || toolUseId === '' || typeof name !== 'string' || !isRecord(args)) {
    throw new AgentChatError({
      code: 'invalid_event',
      errorType: 'protocol_error',
      source: 'platform',
      message:
        'A local_tool_call without a usable toolUseId, name and args cannot be answered, so the run cannot go on.',
      cause: payload,
    });
  }
  const { kind, agentCard, mcpServer, mcpToolName } = more;
  const local = { kind, agentCard, mcpServer, mcpToolName };
  return {
    toolCallId: toolUseId,
    toolName: name,
    args,
    ...(deadline === undefined ? {} : { deadline }),
    ...Object.fromEntries(Object.entries(local).filter(([, value]) => value !== undefined)),
  };
}

/** What a turn calls: of its own calls the platform may tell by their results alone. */
function* announceCalls(toolCalls: unknown): Generator<AgentEvent> {
  for (const call of Array.isArray(toolCalls) ? toolCalls.filter(isRecord) : []) {
    const { id, name, input } = call;
    if (typeof id !== 'string' || typeof name !== 'string') continue;
    yield { type: 'tool-input-available', toolCallId: id, toolName: name, input };
  }
}

function describeLoop({ consecutiveCount, hardCutoff, tools }: Payload): string {
  const names = Array.isArray(tools) ? tools.map(String).join(', ') : 'the same tools';
  const end = hardCutoff === true ? ' and was made to answer' : '';
  return `The agent called ${names} ${Number(consecutiveCount)} times in a row${end}.`;
}

function describeBudget({ tool, maxCalls, callIndex }: Payload): string {
  return `The agent's call number ${Number(callIndex)} of ${String(tool)} is over its limit of ${Number(maxCalls)}.`;
}
