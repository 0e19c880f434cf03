/**
 * The interface between the engine and a backend. The engine knows nothing else of a backend: abilities are data (`capabilities`), never a
 * branch on a name. Octavus ends its response at a client tool and opens a second one with all results. Mantyx keeps one stream open
 * and takes results one by one.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ConnectionStatus } from '../../shared/connection.ts';
import type { JsonValue } from '../../shared/json.ts';
import type { OpenCommand, RunCommand, StopCommand } from '../protocol/commands.ts';
import type { AgentEvent, CallQuestion, PendingToolCall } from '../protocol/events.ts';
import type { FileReference, UIMessage } from '../state/message.ts';
import type { replaceMessages } from '../state/replace-messages.ts';

export type { ConnectionState, ConnectionStatus } from '../../shared/connection.ts';

/** The capabilities of a backend. */
export interface TransportCapabilities {
  /**
   * `together`: a `respond` command carries all answers of a request and opens the continuation of the run.
   * `one-by-one`: a `respond` command carries one answer, and the run goes on in the stream that its `trigger` opened.
   */
  readonly results: 'together' | 'one-by-one';
  /** True if `run` takes a `resume` command. A given run can be resumed once one of its events carried a `cursor`. */
  readonly resume: boolean;
  /** True if `stop` reaches the server. If false, the backend notices a stop only by the aborted request. */
  readonly stop: boolean;
  /** True if calls may carry a `deadline`. */
  readonly deadlines: boolean;
  /** True if a trigger may carry `rewindTo`. Default false. */
  readonly rewind?: boolean;
  /** True if `open` reads the conversation from the server. Default false. */
  readonly open?: boolean;
  /**
   * True if `open` finds what a new page cannot know: calls of the stored messages that wait for a person, and a response that goes on at
   * the server. The engine asks once, at the first use of a chat that rests. No `snapshot` means that there is nothing. A message that is
   * sent meanwhile waits for the first array of events: one without events lets it go while the server is asked. Default false.
   */
  readonly joins?: boolean;
  /** True if the agent knows only the tools that a request names, so that the transport describes those of the app. Default false. */
  readonly describeTools?: boolean;
}

/**
 * JSON of one conversation that only the transport reads. The engine persists it with the conversation and passes it with every
 * request, also after a reload.
 */
export interface TransportMemory {
  /** Returns the value that was set last, or undefined. */
  get(): JsonValue | undefined;
  /** Replaces the value. Undefined removes it. */
  set(value: JsonValue | undefined): void;
}

/** The tools of an app by name: `ClientTools` of `tools/client-tool.ts`, of which a transport reads no more than `describeTools` does. */
export type DeclaredTools = Readonly<Record<string, unknown>>;

/** What a transport does about a response by itself: the engine sees one uninterrupted stream. */
export type ResponseStep =
  | {
      readonly type: 'response-cut';
      /** The code of the error that cut it, if there was one. */
      readonly code?: string | undefined;
      /** The HTTP status of that error. */
      readonly status?: number | undefined;
      /** Attempts to go on that brought nothing before this cut. */
      readonly failedAttempts: number;
    }
  | {
      readonly type: 'response-resumed';
      readonly command: (RunCommand | OpenCommand)['type'];
      readonly executionId?: string | undefined;
      readonly cursor?: string | undefined;
    };

/** The conversation that a request belongs to. */
export interface TransportChat {
  /** The `id` of the chat: what the app gave, or a random one. */
  readonly id: string;
  /** True if the app gave the id, so that its server may know it. */
  readonly isNamed: boolean;
  /** The messages with which the app began the chat: the history that a backend without one of its own has to be told. */
  readonly initialMessages: readonly UIMessage[];
  /** Returns the messages as the page shows them now, the one that is being written last. */
  messages(): readonly UIMessage[];
}

/** The engine's side of one request. */
export interface TransportIO {
  /** Aborts when the engine no longer wants the events. The stream must end soon, by returning or throwing. */
  readonly signal: AbortSignal;
  readonly chat: TransportChat;
  /** For a backend without a history on the server: the messages that the transport has to post again, for instance. */
  readonly memory: TransportMemory;
  /** Returns the tools that the app declares, by name, as they are now. `describeTools` tells an agent of them. */
  clientTools?(): DeclaredTools;
  /** Takes what the transport does about the response by itself, for the `trace` of the chat. */
  trace?(step: ResponseStep): void;
  /**
   * Takes true while attempts to go on with a cut response fail, and false once one succeeds or there is no further one. The chat shows it
   * as its `connectionState`, unless the transport has a `connection`.
   */
  reconnecting?(isReconnecting: boolean): void;
  /** Takes an event that the transport does not know. The stream goes on. */
  onUnknownEvent(event: unknown): void;
}

/**
 * The events of one request, in arrays of events that arrived together: the engine applies an array in one step, which is much cheaper
 * than one promise per event.
 *
 * The stream returns when the response is over, also when it was cut: the engine recognises a cut by the missing `finish`. The stream
 * throws an `AgentChatError` when the request failed or its body is unreadable.
 */
export type AgentEventStream = AsyncIterable<readonly AgentEvent[]>;

/** A connection that outlives single requests (sockets). */
export interface Connection {
  getStatus(): ConnectionStatus;
  /** Calls back at once with the current status, then at each change. Returns the unsubscribe function. */
  subscribe(listener: (status: ConnectionStatus) => void): () => void;
  /** Resolves once the transport is connected. Rejects with code `connection_failed`; then the state is `error`. */
  connect(): Promise<void>;
  /** Closes the connection until the next `connect` or the next request. */
  disconnect(): void;
}

/** A tool that the transport brings itself. The engine runs it and settles its calls like those of the app's tools. */
export interface TransportTool {
  /**
   * The agent gets the returned value as the result, or the thrown error as an error text. An `AgentChatError` means that the tool could
   * not be reached, and goes to `onError` as well.
   */
  execute(
    args: Readonly<Record<string, unknown>>,
    context: { readonly signal: AbortSignal },
  ): Promise<unknown>;
  /** Milliseconds until the call settles as `timed-out`. Default 60,000. */
  readonly timeoutMs?: number;
  /** True if a second run does no harm: after a reload, an interrupted call runs again. Otherwise a person is asked first. */
  readonly idempotent?: boolean;
}

/**
 * A question of the backend that is no call of a client tool, such as the approval of a server tool. The app may declare an interactive
 * tool under the name of the call: what it declares replaces what is given here.
 *
 * If the app declares a handler under that name, the question is whether the handler may run: the engine asks, then runs it. Not so where
 * `isApproval` is true.
 */
export interface TransportQuestion extends Omit<CallQuestion, 'inputSchema' | 'outputSchema'> {
  readonly interactive: true;
  /** With `remember`: the backend also keeps a yes for the same arguments or this conversation alone. */
  readonly rememberLimits?: true;
  /**
   * True if the backend runs the call once it is allowed: no handler of the page runs, and the answer is the yes or no of an approval,
   * whatever `output` the app declares.
   */
  readonly isApproval?: true;
  /** Describes and checks the arguments, where they can be edited. */
  readonly input?: StandardSchemaV1;
  /** Describes and checks the answer. */
  readonly output?: StandardSchemaV1;
  /** The text of a question in the middle of a call. It is not part of the arguments, nor what the app declares of the tool. */
  readonly message?: string;
}

/** Carries commands to a backend and events back. Made by `createHttpTransport` or `createSocketTransport`, or by you. */
export interface AgentTransport {
  readonly capabilities: TransportCapabilities;
  /**
   * Sends one command and streams its response: `trigger` starts a run, `respond` delivers answers (see
   * {@link TransportCapabilities.results}), `resume` goes on with a run from a cursor.
   */
  run(command: RunCommand, io: TransportIO): AgentEventStream;
  /** Reads the conversation from the server: a `snapshot` event first. Only where `capabilities.open` or `joins` is true. */
  open?(command: OpenCommand, io: TransportIO): AgentEventStream;
  /**
   * Ends the run on the server. The engine calls it right after it aborted the signal of the run, because a person stopped the turn or
   * sent another message. The engine ignores a failure: the run is over for this client either way.
   */
  stop?(command: StopCommand): void | Promise<void>;
  readonly connection?: Connection;
  /** Only of a transport that sends `messages-replaced`: `replaceMessages` of `handrail/core`. */
  readonly replaceMessages?: typeof replaceMessages;
  /**
   * Makes references of the files of a message, where the app gives no `requestUploadUrls`. Gets the files that are references already as
   * well, each time they are sent: the backend may limit all of them together. Rejects with `upload_failed`.
   */
  readFiles?(files: readonly (File | FileReference)[]): Promise<readonly FileReference[]>;
  /** Returns what the transport itself knows of a call: a tool that it brings, or a question. Must also know calls from before a reload. */
  clientTool?(call: PendingToolCall): TransportTool | TransportQuestion | undefined;
}
