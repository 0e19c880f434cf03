/**
 * An agent for the server half: a function that is called once per model invocation and yields events.
 *
 * The events are those of the native wire (Octavus protocol 2.0, section 3), so an agent may be written by hand, relay another
 * backend, or wrap a model (`createAiSdkAgent`).
 */
import type { ToolDescription } from '../core/protocol/commands.ts';
import type {
  AgentEvent,
  ClientToolRequestEvent,
  ToolResultAcknowledgedEvent,
} from '../core/protocol/events.ts';
import type { FileReference } from '../core/state/message.ts';
import type { ToolOutcome } from '../shared/tool-outcome.ts';

/** A tool call of the agent. */
export interface AgentToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A message of a person, or of the application in their name. */
export interface AgentUserMessage {
  readonly role: 'user';
  /** The key of the trigger, by which a client goes back to the message. Absent for clients that send none. */
  readonly id?: string;
  /** `input.USER_MESSAGE` when that is a string; otherwise the trigger's name and its input as JSON. */
  readonly content: string;
  /** Name of the trigger that carried the message. */
  readonly trigger: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The file references among `input.FILES`. */
  readonly files?: readonly FileReference[];
}

/** The text and the calls of the agent in one model invocation. */
export interface AgentAssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly toolCalls?: readonly AgentToolCall[];
  /** The content of the `model-content` that the agent yielded in this invocation. */
  readonly modelContent?: unknown;
}

/** The answer to one call. It has exactly one of `result` and `error`. */
export interface AgentToolMessage {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly result?: unknown;
  /** Never empty when present. */
  readonly error?: string;
  /** Files that the tool made on the page. */
  readonly files?: readonly FileReference[];
  /**
   * How the call ended, and what a person said about it. Absent where the `result` or the `error` says it all: a call that was submitted, or
   * that failed. Absent in records of before 0.2, too.
   */
  readonly outcome?: ToolOutcome;
  readonly reason?: string;
}

/**
 * One entry of the history. Every call of an assistant message is answered by exactly one tool message before the agent is
 * called again.
 */
export type AgentMessage = AgentUserMessage | AgentAssistantMessage | AgentToolMessage;

/** The argument of an agent. */
export interface AgentContext {
  readonly sessionId: string;
  readonly executionId: string;
  /** The conversation so far. It ends in the message or the tool results that the agent should react to. */
  readonly messages: readonly AgentMessage[];
  /** The trigger that opened this execution. */
  readonly trigger: { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
  /**
   * The tools of the page that the agent may call without knowing them beforehand: those that the page describes (`describeClientTools`) and
   * the session allows (`clientTools`). Descriptions are input from the browser. A session always gives the list; it may be empty.
   */
  readonly clientTools?: readonly ToolDescription[];
  /** Aborts when the run is ended. Pass the signal on to slow calls. */
  readonly signal: AbortSignal;
}

/**
 * The message of this invocation in the form of the model's API, with everything that the model wants to be sent back: reasoning,
 * signatures, calls that the provider executed. JSON. The session stores it in the history, next to the text and the calls, and sends
 * it to no client. A later one of the same invocation replaces it.
 */
export interface ModelContentEvent {
  type: 'model-content';
  content: unknown;
}

/**
 * An event that an agent may yield.
 *
 * - Text, reasoning, sources, files, blocks, resource updates, usage and notices go to the client as they are.
 *   `usage` counts this invocation; the session adds up the usage of an execution.
 * - `tool-request` names the calls of this invocation; it is not forwarded. The session gets the calls answered and calls the
 *   agent again. (Without a `tool-request`, announced calls count if the invocation ends in `finish{tool-calls}`.)
 * - `model-content` is for the agent itself: the next invocation finds it in the history. It is not forwarded.
 * - `finish` or `error` ends the invocation. Returning without either counts as `finish{tool-calls}` if a call was announced
 *   and not answered, else as `finish{stop}`.
 * - The session makes `start` and `cursor` itself and drops those of the agent.
 */
export type ModelEvent =
  | Exclude<AgentEvent, ClientToolRequestEvent | ToolResultAcknowledgedEvent>
  | ModelContentEvent;

/**
 * An agent. The session calls it once per model invocation: with the user's message, then again each time its calls are
 * answered. An agent has no state between invocations; everything it needs is in `context.messages`.
 */
export type Agent = (context: AgentContext) => AsyncIterable<ModelEvent>;
