/** What a tool asks a person, and what it gets. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { CallQuestion } from '../../core/protocol/events.ts';
import { isRecord } from '../../shared/json.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import { type Validation, validate } from '../../shared/validate.ts';
import type { StoredAnswer } from '../store/call-record.ts';
import type { ToolQuestion } from './server-tool.ts';
import { QuestionNotAnswered } from './step-errors.ts';

/** A form has fields, so an answer that is a mere text is the one field of its form. */
const TEXT_FIELD = 'answer';

/** Returns the texts of the question that decide what an answer means. */
export function toAsked({
  message,
  output,
}: ToolQuestion): Required<Pick<CallQuestion, 'description' | 'outputSchema'>> {
  const schema = output && readStandardJsonSchema(output);
  if (schema !== undefined) return { description: message, outputSchema: schema };
  const properties = { [TEXT_FIELD]: { type: 'string', title: 'Answer' } };
  return { description: message, outputSchema: { type: 'object', properties, required: [TEXT_FIELD] } };
}

/** Returns the value of an answer as the schema of the tool reads it, or its issues. @throws QuestionNotAnswered */
export function readAnswerValue(
  { outcome, result, error, reason, answeredBy }: StoredAnswer,
  output: StandardSchemaV1 | undefined,
): Validation {
  if (outcome === 'submitted') return validate(output, unwrapText(result, output));
  throw new QuestionNotAnswered(outcome, outcome === 'expired' ? undefined : (reason ?? error), answeredBy);
}

function unwrapText(result: unknown, output: StandardSchemaV1 | undefined): unknown {
  return output === undefined && isRecord(result) && TEXT_FIELD in result ? result[TEXT_FIELD] : result;
}
