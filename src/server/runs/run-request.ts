/**
 * One request of an execution: from `start` until the run ends or needs the client (Octavus protocol 2.0, section 10).
 *
 * The session saves everything that matters before the client can know of it: calls before they run or reach the client,
 * the end before its events are sent. So nothing runs twice, even when the process or the connection breaks in between.
 */
import type {
  AgentEvent,
  ErrorEvent,
  FinishEvent,
  ToolResultAcknowledgedEvent,
} from '../../core/protocol/events.ts';
import { digestJson } from '../../shared/digest-json.ts';
import { compact } from '../../shared/json.ts';
import type { Principal } from '../../shared/principal.ts';
import { reportFailure, type ServerFailure } from '../report-failure.ts';
import { sessionError } from '../session-errors.ts';
import { getCalls, newCallKey, turnOf } from '../store/call-keys.ts';
import {
  type CallEnd,
  type CallRecord,
  type CallRecords,
  ended,
  toToolResult,
} from '../store/call-record.ts';
import type { SessionChange, SessionState } from '../store/session-state.ts';
import type { ExecutionRecord, SessionRecord } from '../store/session-store.ts';
import type { SessionTraceEntry } from '../store/session-trace.ts';
import { runServerTools, type ServerToolsIO } from '../tools/run-server-tools.ts';
import { readSteps } from '../tools/steps.ts';
import type { CallChoices, ToolCallIO } from '../tools/tool-run.ts';
import { askCalls, createAgentCall, toAgentCall } from './agent-calls.ts';
import { shownClientTools } from './client-tools.ts';
import { CLOSING, callIdsOfTurn, closeOpenCalls, openCallKeys, readHistory } from './history.ts';
import type { Invocation } from './invocation.ts';
import { invokeAgent } from './invoke-agent.ts';
import { lastEvents, toOutputEvent } from './last-events.ts';
import { refuseToRun } from './refuse-to-run.ts';
import { RunEnded } from './run.ts';
import type { SessionSettings } from './session-settings.ts';

const NO_EXECUTION = 'A request runs without an execution';

/** The input of {@link runRequest}. */
export interface RunRequest {
  readonly settings: SessionSettings;
  readonly state: SessionState;
  readonly signal: AbortSignal;
  /** The acknowledgements of the answers that opened this request. */
  readonly acknowledge: readonly ToolResultAcknowledgedEvent[];
  /** Sequence number of the last event the run has sent. */
  position(): number;
  /** The remembered choices of a person about the call with this key, if the store keeps choices. */
  choicesOf(person: Principal, key: string): CallChoices | undefined;
}

/** Runs the request. Throws what the store throws, and nothing else. */
export async function* runRequest(request: RunRequest): AsyncGenerator<AgentEvent, void, undefined> {
  const { id, messageId, idempotencyKey } = currentExecution(request);
  yield { type: 'start', messageId, executionId: id, ...(idempotencyKey && { idempotencyKey }) };
  yield* request.acknowledge;
  while (yield* runRound(request)) {
    // The agent has results to react to, so it is called again.
  }
}

/** Runs one invocation and the tools it called. Returns true if the agent has to be called again. */
async function* runRound(request: RunRequest): AsyncGenerator<AgentEvent, boolean, undefined> {
  if (request.signal.aborted) return yield* endEarly(request, null);
  const { settings, signal, state } = request;
  const record = state.getRecord();
  const { messages, calls } = record;
  const execution = currentExecution(request);
  const { id, trigger, usage: usageBefore, rounds } = execution;
  // Tools whose questions were answered, or that were interrupted.
  const unfinished = openCallKeys(record);
  if (unfinished.length > 0) return yield* answerRound(request, unfinished);
  const clientTools = shownClientTools(settings, execution);
  const context = {
    sessionId: settings.id,
    executionId: id,
    messages: readHistory(record),
    trigger,
    clientTools,
    signal,
  };
  // The calls of a message that is sent again are those of its earlier executions: no new call may take their answers for its own.
  const usedIds = callIdsOfTurn(calls, turnOf(execution));
  settings.trace?.({ type: 'agent-invoked', executionId: id, round: rounds });
  const invocation = yield* invokeAgent(settings.agent, context, usageBefore, usedIds, (thrown) =>
    report(request, thrown, { source: 'agent' }),
  );
  settings.trace?.(toAgentEnded(id, invocation));
  if (invocation.isAborted) return yield* endEarly(request, invocation);
  // A client that repeats the request wants a new answer. If no client does, the history gets this partial message.
  const partial = partialOf(invocation);
  if (invocation.error !== null)
    return yield* endWith(request, {}, { state: 'failed', ending: invocation.error, partial });

  const { usage, finishReason } = invocation;
  const made = appendInvocation(request, invocation);
  if (invocation.calls.length === 0 && invocation.selfAnswered.length === 0) {
    const ending: FinishEvent = { type: 'finish', finishReason, executionId: id };
    if (finishReason !== 'error') return yield* endWith(request, made, { state: 'done', ending, usage });
    return yield* endWith(request, {}, { state: 'failed', ending, usage, partial });
  }
  if (rounds >= settings.maxToolRounds) {
    const extended = { messages: made.messages ?? messages, calls: { ...calls, ...made.calls } };
    const closed = closeOpenCalls(extended, {
      error: 'Not run: too many rounds of tool calls',
      outcome: 'failed',
    });
    const ending = tooManyRounds(settings.maxToolRounds);
    const change = { ...made, calls: { ...made.calls, ...closed } };
    return yield* endWith(request, change, { state: 'failed', ending, usage });
  }
  await state.save({ ...made, execution: { rounds: rounds + 1, usage } });
  return yield* answerRound(request, openCallKeys(state.getRecord()));
}

function toAgentEnded(
  executionId: string,
  { isAborted, error, finishReason, calls }: Invocation,
): SessionTraceEntry {
  const ending =
    error === null
      ? ({ status: 'finished', finishReason } as const)
      : ({ status: 'failed', code: error.code } as const);
  const end = isAborted ? ({ status: 'aborted' } as const) : ending;
  return { type: 'agent-ended', executionId, ...end, calls: calls.length };
}

/** Runs the server's tools, then asks people for the rest. Returns true if the agent has to be called again. */
async function* answerRound(
  request: RunRequest,
  keys: readonly string[],
): AsyncGenerator<AgentEvent, boolean, undefined> {
  const { settings, signal, state } = request;
  const ofServer = keys.filter((key) => state.getRecord().calls[key]?.executedBy === 'server');
  const ofClient = keys.filter((key) => !ofServer.includes(key));
  const { ends, questions } = await runTools(request, ofServer);
  const withEnds = ({ calls }: SessionRecord): CallRecords =>
    Object.fromEntries(Object.entries(ends).map(([key, end]) => [key, ended(calls[key] as CallRecord, end)]));
  if (signal.aborted) {
    await state.save((record) => ({ calls: withEnds(record) }));
    return yield* endEarly(request, null);
  }
  const ran = Object.keys(ends);
  if (ofClient.length + questions.length === 0) {
    await state.save((record) => ({ calls: withEnds(record) }));
    yield* getCalls(state.getStored().calls, ran).map((call) => toOutputEvent(toToolResult(call)));
    return true;
  }
  const record = state.getRecord();
  const askedAt = settings.clock.now();
  const execution = currentExecution(request);
  const { asked, asking } = await askCalls(settings, execution, record.calls, {
    ofClient,
    questions,
    askedAt,
  });
  const ending: FinishEvent = {
    type: 'finish',
    finishReason: 'client-tool-calls',
    executionId: execution.id,
  };
  return yield* endWith(
    request,
    { calls: { ...withEnds(record), ...asking, ...asked } },
    { state: 'waiting', open: Object.keys(asked), ran, ending, askedAt },
  );
}

/** Runs calls of server tools. A call that must not run here ends with an error. */
async function runTools(request: RunRequest, keys: readonly string[]) {
  const { settings, signal, state } = request;
  const { calls } = state.getRecord();
  const ends = new Map<string, CallEnd>();
  for (const key of keys) {
    const error = await refuseToRun(settings, state.getStored().calls, key);
    if (error !== undefined) ends.set(key, { error });
  }
  const allowed = keys.filter((key) => !ends.has(key));
  const keyOf = new Map(allowed.map((key) => [calls[key]?.toolCallId ?? '', key]));
  const { results, questions } = await runServerTools(
    allowed.map((key) => toAgentCall(state.getStored().calls[key] as CallRecord)),
    settings.tools,
    {
      signal,
      ofCall: ({ toolCallId }) => toToolCallIO(request, keyOf.get(toolCallId) ?? ''),
      onThrown: (thrown, { toolName, toolCallId }) =>
        report(request, thrown, { source: 'tool', toolName, toolCallId }),
      onCall: toolTrace(request),
    },
  );
  for (const { toolCallId, result, error } of results)
    ends.set(keyOf.get(toolCallId) ?? '', error === undefined ? { result } : { error });
  // In the order of the calls.
  const ordered = keys.flatMap((key) => (ends.has(key) ? [[key, ends.get(key) as CallEnd] as const] : []));
  return { ends: Object.fromEntries(ordered), questions };
}

/** Undefined where nothing is traced. */
function toolTrace(request: RunRequest): ServerToolsIO['onCall'] {
  const { trace } = request.settings;
  if (trace === undefined) return undefined;
  const { id: executionId } = currentExecution(request);
  return ({ toolCallId, toolName }, status) => {
    const call = { executionId, toolCallId, toolName };
    trace(status === 'started' ? { type: 'tool-started', ...call } : { type: 'tool-ended', ...call, status });
  };
}

/** The session's side of one call of a tool. */
function toToolCallIO(request: RunRequest, key: string): ToolCallIO {
  const { settings, signal, state } = request;
  const execution = currentExecution(request);
  const call = state.getRecord().calls[key] as CallRecord;
  const { startedBy } = execution;
  return {
    call,
    clock: settings.clock,
    signal,
    principal: startedBy,
    steps: readSteps(state.getRecord().calls, key),
    saveStep: (name, step) =>
      state.save(({ calls }) => {
        const current = calls[key] as CallRecord;
        return { calls: { [key]: { ...current, steps: { ...current.steps, [name]: step } } } };
      }),
    choices: startedBy && request.choicesOf(startedBy, key),
    idempotencyKey: (name) => digestJson([settings.id, turnOf(execution), call.toolCallId, name]),
  };
}

/** Saves how the request ends, then yields its last events. */
async function* endWith(
  { state, position }: RunRequest,
  change: Pick<SessionChange, 'messages' | 'calls'>,
  end: Pick<ExecutionRecord, 'state' | 'ending'> & Partial<ExecutionRecord>,
): AsyncGenerator<AgentEvent, false, undefined> {
  const { calls, execution } = state.getRecord();
  if (execution === null) throw new Error(NO_EXECUTION);
  const next = { calls: { ...calls, ...change.calls }, execution: { ...execution, ...end } };
  const lastSeq = position() + lastEvents(next).length;
  await state.save({ ...change, execution: { ...end, lastSeq } });
  // Clients and the log get the stored form, which has no secrets.
  yield* lastEvents({ ...next, calls: state.getStored().calls });
  return false;
}

/** Ends an aborted run: saves the partial message, and closes open calls unless the request may be restarted. */
async function* endEarly(
  request: RunRequest,
  invocation: Invocation | null,
): AsyncGenerator<AgentEvent, false, undefined> {
  const { signal, state } = request;
  const why = signal.reason instanceof RunEnded ? signal.reason.why : 'interrupted';
  const partial = partialOf(invocation);
  if (why === 'interrupted') {
    await state.save({
      execution: { state: 'interrupted', partial, ending: null, lastSeq: request.position() },
    });
    return false;
  }
  const record = state.getRecord();
  const messages = partial ? [...record.messages, partial] : record.messages;
  const executionId = currentExecution(request).id;
  const ending: FinishEvent = { type: 'finish', finishReason: 'stop', executionId };
  const change = { messages, calls: closeOpenCalls({ messages, calls: record.calls }, CLOSING[why]) };
  return yield* endWith(request, change, { state: 'stopped', open: [], ending });
}

/** The text of an invocation that did not complete, or null if it has none. */
function partialOf(invocation: Invocation | null): ExecutionRecord['partial'] {
  return invocation && invocation.message.content !== '' ? invocation.message : null;
}

/** The history with the text and calls of an invocation, and the results the agent brought itself. */
function appendInvocation(
  { settings, state }: RunRequest,
  { message, selfAnswered, calls, titles }: Invocation,
): Pick<SessionChange, 'messages' | 'calls'> {
  const { messages, calls: known, execution } = state.getRecord();
  if (execution === null) throw new Error(NO_EXECUTION);
  if (selfAnswered.length + calls.length === 0) {
    const isEmpty = message.content === '' && message.modelContent === undefined;
    return isEmpty ? {} : { messages: [...messages, message] };
  }
  const made: Record<string, CallRecord> = {};
  const add = (announced: CallRecord) => {
    const call = compact({ ...announced, title: titles.get(announced.toolCallId) }) as CallRecord;
    made[newCallKey({ ...known, ...made }, call.toolCallId)] = call;
  };
  for (const { call, result } of selfAnswered) {
    const { error, result: value } = result;
    add(
      ended(createAgentCall(settings, execution, call), error === undefined ? { result: value } : { error }),
    );
  }
  for (const call of calls) add(createAgentCall(settings, execution, call));
  return { messages: [...messages, { ...message, calls: Object.keys(made) }], calls: made };
}

function tooManyRounds(limit: number): ErrorEvent {
  const message = `The agent called tools in ${limit} rounds without coming to an end. Raise maxToolRounds if that is right.`;
  return sessionError('tool_rounds_exceeded', 'execution_error', message);
}

function report(
  request: RunRequest,
  thrown: unknown,
  failure: Omit<ServerFailure, 'sessionId' | 'executionId'>,
): void {
  const { settings } = request;
  const place = { sessionId: settings.id, executionId: currentExecution(request).id };
  reportFailure(settings.onError, thrown, { ...failure, ...place });
}

function currentExecution({ state }: RunRequest): ExecutionRecord {
  const { execution } = state.getRecord();
  if (execution === null) throw new Error(NO_EXECUTION);
  return execution;
}
