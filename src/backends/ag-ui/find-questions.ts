/** What a run leaves for the page to answer: calls of its tools, and interrupts. */
import type { PendingToolCall } from '../../core/protocol/events.ts';
import { isRecord } from '../../shared/json.ts';
import type { AgUiMemory } from './memory.ts';
import { type AgUiToolCall, currentTurn, type Interrupt, unansweredCalls } from './messages.ts';
import { toClientCall, toInterruptCall } from './questions.ts';
import type { ThreadBuilder } from './thread-builder.ts';

type Outcome = Readonly<Record<string, unknown>>;

export interface RunSoFar {
  readonly memory: AgUiMemory;
  readonly thread: ThreadBuilder;
  /** The names of the tools that the request named. */
  readonly tools: ReadonlySet<string>;
  /** The names of the subagents. */
  readonly agents: ReadonlyMap<string, string>;
  /** The calls that were announced again: with their answer, by their ids on the page, and without one. */
  readonly repeated: { readonly answered: ReadonlySet<string>; readonly open: ReadonlySet<string> };
}

export interface Questions {
  /** The execution that the calls belong to. */
  readonly executionId: string;
  readonly toolCalls: readonly PendingToolCall[];
  /** Open calls that are none of the page's business. */
  readonly others: readonly AgUiToolCall[];
}

/** Returns the interrupts of a run that can be answered. The outcome wins where both forms arrive. */
export function readInterrupts(outcome: unknown, legacy: readonly Interrupt[]): readonly Interrupt[] {
  if (!isRecord(outcome)) return legacy;
  const { type, interrupts } = outcome;
  if (type === 'success') return legacy;
  return type === 'interrupt' && Array.isArray(interrupts)
    ? interrupts.filter(isRecord).map((interrupt) => interrupt as unknown as Interrupt)
    : [];
}

/** An entry of `resume` without an id makes the whole input invalid. */
export function isAnswerable({ id }: Interrupt): boolean {
  return typeof id === 'string' && id !== '';
}

export function findQuestions(run: RunSoFar, outcome: Outcome, interrupts: readonly Interrupt[]): Questions {
  const { memory, thread, repeated, tools } = run;
  const questions = interrupts.map((interrupt) => toQuestion(run, interrupt));
  const asked = new Set(questions.map(({ toolCallId }) => toolCallId));
  const open = findOpenCalls(run, outcome).filter(({ id }) => !asked.has(thread.pageIdOf(id)));
  const mine = open.filter((call) => tools.has(call.function.name));
  const again = findRepeated(run, repeated.answered);
  const runId = memory.runId ?? '';
  return {
    executionId: again[0]?.executionId ?? runId,
    toolCalls: [
      ...again.map(({ call }) => call),
      ...mine.map((call) => toClientCall(call, thread.pageIdOf(call.id))),
      ...questions,
    ],
    others: open.filter((call) => !mine.includes(call)),
  };
}

/** Returns the calls of the page that are complete while the run goes on beside a call of the server. */
export function findEarlyQuestions(run: RunSoFar, isOpen: (toolCallId: string) => boolean): Questions {
  const questions = findQuestions(run, {}, []);
  const isComplete = ({ toolCallId, callId = toolCallId }: PendingToolCall & { callId?: string }) =>
    !isOpen(callId);
  return { ...questions, toolCalls: questions.toolCalls.filter(isComplete) };
}

/** Returns true for a run with a call of the server that goes on, also behind the end of the run. Calls that an interrupt holds do not. */
export function waitsForServer(
  { memory, thread, tools }: RunSoFar,
  interrupts: readonly Interrupt[],
): boolean {
  const { answeredCalls = [] } = memory;
  const held = [...answeredCalls, ...interrupts.map(({ toolCallId }) => toolCallId)];
  return unansweredCalls(currentTurn(thread.messages)).some(
    ({ id, function: { name } }) => !tools.has(name) && !held.includes(id),
  );
}

/** The calls without a result: those that the agent names, else all of this turn that no earlier run has left behind. */
function findOpenCalls(
  { memory, thread, repeated }: RunSoFar,
  { pendingToolCallIds }: Outcome,
): readonly AgUiToolCall[] {
  const named = Array.isArray(pendingToolCallIds) ? pendingToolCallIds : [];
  const { answeredCalls = [] } = memory;
  const isLeft = (id: string) => answeredCalls.includes(id) && !repeated.open.has(id);
  const open = unansweredCalls(currentTurn(thread.messages));
  return open.filter(({ id }) => (named.length > 0 ? named.includes(id) : !isLeft(id)));
}

/** The engine knows these calls by the execution that asked for them, and sends their answers again. One answer brings all of the thread. */
function findRepeated({ memory, thread }: RunSoFar, repeated: ReadonlySet<string>) {
  const answers = (memory.answers ?? []).filter(({ toolCallId }) => repeated.has(toolCallId));
  const ofTurn = currentTurn(thread.messages).flatMap(({ toolCalls = [] }) => toolCalls);
  return answers
    .filter(({ executionId }) => executionId === answers[0]?.executionId)
    .flatMap(({ toolCallId, executionId }) => {
      const call = ofTurn.findLast(({ id }) => thread.pageIdOf(id) === toolCallId);
      return call ? [{ executionId, call: toClientCall(call, toolCallId) }] : [];
    });
}

function toQuestion({ thread, tools, agents }: RunSoFar, interrupt: Interrupt): PendingToolCall {
  const { toolCallId, subagentRunId = '' } = interrupt;
  const call = toolCallId === undefined ? undefined : thread.findCall(toolCallId);
  const isClientTool = call !== undefined && tools.has(call.function.name);
  const origin = agents.get(subagentRunId);
  return {
    ...toInterruptCall(interrupt, call, isClientTool),
    ...(call && { toolCallId: thread.pageIdOf(call.id) }),
    ...(origin !== undefined && { origin }),
  };
}
