import { describeThrown } from '../shared/errors.ts';
import { toJsonValue } from '../shared/json.ts';
import type { ToolCall, ToolCallAnswer } from '../state/tool-call.ts';
import type { AutomaticToolDefinition, InteractiveToolDefinition, Issue } from './client-tool.ts';
import { answers } from './outcomes.ts';
import { rulesOf } from './tool-rules.ts';

/** Why a result is no answer. */
export interface RefusedResult {
  readonly settled: false;
  readonly reason: 'invalid-result' | 'not-serializable';
  readonly issues: readonly Issue[];
}

/**
 * The answer that a result is: a frozen JSON value, as it travels.
 *
 * @param shown what is shown and kept in its place; by default what the tool's rules leave of it
 */
export function checkResult(
  call: ToolCall,
  tool: InteractiveToolDefinition | AutomaticToolDefinition | undefined,
  result: unknown,
  shown?: unknown,
): ToolCallAnswer | RefusedResult {
  const rules = rulesOf(tool);
  const checked = rules.validate(tool?.output, result);
  if ('issues' in checked) return { settled: false, reason: 'invalid-result', issues: checked.issues };
  try {
    const value = toJsonValue(checked.value);
    return answers.submitted(value, shown === undefined ? rules.shownResult(call, tool, result) : shown);
  } catch (thrown) {
    const message = describeThrown(thrown, 'JSON cannot carry it');
    return { settled: false, reason: 'not-serializable', issues: [{ message }] };
  }
}
