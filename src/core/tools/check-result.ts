import { describeThrown } from '../../shared/errors.ts';
import { toJsonValue } from '../../shared/json.ts';
import { validate } from '../../shared/validate.ts';
import type { ToolCall, ToolCallAnswer } from '../state/tool-call.ts';
import type { ClientToolDefinition, Issue } from './client-tool.ts';
import { outcomes } from './outcomes.ts';
import { redactResult } from './redact-result.ts';

/** Says why a result cannot be the answer of its call. */
export interface RefusedResult {
  readonly settled: false;
  readonly reason: 'invalid-result' | 'not-serializable';
  readonly issues: readonly Issue[];
}

/**
 * Checks a result against the tool's `output` schema and JSON, and makes it the answer of the call.
 *
 * @param redactedResult shown and stored in place of the result; default: the result without what the schemas mark as secret
 */
export function checkResult(
  call: ToolCall,
  tool: ClientToolDefinition | undefined,
  result: unknown,
  redactedResult?: unknown,
): ToolCallAnswer | RefusedResult {
  const checked = validate(tool?.output, result);
  if ('issues' in checked) return { settled: false, reason: 'invalid-result', issues: checked.issues };
  try {
    return outcomes.submitted(
      toJsonValue(checked.value),
      redactedResult === undefined ? redactResult(call, tool, result) : redactedResult,
    );
  } catch (thrown) {
    const message = describeThrown(thrown, 'JSON cannot carry it');
    return { settled: false, reason: 'not-serializable', issues: [{ message }] };
  }
}
