/** An agent that plays a script: deterministic, for demos and tests. */
import { type Clock, systemClock } from '../../shared/clock.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import type { Agent, AgentContext, AgentToolMessage, ModelEvent } from '../agent.ts';
import { type CallStep, checkStep, isCall, playStep, type ScriptStep } from './script-steps.ts';

/** The turn that a script plays, as its functions see it. */
export interface ScriptTurn {
  /** The user's text; for other triggers the trigger's name and its input as JSON. */
  readonly text: string;
  readonly trigger: AgentContext['trigger'];
  /** Answers to the calls of this turn, in order. */
  readonly results: readonly AgentToolMessage[];
  /** The latest answer of a tool in this turn. */
  result(toolName: string): AgentToolMessage | undefined;
  readonly context: AgentContext;
}

/** A step, or a function that returns steps for the turn so far. A string is text. */
export type ScriptEntry = ScriptStep | ((turn: ScriptTurn) => ScriptStep | readonly ScriptStep[]);

/** Steps for messages that match. */
export interface ScriptScenario {
  /** A string matches if the message contains it, ignoring case. A scenario without `when` takes messages that match no other. */
  readonly when?: string | RegExp | ((text: string, turn: ScriptTurn) => boolean);
  readonly steps: readonly ScriptEntry[];
}

/**
 * The script of a turn: steps, scenarios to choose from, or a function of the turn.
 *
 * Consecutive calls make one batch. The script continues after the batch when its calls are answered; a function after a batch
 * always waits for the answers and sees them.
 */
export type AgentScript =
  | readonly ScriptEntry[]
  | readonly ScriptScenario[]
  | ((turn: ScriptTurn) => readonly ScriptEntry[]);

/** Options of {@link createScriptedAgent}. */
export interface ScriptedAgentOptions {
  /** The delay between two words, by the clock. Milliseconds; default 0: as fast as the reader reads. */
  readonly delayMs?: number;
  readonly clock?: Clock;
}

/**
 * An agent that plays a script, word by word.
 *
 * @example
 * createScriptedAgent([
 *   { when: 'order', steps: [
 *     'One moment. ',
 *     { call: 'confirm-order', args: { action: 'Order a lamp' } },
 *     (turn) => (turn.result('confirm-order')?.error ? 'Not ordered.' : 'Ordered!'),
 *   ] },
 *   { steps: ['Ask me to order something.'] },
 * ]);
 *
 * @throws AgentChatError `invalid_options` when there is no script. An invalid step ends the turn in an error.
 */
export function createScriptedAgent(script: AgentScript, options: ScriptedAgentOptions = {}): Agent {
  const { delayMs = 0, clock = systemClock } = options;
  if (!Array.isArray(script) && typeof script !== 'function') {
    throw invalidOptions(
      'createScriptedAgent takes a list of steps or scenarios, or a function that makes one.',
    );
  }
  return async function* playScript(context) {
    const { signal } = context;
    const turn = createTurn(context);
    const { steps, batch } = currentSteps(chooseEntries(script, turn), turn);
    const wait = (ms: number) => pause(clock, ms, signal);

    for (const [index, step] of steps.entries()) {
      for (const event of playStep(step, `${turn.batches}-${index}`)) {
        if (signal.aborted) return;
        yield event;
        if (event.type === 'error') return;
        if (delayMs > 0 && event.type.endsWith('-delta')) await wait(delayMs);
      }
      if (typeof step === 'object' && 'pauseMs' in step) await wait(step.pauseMs);
    }
    if (signal.aborted) return;
    if (batch.length === 0) yield { type: 'finish', finishReason: 'stop' };
    else yield* playBatch(batch, countCalls(context), delayMs > 0 ? () => wait(delayMs) : null);
  };
}

async function* playBatch(
  batch: readonly CallStep[],
  callsBefore: number,
  wait: (() => Promise<void>) | null,
): AsyncGenerator<ModelEvent> {
  const toolCalls = batch.map((step, index) => ({
    toolCallId: step.id ?? `call-${callsBefore + index + 1}`,
    toolName: step.call,
    args: step.args ?? {},
  }));
  for (const [index, { toolCallId, toolName, args }] of toolCalls.entries()) {
    const title = batch[index]?.title;
    yield { type: 'tool-input-start', toolCallId, toolName, ...(title === undefined ? {} : { title }) };
    for (const inputTextDelta of JSON.stringify(args).match(/.{1,12}/gsu) ?? []) {
      yield { type: 'tool-input-delta', toolCallId, inputTextDelta };
      await wait?.();
    }
    yield { type: 'tool-input-end', toolCallId };
    yield { type: 'tool-input-available', toolCallId, toolName, input: args };
  }
  yield { type: 'tool-request', toolCalls };
  yield { type: 'finish', finishReason: 'tool-calls' };
}

function chooseEntries(script: AgentScript, turn: ScriptTurn): readonly ScriptEntry[] {
  if (typeof script === 'function') return script(turn);
  const scenarios = script.filter(isScenario);
  if (scenarios.length === 0) return script as readonly ScriptEntry[];
  const chosen = scenarios.find(({ when }) => when !== undefined && matches(when, turn));
  return (chosen ?? scenarios.find(({ when }) => when === undefined))?.steps ?? ['I have no answer to that.'];
}

function isScenario(entry: ScriptEntry | ScriptScenario): entry is ScriptScenario {
  return isRecord(entry) && 'steps' in entry;
}

function matches(when: NonNullable<ScriptScenario['when']>, turn: ScriptTurn): boolean {
  if (typeof when === 'string') return turn.text.toLowerCase().includes(when.toLowerCase());
  return typeof when === 'function' ? when(turn.text, turn) : new RegExp(when).test(turn.text);
}

/**
 * The steps of this invocation: those after the batches that are answered, up to the next batch. Functions before the current
 * place are called again, with the turn as they saw it the first time, to count their batches.
 */
function currentSteps(entries: readonly ScriptEntry[], turn: InternalTurn) {
  let passed = 0;
  let steps: Exclude<ScriptStep, CallStep>[] = [];
  let batch: CallStep[] = [];
  /** Returns true if the batch that just ended is the one to play now. Otherwise drops it with the steps before it. */
  const endsBatch = () => {
    if (batch.length === 0) return false;
    if (passed === turn.batches) return true;
    passed += 1;
    steps = [];
    batch = [];
    return false;
  };
  for (const entry of entries) {
    if (typeof entry === 'function' && endsBatch()) break;
    const made = typeof entry === 'function' ? entry(turn.asOf(passed)) : entry;
    for (const step of isList(made) ? made : [made]) {
      checkStep(step);
      if (isCall(step)) batch.push(step);
      else if (endsBatch()) return { steps, batch };
      else steps.push(step);
    }
  }
  return passed === turn.batches ? { steps, batch } : { steps: [], batch: [] };
}

function isList(made: ScriptStep | readonly ScriptStep[]): made is readonly ScriptStep[] {
  return Array.isArray(made);
}

interface InternalTurn extends ScriptTurn {
  /** Number of batches of this turn that are answered. */
  readonly batches: number;
  /** The turn as it was when `batches` batches had been answered. */
  asOf(batches: number): ScriptTurn;
}

function createTurn(context: AgentContext): InternalTurn {
  const start = context.messages.findLastIndex((message) => message.role === 'user');
  const user = context.messages[start];
  const groups: AgentToolMessage[][] = [];
  for (const message of context.messages.slice(start + 1)) {
    if (message.role === 'assistant' && message.toolCalls !== undefined) groups.push([]);
    if (message.role === 'tool') groups.at(-1)?.push(message);
  }
  const asOf = (batches: number): ScriptTurn => {
    const results = groups.slice(0, batches).flat();
    return {
      text: user?.role === 'user' ? user.content : '',
      trigger: context.trigger,
      results,
      result: (toolName) => results.findLast((message) => message.toolName === toolName),
      context,
    };
  };
  return { ...asOf(groups.length), batches: groups.length, asOf };
}

function countCalls({ messages }: AgentContext): number {
  let count = 0;
  for (const message of messages) if (message.role === 'assistant') count += message.toolCalls?.length ?? 0;
  return count;
}

async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let cancel = () => {};
  const elapsed = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  await untilAborted(elapsed, signal);
  cancel();
}
