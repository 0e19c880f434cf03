/** The stored form of a record: everything that is saved, or shown to a client that did not give it, goes through it. */
import { copyArguments } from '../../shared/copy-arguments.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import { compact, isRecord } from '../../shared/json.ts';
import { withoutSecrets } from '../../shared/secrets.ts';
import {
  type CallRecord,
  isApproval,
  type StoredAnswer,
  type StoredStep,
  type StoredSteps,
} from './call-record.ts';
import type { SessionRecord } from './session-store.ts';

/**
 * Returns a value as the store may keep it: the result of a tool, the answer of a person, the arguments that a person has edited, the value
 * of a `once` step, or what its error carries beside the message. The stored form of a stored form is the same.
 */
export type RedactStored = (
  result: unknown,
  call: { readonly toolName: string; readonly toolCallId: string },
) => unknown;

/** Returns the record without its secrets. Calls that did not change have the same stored form, as the same object. */
export type ToStoredForm = (record: SessionRecord) => SessionRecord;

/** Makes the function that removes what `redact` and the schemas of the questions call secret. It throws what `redact` throws. */
export function createStoredForm(redact: RedactStored | undefined): ToStoredForm {
  const known = new WeakMap<CallRecord, CallRecord>();
  const toStored = (call: CallRecord): CallRecord => {
    let stored = known.get(call);
    if (stored === undefined) {
      stored = toStoredCall(call, redact);
      known.set(call, stored);
    }
    return stored;
  };
  return (record) => {
    const entries = Object.entries(record.calls);
    const stored = entries.map(([key, call]) => [key, toStored(call)] as const);
    const isWhole = stored.every(([, call], index) => call === entries[index]?.[1]);
    return isWhole ? record : { ...record, calls: Object.fromEntries(stored) };
  };
}

/** The stored form of one call. */
export function toStoredCall(call: CallRecord, redact: RedactStored | undefined): CallRecord {
  const strip = (value: unknown, schema?: unknown): unknown => {
    // It gets a copy: one that changes what it gets would change what the tool and the agent get.
    const given = redact === undefined ? value : redact(copyArguments(value), call);
    const stored = (schema === undefined ? given : withoutSecrets(given, schema)) ?? null;
    return deepEqual(stored, value) ? value : stored;
  };
  const answer = call.answer && toStoredAnswer(call, call.answer, strip);
  const steps = call.steps && toStoredSteps(call.steps, strip);
  const result = call.end?.result;
  const end =
    result === undefined
      ? call.end
      : markRedacted(call.end ?? {}, result, strip(stripEdited(call, result, strip)));
  const isWhole = answer === call.answer && steps === call.steps && end === call.end;
  return isWhole ? call : (compact({ ...call, answer, steps, end }) as CallRecord);
}

function toStoredAnswer(
  call: CallRecord,
  answer: StoredAnswer,
  strip: (value: unknown, schema?: unknown) => unknown,
): StoredAnswer {
  const { result } = answer;
  if (result === undefined) return answer;
  if (!isApproval(call)) return markRedacted(answer, result, strip(result, call.question?.outputSchema));
  // The yes itself is no secret.
  return markRedacted(answer, result, stripEdited(call, result, strip));
}

/** The arguments that a person has typed may be secret. The answer has it, and so has the result that the agent gets. */
function stripEdited(
  { question, answer }: CallRecord,
  value: unknown,
  strip: (value: unknown, schema?: unknown) => unknown,
): unknown {
  const wasEdited = isRecord(answer?.result) && answer.result.editedArgs !== undefined;
  if (!wasEdited || !isRecord(value) || value.editedArgs === undefined) return value;
  const editedArgs = strip(value.editedArgs, question?.inputSchema);
  return editedArgs === value.editedArgs ? value : { ...value, editedArgs };
}

function toStoredSteps(steps: StoredSteps, strip: (value: unknown) => unknown): StoredSteps {
  const entries = Object.entries(steps);
  const stored = entries.map(([key, step]) => {
    if (step.type === 'failed') return [key, toStoredFailure(step, strip)] as const;
    if (step.type !== 'done' || step.value === undefined) return [key, step] as const;
    const value = strip(step.value);
    return [key, value === step.value ? step : { ...step, value, redacted: true as const }] as const;
  });
  return stored.every(([, step], index) => step === entries[index]?.[1]) ? steps : Object.fromEntries(stored);
}

/** An error may carry the request that failed, with all that was sent in it. */
function toStoredFailure(
  step: Extract<StoredStep, { type: 'failed' }>,
  strip: (value: unknown) => unknown,
): StoredStep {
  const { error } = step;
  if (typeof error === 'string' || error.properties === undefined) return step;
  const properties = strip(error.properties);
  if (properties === error.properties) return step;
  const { properties: _, ...rest } = error;
  return { ...step, error: { ...rest, ...(isRecord(properties) && { properties }) } };
}

function markRedacted<Holder extends { readonly result?: unknown }>(
  holder: Holder,
  whole: unknown,
  result: unknown,
): Holder {
  return result === whole ? holder : { ...holder, result, redacted: true };
}
