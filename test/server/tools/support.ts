/** A session with one tool, and a person who answers. */
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import type { ModelEvent } from '../../../src/server/agent.ts';
import {
  type AgentSessionOptions,
  createAgentSession,
} from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { ServerToolDefinition } from '../../../src/server/tools/server-tool.ts';
import { createListAgent, requestIn, stop, text } from '../support.ts';

export const REFUND = { toolCallId: 'call-1', toolName: 'refund', args: { orderId: 'o-1', amount: 80 } };
export const callRefund: ModelEvent[] = [
  { type: 'tool-request', toolCalls: [REFUND] },
  { type: 'finish', finishReason: 'tool-calls' },
];
export const done = [...text('Done'), stop];

/** A session whose agent calls the tool `refund`, then says that it is done. */
export function open(
  refund: ServerToolDefinition,
  more: Partial<AgentSessionOptions> = {},
  agent = createListAgent(callRefund, done),
) {
  const store = createMemorySessionStore();
  /** Another process, perhaps with the next version of the tool: it has the store, and nothing else. */
  const restart = (tool = refund, others: Partial<AgentSessionOptions> = {}) =>
    createAgentSession({ id: 's', agent, tools: { refund: tool }, store, ...more, ...others });
  return { session: restart(), agent, store, restart };
}

/** Answers all calls that are open with the same result. */
export function answer(events: readonly AgentEvent[], result: unknown, more: object = {}) {
  return answerEach(events, () => result, more);
}

/** Answers each call that is open by the text that the person reads. */
export function answerEach(
  events: readonly AgentEvent[],
  toResult: (question: string) => unknown,
  more: object = {},
) {
  const { executionId, toolCalls } = requestIn(events);
  const toolResults = toolCalls.map(({ toolCallId, receipt, question }) => ({
    toolCallId,
    result: toResult(question?.description ?? ''),
    receipt,
    ...more,
  }));
  return { type: 'continue', executionId, toolResults };
}

/** The texts of the questions that go out. */
export function questionsIn(events: readonly AgentEvent[]) {
  return requestIn(events).toolCalls.map(({ question }) => question?.description);
}

/** The result that the agent got. */
export function resultIn(agent: ReturnType<typeof createListAgent>): unknown {
  const message = agent.contexts.at(-1)?.messages.at(-1);
  if (message?.role !== 'tool') throw new Error('the agent got no result');
  return message.error ?? message.result;
}
