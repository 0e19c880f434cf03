import { describeThrown } from '../shared/errors.ts';
import { toJsonValue } from '../shared/json.ts';
import type { AutomaticToolDefinition, InteractiveToolDefinition, Issue } from '../store/client-tools.ts';
import { rulesOf } from './tool-rules.ts';

/** A result as it travels, a frozen JSON value, or what is wrong with it. */
export type CheckedResult =
  | { readonly value: unknown }
  | { readonly reason: 'invalid-result' | 'not-serializable'; readonly issues: readonly Issue[] };

export function checkResult(
  tool: InteractiveToolDefinition | AutomaticToolDefinition | undefined,
  result: unknown,
): CheckedResult {
  const checked = rulesOf(tool).validate(tool?.output, result);
  if ('issues' in checked) return { reason: 'invalid-result', issues: checked.issues };
  try {
    return { value: toJsonValue(checked.value) };
  } catch (thrown) {
    const message = describeThrown(thrown, 'JSON cannot carry it');
    return { reason: 'not-serializable', issues: [{ message }] };
  }
}
