/**
 * The closed union of commands, which leave the engine. Each transport translates them for its backend; `protocol/native-encode.ts` does
 * so for the native wire.
 */
import type { ToolAnnotations } from '../../shared/severity.ts';
import type { ToolOutcome } from '../../shared/tool-outcome.ts';
import type { ResultFile, ToolResult } from './events.ts';

/** A tool of the page, as a backend offers it to its model. Its schemas are JSON Schema. */
export interface ToolDescription {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: ToolAnnotations;
}

/** Starts a turn. */
export interface TriggerCommand {
  readonly type: 'trigger';
  readonly triggerName: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** Names this message. A command that is sent again has the same key, so that a backend that remembers keys takes it once. */
  readonly idempotencyKey?: string;
  /** The conversation goes back to before this message of the person: the key of the trigger that sent it. */
  readonly rewindTo?: string;
  /**
   * True if the message at `rewindTo` is sent again, and not another one in its place. A session that has the trigger of that message takes
   * it from there: this client knows only what the message shows.
   */
  readonly repeats?: true;
  /**
   * Only in a trigger that is sent again: the last message that the session keeps, `null` for none. Without it a session that took the
   * trigger the first time would hold the message twice.
   */
  readonly rollbackAfterMessageId?: string | null | undefined;
  /** The tools of the page, where the chat describes them. Added when the trigger is sent: they may change until then. */
  readonly clientTools?: readonly ToolDescription[];
}

/** The answer to one call. Exactly one of `result` and `error` is set; a declined call has a `result`. */
export interface ToolAnswer {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly outcome: ToolOutcome;
  /** A JSON value. */
  readonly result?: unknown;
  /** The result without its secrets, if it has any. What a transport keeps must hold this and not the `result`. */
  readonly redactedResult?: unknown;
  /** A text for the model. Never empty when present. */
  readonly error?: string;
  /** The words of the person about it, such as why not. */
  readonly reason?: string;
  /** Files that the handler has attached, for servers that give them to the model. */
  readonly files?: readonly ResultFile[];
  /** True if the answer was sent before and may have arrived. */
  readonly repeated?: true;
  /** Fields of the call that its result has to repeat, such as `outputVariable` and `blockIndex`. */
  readonly echo: Readonly<Record<string, unknown>>;
}

/**
 * Delivers answers. A transport that takes results together gets those of all calls of one request, in the order of the calls. A
 * transport that takes results one by one gets a single answer.
 */
export interface RespondCommand {
  readonly type: 'respond';
  readonly executionId: string;
  readonly answers: readonly ToolAnswer[];
  /** Results of server tools that came with the request. They must go back with the answers. */
  readonly serverToolResults: readonly ToolResult[];
  /** The cursor of the run when the calls settled. A response that is cut before its first event is resumed from here. */
  readonly cursor?: string | undefined;
  /** True if a message follows, so that the agent's reaction to the answers alone is not wanted. */
  readonly beforeMessage?: true;
  /** True if other people answer the other calls of the request. The run goes on when all answers are there. */
  readonly partial?: true;
}

/** Reads a run on from `cursor`. */
export interface ResumeCommand {
  readonly type: 'resume';
  readonly executionId: string;
  readonly cursor: string;
}

/**
 * Reads the conversation from the server: a `snapshot` event, then the events of the run that is under way, if any. A client that has the
 * execution up to `cursor` gets the events after it in place of a snapshot, where the server still has them.
 */
export interface OpenCommand {
  readonly type: 'open';
  readonly executionId?: string | undefined;
  readonly cursor?: string | undefined;
  /** True if the response goes on while calls wait for people, and over later runs, until the client leaves it. */
  readonly follow?: true;
}

/** Ends the run on the server. */
export interface StopCommand {
  readonly type: 'stop';
  /** The key of the trigger that started the run, for a run whose `executionId` has not arrived yet. */
  readonly idempotencyKey?: string | undefined;
  readonly executionId?: string | undefined;
  /** The cursor of a run that can be resumed. Such a run outlives its connection. */
  readonly cursor?: string | undefined;
}

/** A command that starts a run, or goes on with one. */
export type RunCommand = TriggerCommand | RespondCommand | ResumeCommand;

/** Any command. Switch over `type`. */
export type AgentCommand = RunCommand | OpenCommand | StopCommand;
