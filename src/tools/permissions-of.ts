import { readDeclaredSeverity } from '../shared/severity.ts';
import type { ToolCall } from '../state/tool-call.ts';
import type { AutomaticToolDefinition, InteractiveTool } from './client-tool.ts';
import type { Definition } from './find-tool.ts';
import type { JudgedCalls, PolicyContext } from './tool-rules.ts';

/** Whether a "yes" to one call may stand for others. */
export function mayRemember(tool: AutomaticToolDefinition): boolean {
  return (
    tool.remember === true && tool.confirmWord === undefined && readDeclaredSeverity(tool) !== 'destructive'
  );
}

function isOncePerConversation(tool: Definition | string): boolean {
  return typeof tool !== 'string' && 'execute' in tool && tool.approval === 'once-per-conversation';
}

/** Lets the other calls run that a yes to this one covers. */
export function allowOthers(
  { approvalReason, request }: ToolCall,
  tool: Definition | string,
  { store, start }: Pick<JudgedCalls, 'store' | 'start'>,
): void {
  if (approvalReason !== 'policy' || !isOncePerConversation(tool)) return;
  for (const other of store.read().calls) {
    const isCovered = other.stage === 'waiting' && other.approvalReason === 'policy';
    if (isCovered && other.request.toolName === request.toolName) start(other, true, { by: 'remembered' });
  }
}

/** What a person may say of other calls together with this one. */
export function permissionsOf(
  { approvalReason, request }: ToolCall,
  tool: Definition | string,
  { options, conversationId }: PolicyContext,
): Pick<InteractiveTool, 'oncePerConversation' | 'remember'> | undefined {
  if (approvalReason !== 'policy' || typeof tool === 'string' || !('execute' in tool)) return undefined;
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
