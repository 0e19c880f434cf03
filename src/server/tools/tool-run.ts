/** One run of a server tool: what was stored is returned at once, anything else is stored first. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { CallQuestion, PendingToolCall } from '../../core/protocol/events.ts';
import type { Clock } from '../../shared/clock.ts';
import { describeThrown } from '../../shared/errors.ts';
import { compact, isRecord, toJsonValue } from '../../shared/json.ts';
import type { Principal } from '../../shared/principal.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import { describeIssues, validate } from '../../shared/validate.ts';
import type { CallRecord, StoredAnswer, StoredStep } from '../store/call-record.ts';
import type { StoredChoice } from '../store/choice-store.ts';
import { QuestionNotAnswered, StepInterrupted } from './define-server-tool.ts';
import type { DefinedToolContext, ServerToolDefinition, StepContext, ToolQuestion } from './server-tool.ts';
import { type CallSteps, toQuestionId } from './steps.ts';

/** The session's side of one call of a tool. */
export interface ToolCallIO {
  /** The record of the call as this run of the tool finds it. */
  readonly call: CallRecord;
  readonly clock: Clock;
  readonly principal: Principal | undefined;
  readonly signal: AbortSignal;
  /** The steps that were stored before this run of the tool. */
  readonly steps: CallSteps;
  saveStep(key: string, step: StoredStep): Promise<void>;
  /** The choices of the principal. Absent where nothing can be remembered. */
  readonly choices?: CallChoices | undefined;
  /** The same for the same step of the same call, in whichever process and attempt. */
  idempotencyKey(key: string): string;
}

/** The earlier choices of a person about the tool of a call. */
export interface CallChoices {
  recall(tool: ServerToolDefinition): Promise<StoredChoice | undefined>;
  /** Stores the answer that a choice gives, as if the person had been asked. */
  answer(choice: StoredChoice, question: CallQuestion): Promise<StoredAnswer>;
}

/** The reason why a run ended before its tool did. */
export type Suspension =
  | { readonly type: 'asks'; readonly questions: readonly PendingToolCall[] }
  /** A step could not be stored. */
  | { readonly type: 'broken'; readonly thrown: unknown };

type Work<Value> = (context: StepContext) => Value | Promise<Value>;

/** A suspended tool waits for this promise. The tool never goes on: it runs again from its start. */
const never = new Promise<never>(() => {});

/** A form has fields, so an answer that is a mere text is the one field of its form. */
const TEXT_FIELD = 'answer';

export class ToolRun {
  readonly context: DefinedToolContext;
  /** Resolves when the tool asks, or a step could not be stored. All steps that had begun are over then. */
  readonly suspended: Promise<Suspension>;
  readonly #call: PendingToolCall;
  readonly #tool: ServerToolDefinition;
  readonly #io: ToolCallIO;
  readonly #questions: PendingToolCall[] = [];
  /** The steps whose work goes on. */
  readonly #working = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();
  #resolveSuspended!: (suspension: Suspension) => void;
  #isSuspended = false;
  #questionCount = 0;

  constructor(call: PendingToolCall, tool: ServerToolDefinition, io: ToolCallIO) {
    this.#call = call;
    this.#tool = tool;
    this.#io = io;
    this.suspended = new Promise((resolve) => {
      this.#resolveSuspended = resolve;
    });
    const { toolCallId, toolName } = call;
    this.context = {
      toolCallId,
      toolName,
      signal: AbortSignal.any([io.signal, this.#ending.signal]),
      principal: io.principal,
      ask: ((question) => this.#ask(question)) as DefinedToolContext['ask'],
      once: (key, work) => this.#once(key, work),
    };
  }

  async #ask({ key, message, output, expiresInMs }: ToolQuestion): Promise<unknown> {
    this.#questionCount += 1;
    const name = key ?? String(this.#questionCount);
    const stepKey = `ask ${name}`;
    const step = this.#io.steps[stepKey];
    if (step?.type !== 'answered') return this.#putQuestion(name, 1, message, output, expiresInMs);
    // Another process has the whole answer: the store has it without its secrets.
    if (step.answer.redacted) return this.#putQuestion(name, step.attempt + 1, message, output, expiresInMs);
    const checked = readAnswer(step.answer, output);
    if ('value' in checked) return checked.value;
    const again = `${message} (${describeIssues(checked.issues)})`;
    return this.#putQuestion(name, step.attempt + 1, again, output, expiresInMs);
  }

  async #putQuestion(
    name: string,
    attempt: number,
    message: string,
    output: StandardSchemaV1 | undefined,
    expiresInMs: number | undefined,
  ): Promise<never> {
    const { toolCallId, toolName, args } = this.#call;
    const { title, waitsFor } = this.#tool;
    const questionId = toQuestionId(toolCallId, name, attempt);
    const outputSchema = toAnswerSchema(output);
    const question: PendingToolCall = compact({
      toolCallId: questionId,
      toolName,
      args,
      deadline: expiresInMs === undefined ? undefined : this.#io.clock.now() + expiresInMs,
      question: compact({ ui: 'form' as const, title, description: message, outputSchema }),
      waitsFor,
    });
    this.#questions.push(question);
    await this.#store(`ask ${name}`, { type: 'asked', toolCallId: questionId, attempt });
    return this.#suspend();
  }

  async #once<Value>(key: string, work: Work<Value>): Promise<Value> {
    const step = this.#io.steps[`once ${key}`];
    if (step?.type === 'done' && step.redacted) throw new StepInterrupted(key);
    if (step?.type === 'done') return step.value as Value;
    if (step?.type === 'failed') throw new Error(step.error.message);
    if (step?.type === 'started' && work.length === 0) throw new StepInterrupted(key);
    if (this.#isSuspended) return never;
    const working = this.#do(key, work);
    this.#working.add(working);
    working.catch(() => {}).finally(() => this.#working.delete(working));
    return working;
  }

  async #do<Value>(key: string, work: Work<Value>): Promise<Value> {
    // Stored before the work begins: a process that has lost the session cannot store it, and does not begin.
    await this.#store(`once ${key}`, { type: 'started' });
    let value: unknown;
    try {
      const idempotencyKey = this.#io.idempotencyKey(key);
      value = toJsonValue(await work({ idempotencyKey }), `once '${key}'`);
    } catch (thrown) {
      // Work that was aborted did not fail. It is tried again, as after a crash.
      if (!this.#io.signal.aborted)
        await this.#store(`once ${key}`, {
          type: 'failed',
          error: { name: 'Error', message: describeThrown(thrown) },
        });
      throw thrown;
    }
    await this.#store(`once ${key}`, { type: 'done', value });
    return value as Value;
  }

  async #store(key: string, step: StoredStep): Promise<void> {
    try {
      await this.#io.saveStep(key, step);
    } catch (thrown) {
      this.#isSuspended = true;
      this.#resolveSuspended({ type: 'broken', thrown });
      await never;
    }
  }

  /** Ends the run as soon as all that was begun in the same moment is over: a tool may ask several questions at once. */
  async #suspend(): Promise<never> {
    if (this.#isSuspended) return never;
    this.#isSuspended = true;
    await Promise.allSettled(this.#working);
    this.#resolveSuspended({ type: 'asks', questions: this.#questions });
    this.#ending.abort(new Error('The call goes on when its question is answered'));
    return never;
  }
}

/** @throws QuestionNotAnswered */
function readAnswer(
  { outcome, result, error, reason, answeredBy }: StoredAnswer,
  output: StandardSchemaV1 | undefined,
): ReturnType<typeof validate> {
  if (outcome === 'submitted') return validate(output, unwrapText(result, output));
  throw new QuestionNotAnswered(outcome, outcome === 'expired' ? undefined : (reason ?? error), answeredBy);
}

function toAnswerSchema(output: StandardSchemaV1 | undefined): Readonly<Record<string, unknown>> {
  const schema = output && readStandardJsonSchema(output);
  if (schema !== undefined) return schema;
  const properties = { [TEXT_FIELD]: { type: 'string', title: 'Answer' } };
  return { type: 'object', properties, required: [TEXT_FIELD] };
}

function unwrapText(result: unknown, output: StandardSchemaV1 | undefined): unknown {
  return output === undefined && isRecord(result) && TEXT_FIELD in result ? result[TEXT_FIELD] : result;
}
