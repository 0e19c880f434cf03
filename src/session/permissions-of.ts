import { readDeclaredTone } from '../shared/confirmation-tone.ts';
import type { ToolCall } from '../state/tool-call.ts';
import type { ChoiceMemory } from '../store/choice-memory.ts';
import type { AutomaticToolDefinition, InteractiveTool } from '../store/client-tools.ts';
import { type Definition, isOncePerConversation } from './find-tool.ts';

/** Whether a "yes" to one call may stand for others. */
export function mayRemember(tool: AutomaticToolDefinition): boolean {
  return tool.remember === true && tool.confirmWord === undefined && readDeclaredTone(tool) !== 'destructive';
}

/** What a person may say of other calls together with this one. */
export function permissionsOf(
  { asks, request }: ToolCall,
  tool: Definition | string,
  memory: ChoiceMemory | undefined,
  conversationId: string,
): Pick<InteractiveTool, 'oncePerConversation' | 'remember'> | undefined {
  if (asks !== 'approval' || typeof tool === 'string' || !('execute' in tool)) return undefined;
  const { toolName, args } = request;
  const { input } = tool;
  return {
    ...(isOncePerConversation(tool) && { oncePerConversation: true }),
    ...(memory !== undefined &&
      mayRemember(tool) && {
        remember: (said) => memory.remember({ toolName, args, conversationId, input }, said),
      }),
  };
}
