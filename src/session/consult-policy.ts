import type { Clock } from '../shared/clock.ts';
import { reportThrown } from '../shared/report-thrown.ts';
import type { ToolCall } from '../state/tool-call.ts';
import type { ChatStore } from '../store/chat-store.ts';
import type { ChoiceMemory } from '../store/choice-memory.ts';
import type { AutomaticToolDefinition } from '../store/client-tools.ts';
import type { Verdict } from './judge-call.ts';

export interface PolicyContext {
  readonly store: () => ChatStore;
  readonly clock: Clock;
  /** What a person wanted to have remembered, where anything keeps that. */
  readonly memory: () => ChoiceMemory | undefined;
  readonly conversationId: string;
}

/** Whether a tool's policy lets a call run. Never rejects: what fails is reported, and a person is to be asked. */
export async function consultPolicy(
  { store, clock, memory, conversationId }: PolicyContext,
  { request: { toolCallId, toolName, args: sent } }: ToolCall,
  tool: AutomaticToolDefinition,
  args: unknown,
  signal: AbortSignal,
): Promise<Verdict> {
  try {
    const { judgeCall } = await import('./judge-call.ts');
    return await judgeCall({
      tool,
      args,
      context: { toolCallId, toolName, signal },
      call: { toolName, args: sent, conversationId },
      memory: memory(),
      allowedBefore: () => store().read().allowedTools.includes(toolName),
      clock,
    });
  } catch (thrown) {
    reportThrown(thrown);
    return 'ask';
  }
}
