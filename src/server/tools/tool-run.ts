/** One run of a server tool: what was stored is returned at once, anything else is stored first. */
import type { CallQuestion, PendingToolCall } from '../../core/protocol/events.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { Clock } from '../../shared/clock.ts';
import { compact, toJsonValue } from '../../shared/json.ts';
import type { Principal } from '../../shared/principal.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import { describeIssues } from '../../shared/validate.ts';
import { isQuestionId, toQuestionId } from '../call-ids.ts';
import { type CallRecord, digestQuestion, type StoredAnswer, type StoredStep } from '../store/call-record.ts';
import type { StoredChoice } from '../store/choice-store.ts';
import { checkExpiresIn, toDeadline } from './expires-in.ts';
import { readAnswerValue, toAsked } from './question.ts';

import type { DefinedToolContext, ServerToolDefinition, StepContext, ToolQuestion } from './server-tool.ts';
import { NestedStep, StepInterrupted } from './step-errors.ts';
import { toError, toStepError } from './step-failure.ts';
import { StepNames } from './step-names.ts';
import { isInStep, runInStep } from './step-scope.ts';
import { type CallSteps, type Step, toQuestionKey } from './steps.ts';

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
  /**
   * Resolves to 64 hexadecimal digits: the same for the same key of the same call, in whichever process and attempt, and for ever; others
   * for any other key, call, execution or session. The idempotency key of a step is made of its key, the id of a question of its step.
   */
  idempotencyKey(key: string): Promise<string>;
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

/** What became of a question: it has its value from an earlier run, or it goes out. */
type Asked = { readonly value: unknown } | { readonly question: PendingToolCall };

/** Where a question stands among those of the call. */
interface QuestionPlace {
  /** The key of its step. */
  readonly key: string;
  /** Counts the questions of this run from 1. */
  readonly place: number;
  readonly digest: string;
  readonly attempt: number;
  /** The text that the person reads. */
  readonly description: string;
}

/** A suspended tool waits for this promise. The tool never goes on: it runs again from its start. */
const never = new Promise<never>(() => {});

export class ToolRun {
  readonly context: DefinedToolContext;
  /** Resolves when the tool asks, or a step could not be stored. All steps that had begun are over then. */
  readonly suspended: Promise<Suspension>;
  readonly #call: PendingToolCall;
  readonly #tool: ServerToolDefinition;
  readonly #io: ToolCallIO;
  readonly #names: StepNames;
  /** The questions of this run, in the order of asking. One that has its answer leaves its place empty. */
  readonly #questions: (PendingToolCall | undefined)[] = [];
  /** The steps that are under way. */
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();
  #resolveSuspended!: (suspension: Suspension) => void;
  #isSuspended = false;

  constructor(call: PendingToolCall, tool: ServerToolDefinition, io: ToolCallIO) {
    this.#call = call;
    this.#tool = tool;
    this.#io = io;
    this.suspended = new Promise((resolve) => {
      this.#resolveSuspended = resolve;
    });
    const { toolCallId, toolName } = call;
    this.#names = new StepNames(toolName);
    this.context = {
      toolCallId,
      toolName,
      signal: AbortSignal.any([io.signal, this.#ending.signal]),
      principal: io.principal,
      ask: ((question) => this.#ask(question)) as DefinedToolContext['ask'],
      once: (key, work) => this.#once(key, work),
    };
  }

  async #ask(question: ToolQuestion): Promise<unknown> {
    const { toolName } = this.#call;
    const { key, expiresInMs } = question;
    if (isInStep(this)) throw new NestedStep(toolName, 'ask');
    checkExpiresIn(`The tool '${toolName}' calls ask`, expiresInMs);
    if (this.#isSuspended) return never;
    // Who asks first is counted first: the text is compared at once, and its digest is made later.
    const text = canonicalJson(toAsked(question));
    const name = key === undefined ? this.#names.count(text) : this.#names.use('ask', key);
    try {
      const asked = await this.#begin(this.#findOrPut(question, name));
      return 'value' in asked ? asked.value : await this.#suspend();
    } finally {
      // A question that goes out never comes here: it waits until the run is over.
      if (key === undefined) this.#names.release(text);
    }
  }

  /** @param name the key of the step, or for a question without a key its count among equal ones */
  async #findOrPut(question: ToolQuestion, name: string | number): Promise<Asked> {
    const place = this.#questions.push(undefined);
    const { message, output } = question;
    const digest = await digestQuestion(toAsked(question));
    const key = typeof name === 'string' ? name : await toQuestionKey(digest, this.#call.args, name);
    const step =
      this.#io.steps[key] ?? (typeof name === 'number' ? this.#findByPlace(place, digest) : undefined);
    const put = (attempt: number, description = message) =>
      this.#putQuestion(question, { key, place, digest, attempt, description });
    if (step?.type !== 'asked' && step?.type !== 'answered') return put(1);
    // Something else was asked under this key before. That answer stays in the record, and counts for nothing.
    if (step.digest !== undefined && step.digest !== digest) return put(step.attempt + 1);
    if (step.type === 'asked') return put(step.attempt);
    // Another process got the whole answer. The store has it without its secrets.
    if (step.answer.redacted) return put(step.attempt + 1);
    const checked = readAnswerValue(step.answer, output);
    return 'value' in checked
      ? checked
      : put(step.attempt + 1, `${message} (${describeIssues(checked.issues)})`);
  }

  /** Records of before 0.2 know a question without a key by its place. Its answer counts if this is the question that it was given to. */
  #findByPlace(place: number, digest: string): Step | undefined {
    const step = this.#io.steps[`ask ${place}`];
    const isEarlier = step?.type === 'answered' && !isQuestionId(step.toolCallId);
    return isEarlier && step.digest === digest ? step : undefined;
  }

  async #putQuestion(
    asked: ToolQuestion,
    { key, place, digest, attempt, description }: QuestionPlace,
  ): Promise<Asked> {
    const { toolName, args } = this.#call;
    const { title, waitsFor, input } = this.#tool;
    const inputSchema = input && readStandardJsonSchema(input);
    const toolCallId = toQuestionId(await this.#io.idempotencyKey(JSON.stringify([key, attempt])));
    const question: PendingToolCall = compact({
      toolCallId,
      toolName,
      args,
      deadline: toDeadline(this.#io.clock, asked.expiresInMs),
      question: compact({ ui: 'form' as const, title, inputSchema, ...toAsked(asked), description }),
      waitsFor,
    });
    this.#questions[place - 1] = question;
    await this.#store(key, { type: 'asked', toolCallId, attempt, digest });
    return { question };
  }

  async #once<Value>(key: string, work: Work<Value>): Promise<Value> {
    if (isInStep(this)) throw new NestedStep(this.#call.toolName, 'once');
    const name = this.#names.use('once', key);
    const step = this.#io.steps[name];
    // The value held a secret, which died with another process. Whether the work may be done again is not known.
    if (step?.type === 'done' && step.redacted) throw new StepInterrupted(key);
    if (step?.type === 'done') return step.value as Value;
    if (step?.type === 'failed') throw toError(step.error);
    const begun = step?.type === 'started' ? step : undefined;
    // Work that takes no key, or whose key is not known, may not be done a second time.
    if (begun && (work.length === 0 || begun.idempotencyKey === undefined)) throw new StepInterrupted(key);
    if (this.#isSuspended) return never;
    return this.#begin(this.#do(name, work, begun?.idempotencyKey ?? this.#io.idempotencyKey(key)));
  }

  async #do<Value>(name: string, work: Work<Value>, makeKey: string | Promise<string>): Promise<Value> {
    const idempotencyKey = await makeKey;
    // A tool that ignores its signal begins nothing after a person has stopped the run.
    this.#io.signal.throwIfAborted();
    // Stored before the work begins: a process that has lost the session cannot store it, and does not begin.
    await this.#store(name, { type: 'started', idempotencyKey });
    let value: unknown;
    try {
      value = toJsonValue(await runInStep(this, () => work({ idempotencyKey })), name);
    } catch (thrown) {
      // Work that was aborted did not fail. It is tried again, as after a crash.
      if (!this.#io.signal.aborted) await this.#store(name, { type: 'failed', error: toStepError(thrown) });
      throw thrown;
    }
    await this.#store(name, { type: 'done', value });
    return value as Value;
  }

  /** A run that is suspended waits for what is under way. */
  #begin<Value>(step: Promise<Value>): Promise<Value> {
    this.#underWay.add(step);
    const end = () => this.#underWay.delete(step);
    step.then(end, end);
    return step;
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
    await Promise.allSettled(this.#underWay);
    const questions = this.#questions.filter((question) => question !== undefined);
    this.#resolveSuspended({ type: 'asks', questions });
    this.#ending.abort(new Error('The call goes on when its question is answered'));
    return never;
  }
}
