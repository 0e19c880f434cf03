/** A scripted agent in place of the model of a CommonGround agent. */
import type { Agent, AgentMessage, AgentToolCall, AgentToolMessage, ModelEvent } from 'handrail/server';
import type { AgentWorker, AppliedResult } from '../../test/backends/utp/support/agent-worker.ts';
import type { AgentStep, TurnScript } from '../../test/backends/utp/support/scripted-agent.ts';

type Failure = Extract<ModelEvent, { type: 'error' }>;

/** The text, the calls and the failure of one invocation. */
interface Said {
  content: string;
  toolCalls: readonly AgentToolCall[];
  failure?: Failure;
}

interface PlayedTurn extends TurnScript {
  ending?: Readonly<Record<string, unknown>>;
}

export interface UtpScriptOptions {
  readonly agent: Agent;
  readonly worker: AgentWorker;
  readonly sessionId: string;
  /** How long the agent waits for a tool. Milliseconds. */
  readonly timeoutMs: number;
  /** The conversation, to which the script adds what happens. */
  readonly messages: AgentMessage[];
}

/** Returns a function that plays the turn of a message. */
export function createUtpScript(options: UtpScriptOptions): (text: string) => TurnScript {
  const { agent, worker, sessionId, timeoutMs, messages } = options;

  async function* play(text: string, turn: PlayedTurn): AsyncGenerator<AgentStep> {
    const trigger = { name: 'user-message', input: { USER_MESSAGE: text } };
    messages.push({ role: 'user', content: text, trigger: trigger.name, input: trigger.input });
    for (;;) {
      const said: Said = { content: '', toolCalls: [] };
      // UTP has no message that stops an agent.
      const { signal } = new AbortController();
      const executionId = worker.turnId;
      yield* toSteps(agent({ sessionId, executionId, messages, trigger, signal }), said);
      const { content, toolCalls, failure } = said;
      if (failure !== undefined) turn.ending = toTaskEnding(failure);
      if (toolCalls.length === 0) return void messages.push({ role: 'assistant', content });

      const earlier = { sent: worker.sent.length, applied: worker.applied.length };
      yield { call: toolCalls.map(({ toolName, args }) => ({ toolName, args, timeoutMs })) };
      const sent = worker.sent.slice(earlier.sent).map(({ toolCallId }, index) => {
        return { ...(toolCalls[index] as AgentToolCall), toolCallId };
      });
      messages.push({ role: 'assistant', content, toolCalls: sent });
      messages.push(...worker.applied.slice(earlier.applied).map((applied) => toToolMessage(applied, sent)));
    }
  }

  return (text) => {
    const turn: PlayedTurn = { steps: { [Symbol.asyncIterator]: () => play(text, turn) } };
    return turn;
  };
}

/** Makes a step of each text. The calls and the failure of the invocation, and its whole text, are noted in `said`. */
async function* toSteps(events: AsyncIterable<ModelEvent>, said: Said): AsyncGenerator<AgentStep> {
  const iterator = events[Symbol.asyncIterator]();
  let current = await iterator.next();
  async function* readDeltas(type: 'text-delta' | 'reasoning-delta'): AsyncGenerator<string> {
    while (!current.done && current.value.type === type) {
      const { delta } = current.value;
      if (type === 'text-delta') said.content += delta;
      yield delta;
      current = await iterator.next();
    }
  }
  while (!current.done) {
    const event = current.value;
    if (event.type === 'text-delta') yield { say: readDeltas('text-delta') };
    else if (event.type === 'reasoning-delta') yield { reason: readDeltas('reasoning-delta') };
    else {
      if (event.type === 'tool-request') said.toolCalls = event.toolCalls;
      if (event.type === 'error') said.failure = event;
      current = await iterator.next();
    }
  }
}

function toTaskEnding({ message, errorType }: Failure): Readonly<Record<string, unknown>> {
  return { status: 'failed', error: { code: errorType, message } };
}

function toToolMessage(
  { toolCallId, status, content }: AppliedResult,
  calls: readonly AgentToolCall[],
): AgentToolMessage {
  const toolName = calls.find((call) => call.toolCallId === toolCallId)?.toolName ?? '';
  const { result, error } = content as { result?: unknown; error?: { message: string } };
  const outcome = status === 'success' ? { result } : { error: error?.message ?? status };
  return { role: 'tool', toolCallId, toolName, ...outcome };
}
