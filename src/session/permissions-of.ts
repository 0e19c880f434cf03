import { readDeclaredTone } from '../shared/confirmation-tone.ts';
import type { ToolCall } from '../state/tool-call.ts';
import type { AutomaticToolDefinition, InteractiveTool } from '../store/client-tools.ts';
import type { Definition } from './find-tool.ts';
import type { JudgedCalls, PolicyContext } from './tool-rules.ts';

/** Whether a "yes" to one call may stand for others. */
export function mayRemember(tool: AutomaticToolDefinition): boolean {
  return tool.remember === true && tool.confirmWord === undefined && readDeclaredTone(tool) !== 'destructive';
}

function isOncePerConversation(tool: Definition | string): boolean {
  return typeof tool !== 'string' && 'execute' in tool && tool.approval === 'once-per-conversation';
}

/** Lets the other calls run that a yes to this one covers. */
export function allowOthers(
  { asks, request }: ToolCall,
  tool: Definition | string,
  { store, start }: Pick<JudgedCalls, 'store' | 'start'>,
): void {
  if (asks !== 'approval' || !isOncePerConversation(tool)) return;
  for (const other of store.read().calls) {
    const isCovered = other.stage === 'waiting' && other.asks === 'approval';
    if (isCovered && other.request.toolName === request.toolName) start(other, true, { by: 'remembered' });
  }
}

/** What a person may say of other calls together with this one. */
export function permissionsOf(
  { asks, request }: ToolCall,
  tool: Definition | string,
  { options, conversationId }: PolicyContext,
): Pick<InteractiveTool, 'oncePerConversation' | 'remember'> | undefined {
  if (asks !== 'approval' || typeof tool === 'string' || !('execute' in tool)) return undefined;
  const { toolName, args } = request;
  const { input } = tool;
  const memory = options().rememberedChoices;
  return {
    ...(isOncePerConversation(tool) && { oncePerConversation: true }),
    ...(memory !== undefined &&
      mayRemember(tool) && {
        remember: (said) => memory.remember({ toolName, args, conversationId, input }, said),
      }),
  };
}
