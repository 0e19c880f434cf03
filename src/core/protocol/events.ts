/**
 * The closed union of events, which enter the engine. Each transport translates the protocol of its backend into them.
 *
 * The vocabulary is that of the Octavus wire protocol 2.0 (22 kinds; `protocol/native.ts` decodes them), the richest of the supported
 * protocols, plus kinds that other backends need: `usage`, `notice`, `tool-result-acknowledged`, `object-available`, `message-metadata` and
 * `messages-replaced`.
 */
import type { ErrorSource, ErrorType, ProviderErrorInfo, ToolErrorInfo } from '../../shared/errors.ts';
import type { Answerer } from '../../shared/principal.ts';
import type { Severity } from '../../shared/severity.ts';
import type { ToolOutcome } from '../../shared/tool-outcome.ts';
import type { UIMessage, UIMessagePart } from '../state/message.ts';

/** Why a run ended. Unknown words on the wire become `other`. */
export type FinishReason =
  | 'stop'
  | 'tool-calls'
  | 'client-tool-calls'
  | 'length'
  | 'content-filter'
  | 'error'
  | 'other';

/** How a block or a call is shown. `title`: its arguments and its result are not. Later servers may send other words. */
export type DisplayMode = 'hidden' | 'name' | 'description' | 'stream' | 'title' | (string & {});

/** Tokens spent so far. A field that is absent is unknown, not zero. */
export interface TokenUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
  /** Model invocations of the run. */
  readonly turns?: number;
  readonly model?: string;
}

/** A tool call that awaits an answer. Unknown fields stay on it, and its result repeats them. */
export interface PendingToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The arguments as the agent sent them. Only in a question of a tool whose arguments a person changed: `args` are those that run. */
  readonly originalArgs?: Readonly<Record<string, unknown>>;
  /** `llm` or `block`. */
  readonly source?: string;
  readonly outputVariable?: string;
  readonly blockIndex?: number;
  /** When the backend stops waiting: milliseconds since the epoch. */
  readonly deadline?: number;
  /** The agent that asks, by a name for people, where it is one that the agent started. */
  readonly origin?: string;
  /** The answer decides about a call that the server executes: a call that is allowed is not done before its output arrives. */
  readonly executedBy?: 'server';
  /** How to ask about a call that no tool of the page is for, such as the approval of a server tool. */
  readonly question?: CallQuestion;
  /** False if the server would refuse the answer of this person. Absent: it would take it. */
  readonly mayAnswer?: false;
  /** Names the people who are waited for, in words for people. */
  readonly waitsFor?: string;
  /** Proves what the server asked. The answer repeats it. */
  readonly receipt?: string;
  /** Names what the question says of the tool of a server. The answer repeats it: a yes to an earlier definition is none to a later one. */
  readonly definition?: string;
}

/** How a person is asked about a call, by a server that knows more of it than its name and arguments. */
export interface CallQuestion {
  /** The dialog that asks. Default: chosen by the schemas and arguments. */
  readonly ui?: 'confirm' | 'form' | 'choice';
  readonly title?: string;
  readonly description?: string;
  readonly severity?: Severity;
  readonly confirmLabel?: string;
  readonly declineLabel?: string;
  /** True if the person may correct the arguments before confirming them. */
  readonly editable?: boolean;
  /** `required`: a no needs a reason, else the server does not take it. */
  readonly reason?: 'required';
  /** JSON Schema of the arguments: their titles, formats and units, for all who see them; and the form in which they are edited. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** JSON Schema of the answer. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** True if the server can keep the choice for later calls of the tool. */
  readonly remember?: boolean;
}

/** A file that a tool made, at an address where the server can read it. */
export interface ResultFile {
  readonly id: string;
  readonly mediaType: string;
  readonly url: string;
  readonly filename?: string;
  /** Bytes. */
  readonly size?: number;
}

/** The answer to a tool call as the native wire carries it; exactly one of `result` and `error` is meaningful. */
export interface ToolResult {
  readonly toolCallId: string;
  readonly toolName?: string;
  readonly result?: unknown;
  readonly error?: string;
  /** How the call ended. An addition to the Octavus protocol: clients of other vendors and of before 0.2 send none. */
  readonly outcome?: ToolOutcome;
  /** The words of the person about it, such as why not. Sent with an outcome. */
  readonly reason?: string;
  /** Files that the tool made (Octavus 6.4). */
  readonly files?: readonly ResultFile[];
  readonly outputVariable?: string;
  readonly blockIndex?: number;
  /** The receipt of the call, where it had one. */
  readonly receipt?: string;
  /** A digest of what the person saw, see `handrail/server`. */
  readonly shown?: string;
  /** The definition of the call, where it had one. */
  readonly definition?: string;
}

/** The fields that every event may carry besides its own. */
interface EventPosition {
  /**
   * The position in the run after this event: opaque, sent back in a resume. Present only if the backend can
   * resume.
   */
  cursor?: string;
  /** The worker that sent the event: an agent that the agent started. Its parts belong to a thread with this name. */
  workerId?: string;
}

export interface StartEvent extends EventPosition {
  type: 'start';
  messageId?: string;
  executionId?: string;
  /** The key of the trigger that opened the execution, if its client sent one. */
  idempotencyKey?: string;
  /**
   * True if the request begins anew, after an attempt that was interrupted. What the client has of that attempt does not count.
   */
  restarted?: boolean;
  /** The session of the run, which the server may have created for it. */
  sessionId?: string;
  /** The last message of the session before the run, see `rollbackAfterMessageId` of a trigger. */
  lastMessageId?: string;
}
export interface FinishEvent extends EventPosition {
  type: 'finish';
  finishReason: FinishReason;
  executionId?: string;
}
export interface ErrorEvent extends EventPosition {
  type: 'error';
  errorType: ErrorType;
  message: string;
  retryable: boolean;
  source: ErrorSource;
  /** Seconds. */
  retryAfter?: number;
  code?: string;
  provider?: ProviderErrorInfo;
  tool?: ToolErrorInfo;
  /** The original event, if its protocol has more fields than these. It becomes the `cause` of the error. */
  raw?: unknown;
}
export interface TextStartEvent extends EventPosition {
  type: 'text-start';
  id: string;
  /** Present: the deltas are the JSON text of an object of this type name. */
  responseType?: string;
}
export interface TextDeltaEvent extends EventPosition {
  type: 'text-delta' | 'reasoning-delta';
  id: string;
  delta: string;
}
export interface TextEndEvent extends EventPosition {
  type: 'text-end';
  id: string;
  /** The whole text, if the backend repeats it at the end. It replaces the text of the deltas. */
  text?: string;
  /** Why the object of a `responseType` is unusable. What arrived of it is shown, but it does not become the result. */
  error?: string;
}
export interface ReasoningBoundaryEvent extends EventPosition {
  type: 'reasoning-start' | 'reasoning-end';
  id: string;
}
export interface ToolInputStartEvent extends EventPosition {
  type: 'tool-input-start';
  toolCallId: string;
  toolName: string;
  /** Display name. */
  title?: string;
  display?: DisplayMode;
}
export interface ToolInputDeltaEvent extends EventPosition {
  type: 'tool-input-delta';
  toolCallId: string;
  inputTextDelta: string;
}
export interface ToolInputEndEvent extends EventPosition {
  type: 'tool-input-end';
  toolCallId: string;
}
export interface ToolInputAvailableEvent extends EventPosition {
  type: 'tool-input-available';
  toolCallId: string;
  toolName: string;
  input: unknown;
  /** Display name, of a call without a `tool-input-start`. */
  title?: string;
  /** The provider of the model executes the call. Neither this client nor the server does. */
  providerExecuted?: boolean;
}
export interface ToolOutputAvailableEvent extends EventPosition {
  type: 'tool-output-available';
  toolCallId: string;
  output: unknown;
  /** True for a result so far: the call goes on, and a later output takes its place. */
  preliminary?: boolean;
  /** The policy of the server did not allow the call. It has no output then. */
  outcome?: 'declined';
  /** Why not, in the words of the policy. */
  reason?: string;
}
export interface ToolOutputErrorEvent extends EventPosition {
  type: 'tool-output-error';
  toolCallId: string;
  error: string;
}
export interface UrlSourceEvent extends EventPosition {
  type: 'source';
  sourceType: 'url';
  id: string;
  url: string;
  title?: string;
}
export interface DocumentSourceEvent extends EventPosition {
  type: 'source';
  sourceType: 'document';
  id: string;
  mediaType: string;
  title: string;
  filename?: string;
}
export interface BlockStartEvent extends EventPosition {
  type: 'block-start';
  blockId: string;
  blockName: string;
  blockType: string;
  display: DisplayMode;
  description?: string;
  /** True if the block is work that is shown as a part of its own. Default: by its `blockType`. */
  isOperation?: boolean;
  /** Default true. */
  outputToChat?: boolean;
  /** Default `main`. */
  thread?: string;
}
export interface BlockEndEvent extends EventPosition {
  type: 'block-end';
  blockId: string;
  summary?: string;
}
export interface ResourceUpdateEvent extends EventPosition {
  type: 'resource-update';
  name: string;
  value: unknown;
}
/** Sent from a platform to an application server only. A browser never gets it. */
export interface ToolRequestEvent extends EventPosition {
  type: 'tool-request';
  toolCalls: readonly PendingToolCall[];
}
export interface ClientToolRequestEvent extends EventPosition {
  type: 'client-tool-request';
  executionId: string;
  toolCalls: readonly PendingToolCall[];
  serverToolResults?: readonly ToolResult[];
  /** True if the server stores answers to some of the calls (`partial` of a `respond`). Any other server needs all of them in one request. */
  partial?: true;
  /** True if the response goes on behind the question. The answers are sent once it has ended. */
  responseGoesOn?: true;
}
export interface FileAvailableEvent extends EventPosition {
  type: 'file-available';
  id: string;
  mediaType: string;
  url: string;
  filename?: string;
  size?: number;
  toolCallId?: string;
}
/** A whole object. It takes the place of an earlier one of the message with its id and type name. */
export interface ObjectAvailableEvent extends EventPosition {
  type: 'object-available';
  id: string;
  typeName: string;
  object: unknown;
}
/** The data that the app keeps with the message, all of it. */
export interface MessageMetadataEvent extends EventPosition {
  type: 'message-metadata';
  metadata: unknown;
}
/** One step of the list of tasks that an agent works through. */
export interface TodoItem {
  readonly id: string;
  readonly content: string;
  /** `pending`, `in_progress`, `completed` or `cancelled`. Later servers may send other words. */
  readonly status: string;
}
/** The whole list of tasks, sent again with every change. Each worker has a list of its own. */
export interface TodoUpdateEvent extends EventPosition {
  type: 'todo-update';
  todos: readonly TodoItem[];
}
/** Tokens spent so far in the run; a later one replaces an earlier one. */
export interface UsageEvent extends EventPosition {
  type: 'usage';
  usage: TokenUsage;
}
/** A message for the person that does not end the turn. */
export interface NoticeEvent extends EventPosition {
  type: 'notice';
  code: string;
  text: string;
  toolCallId?: string | undefined;
}
/**
 * The backend's confirmation of an answer, sent by backends that take answers one by one. `expired`: the answer was dropped, because it
 * came too late or another client had answered first. `duplicate`: the same answer had arrived before. For a call without an answer
 * from this client, it means that the agent waits no longer, because another client answered.
 */
export interface ToolResultAcknowledgedEvent extends EventPosition {
  type: 'tool-result-acknowledged';
  toolCallId: string;
  /** Of the answer of this client, if it gave one. `expired`: it does not count. */
  status: 'accepted' | 'expired' | 'duplicate';
  /** The answer of another client, and who gave it: for the clients that showed the same question. */
  answeredBy?: Answerer;
  result?: unknown;
  error?: string;
  /** How the call ended, and what the person said about it. Servers of before 0.2 send neither. */
  outcome?: ToolOutcome;
  reason?: string;
  /** Files that the tool of the page made. */
  files?: readonly ResultFile[];
}
/** The conversation as the server has it: the first event of an `open` request. It replaces what the client had. */
export interface SnapshotEvent extends EventPosition {
  type: 'snapshot';
  messages: readonly UIMessage[];
  /** The calls that wait for a person. */
  openCalls: readonly PendingToolCall[];
  /** The execution that the open calls, or the events after this one, belong to. */
  executionId?: string;
  /** True if the events after this one belong to the last message. Default: only where calls are open. */
  goesOn?: boolean;
  /**
   * Where a conversation rests in which no run is under way: the last execution, if there was one, and the cursor of its end. An `open` from
   * there on with `follow: true` gets what happens next, and no snapshot of what is known.
   */
  restsAt?: { readonly executionId?: string; readonly cursor: string };
}

/** The backend has another list of messages than the page: this one takes its place. No other event replaces a message. */
export interface MessagesReplacedEvent extends EventPosition {
  type: 'messages-replaced';
  /** The messages before the one that is being written. */
  messages: readonly UIMessage[];
  /** The parts that are written so far. Those of kinds that the backend does not know stay where they are. */
  parts: readonly WrittenPart[];
}

/** A part of the message that is being written. */
export interface WrittenPart {
  readonly part: UIMessagePart;
  /** The id of the text or reasoning whose deltas go on in it. */
  readonly openId?: string;
  /** The arguments of a call as far as they have arrived. */
  readonly json?: string;
}

/** Any event. Switch over `type`. */
export type AgentEvent =
  | StartEvent
  | FinishEvent
  | ErrorEvent
  | TextStartEvent
  | TextDeltaEvent
  | TextEndEvent
  | ReasoningBoundaryEvent
  | ToolInputStartEvent
  | ToolInputDeltaEvent
  | ToolInputEndEvent
  | ToolInputAvailableEvent
  | ToolOutputAvailableEvent
  | ToolOutputErrorEvent
  | UrlSourceEvent
  | DocumentSourceEvent
  | BlockStartEvent
  | BlockEndEvent
  | ResourceUpdateEvent
  | ToolRequestEvent
  | ClientToolRequestEvent
  | FileAvailableEvent
  | ObjectAvailableEvent
  | MessageMetadataEvent
  | TodoUpdateEvent
  | UsageEvent
  | NoticeEvent
  | ToolResultAcknowledgedEvent
  | SnapshotEvent
  | MessagesReplacedEvent;
