import { freezeArguments } from '../../shared/copy-arguments.ts';
import { describeThrown } from '../../shared/errors.ts';
import { deepFreeze } from '../../shared/json.ts';
import { describeIssues, type Validation, validate } from '../../shared/validate.ts';
import type { ToolCall, ToolCallAnswer } from '../state/tool-call.ts';
import type { ClientToolDefinition, Issue } from './client-tool.ts';
import { outcomes } from './outcomes.ts';

/**
 * Parses the arguments of a call with the tool's `input` schema.
 *
 * The state of the chat keeps the arguments as the agent sent them. A parsed value (a date, a bigint, a class instance)
 * belongs to this page: it would survive neither a reload nor the way to another tab.
 *
 * @returns a frozen value. Whoever else gets it gets it by `shareArguments`.
 */
export function parseArguments(
  tool: Pick<ClientToolDefinition, 'input'> | string,
  sent: ToolCall['request']['args'],
): Validation {
  const schema = typeof tool === 'string' ? undefined : tool.input;
  try {
    const args = deepFreeze(sent);
    if (schema === undefined) return { value: args };
    const parsed = validate(schema, structuredClone(args));
    return 'issues' in parsed ? parsed : { value: freezeArguments(parsed.value) };
  } catch (thrown) {
    // Arguments nested thousands of levels deep exhaust the stack of `structuredClone`.
    return { issues: [{ message: describeThrown(thrown) }] };
  }
}

/**
 * Returns parsed arguments as a policy or a component may have them. Without a schema they are frozen JSON; a schema may make dates and
 * maps, which cannot be frozen.
 */
export function shareArguments(
  definition: Pick<ClientToolDefinition, 'input'> | undefined,
  args: unknown,
): unknown {
  return definition?.input === undefined ? args : freezeArguments(args);
}

/** The answer to a call whose arguments its tool refuses. */
export function toInvalidArguments({ request }: ToolCall, issues: readonly Issue[]): ToolCallAnswer {
  return outcomes.failed(`Invalid arguments for tool ${request.toolName}: ${describeIssues(issues)}`);
}
