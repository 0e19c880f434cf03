/** `ask` and `once` of a server tool: what was stored is returned at once, anything else is stored first. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { PendingToolCall } from '../../protocol/events.ts';
import type { Clock } from '../../shared/clock.ts';
import { describeThrown } from '../../shared/errors.ts';
import { compact, isRecord, toJsonValue } from '../../shared/json.ts';
import type { Principal } from '../../shared/principal.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import { describeIssues, validate } from '../../shared/validate.ts';
import {
  type DefinedToolContext,
  QuestionNotAnswered,
  type ServerToolDefinition,
  type StepContext,
  StepInterrupted,
  type ToolQuestion,
} from './define-server-tool.ts';
import type { CallSteps, Step, StoredAnswer } from './steps.ts';

/** The session's side of one call of a tool. */
export interface ToolCallIO {
  readonly clock: Clock;
  readonly principal: Principal | undefined;
  readonly signal: AbortSignal;
  /** The steps that were stored before this run of the tool. */
  readonly steps: CallSteps;
  saveStep(key: string, step: Step): Promise<void>;
  /** The same for the same step of the same call, in whichever process and attempt. */
  idempotencyKey(key: string): string;
}

/** Why a call of a tool ended without a result. */
export type Suspension =
  | { readonly type: 'asks'; readonly questions: readonly PendingToolCall[] }
  /** A step could not be stored. */
  | { readonly type: 'broken'; readonly thrown: unknown };

/** The context of one run of a tool, and what ends the run before the tool does. */
export interface ToolRun {
  readonly context: DefinedToolContext;
  /** Resolves when the tool asks, or a step could not be stored. All steps that had begun are over then. */
  readonly suspended: Promise<Suspension>;
}

/** A promise that a suspended tool waits for. The tool never goes on: it runs again from its start. */
const never = new Promise<never>(() => {});

export function createToolRun(call: PendingToolCall, tool: ServerToolDefinition, io: ToolCallIO): ToolRun {
  const { toolCallId, toolName } = call;
  const questions: PendingToolCall[] = [];
  const working = new Set<Promise<unknown>>();
  const ending = new AbortController();
  let asked = 0;
  let isOver = false;
  let suspend: (suspension: Suspension) => void = () => {};
  const suspended = new Promise<Suspension>((resolve) => {
    suspend = resolve;
  });

  /** Ends the run as soon as all that was begun in the same moment is over: a tool may ask several questions at once. */
  async function end(toSuspension: () => Suspension): Promise<never> {
    if (!isOver) {
      isOver = true;
      await Promise.resolve();
      await Promise.allSettled(working);
      suspend(toSuspension());
      ending.abort(new Error('The call goes on when its question is answered'));
    }
    return never;
  }
  async function store(key: string, step: Step): Promise<void> {
    try {
      await io.saveStep(key, step);
    } catch (thrown) {
      await end(() => ({ type: 'broken', thrown }));
    }
  }
  async function ask(question: ToolQuestion): Promise<unknown> {
    asked += 1;
    const { key = String(asked), message, output, expiresInMs } = question;
    const stepKey = `ask ${key}`;
    const step = io.steps[stepKey];
    let problem: string | undefined;
    if (step?.type === 'answered') {
      const checked = readAnswer(step.answer, output);
      if ('value' in checked) return checked.value;
      problem = describeIssues(checked.issues);
    }
    const attempt = step?.type === 'answered' ? step.attempt + 1 : step?.type === 'asked' ? step.attempt : 1;
    const questionId = `${toolCallId}:${key}${attempt > 1 ? `:${attempt}` : ''}`;
    const { title, waitsFor } = tool;
    const description = problem === undefined ? message : `${message} (${problem})`;
    questions.push(
      compact({
        toolCallId: questionId,
        toolName,
        args: { ...call.args, message: description },
        deadline: expiresInMs === undefined ? undefined : io.clock.now() + expiresInMs,
        question: compact({ ui: 'form' as const, title, description, outputSchema: toAnswerSchema(output) }),
        waitsFor,
      }),
    );
    await store(stepKey, { type: 'asked', toolCallId: questionId, attempt });
    return end(() => ({ type: 'asks', questions }));
  }
  async function doOnce<Value>(
    key: string,
    work: (context: StepContext) => Value | Promise<Value>,
  ): Promise<Value> {
    // Stored before the work begins: a process that has lost the session cannot store it, and does not begin.
    await store(`once ${key}`, { type: 'started' });
    let step: Step;
    try {
      const value = toJsonValue(await work({ idempotencyKey: io.idempotencyKey(key) }), `once '${key}'`);
      step = { type: 'done', value };
    } catch (thrown) {
      // Work that was aborted did not fail. It is tried again, as after a crash.
      if (io.signal.aborted) throw thrown;
      await store(`once ${key}`, { type: 'failed', error: describeThrown(thrown) });
      throw thrown;
    }
    await store(`once ${key}`, step);
    return step.value as Value;
  }
  async function once<Value>(
    key: string,
    work: (context: StepContext) => Value | Promise<Value>,
  ): Promise<Value> {
    const stepKey = `once ${key}`;
    const step = io.steps[stepKey];
    if (step?.type === 'done') return step.value as Value;
    if (step?.type === 'failed') throw new Error(step.error);
    if (step?.type === 'started' && work.length === 0) throw new StepInterrupted(key);
    if (isOver) return never;
    const run = doOnce(key, work);
    working.add(run);
    run.catch(() => {}).finally(() => working.delete(run));
    return run;
  }
  return {
    suspended,
    context: {
      toolCallId,
      toolName,
      signal: AbortSignal.any([io.signal, ending.signal]),
      principal: io.principal,
      ask: ask as DefinedToolContext['ask'],
      once,
    },
  };
}

/** @throws QuestionNotAnswered */
function readAnswer(
  { outcome, result, error, answeredBy }: StoredAnswer,
  output: StandardSchemaV1 | undefined,
) {
  if (outcome === 'submitted') return validate(output, unwrapText(result, output));
  const given = isRecord(result) && typeof result.reason === 'string' ? result.reason : error;
  throw new QuestionNotAnswered(outcome, outcome === 'expired' ? undefined : given, answeredBy);
}

/** A form has fields, so the answer that is a mere text is its one field. */
const TEXT_FIELD = 'answer';

function toAnswerSchema(output: StandardSchemaV1 | undefined): Readonly<Record<string, unknown>> {
  const schema = output && readStandardJsonSchema(output);
  if (schema !== undefined) return schema;
  return {
    type: 'object',
    properties: { [TEXT_FIELD]: { type: 'string', title: 'Answer' } },
    required: [TEXT_FIELD],
  };
}

function unwrapText(result: unknown, output: StandardSchemaV1 | undefined): unknown {
  return output === undefined && isRecord(result) && TEXT_FIELD in result ? result[TEXT_FIELD] : result;
}
