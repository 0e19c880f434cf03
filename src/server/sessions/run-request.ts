/**
 * One leg of an execution: from `start` until it ends or needs the client (Octavus protocol 2.0, section 10).
 *
 * Everything that matters is saved before the client can know of it: calls before they run or are handed out,
 * the end before it is told. So whatever the process or the connection does in between, nothing runs twice.
 */
import type { AgentEvent, ErrorEvent, FinishEvent, PendingToolCall } from '../../protocol/events.ts';
import type { Agent, AgentMessage, ServerTools } from '../agent.ts';
import { type FailureListener, reportFailure, type ServerFailure } from '../report-failure.ts';
import { answerCalls, closeOpenCalls, usedCallIds } from './history.ts';
import { type Invocation, invokeAgent } from './invoke-agent.ts';
import { lastEvents, toOutputEvent } from './last-events.ts';
import { type EndReason, RunEnded } from './run-ended.ts';
import { findServerTool, runServerTools } from './run-server-tools.ts';
import { sessionError } from './session-errors.ts';
import type { SessionState } from './session-state.ts';
import type { ExecutionRecord } from './session-store.ts';

/** What a leg works with. */
export interface Leg {
  readonly sessionId: string;
  readonly agent: Agent;
  readonly tools: ServerTools;
  readonly maxToolRounds: number;
  readonly state: SessionState;
  readonly signal: AbortSignal;
  /** Calls whose answers opened this leg. */
  readonly acknowledge: readonly string[];
  readonly onError: FailureListener | undefined;
  /** Sequence number of the last event the run has sent. */
  position(): number;
}

/** The text an open call gets when its run ends early. */
export const CLOSING_TEXT: Record<EndReason, string> = {
  interrupted: 'Interrupted before the result was known',
  stopped: 'Stopped by the user',
  superseded: 'Superseded by a new message',
};

/** Runs the leg. Throws what the store throws, and nothing else. */
export async function* runLeg(leg: Leg): AsyncGenerator<AgentEvent, void, undefined> {
  const { id, messageId } = currentExecution(leg);
  yield { type: 'start', messageId, executionId: id };
  for (const toolCallId of leg.acknowledge)
    yield { type: 'tool-result-acknowledged', toolCallId, status: 'accepted' };
  while (yield* runRound(leg)) {
    // Another round: the agent has results to react to.
  }
}

/** One invocation and the tools it called. Returns whether the agent has to be called again. */
async function* runRound(leg: Leg): AsyncGenerator<AgentEvent, boolean, undefined> {
  if (leg.signal.aborted) return yield* endEarly(leg, null);
  const { id, trigger, usage: usageBefore, rounds, historyStart } = currentExecution(leg);
  const { messages } = leg.state.getRecord();
  const context = { sessionId: leg.sessionId, executionId: id, messages, trigger, signal: leg.signal };
  // A call goes by its id and its execution: agents that count anew in each turn use their ids again.
  const usedIds = usedCallIds(messages.slice(historyStart));
  const invocation = yield* invokeAgent(leg.agent, context, usageBefore, usedIds, (thrown) =>
    report(leg, thrown, { source: 'agent' }),
  );
  if (invocation.isAborted) return yield* endEarly(leg, invocation);
  // Who repeats the request wants it made anew; should nobody, it is known what was said.
  const partial = partialOf(invocation);
  if (invocation.error !== null)
    return yield* endWith(leg, messages, { state: 'failed', ending: invocation.error, partial });

  const said = appendInvocation(messages, invocation);
  if (invocation.calls.length === 0 && invocation.selfAnswered.length === 0) {
    const { finishReason, usage } = invocation;
    const ending: FinishEvent = { type: 'finish', finishReason, executionId: id };
    if (finishReason !== 'error') return yield* endWith(leg, said, { state: 'done', ending, usage });
    return yield* endWith(leg, messages, { state: 'failed', ending, usage, partial });
  }
  if (rounds >= leg.maxToolRounds) {
    const closed = closeOpenCalls(said, 'Not run: too many rounds of tool calls');
    const ending = tooManyRounds(leg.maxToolRounds);
    return yield* endWith(leg, closed, { state: 'failed', ending, usage: invocation.usage });
  }
  await leg.state.save({ messages: said, execution: { rounds: rounds + 1, usage: invocation.usage } });
  return yield* answerRound(leg, invocation.calls);
}

/** Runs the server's tools, then hands the rest to the client. Returns whether the agent is next. */
async function* answerRound(
  leg: Leg,
  calls: readonly PendingToolCall[],
): AsyncGenerator<AgentEvent, boolean, undefined> {
  const executionId = currentExecution(leg).id;
  const open = calls.filter((call) => findServerTool(leg.tools, call.toolName) === undefined);
  const own = calls.filter((call) => !open.includes(call));
  const results = await runServerTools(own, leg.tools, leg.signal, (thrown, { toolName, toolCallId }) =>
    report(leg, thrown, { source: 'tool', toolName, toolCallId }),
  );
  const messages = answerCalls(leg.state.getRecord().messages, results);
  if (leg.signal.aborted) {
    await leg.state.save({ messages });
    return yield* endEarly(leg, null);
  }
  if (open.length === 0) {
    await leg.state.save({ messages });
    yield* results.map(toOutputEvent);
    return true;
  }
  const ending: FinishEvent = { type: 'finish', finishReason: 'client-tool-calls', executionId };
  return yield* endWith(leg, messages, { state: 'waiting', open, ran: results, ending });
}

/** Saves how the leg ends, then tells it. */
async function* endWith(
  leg: Leg,
  messages: readonly AgentMessage[],
  end: Pick<ExecutionRecord, 'state' | 'ending'> & Partial<ExecutionRecord>,
): AsyncGenerator<AgentEvent, false, undefined> {
  const told = lastEvents({ ...currentExecution(leg), ...end });
  await leg.state.save({ messages, execution: { ...end, lastSeq: leg.position() + told.length } });
  yield* told;
  return false;
}

/** The run was ended from outside: keeps what was said, closes what is open unless the leg may be restarted. */
async function* endEarly(
  leg: Leg,
  invocation: Invocation | null,
): AsyncGenerator<AgentEvent, false, undefined> {
  const why = leg.signal.reason instanceof RunEnded ? leg.signal.reason.why : 'interrupted';
  const partial = partialOf(invocation);
  const { messages } = leg.state.getRecord();
  if (why === 'interrupted') {
    await leg.state.save({
      execution: { state: 'interrupted', partial, ending: null, lastSeq: leg.position() },
    });
    return false;
  }
  const closed = closeOpenCalls(partial ? [...messages, partial] : messages, CLOSING_TEXT[why]);
  const ending: FinishEvent = { type: 'finish', finishReason: 'stop', executionId: currentExecution(leg).id };
  return yield* endWith(leg, closed, { state: 'stopped', open: [], ending });
}

/** What was said, where anything was. */
function partialOf(invocation: Invocation | null): ExecutionRecord['partial'] {
  return invocation && invocation.message.content !== '' ? invocation.message : null;
}

/** The history with what an invocation said and called, and the answers it brought itself. */
function appendInvocation(
  messages: readonly AgentMessage[],
  invocation: Invocation,
): readonly AgentMessage[] {
  const calls = [...invocation.selfAnswered.map(({ call }) => call), ...invocation.calls];
  if (calls.length === 0)
    return invocation.message.content === '' ? messages : [...messages, invocation.message];
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

function report(leg: Leg, thrown: unknown, failure: Omit<ServerFailure, 'sessionId' | 'executionId'>): void {
  const place = { sessionId: leg.sessionId, executionId: currentExecution(leg).id };
  reportFailure(leg.onError, thrown, { ...failure, ...place });
}

function currentExecution(leg: Leg): ExecutionRecord {
  const { execution } = leg.state.getRecord();
  if (execution === null) throw new Error('A leg runs without an execution');
  return execution;
}
