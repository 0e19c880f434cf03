/** Checks the answer to a question of a server tool, before it is accepted. */
import { fromJSONSchema } from 'zod';
import type { PendingToolCall, ToolResult } from '../../core/protocol/events.ts';
import { isRecord } from '../../shared/json.ts';
import { describeIssues, validate } from '../../shared/validate.ts';
import type { AnswerRecord } from '../store/session-store.ts';
import { findDefinition } from '../tools/run-server-tools.ts';
import type { ServerTools } from '../tools/server-tool.ts';

/**
 * Returns what is wrong with an answer, or undefined. An answer to a question is checked by the JSON Schema that the page has got; the
 * schema of the tool, which may ask for more, checks it when the tool runs again.
 */
export function checkQuestionAnswer(
  { toolName, executedBy, question }: PendingToolCall,
  answer: ToolResult,
  tools: ServerTools,
): string | undefined {
  if (question === undefined || toOutcome(answer) !== 'submitted') return undefined;
  const { result } = answer;
  if (executedBy !== 'server') return describe(validateJson(question.outputSchema, result));
  if (!isRecord(result) || result.editedArgs === undefined) return undefined;
  if (!question.editable) return 'its arguments may not be changed';
  if (!isRecord(result.editedArgs)) return 'editedArgs must be an object';
  return describe(validate(findDefinition(tools, toolName)?.input, structuredClone(result.editedArgs)));
}

function validateJson(schema: Readonly<Record<string, unknown>> | undefined, value: unknown) {
  if (schema === undefined) return { value };
  try {
    return validate(fromJSONSchema(schema), value);
  } catch {
    // A schema that zod cannot read describes the form all the same.
    return { value };
  }
}

function describe(checked: ReturnType<typeof validate>): string | undefined {
  return 'issues' in checked ? describeIssues(checked.issues) : undefined;
}

/** The outcome of an answer, by the forms that clients send. */
export function toOutcome({ result, error }: ToolResult): AnswerRecord['outcome'] {
  if (error) return 'cancelled';
  if (!isRecord(result)) return 'submitted';
  return result.outcome === 'declined' || result.confirmed === false ? 'declined' : 'submitted';
}
