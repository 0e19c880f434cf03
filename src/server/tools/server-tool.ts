/** The tools of a server: mere functions, and tools that may ask people. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Principal } from '../../shared/principal.ts';
import type { Severity } from '../../shared/severity.ts';

/** The second argument of a server tool. */
export interface ServerToolContext {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Aborts when the run ends before the tool does. */
  readonly signal: AbortSignal;
}

/** A tool that runs on the server. Its result goes to the agent as JSON, a thrown error as an error text. */
export type ServerTool = (args: Record<string, unknown>, context: ServerToolContext) => unknown;

/** A question of a tool to a person. */
export interface ToolQuestion<Output extends StandardSchemaV1 = StandardSchemaV1> {
  /** The text that the person reads. */
  readonly message: string;
  /** Describes and checks the answer. Default: any text. */
  readonly output?: Output;
  /**
   * Names the question within the call; each name once in a run of the tool. Default: the question is known by what it asks, and by its
   * count among equal ones that are asked one after the other. An answer counts only for the question that the person read: if the tool asks
   * something else under the same name when it runs again, the new question goes out.
   */
  readonly key?: string;
  /** How long the question waits: milliseconds over 0. Default `Infinity`: for ever. */
  readonly expiresInMs?: number;
}

/** The argument of a step. */
export interface StepContext {
  /**
   * The same each time this step is tried, and that of no other step: 64 hexadecimal digits. Pass it to the service that the step calls, so
   * that it does the work once.
   */
  readonly idempotencyKey: string;
}

/** The second argument of the handler of a {@link ServerToolDefinition}. */
export interface DefinedToolContext extends ServerToolContext {
  /** The person who sent the message of the turn, where the app gave a principal. */
  readonly principal: Principal | undefined;
  /**
   * Asks a person and resolves to the checked answer. The question is stored, and the call of the tool ends here; when the answer is
   * there, on whichever process, the tool runs again from its start, and `ask` resolves at once. `signal` aborts when the call ends so.
   *
   * @throws QuestionNotAnswered if the person declined or cancelled, or the question expired.
   * @throws DuplicateStep for a key that was used before in this run of the tool, or an equal question without a key that still waits;
   * NestedStep inside the work of a `once`; AgentChatError `invalid_options` for an `expiresInMs` or a key that is none.
   */
  ask<Output extends StandardSchemaV1 = StandardSchemaV1<unknown, string>>(
    question: ToolQuestion<Output>,
  ): Promise<StandardSchemaV1.InferOutput<Output>>;
  /**
   * Runs a step of the tool and stores its value (JSON), so that the step is not done again when the tool runs again. `key` names the step
   * within the call: add what differs where a step is done more than once, as in `` once(`pay:${id}`, ...) ``.
   *
   * After a crash between the work and the storing of its value nobody knows whether the work was done. A step that takes its argument
   * is tried again then, with the same `idempotencyKey`. A step without a parameter is not tried again.
   *
   * @throws StepInterrupted for such a step without a parameter; else whatever the step throws. Its name, code, message and what JSON carries
   * of its other properties are stored, and thrown again when the tool runs again.
   * @throws DuplicateStep for a key that was used before in this run of the tool; NestedStep inside the work of another `once`.
   */
  once<Value>(key: string, step: (context: StepContext) => Value | Promise<Value>): Promise<Value>;
}

/** A call as `mayAnswer` sees it. */
export interface AskedCall {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** The arguments of the call; for a question of a tool those of the tool's call. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** Returns true if this person may answer the call. A function that throws allows nobody. */
export type MayAnswer = (principal: Principal, call: AskedCall) => boolean | Promise<boolean>;

/**
 * - `always`, `never`: a person has to allow each call, or none
 * - a function of the parsed arguments: a person has to allow the call unless it returns `false`. One that throws or takes over ten
 *   seconds asks, and `onError` of the session gets the error
 */
export type ApprovalRule<Args> = 'always' | 'never' | ((args: Args) => boolean | Promise<boolean>);

/** An {@link ApprovalRule}, and how long a person has to decide. */
export interface TimedApproval<Args> {
  readonly when: ApprovalRule<Args>;
  /** Milliseconds over 0. A call that nobody allows in time does not run. Default `Infinity`: the question waits for ever. */
  readonly expiresInMs?: number;
}

/** Says whether a person has to allow a call before it runs. */
export type ServerToolApproval<Args> = ApprovalRule<Args> | TimedApproval<Args>;

/** A tool of the server with all that is said of it. `defineServerTool` adds the types. */
export interface ServerToolDefinition {
  /** What the tool does, for people; dialogs show it. */
  readonly description?: string;
  /** What the tool is called, for people. Default: its name. */
  readonly title?: string;
  /** Describes, checks and parses the arguments. Must validate synchronously. */
  readonly input?: StandardSchemaV1;
  /** Says whether a person has to allow a call before it runs. Default `never`. */
  // biome-ignore lint/suspicious/noExplicitAny: definitions of any argument type fit in one record
  readonly approval?: ServerToolApproval<any>;
  /**
   * Who may answer the questions of the tool and allow its calls, besides what the session's own `mayAnswer` says. Default: everybody.
   */
  readonly mayAnswer?: MayAnswer;
  /** Names who is waited for, for the people who may not answer, such as `the support team`. */
  readonly waitsFor?: string;
  /** How careful a person should be before allowing a call. Default `neutral`. */
  readonly severity?: Severity;
  /**
   * True if the person who allows a call may correct its arguments. They are checked by `input`; the tool runs with them, and the agent gets
   * `{ result, editedArgs, changedArgs }`. An argument whose schema has `readOnly: true` stays as it is. Default false.
   */
  readonly editable?: boolean;
  /**
   * Lets the person who allows or declines a call have that remembered: it decides about later calls of the tool in runs that this person
   * starts, in all sessions of the store or in this one, for all arguments or the same ones, until the `choices` of the store lose it or the title, description, severity or input of the
   * tool changes. Never offered for a destructive tool. Needs a `principal` with each request. Default false.
   */
  readonly remember?: boolean;
  /**
   * `required`: whoever declines a call has to say why. A no without a reason is refused with `invalid_result`, whatever page it
   * comes from, and the call waits. Leaving the question (`cancelled`) is no answer, and needs none. Default: a reason may be left out.
   */
  readonly reason?: 'required';
  /** The verb on the button that allows a call. Default: the label of the dialog. */
  readonly confirmLabel?: string;
  readonly declineLabel?: string;
  /**
   * Does the work. Its result goes to the agent as JSON, a thrown error as an error text.
   *
   * The tool runs again from its start after each of its questions, and after a crash: whatever must not happen twice belongs into
   * `context.once`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly execute: (args: any, context: DefinedToolContext) => unknown;
}

/** Server tools by name: functions, or made by `defineServerTool`. Only own properties count; the client answers any other call. */
export type ServerTools = Readonly<Record<string, ServerTool | ServerToolDefinition>>;
