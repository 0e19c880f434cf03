/** Tools of the browser: what an app declares (`clientTools`) and what a person is asked (`InteractiveTool`). */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Severity, ToolAnnotations } from '../../shared/severity.ts';
import type { ToolOutcome } from '../../shared/tool-outcome.ts';
import type { ResultFile } from '../protocol/events.ts';
import type { FileReference, ToolProgress } from '../state/message.ts';
import type { ToolCallStage } from '../state/tool-call.ts';
import type { ChoiceToRemember } from './choice-memory.ts';

/** The context that an automatic handler gets besides its arguments. */
export interface ClientToolContext {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Aborts when the turn is stopped, when the call times out and when the chat is destroyed. */
  readonly signal: AbortSignal;
  /**
   * Adds a file to the result: uploads it as the files of messages are (`requestUploadUrls`), and resolves to its address. Wait for it, as
   * the result has only the files that are uploaded when the handler returns. A reference to an uploaded file is added at once.
   *
   * The files travel beside the result where the backend has a place for them (`handrail/server`, Octavus), else inside of it, as `files`.
   * `createAiSdkAgent` and Octavus show them to the model.
   *
   * @param options `filename`: default the name of the file, or `file`
   * @throws AgentChatError rejects with `upload_not_configured` or `upload_failed`; the latter also when the signal aborts
   */
  addFile(file: Blob | ResultFile, options?: { readonly filename?: string }): Promise<FileReference>;
  /**
   * Shows how far the handler is, on its call: `part.progress` of the message. The agent never gets it. A later report replaces the earlier
   * one. A report is ignored if its numbers are not finite or below 0, and when the call has its outcome.
   */
  report(progress: ToolProgress): void;
}

/** Runs an automatic tool. What it returns goes to the agent; what it throws goes to the agent as an error text. */
export type ClientToolHandler<Args = Record<string, unknown>, Result = unknown> = (
  args: Args,
  context: ClientToolContext,
) => Result | Promise<Result>;

/** One thing that is wrong with a value, as Standard Schema reports it. */
export type Issue = StandardSchemaV1.Issue;

/**
 * The outcome of an attempt to answer.
 *
 * - `already-settled`: the call has its answer, or its turn was stopped; nothing changed
 * - `invalid-result`: it does not match `output`; a no lacks a required reason; or the tool has another text by now, so that the person
 *   answered another question. See `issues`; the call stays pending
 * - `not-serializable`: JSON cannot carry it, see `issues`; the call stays pending
 * - `expired`: the agent no longer waits
 * - `not-allowed`: the call waits for other people, see `mayAnswer`
 */
export type Settlement =
  | { readonly settled: true }
  | {
      readonly settled: false;
      readonly reason: 'already-settled' | 'invalid-result' | 'not-serializable' | 'expired' | 'not-allowed';
      readonly issues?: readonly Issue[];
    };

/** Options of an answer. */
export interface SubmitOptions {
  /** What the person says about a yes, such as a condition: the agent reads it, and it is on the record. Blank counts as none. */
  readonly reason?: string;
  /**
   * What the transcript shows and storages keep in place of the result, when it has secrets that neither `output` nor the
   * arguments tell of (a JSON value). Default: the result without what those mark as secret.
   */
  readonly redactedResult?: unknown;
}

/** A call that waits for a person. Its methods are bound: pass them around freely. */
export interface InteractiveTool<Args = Record<string, unknown>, Result = unknown> {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Parsed by the tool's `input` schema where it has one. Where a person changed them before, as the person left them. */
  readonly args: Args;
  /** The arguments as the agent sent them. Only where a person changed them before, and is asked again. */
  readonly originalArgs?: Readonly<Record<string, unknown>>;
  readonly requestedAt: Date;
  /**
   * How far the call is, at the moment it is read: `waiting`; `settled` when it has its outcome, `delivered` when that was
   * sent, `acknowledged` when the backend has taken it or the turn is over. `running` where the person let a handler run.
   */
  readonly status: ToolCallStage;
  /** When the call stops being answerable, by the tool's `timeoutMs` or the backend's deadline. */
  readonly expiresAt?: Date;
  /**
   * What the app declared for this tool; absent for a bare `'interactive'`. Of a tool that runs by itself it is what
   * a dialog asks with.
   */
  readonly definition?: InteractiveToolDefinition;
  /**
   * Set when the tool has a handler and a person decides whether the handler runs: `submit()` runs it, `cancel` and `decline` do not.
   * `policy`: the `approval` of the tool asks first. `interrupted`: the handler was running when the page went away.
   */
  readonly approvalReason?: 'policy' | 'interrupted';
  /** The agent that asks, where it is one that the agent of the conversation started. */
  readonly origin?: string;
  /** False if the call waits for other people: the server would refuse the answer of the person in front of this page. */
  readonly mayAnswer?: false;
  /** Names the people who are waited for, in words for people. */
  readonly waitsFor?: string;
  /** Why the server did not take the answer that was given before. The call waits again. */
  readonly refusal?: string;
  /** Allowing this call lets all others of the tool run for the rest of the conversation. */
  readonly oncePerConversation?: true;
  /**
   * Has a choice remembered, once it was made with `submit` or `decline`. Absent where the tool's definition does not
   * allow that, or nothing keeps choices.
   */
  remember?(choice: ChoiceToRemember): Promise<void>;
  /** What was kept with {@link saveInput}, also over a reload. */
  getSavedInput(): unknown;
  /** Keeps what the person has filled in so far (a JSON value), without what a schema marks as secret; no answer yet. */
  saveInput(draft: unknown): void;
  /**
   * Answers. The result is checked first; an unusable one leaves the call pending. `undefined` is sent as `null`. The
   * agent gets all of it; what a schema marks as secret (`writeOnly`, `format: 'password'`) is neither shown nor stored.
   *
   * Where a person decides about a handler (`approvalReason`), it is a yes or no. With `editable`, `{ confirmed: true, editedArgs }`
   * runs the handler with these arguments: all of them, as corrected. They are checked by `input`, and nothing is remembered then.
   */
  submit(result: Result, options?: SubmitOptions): Settlement;
  /** Dismisses without an answer, also where a no needs a reason: the agent gets the reason (default `User cancelled`) as an error. */
  cancel(reason?: string): Settlement;
  /**
   * Says no: an answer, not an error of the run. Needs a reason where the tool has `reason: 'required'`. The agent gets `{ outcome: 'declined', reason? }`, with the
   * fields of `details` added. Of these, what a schema marks as secret is neither shown nor stored, as with `submit`.
   */
  decline(reason?: string, details?: Readonly<Record<string, unknown>>): Settlement;
  /**
   * Settles a call whose question could not be shown, as `failed` and answered by nobody. The agent gets the error. A call
   * that is made by hand may leave it out; then the dialog cancels the call.
   */
  fail?(error: string): Settlement;
}

/**
 * The dialogs that the kit has for an interactive call, as `ui` names them. A new kind also needs its component: the compiler
 * asks for it in `components/client-tools/tool-question.tsx`.
 */
export const DIALOG_KINDS = ['confirm', 'form', 'choice'] as const;
export type DialogKind = (typeof DIALOG_KINDS)[number];

/** A component that asks the person itself; it gets the call and settles it. */
// biome-ignore lint/suspicious/noExplicitAny: a component of one tool's types must fit here, and props are contravariant
export type ClientToolComponent = (props: { tool: InteractiveTool<any, any> }) => unknown;

interface DefinitionBase {
  /** What the tool does, for people; dialogs show it. */
  readonly description?: string;
  /** What the tool is called, for people; the tool's name when absent. */
  readonly title?: string;
  /** Checks and parses the arguments. Must validate synchronously. */
  readonly input?: StandardSchemaV1;
  /** Checks and parses the result. Must validate synchronously. */
  readonly output?: StandardSchemaV1;
  /**
   * Milliseconds until the call settles as `timed-out`; `Infinity` for never. Default: 60,000 for automatic tools, never for
   * interactive ones.
   */
  readonly timeoutMs?: number;
}

/** Properties of a tool by which a dialog asks with the right care. */
export interface AskingOptions {
  /** How careful the person should be. Default: by `annotations`, else `neutral`. */
  readonly severity?: Severity;
  readonly annotations?: ToolAnnotations;
  /**
   * The `annotations` come from somebody who may say that a tool is harmless. Default `false`: a tool with annotations is
   * asked about as a destructive one.
   */
  readonly annotationsTrusted?: boolean;
  /** The verb on the button that says yes or submits, such as `Delete project`. Default: the label `confirm`, `allow` or `submit`. */
  readonly confirmLabel?: string;
  /** The text of the button that says no. Default: the label `decline` or `doNotAllow`. */
  readonly declineLabel?: string;
  /** A word the person has to type before Confirm works. */
  readonly confirmWord?: string;
  /** `required`: the person has to say why before a no is sent. To cancel is no answer, and needs none. Default: a note is offered with each answer. */
  readonly reason?: 'required';
  /**
   * Lets the person confirm all waiting calls of this tool with one press. Default `false`. Never offered where a
   * `confirmWord` has to be typed or the severity is `destructive`: each of those deserves its own look.
   */
  readonly approveAll?: boolean;
}

/** A tool that waits for a person. */
export interface InteractiveToolDefinition extends DefinitionBase, AskingOptions {
  readonly interactive: true;
  /**
   * Lets the person correct the arguments in a form made of `input` before confirming them. Default `false`. The
   * agent gets `{ confirmed: true, editedArgs, changedArgs }` then: the whole as corrected, before `input` parses
   * it, and the names of the arguments that differ.
   */
  readonly editable?: boolean;
  /** Lets the person have a yes remembered by the backend: the result has `remember: true` then. Default `false`. */
  readonly remember?: boolean;
  /** The backend keeps a yes within limits, and the result has `remember: { sameArguments, scope?: 'conversation' }`: a transport sets it. */
  readonly rememberLimits?: true;
  /** Which dialog asks: one in the box, or a component. Default: chosen by the schemas and arguments. */
  readonly ui?: DialogKind | ClientToolComponent;
  /**
   * The question itself, where a server asks it in the middle of a call: a transport sets it. All arguments are listed then, also one that
   * is called `message`. Default: a message in the arguments, or else the description.
   */
  readonly message?: string;
}

/**
 * True if a person has to allow a call before its handler runs.
 *
 * - `never`: it runs at once
 * - `always`: each call asks
 * - `once-per-conversation`: the first call asks; once a person allowed one, the others run. Kept with `persistence`
 * - a function of the checked arguments: `true` asks. One that throws, returns anything but `true` or `false`, or
 *   takes longer than ten seconds asks too; a fault is reported (`reportError`)
 */
export type ToolApproval<Args = Record<string, unknown>> =
  | 'never'
  | 'always'
  | 'once-per-conversation'
  | ((args: Args, context: Omit<ClientToolContext, 'addFile' | 'report'>) => boolean | Promise<boolean>);

/** A tool that runs by itself. */
export interface AutomaticToolDefinition extends DefinitionBase, AskingOptions {
  // biome-ignore lint/suspicious/noExplicitAny: handlers of any argument type fit in one record
  readonly execute: ClientToolHandler<any, unknown>;
  /**
   * True if a person has to allow a call before it runs. Default `never`. A call that was allowed and then interrupted
   * follows `onRestore`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly approval?: ToolApproval<any>;
  /**
   * Lets the person correct the arguments in a form made of `input` before allowing the call. Default `false`. The handler runs with the
   * corrected ones, as `input` parses them. The agent gets `{ result, editedArgs, changedArgs }` then: what the handler returned, the whole
   * of the arguments as corrected, before `input` parsed it, and the names of the arguments that differ. An argument whose schema has
   * `readOnly: true` stays as it is.
   */
  readonly editable?: boolean;
  /**
   * Lets the person have a yes remembered, where the chat has `rememberedChoices`. Default `false`. Without
   * effect where a `confirmWord` has to be typed or the severity is `destructive`: each of those deserves its own look.
   */
  readonly remember?: boolean;
  /** Running it twice does no harm. Makes `rerun` the default of `onRestore`. */
  readonly idempotent?: boolean;
  /**
   * What becomes of a call that was running when the page went away, once it is back: run it again, ask the person
   * whether to, or tell the agent that it failed. Default `ask`, or `rerun` for an `idempotent` tool.
   */
  readonly onRestore?: 'rerun' | 'ask' | 'fail';
}

/** A tool of the browser with all that the app says of it. `defineClientTool` adds the types. */
export type ClientToolDefinition = InteractiveToolDefinition | AutomaticToolDefinition;

/** Anything that may stand in `clientTools`. */
export type ClientTool =
  // biome-ignore lint/suspicious/noExplicitAny: handlers of any argument type fit in one record
  ClientToolHandler<any, unknown> | 'interactive' | ClientToolDefinition;

/** The tools of an app by name. Only own properties count. */
export type ClientTools = Readonly<Record<string, ClientTool>>;

/** How far a call is; how it ended, on the wire and in its message part; and how careful to be before it is answered. */
export type { Severity, ToolAnnotations, ToolCallStage, ToolOutcome };
