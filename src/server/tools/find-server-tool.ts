import { hasOwn } from '../../shared/json.ts';
import type { ServerTool, ServerToolDefinition, ServerTools } from './server-tool.ts';

/** The tool with this name. Looks at own properties only: a call of `constructor` finds nothing. */
export function findServerTool(
  tools: ServerTools,
  toolName: string,
): ServerTool | ServerToolDefinition | undefined {
  return hasOwn(tools, toolName) ? tools[toolName] : undefined;
}

/** The definition of a tool that was made by `defineServerTool`: such a tool can run again from its start. */
export function findDefinition(tools: ServerTools, toolName: string): ServerToolDefinition | undefined {
  const tool = findServerTool(tools, toolName);
  return typeof tool === 'object' ? tool : undefined;
}
