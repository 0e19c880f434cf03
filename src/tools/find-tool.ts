/** What the app declares for a tool, and what its schema makes of the arguments of a call. */
import { describeThrown } from '../shared/errors.ts';
import { deepFreeze, hasOwn } from '../shared/json.ts';
import type { Validation } from '../shared/validate.ts';
import type { ToolCall, ToolCallAnswer } from '../state/tool-call.ts';
import {
  type AutomaticToolDefinition,
  type ClientTools,
  type InteractiveToolDefinition,
  type Issue,
  toolRules,
} from './client-tool.ts';
import { answers } from './outcomes.ts';
import { rulesOf } from './tool-rules.ts';

export type Definition = InteractiveToolDefinition | AutomaticToolDefinition;

const BARE: InteractiveToolDefinition = { interactive: true };

/**
 * What the app declared for a tool that waits for a person, nothing for a bare one. Of a tool with a handler it is what a
 * dialog asks with whether that may run.
 */
export function askingOf(
  tool: Definition | string,
  approvalReason: ToolCall['approvalReason'],
): InteractiveToolDefinition | undefined {
  if (typeof tool === 'string' || tool === BARE) return undefined;
  if ('interactive' in tool) return tool;
  if (approvalReason === undefined) return undefined;
  const { execute: _, output: __, timeoutMs: ___, ...asked } = tool;
  return { ...asked, interactive: true };
}

/** The tool of that name, or why there is none. */
export function findTool(tools: ClientTools, toolName: string): Definition | string {
  const tool = hasOwn(tools, toolName) ? tools[toolName] : undefined;
  if (tool === undefined) return `No client handler for tool: ${toolName}`;
  if (typeof tool === 'function') return { execute: tool };
  if (tool === 'interactive') return BARE;
  // Of what `defineClientTool` did not make nothing is read: a schema or a policy in it must not look as if it held.
  if (toolRules in Object(tool)) return tool as Definition;
  return `Tool ${toolName} has no usable client handler: a function, 'interactive' or a defineClientTool`;
}

/**
 * The arguments as the tool's schema makes them. State keeps those of the request: what a schema makes (a date, a
 * bigint, a class instance) belongs to the app and would not survive a reload or the way to another tab.
 */
export function parseArgs(tool: Definition | string, { request }: ToolCall): Validation {
  const schema = typeof tool === 'string' ? undefined : tool.input;
  try {
    const args = schema === undefined ? deepFreeze(request.args) : structuredClone(request.args);
    return rulesOf(tool).validate(schema, args);
  } catch (thrown) {
    // Nested so deep that there is no stack left to copy them.
    return { issues: [{ message: describeThrown(thrown) }] };
  }
}

export function invalidArguments(
  { request }: ToolCall,
  tool: Definition | string,
  issues: readonly Issue[],
): ToolCallAnswer {
  const faults = rulesOf(tool).describeIssues(issues);
  return answers.failed(`Invalid arguments for tool ${request.toolName}: ${faults}`);
}
