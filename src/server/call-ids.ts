/** The ids of calls: those of an agent, and those of the questions that tools ask. No two calls of a conversation share one. */
import type { AgentMessage } from './agent.ts';

/** The ids of all calls in the messages that an agent gets. */
export function usedCallIds(messages: readonly AgentMessage[]): Set<string> {
  return new Set(
    messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []).map(({ toolCallId }) => toolCallId) : [],
    ),
  );
}

/**
 * Returns a function that gives each call of an invocation an id that no earlier call has. Some models count `call_0` anew in each
 * response; such an id gets a suffix. So does one of the form in which the questions of tools go out: it could be taken for one of them.
 */
export function createCallIds(usedIds: ReadonlySet<string>): (id: string) => string {
  const used = new Set(usedIds);
  const names = new Map<string, string>();
  return (id) => {
    const known = names.get(id);
    if (known !== undefined) return known;
    let name = id;
    for (let count = 2; used.has(name) || isQuestionId(name); count += 1) name = `${id}-${count}`;
    used.add(name);
    names.set(id, name);
    return name;
  };
}

/** Returns the id under which a question goes out: `stepId` is the hexadecimal id of its step and attempt, see `ToolCallIO`. */
export function toQuestionId(stepId: string): string {
  return `ask_${stepId.slice(0, 32)}`;
}

/** Returns true for an id of the form of {@link toQuestionId}. No call of an agent keeps such an id, so the two cannot meet. */
export function isQuestionId(toolCallId: string | undefined): boolean {
  return toolCallId !== undefined && /^ask_[0-9a-f]{32}$/.test(toolCallId);
}
