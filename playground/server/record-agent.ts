import type { Agent, AgentMessage, AgentToolCall } from 'handrail/server';

/**
 * Writes down what an agent sees, for backends whose conversation the page keeps. Each invocation adds the messages behind the agent's
 * latest one, so that an answer which the page posts twice stands in the history twice.
 */
export function recordAgent(agent: Agent) {
  const histories = new Map<string, AgentMessage[]>();

  const recorded: Agent = async function* (context) {
    const { sessionId, messages } = context;
    const history = histories.get(sessionId) ?? [];
    histories.set(sessionId, history);
    history.push(...messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1));
    let content = '';
    let toolCalls: readonly AgentToolCall[] = [];
    for await (const event of agent(context)) {
      if (event.type === 'text-delta') content += event.delta;
      if (event.type === 'tool-request') toolCalls = event.toolCalls;
      yield event;
    }
    history.push({ role: 'assistant', content, ...(toolCalls.length > 0 && { toolCalls }) });
  };

  return {
    agent: recorded,
    readHistory: async (session: string): Promise<readonly AgentMessage[]> => histories.get(session) ?? [],
  };
}
