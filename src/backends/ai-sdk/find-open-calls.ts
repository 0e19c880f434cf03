import type { PendingToolCall } from '../../core/protocol/events.ts';
import { toArgs } from './decode-chunk.ts';
import { type AiSdkMessage, type AiSdkToolPart, isToolPart, toolNameOf } from './ui-message.ts';

/**
 * Returns the calls of the last step that wait for this client: those without an output, which the server has no `execute` for, and those
 * whose approval is asked for. A call to approve carries its `approval`.
 */
export function findOpenCalls({ parts }: AiSdkMessage): readonly PendingToolCall[] {
  const step = parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1);
  return step.filter(isToolPart).flatMap((part) => {
    if (part.state === 'approval-requested' && !part.approval?.isAutomatic)
      return { ...toCall(part), executedBy: 'server' as const, approval: part.approval };
    return part.state === 'input-available' && !part.providerExecuted ? toCall(part) : [];
  });
}

function toCall(part: AiSdkToolPart): PendingToolCall {
  return { toolCallId: part.toolCallId, toolName: toolNameOf(part), args: toArgs(part.input) };
}
