/**
 * What an agent is to the server half: a function that is called once per model invocation and yields events.
 *
 * The vocabulary is the event union of the native wire (Octavus protocol 2.0, section 3), so an agent may be
 * written by hand, relay another backend, or wrap a model (`createAiSdkAgent`).
 */
import type { AgentEvent, ClientToolRequestEvent, ToolResultAcknowledgedEvent } from '../protocol/events.ts';
import type { FileReference } from '../state/message.ts';

/** A call the agent made. */
export interface AgentToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What a person, or the application in their name, asked for. */
export interface AgentUserMessage {
  readonly role: 'user';
  /** `input.USER_MESSAGE` when that is a string; otherwise the trigger's name and its input as JSON. */
  readonly content: string;
  /** Name of the trigger that brought the message. */
  readonly trigger: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** `input.FILES`, where they are file references. */
  readonly files?: readonly FileReference[];
}

/** What the agent said and called in one model invocation. */
export interface AgentAssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly toolCalls?: readonly AgentToolCall[];
}

/** The answer to one call. Exactly one of `result` and `error` is there. */
export interface AgentToolMessage {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly result?: unknown;
  /** Never empty when present. */
  readonly error?: string;
}

/**
 * One entry of the history. Every call of an assistant message is answered by exactly one tool message before
 * the agent is asked again.
 */
export type AgentMessage = AgentUserMessage | AgentAssistantMessage | AgentToolMessage;

/** What an agent is told. */
export interface AgentContext {
  readonly sessionId: string;
  readonly executionId: string;
  /** The conversation so far, ending in the message or the tool results to react to. */
  readonly messages: readonly AgentMessage[];
  /** What opened this execution. */
  readonly trigger: { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
  /** Aborts when nobody wants the answer any more. Pass it on to whatever is slow. */
  readonly signal: AbortSignal;
}

/**
 * What an agent may yield.
 *
 * - Text, reasoning, sources, files, blocks, resource updates, usage and notices go to the client as they are.
 *   `usage` counts this invocation; the session adds up those of an execution.
 * - `tool-request` names the calls of this invocation; it is not forwarded. The session answers them and calls
 *   the agent again. (Without it, announced calls count when the invocation ends in `finish{tool-calls}`.)
 * - `finish` or `error` ends the invocation; returning without either counts as `finish{tool-calls}` where a call was
 *   announced and not answered, else as `finish{stop}`.
 * - `start` and `cursor` are the session's own and are dropped.
 */
export type ModelEvent = Exclude<AgentEvent, ClientToolRequestEvent | ToolResultAcknowledgedEvent>;

/**
 * An agent. Called once per model invocation: with the user's message, then again each time the calls it made
 * have been answered. It keeps nothing between invocations; all it needs is in `context.messages`.
 */
export type Agent = (context: AgentContext) => AsyncIterable<ModelEvent>;

/** What a server tool is told besides its arguments. */
export interface ServerToolContext {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Aborts when the run ends before the tool does. */
  readonly signal: AbortSignal;
}

/** A tool that runs on the server. What it returns goes to the agent as JSON; what it throws as an error text. */
export type ServerTool = (args: Record<string, unknown>, context: ServerToolContext) => unknown;

/** Server tools by name. Only own properties count; any other call is handed to the client. */
export type ServerTools = Readonly<Record<string, ServerTool>>;
