/**
 * One request of an execution: from `start` until the run ends or needs the client (Octavus protocol 2.0, section 10).
 *
 * The session saves everything that matters before the client can know of it: calls before they run or reach the client,
 * the end before its events are sent. So nothing runs twice, even when the process or the connection breaks in between.
 */
import type { AgentEvent, ErrorEvent, FinishEvent, PendingToolCall } from '../../core/protocol/events.ts';
import type { AgentMessage } from '../agent.ts';
import { toCallChoices } from '../answers/remembered-choices.ts';
import { issueReceipt } from '../receipts/question-receipt.ts';
import { reportFailure, type ServerFailure } from '../report-failure.ts';
import { sessionError } from '../session-errors.ts';
import type { SessionSettings } from '../session-settings.ts';
import type { SessionState } from '../store/session-state.ts';
import type { ExecutionRecord } from '../store/session-store.ts';
import { findServerTool, runServerTools } from '../tools/run-server-tools.ts';
import { putStep } from '../tools/steps.ts';
import type { ToolCallIO } from '../tools/tool-run.ts';
import { answerCalls, CLOSING, closeOpenCalls, openCallsOf, usedCallIds } from './history.ts';
import type { Invocation } from './invocation.ts';
import { invokeAgent } from './invoke-agent.ts';
import { lastEvents, toOutputEvent } from './last-events.ts';
import { RunEnded } from './run.ts';

/** The input of {@link runRequest}. */
export interface RunRequest {
  readonly settings: SessionSettings;
  readonly state: SessionState;
  readonly signal: AbortSignal;
  /** Calls whose answers opened this request. */
  readonly acknowledge: readonly string[];
  /** Sequence number of the last event the run has sent. */
  position(): number;
}

/** Runs the request. Throws what the store throws, and nothing else. */
export async function* runRequest(request: RunRequest): AsyncGenerator<AgentEvent, void, undefined> {
  const { id, messageId, idempotencyKey } = currentExecution(request);
  yield { type: 'start', messageId, executionId: id, ...(idempotencyKey && { idempotencyKey }) };
  for (const toolCallId of request.acknowledge)
    yield { type: 'tool-result-acknowledged', toolCallId, status: 'accepted' };
  while (yield* runRound(request)) {
    // The agent has results to react to, so it is called again.
  }
}

/** Runs one invocation and the tools it called. Returns true if the agent has to be called again. */
async function* runRound(request: RunRequest): AsyncGenerator<AgentEvent, boolean, undefined> {
  if (request.signal.aborted) return yield* endEarly(request, null);
  const { id, trigger, usage: usageBefore, rounds, historyStart, steps = {} } = currentExecution(request);
  const { messages } = request.state.getRecord();
  // Tools whose questions were answered, or that were interrupted.
  const unfinished = openCallsOf(messages);
  if (unfinished.length > 0) return yield* answerRound(request, unfinished);
  const { settings, signal } = request;
  const context = { sessionId: settings.id, executionId: id, messages, trigger, signal };
  // A call is identified by execution and call id: agents that count calls anew in each turn reuse their ids.
  // The steps of a message that is sent again are those of its earlier calls: no new call may take such an answer or value for its own.
  const usedIds = new Set([...usedCallIds(messages.slice(historyStart)), ...Object.keys(steps)]);
  const invocation = yield* invokeAgent(settings.agent, context, usageBefore, usedIds, (thrown) =>
    report(request, thrown, { source: 'agent' }),
  );
  if (invocation.isAborted) return yield* endEarly(request, invocation);
  // A client that repeats the request wants a new answer. If no client does, the history gets this partial message.
  const partial = partialOf(invocation);
  if (invocation.error !== null)
    return yield* endWith(request, messages, { state: 'failed', ending: invocation.error, partial });

  const extended = appendInvocation(messages, invocation);
  if (invocation.calls.length === 0 && invocation.selfAnswered.length === 0) {
    const { finishReason, usage } = invocation;
    const ending: FinishEvent = { type: 'finish', finishReason, executionId: id };
    if (finishReason !== 'error') return yield* endWith(request, extended, { state: 'done', ending, usage });
    return yield* endWith(request, messages, { state: 'failed', ending, usage, partial });
  }
  if (rounds >= settings.maxToolRounds) {
    const closed = closeOpenCalls(extended, {
      outcome: 'failed',
      error: 'Not run: too many rounds of tool calls',
    });
    const ending = tooManyRounds(settings.maxToolRounds);
    return yield* endWith(request, closed, { state: 'failed', ending, usage: invocation.usage });
  }
  await request.state.save({
    messages: extended,
    execution: { rounds: rounds + 1, usage: invocation.usage },
  });
  return yield* answerRound(request, invocation.calls);
}

/** Runs the server's tools, then asks people for the rest. Returns true if the agent has to be called again. */
async function* answerRound(
  request: RunRequest,
  calls: readonly PendingToolCall[],
): AsyncGenerator<AgentEvent, boolean, undefined> {
  const { settings, signal, state } = request;
  const { tools, clock } = settings;
  const executionId = currentExecution(request).id;
  const ofClient = calls.filter((call) => findServerTool(tools, call.toolName) === undefined);
  const own = calls.filter((call) => !ofClient.includes(call));
  const { results, questions } = await runServerTools(own, tools, {
    signal,
    ofCall: (call) => toToolCallIO(request, call),
    onThrown: (thrown, { toolName, toolCallId }) =>
      report(request, thrown, { source: 'tool', toolName, toolCallId }),
  });
  const messages = answerCalls(state.getRecord().messages, results);
  if (signal.aborted) {
    await state.save({ messages });
    return yield* endEarly(request, null);
  }
  const asked = [...ofClient, ...questions];
  if (asked.length === 0) {
    await state.save({ messages });
    yield* results.map(toOutputEvent);
    return true;
  }
  const askedAt = clock.now();
  const open = await Promise.all(asked.map((call) => withReceipt(request, call, askedAt)));
  const ending: FinishEvent = { type: 'finish', finishReason: 'client-tool-calls', executionId };
  return yield* endWith(request, messages, { state: 'waiting', open, ran: results, ending, askedAt });
}

/** The session's side of one call of a tool that may ask. */
function toToolCallIO(request: RunRequest, call: PendingToolCall): ToolCallIO {
  const { toolCallId } = call;
  const { settings, signal, state } = request;
  const { id, repeats = id, startedBy, steps = {} } = currentExecution(request);
  return {
    clock: settings.clock,
    signal,
    principal: startedBy,
    steps: steps[toolCallId] ?? {},
    saveStep: (key, step) =>
      state.save(({ execution }) => ({
        execution: { steps: putStep(execution?.steps ?? {}, toolCallId, key, step) },
      })),
    choices: startedBy && toCallChoices(settings, state, startedBy, call),
    idempotencyKey: (key) => JSON.stringify([settings.id, repeats, toolCallId, key]),
  };
}

/** A call as it goes to the people who may answer it. */
async function withReceipt(
  { settings, state }: RunRequest,
  call: PendingToolCall,
  askedAt: number,
): Promise<PendingToolCall> {
  const { receipts, id: sessionId } = settings;
  if (receipts === undefined) return call;
  const executionId = state.getRecord().execution?.id ?? '';
  return { ...call, receipt: await issueReceipt(receipts, { sessionId, executionId, call, askedAt }) };
}

/** Saves how the request ends, then yields its last events. */
async function* endWith(
  request: RunRequest,
  messages: readonly AgentMessage[],
  end: Pick<ExecutionRecord, 'state' | 'ending'> & Partial<ExecutionRecord>,
): AsyncGenerator<AgentEvent, false, undefined> {
  const events = lastEvents({ ...currentExecution(request), ...end });
  await request.state.save({ messages, execution: { ...end, lastSeq: request.position() + events.length } });
  yield* events;
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
  const { messages } = state.getRecord();
  if (why === 'interrupted') {
    await state.save({
      execution: { state: 'interrupted', partial, ending: null, lastSeq: request.position() },
    });
    return false;
  }
  const closed = closeOpenCalls(partial ? [...messages, partial] : messages, CLOSING[why]);
  const executionId = currentExecution(request).id;
  const ending: FinishEvent = { type: 'finish', finishReason: 'stop', executionId };
  return yield* endWith(request, closed, { state: 'stopped', open: [], ending });
}

/** The text of an invocation that did not complete, or null if it has none. */
function partialOf(invocation: Invocation | null): ExecutionRecord['partial'] {
  return invocation && invocation.message.content !== '' ? invocation.message : null;
}

/** The history with the text and calls of an invocation, and the results the agent brought itself. */
function appendInvocation(
  messages: readonly AgentMessage[],
  invocation: Invocation,
): readonly AgentMessage[] {
  const calls = [...invocation.selfAnswered.map(({ call }) => call), ...invocation.calls];
  if (calls.length === 0) {
    const { content, modelContent } = invocation.message;
    return content === '' && modelContent === undefined ? messages : [...messages, invocation.message];
  }
  const toolCalls = calls.map(({ toolCallId, toolName, args }) => ({ toolCallId, toolName, args }));
  return answerCalls(
    [...messages, { ...invocation.message, toolCalls }],
    invocation.selfAnswered.map(({ result }) => result),
  );
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
  if (execution === null) throw new Error('A request runs without an execution');
  return execution;
}
