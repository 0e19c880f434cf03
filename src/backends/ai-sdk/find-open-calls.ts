import type { PendingToolCall } from '../../core/protocol/events.ts';
import type { CallNames } from './call-names.ts';
import { toArgs } from './decode-chunk.ts';
import { type AiSdkPart, type AiSdkToolPart, isToolPart, toolNameOf } from './ui-message.ts';

/**
 * Returns the calls of the last step that wait for this client: those without an output, which the server has no `execute` for, and those
 * whose approval is asked for. A call to approve carries its `approval`.
 *
 * @param names the ids of the calls on the page
 */
export function findOpenCalls(parts: readonly AiSdkPart[], names: CallNames): readonly PendingToolCall[] {
  const step = parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1);
  return step.filter(isToolPart).flatMap((part) => {
    const call = { toolCallId: names.of(part), toolName: toolNameOf(part), args: toArgs(part.input) };
    if (isAsked(part)) return { ...call, executedBy: 'server' as const, approval: part.approval };
    return part.state === 'input-available' && !part.providerExecuted ? call : [];
  });
}

function isAsked({ state, approval }: AiSdkToolPart): boolean {
  return state === 'approval-requested' && !approval?.isAutomatic;
}
