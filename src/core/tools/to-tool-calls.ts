import type { ClientToolRequestEvent } from '../protocol/events.ts';
import { type ToolCall, toolCallKey } from '../state/tool-call.ts';

/** The calls of a request, each once. @param now milliseconds since the epoch */
export function toToolCalls(
  { executionId, toolCalls, serverToolResults = [], partial }: ClientToolRequestEvent,
  now: number,
): readonly ToolCall[] {
  const calls = new Map<string, ToolCall>();
  for (const request of toolCalls) {
    const key = toolCallKey(executionId, request.toolCallId);
    if (calls.has(key)) continue;
    calls.set(key, {
      ...{ key, executionId, request, requestedAt: now, stage: 'announced', serverToolResults },
      ...(partial && { partial }),
    });
  }
  return [...calls.values()];
}
