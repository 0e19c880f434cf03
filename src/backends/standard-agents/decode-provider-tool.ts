import type { AgentEvent } from '../../core/protocol/events.ts';
import { compact, isRecord } from '../../shared/json.ts';
import { isName } from './thread-row.ts';

const PREFIX = 'provider:';

/**
 * Decodes a tool that the provider of the model ran (`ProviderExecutedToolResult` of the Standard Agents specification 0.15). The call is
 * shown and never run: neither this page nor the server executes it. Its result keeps `actions`, `artifacts` and `metadata`, which the
 * view of the transcript reads.
 *
 * @returns undefined for a value that has no id or no name
 */
export function decodeProviderTool(tool: unknown): readonly AgentEvent[] | undefined {
  if (!isRecord(tool) || !isName(tool.id)) return undefined;
  // Old logs have the name as `type`.
  const name = [tool.name, tool.type].find(isName);
  if (name === undefined) return undefined;
  const { id: toolCallId, status, provider, metadata } = tool;
  const result = isRecord(tool.result) ? tool.result : {};
  const { input, ...rest } = result;
  const announced: AgentEvent = {
    type: 'tool-input-available',
    toolCallId,
    toolName: name.startsWith(PREFIX) ? name : `${PREFIX}${name}`,
    input: isRecord(input) ? input : {},
    providerExecuted: true,
  };
  if (status === 'in_progress') return [announced];
  if (status === 'failed') {
    const error = isName(rest.output) ? rest.output : 'The provider could not run this tool.';
    return [announced, { type: 'tool-output-error', toolCallId, error }];
  }
  const output = compact({ ...rest, provider, metadata });
  return [announced, { type: 'tool-output-available', toolCallId, output }];
}
