import { describeDefinition } from '../../shared/describe-definition.ts';
import { hasOwn } from '../../shared/json.ts';
import { readDeclaredSeverity } from '../../shared/severity.ts';
import type { ToolCall } from '../state/tool-call.ts';
import type { TransportQuestion, TransportTool } from '../transport/agent-transport.ts';
import { findDefinitionFault, isDefinition } from './check-definition.ts';
import type { ClientToolDefinition, ClientTools, InteractiveToolDefinition } from './client-tool.ts';

/** The definition of every tool that was declared with the bare word `'interactive'`. */
const BARE_INTERACTIVE: InteractiveToolDefinition = { interactive: true };

/** Returns the definition of the tool, or a text for the agent that says why the tool cannot be used. */
export function findTool(tools: ClientTools, toolName: string): ClientToolDefinition | string {
  const tool = hasOwn(tools, toolName) ? tools[toolName] : undefined;
  if (tool === undefined) return `No client handler for tool: ${toolName}`;
  if (typeof tool === 'function') return { execute: tool };
  if (tool === 'interactive') return BARE_INTERACTIVE;
  if (isDefinition(tool)) {
    const fault = findDefinitionFault(tool);
    return fault === undefined ? tool : `Tool ${toolName} cannot be used: ${fault}`;
  }
  return `Tool ${toolName} has no usable client handler: a function, 'interactive', or an object with execute or interactive: true`;
}

/**
 * Returns the tool as a person knows it: its name, and what people go by. A choice of a person is about this text. Empty for a tool that
 * cannot be used.
 */
export function describeTool(toolName: string, tool: ClientToolDefinition | string): string {
  if (typeof tool === 'string') return '';
  return `${toolName} ${describeDefinition({ ...tool, severity: readDeclaredSeverity(tool) })}`;
}

/**
 * Joins what the app declares with what the transport brings for a call. A tool of the transport replaces that of the app. A question of
 * the backend is asked as the app declares it; about a handler of the app it asks whether the handler may run, unless the backend runs it.
 */
export function joinTools(
  declared: ClientToolDefinition | string,
  brought: TransportTool | TransportQuestion | undefined,
): ClientToolDefinition | string {
  if (brought === undefined) return declared;
  if ('execute' in brought) return brought;
  const { isApproval, ...question } = brought;
  if (typeof declared === 'string') return question;
  if (!isApproval)
    return 'execute' in declared ? { ...declared, approval: 'always' } : { ...question, ...declared };
  if ('execute' in declared) return question;
  // What the app declares as `output` is the result of the tool, and the server has that.
  const { output: _, ...asked } = declared;
  return { ...question, ...asked };
}

/**
 * Returns what the dialog of a waiting call may know of its tool; undefined for a bare `'interactive'` tool.
 *
 * A tool with a handler waits only while a person decides whether the handler may run. Its dialog gets the definition
 * without the handler, the schema of the handler's result and the time limit of the handler.
 */
export function toDialogDefinition(
  tool: ClientToolDefinition | string,
  approvalReason: ToolCall['approvalReason'],
): InteractiveToolDefinition | undefined {
  if (typeof tool === 'string' || tool === BARE_INTERACTIVE) return undefined;
  if ('interactive' in tool) return tool;
  if (approvalReason === undefined) return undefined;
  const { execute: _, output: __, timeoutMs: ___, ...rest } = tool;
  return { ...rest, interactive: true };
}
