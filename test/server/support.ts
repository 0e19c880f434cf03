import type { AgentEvent } from '../../src/core/protocol/events.ts';
import type { Agent, AgentContext, ModelEvent } from '../../src/server/agent.ts';
import { type AgentSession, createAgentSession } from '../../src/server/sessions/create-agent-session.ts';
import type { ServerTools } from '../../src/server/tools/server-tool.ts';
import type { Clock } from '../../src/shared/clock.ts';

/** A clock that moves only by `advance`. */
export function createTestClock(): Clock & { advance(ms: number): void; waiting(): number } {
  let now = 1_000;
  const timers = new Set<{ due: number; callback: () => void }>();
  const after: Clock['after'] = (delayMs, callback) => {
    const timer = { due: now + delayMs, callback };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => now,
    after,
    nextFrame: (callback) => after(16, callback),
    waiting: () => timers.size,
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const next = [...timers].filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due)[0];
        if (next === undefined) break;
        timers.delete(next);
        now = next.due;
        next.callback();
      }
      now = end;
    },
  };
}

/** Waits until all pending promises have run; fires no timers. */
export async function settle(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  await new Promise<void>((resolve) => setImmediate(resolve));
}

export async function collect(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Runs a request to its end. */
export function run(session: AgentSession, payload: unknown): Promise<AgentEvent[]> {
  return collect(session.execute(payload));
}

export function withoutCursors(events: readonly AgentEvent[]): object[] {
  return events.map(({ cursor: _, ...event }) => event);
}

export const types = (events: readonly AgentEvent[]) => events.map((event) => event.type);
export const hello = { type: 'trigger', triggerName: 'user-message', input: { USER_MESSAGE: 'hello' } };

export function text(content: string, id = 't'): ModelEvent[] {
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: content },
    { type: 'text-end', id },
  ];
}

export function calls(...names: string[]): ModelEvent[] {
  const toolCalls = names.map((name) => ({ toolCallId: `${name}-id`, toolName: name, args: { of: name } }));
  return [
    { type: 'tool-request', toolCalls },
    { type: 'finish', finishReason: 'tool-calls' },
  ];
}

/** An agent that yields one list per invocation and records its contexts. */
export function createListAgent(
  ...invocations: (readonly ModelEvent[])[]
): Agent & { contexts: AgentContext[] } {
  const contexts: AgentContext[] = [];
  const agent = async function* (context: AgentContext) {
    const events = invocations[Math.min(contexts.length, invocations.length - 1)] ?? [];
    contexts.push(context);
    yield* events;
  };
  return Object.assign(agent, { contexts });
}

/** A session with its own store and counted ids. */
export function createSession(agent: Agent, tools: ServerTools = {}, more: { maxToolRounds?: number } = {}) {
  let count = 0;
  return createAgentSession({ id: 's', agent, tools, createId: () => `id-${++count}`, ...more });
}

/** The `client-tool-request` among the events. */
export function requestIn(events: readonly AgentEvent[]) {
  const request = events.find((event) => event.type === 'client-tool-request');
  if (request?.type !== 'client-tool-request') throw new Error('no client-tool-request among the events');
  return request;
}

export const stop: ModelEvent = { type: 'finish', finishReason: 'stop' };

/** The `continue` that a client posts for a request, with `answer(toolName)` as the result of each call. */
export function continueWith(
  events: readonly AgentEvent[],
  answer: (name: string) => unknown = (name) => `${name} ok`,
) {
  const { executionId, toolCalls, serverToolResults = [] } = requestIn(events);
  const own = toolCalls.map(({ toolCallId, toolName }) => ({
    toolCallId,
    toolName,
    result: answer(toolName),
  }));
  return { type: 'continue', executionId, toolResults: [...serverToolResults, ...own] };
}
