/** Decodes the frames of a run to events of the engine (Mantyx protocol 0.11, section 5). */
import type { AgentEvent, PendingToolCall } from '../../core/protocol/events.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import { createTextDecoder, type TextDecoder } from './create-text-decoder.ts';
import {
  decodeError,
  decodeFailedResult,
  decodeInvalidOutput,
  isSuccess,
  readUsage,
  toFinishReason,
} from './decode-ending.ts';
import type { Frame } from './decode-frames.ts';
import type { OutputReader } from './output-schema.ts';

type Payload = Frame['payload'];

export interface EventDecoderOptions {
  readonly runId: string;
  /** Checks the final text, if the run has an output schema. */
  readonly output: OutputReader | undefined;
  /** The deadline of a call that arrives now: milliseconds since the epoch. */
  readonly deadline: () => number | undefined;
  /** True if the decoder starts in the middle of the run: the earlier text is unknown. */
  readonly isLate: boolean;
  readonly onUnknownEvent: (event: unknown) => void;
}

/** The field without which a frame says nothing. A frame that lacks it goes to `onUnknownEvent`. */
const REQUIRED_TEXTS: ReadonlyMap<string, 'text' | 'toolUseId'> = /* @__PURE__ */ new Map([
  ['assistant_delta', 'text'],
  ['thinking_delta', 'text'],
  ['tool_call', 'toolUseId'],
  ['tool_result', 'toolUseId'],
  ['local_tool_result_in', 'toolUseId'],
]);

/** Decodes the frames of a run. A repeated frame gives no events. */
export function createEventDecoder(options: EventDecoderOptions): (frame: Frame) => readonly AgentEvent[] {
  const { runId, output, deadline, isLate, onUnknownEvent } = options;
  const text = createTextDecoder(output, isLate);
  let lastSeq = -1;
  /** Of the last completed message. */
  let finishReason: unknown;

  function* decode({ type, payload }: Frame): Generator<AgentEvent> {
    const field = REQUIRED_TEXTS.get(type);
    if (field !== undefined && typeof payload[field] !== 'string')
      return onUnknownEvent({ type, ...payload });
    const { text: delta, toolUseId } = payload as { readonly text: string; readonly toolUseId: string };
    switch (type) {
      case 'started':
        return yield { type: 'start', executionId: runId };
      case 'assistant_delta':
        if (delta !== '') yield* text.addText(delta);
        return;
      case 'thinking_delta':
        return yield* text.addThinking(delta);
      case 'assistant_message':
        finishReason = payload.finishReason;
        yield* text.completeMessage(typeof payload.text === 'string' ? payload.text : undefined);
        return yield* announceCalls(payload.toolCalls);
      case 'tool_call':
        text.noteCall();
        return yield toInputEvent(toolUseId, String(payload.name), payload.input);
      case 'tool_result':
        return yield* decodePlatformResult(toolUseId, payload, text);
      case 'local_tool_call':
        text.noteCall();
        return yield toRequestEvent(runId, readLocalCall(payload, deadline()));
      case 'local_tool_result_in':
        return yield* decodeLocalResult(toolUseId, payload, text);
      case 'loop_detected':
        return yield { type: 'notice', code: type, text: describeLoop(payload) };
      case 'tool_budget_exceeded':
        return yield { type: 'notice', code: type, text: describeBudget(payload) };
      case 'result':
      case 'error':
      case 'cancelled':
        return yield* decodeEnding(type, payload, { runId, output, text, finishReason });
      default:
        onUnknownEvent({ type, ...payload });
    }
  }

  return (frame) => {
    const { seq } = frame;
    if (seq !== undefined && seq <= lastSeq) return [];
    lastSeq = seq ?? lastSeq;
    const events = [...decode(frame)];
    // Only the last event has the cursor of the frame: a resume from an earlier event would miss the rest of the frame.
    const last = events.at(-1);
    if (last !== undefined && seq !== undefined) last.cursor = String(seq);
    return events;
  };
}

/** The result of a tool that the platform ran. */
function* decodePlatformResult(
  toolCallId: string,
  { name, phase, ok, result, summary }: Payload,
  text: TextDecoder,
): Generator<AgentEvent> {
  text.noteResult();
  yield { type: 'tool-input-start', toolCallId, toolName: String(name) };
  if (phase === 'start') return;
  const output = result ?? summary ?? null;
  if (ok === false)
    yield { type: 'tool-output-error', toolCallId, error: String(output ?? 'The tool failed.') };
  else yield { type: 'tool-output-available', toolCallId, output };
}

/** The result that this page or another one posted. */
function* decodeLocalResult(
  toolCallId: string,
  { output, result, error }: Payload,
  text: TextDecoder,
): Generator<AgentEvent> {
  text.noteResult();
  yield { type: 'tool-result-acknowledged', toolCallId, status: 'accepted' };
  if (typeof error === 'string') yield { type: 'tool-output-error', toolCallId, error };
  else yield { type: 'tool-output-available', toolCallId, output: output ?? result ?? null };
}

interface RunState extends Pick<EventDecoderOptions, 'runId' | 'output'> {
  readonly text: TextDecoder;
  readonly finishReason: unknown;
}

function* decodeEnding(
  type: 'result' | 'error' | 'cancelled',
  payload: Payload,
  run: RunState,
): Generator<AgentEvent> {
  const { runId, text } = run;
  const usage = readUsage(payload);
  if (usage !== undefined) yield { type: 'usage', usage };
  if (type === 'result' && isSuccess(payload)) return yield* decodeSuccess(payload, run);
  if (type === 'cancelled') {
    const reason = typeof payload.reason === 'string' ? `: ${payload.reason}` : '';
    yield { type: 'notice', code: 'cancelled', text: `The run was cancelled${reason}.` };
    return yield { type: 'finish', finishReason: 'other', executionId: runId };
  }
  yield* text.addFinalText(payload.partialText);
  yield type === 'error' ? decodeError(payload) : decodeFailedResult(payload);
}

function* decodeSuccess(
  payload: Payload,
  { runId, output, text, finishReason }: RunState,
): Generator<AgentEvent> {
  yield* text.addFinalText(payload.text);
  const finalText = typeof payload.text === 'string' ? payload.text : (text.latestText() ?? '');
  const issues = output?.findIssues(finalText);
  yield issues === undefined
    ? { type: 'finish', finishReason: toFinishReason(finishReason), executionId: runId }
    : decodeInvalidOutput(payload, issues);
}

/** A call for this page. The keys of its kind stay on the call, so that the call can be made after a reload. */
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

function toInputEvent(toolCallId: string, toolName: string, input: unknown): AgentEvent {
  return { type: 'tool-input-available', toolCallId, toolName, input };
}

function toRequestEvent(executionId: string, call: PendingToolCall): AgentEvent {
  return { type: 'client-tool-request', executionId, toolCalls: [call] };
}

/** Announces the calls of a turn, because the platform may send no `tool_call` for calls it runs itself. */
function* announceCalls(toolCalls: unknown): Generator<AgentEvent> {
  for (const call of Array.isArray(toolCalls) ? toolCalls.filter(isRecord) : []) {
    const { id, name, input } = call;
    if (typeof id !== 'string' || typeof name !== 'string') continue;
    yield toInputEvent(id, name, input);
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
