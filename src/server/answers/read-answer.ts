/** Reads the answer to a call: how it ended, and whether it is an answer to what was asked. */
import { fromJSONSchema } from 'zod';
import type { ToolResult } from '../../core/protocol/events.ts';
import { isBlank } from '../../shared/is-blank.ts';
import { isRecord } from '../../shared/json.ts';
import { isApprovalYes, readOutcome, readReason, type ToolOutcome } from '../../shared/tool-outcome.ts';
import { describeIssues, validate } from '../../shared/validate.ts';
import { type CallRecord, isApproval, isOfServerTool, type StoredAnswer } from '../store/call-record.ts';
import { checkEdited } from '../tools/call-arguments.ts';
import { findDefinition } from '../tools/find-server-tool.ts';
import type { ServerTools } from '../tools/server-tool.ts';

/** The part of an answer that its client sent. */
export type GivenAnswer = Pick<StoredAnswer, 'outcome' | 'result' | 'error' | 'reason' | 'files'>;

/**
 * Returns what an answer says, or what is wrong with it. An answer to a question is checked by the JSON Schema that the page has got; the
 * schema of the tool, which may ask for more, checks it when the tool runs again.
 */
export function readAnswer(
  call: CallRecord,
  answer: ToolResult,
  tools: ServerTools,
): { readonly given: GivenAnswer } | { readonly fault: string } {
  const outcome = readOutcome(answer, {
    from: isApproval(call) ? 'approval' : call.question || call.askedBy ? 'person' : 'handler',
    allows: (value) => checkResult(call, value) === undefined,
  });
  if (outcome === undefined) return { fault: NOT_EXACT };
  if (outcome === 'expired' && isOfServerTool(call))
    return { fault: 'the server says itself when the time is over' };
  const fault =
    outcome === 'submitted' ? checkSubmitted(call, answer.result, tools) : checkReason(call, answer, outcome);
  return fault === undefined ? { given: toGiven(answer, outcome) } : { fault };
}

const NOT_EXACT =
  "a yes is `outcome: 'submitted'` without a result, or the result { confirmed: true }; a no is `outcome: 'declined'` or { confirmed: false }";

function toGiven({ result, error, files, ...answer }: ToolResult, outcome: ToolOutcome): GivenAnswer {
  const reason = readReason({ ...answer, result, error }, outcome);
  return {
    outcome,
    ...(error ? { error } : result !== undefined && { result }),
    ...(reason !== undefined && { reason }),
    ...(files !== undefined && { files }),
  };
}

function checkSubmitted(call: CallRecord, result: unknown, tools: ServerTools): string | undefined {
  if (!isApproval(call)) return checkResult(call, result);
  if (!isApprovalYes(result) || result.editedArgs === undefined) return undefined;
  if (!call.question?.editable) return 'its arguments may not be changed';
  if (!isRecord(result.editedArgs)) return 'editedArgs must be an object';
  return checkEdited(findDefinition(tools, call.toolName)?.input, call.args, result.editedArgs);
}

/** Whoever leaves a question has not said no, so there is nothing to give a reason for: asked again, the person could not get away. */
function checkReason(
  { question }: CallRecord,
  { reason, result }: ToolResult,
  outcome: ToolOutcome,
): string | undefined {
  if (question?.reason !== 'required' || outcome !== 'declined') return undefined;
  const given = reason ?? (isRecord(result) ? result.reason : undefined);
  return typeof given === 'string' && !isBlank(given) ? undefined : 'a no needs a reason here';
}

function checkResult({ question }: CallRecord, value: unknown): string | undefined {
  if (question?.outputSchema === undefined) return undefined;
  const checked = validateJson(question.outputSchema, value);
  return 'issues' in checked ? describeIssues(checked.issues) : undefined;
}

function validateJson(schema: Readonly<Record<string, unknown>>, value: unknown) {
  try {
    return validate(fromJSONSchema(schema), value);
  } catch {
    // A schema that zod cannot read describes the form all the same.
    return { value };
  }
}
