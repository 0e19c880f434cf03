/** The public interface of a chat: its options and its methods. */

import type { Clock } from '../../shared/clock.ts';
import type { AgentChatError } from '../../shared/errors.ts';
import type { WhilePending } from '../persistence/chat-actions.ts';
import type { Persistence } from '../persistence/create-persistence.ts';
import type { FinishReason, StartEvent, TokenUsage } from '../protocol/events.ts';
import type { Notice } from '../state/conversation.ts';
import type { FileReference, MessageSender, UIMessage } from '../state/message.ts';
import type { AgentChatState } from '../store/chat-state.ts';
import type { ChoiceMemory } from '../tools/choice-memory.ts';
import type { ClientTool, ClientTools } from '../tools/client-tool.ts';
import type { SettledCall } from '../tools/settled-call.ts';
import type { ToolRegistration } from '../tools/tool-registry.ts';
import type { AgentTransport } from '../transport/agent-transport.ts';
import type { ChatTraceStep } from './trace.ts';

/** Files that a person has picked, or references to files that were uploaded before. */
export type FilesInput = FileList | readonly File[] | readonly FileReference[];

/** The user's message as it is shown. */
export interface UserMessageInput {
  /** Text, or an object (shown as an object part named by its `type`). */
  readonly content?: string | Readonly<Record<string, unknown>>;
  /** Raw files are uploaded first; references are used as they are. */
  readonly files?: FilesInput;
  /** The author, in conversations of several people. Only shown: the server knows by itself who sends the message. */
  readonly sender?: MessageSender;
  /** Data of the app, as JSON. A backend with metadata, such as the AI SDK, gets it along with the message. */
  readonly metadata?: unknown;
}

/** How a message is sent while a call waits for a person. */
export interface SendOptions {
  /**
   * - `reject` (default): the promise rejects with code `awaiting_input` and nothing changes
   * - `cancel`: every waiting call settles as superseded, these answers are delivered, then the message is sent
   * - `queue`: the message is sent when the turn ends; until then only this page holds it, so a reload loses it
   * - `reply`: the text is the answer. Every waiting call that this person may answer settles as declined with the text as its reason; a
   *   call that waits for other people goes on waiting. No message is sent. What was typed into the forms of these calls is kept without
   *   secrets, and the next call of the same tool in this conversation begins with it (`getSavedInput`). A message with files, without
   *   text, or with `editMessage` and `regenerate` rejects with `invalid_options`. Where no call waits for this person, it is `reject`
   */
  readonly whilePending?: WhilePending;
}

/** The address to which a file is uploaded, and the address at which it can be read afterwards. */
export interface UploadTarget {
  readonly id: string;
  readonly uploadUrl: string;
  readonly downloadUrl: string;
}

/** Asks the application for upload targets, one per file and in the same order. */
export type RequestUploadUrls = (
  files: readonly { filename: string; mediaType: string; size: number }[],
) => Promise<{ readonly files: readonly UploadTarget[] }>;

/** Reports the progress of a file: its index in the list, and 0 to 100 per cent. */
export type UploadProgress = (fileIndex: number, progress: number) => void;

/** A response that begins. */
export type StartInfo = Readonly<Pick<StartEvent, 'executionId' | 'messageId' | 'sessionId'>>;

/** A turn that ended well. */
export interface FinishInfo {
  readonly message: UIMessage;
  readonly finishReason: FinishReason;
  readonly usage: TokenUsage | undefined;
}

export interface AgentChatOptions<Tools extends ClientTools = ClientTools> {
  /** The backend: `createHttpTransport`, `createSocketTransport`, or your own. */
  readonly transport: AgentTransport;
  /** Names the conversation; in React a new id means a new chat. Default: generated. */
  readonly id?: string;
  /** Tools of this browser by name: a function, `'interactive'`, or a `defineClientTool`. Default `{}`. */
  readonly clientTools?: Tools;
  /**
   * How long a call whose tool is not on the page waits for a component that registers the tool (`useClientTool`, `registerTool`), before
   * the agent gets `No client handler for tool: NAME`. Milliseconds. Default 1,000.
   */
  readonly registrationGraceMs?: number;
  /**
   * Sends the descriptions of all tools of the page with each trigger, those that components have registered among them: name, title,
   * description, annotations and the JSON Schemas of those schemas that describe themselves. A server that allows them (`clientTools` of
   * `createAgentSession`) offers them to its agent, so that a schema is written once. At most 128 tools and 64 kB together: what is over
   * that is left out, with a warning on the console. Default `false`.
   */
  readonly describeClientTools?: boolean;
  /** Earlier messages of the conversation. Default `[]`. */
  readonly initialMessages?: readonly UIMessage[];
  /** Automatic continuations since the last message or answer of a person before the turn fails. Default 25. */
  readonly maxToolRounds?: number;
  /**
   * Lets the conversation survive reloads: `createPersistence()`. The conversation is restored at the first use of the chat:
   * `subscribe`, `send`, `resume`, or in a page `getState`. Default `false`.
   */
  readonly persistence?: Persistence | false;
  /** Remembers choices of people about tools with `approval`: `createRememberedChoices()`. Default: nothing is remembered. */
  readonly rememberedChoices?: ChoiceMemory;
  /**
   * Opens the conversation from the server at the first use of the chat (`subscribe`, `send`, `resume`), where the backend can do that
   * (`capabilities.open`). While the agent waits for people, and while the conversation rests, the page stays informed: an answer that is
   * given on another device closes the question here, and a turn that somebody else starts is shown. Default `false`.
   *
   * With `persistence` the stored conversation is shown at once, and replaced by that of the server. A conversation whose last turn
   * failed stays as it is, so that `retry()` can repeat it.
   */
  readonly openOnStart?: boolean;
  /** Where raw files go. Default: with the message itself where the backend takes them (`AgentTransport.readFiles`), else an error. */
  readonly requestUploadUrls?: RequestUploadUrls;
  /**
   * Called once per failed turn, with the error that is also in `state.error`. Failures beside a turn come only here: a snapshot that
   * could not be saved, a tool of the transport that could not be reached.
   */
  readonly onError?: (error: AgentChatError) => void;
  /**
   * Called when a response begins, also that of a continuation, with the ids that its backend sends: `sessionId` is the session that an
   * Octavus server has created for the conversation.
   */
  readonly onStart?: (start: StartInfo) => void;
  /** Called when a turn has ended well. */
  readonly onFinish?: (info: FinishInfo) => void;
  /** Called when `stop()` has ended a turn. */
  readonly onStop?: () => void;
  /**
   * Called once per call that got its outcome: from a person, from a handler, or because its time was over. Called a second time,
   * with `expired`, for an answer that turned out not to count: it came too late, or another client had answered first. Called in
   * the tab that owns the conversation. `createAuditTrail` records these calls.
   */
  readonly onCallSettled?: (call: SettledCall) => void;
  readonly onResourceUpdate?: (name: string, value: unknown) => void;
  readonly onNotice?: (notice: Notice) => void;
  /** Called with data that is no known event. The stream goes on. */
  readonly onUnknownEvent?: (event: unknown) => void;
  /**
   * Called with every step of the chat as data: turns, requests, events, calls, tabs and snapshots. For finding out what a stuck run did:
   * the `request-sent` without a `response-ended` is what it waits for. A step holds ids, words, numbers and sizes, never arguments, results
   * or texts. Keep the steps or send them to your logs, and leave the chat alone: it is in the middle of the step. Default: no trace.
   */
  readonly trace?: (step: ChatTraceStep) => void;
  /** For tests: time under your control. Default: the real clock. */
  readonly clock?: Clock;
  /** For tests: ids under your control. Default: random. */
  readonly createId?: () => string;
}

/**
 * A conversation with an agent.
 *
 * The methods are bound: pass them around freely.
 */
export interface AgentChat<Tools extends ClientTools = ClientTools> {
  readonly id: string;
  /** The current state, frozen. Current as soon as an action returns; unchanged parts keep their identity. */
  getState(): AgentChatState<Tools>;
  /** Calls back after changes, at most once per frame while text streams. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /**
   * Triggers the agent. Resolves when the turn rests (idle, error or awaiting input); failures of the turn land
   * in `state.error`. A turn that still streams is interrupted first; its undelivered answers are sent before the trigger.
   *
   * @throws AgentChatError rejects with `awaiting_input`, `upload_failed`, `upload_not_configured`,
   * `invalid_options` or `destroyed`; then nothing was sent and the state is as before.
   */
  send(
    triggerName: string,
    input?: Readonly<Record<string, unknown>>,
    options?: SendOptions & { readonly userMessage?: string | UserMessageInput },
  ): Promise<void>;
  /** `send('user-message', { USER_MESSAGE, FILES? }, { userMessage })`. */
  sendMessage(content: string | UserMessageInput, options?: SendOptions): Promise<void>;
  /**
   * Only where the backend keeps conversations (`capabilities.open`): replaces this conversation by that of the server. The calls that wait
   * for people are pending then, and a run that is under way is shown. Resolves when the conversation rests. Does nothing while a request
   * of this page is open. A failure lands in `state.error`, and `retry()` opens again.
   *
   * @throws AgentChatError rejects with `destroyed`.
   */
  readonly open?: () => Promise<void>;
  /**
   * Only where the backend can go back (`capabilities.rewind`): repeats the turn of the latest message. The message and what followed it
   * leave the conversation, and the same message is sent anew, with a new id, also if another page has sent it. Resolves and rejects like
   * `send`.
   *
   * @throws AgentChatError rejects with `invalid_options` if the conversation has no message of the user.
   */
  readonly regenerate?: (options?: SendOptions) => Promise<void>;
  /**
   * Only where the backend can go back (`capabilities.rewind`): the message of the user with this id and what followed it leave the
   * conversation, and `content` is sent in their place, with a new id. Resolves and rejects like `sendMessage`.
   *
   * @throws AgentChatError rejects with `invalid_options` if no message of the user has this id; then nothing was changed.
   */
  readonly editMessage?: (
    messageId: string,
    content: string | UserMessageInput,
    options?: SendOptions,
  ) => Promise<void>;
  /**
   * Takes back the answer that a person gave to this call of the latest turn, while nothing of it was sent (`delivery` of its part is
   * `not-sent`): the call waits again, with what was typed. Does nothing otherwise, nor for a handler that has run. `onCallSettled` is called
   * again for the next answer.
   */
  takeBack(toolCallId: string): void;
  /** Ends the turn: pending calls settle as aborted, the server is asked to stop, `onStop` is called. */
  stop(): void;
  /** Repeats what failed: the same trigger, or the same answers. Resolves like `send`. Does nothing when nothing failed. */
  retry(): Promise<void>;
  /** Leaves status `error` and keeps the messages. */
  clearError(): void;
  /**
   * Resumes a run that was cut, or joins a response that goes on at a backend with `capabilities.joins`. Does nothing if there is none, so
   * a page may call it whenever it starts.
   *
   * @throws AgentChatError rejects with `not_resumable` when the backend gave no position in the run, or cannot resume it.
   */
  resume(): Promise<void>;
  /**
   * Uploads without sending, for instance to show progress first. `signal` cancels the upload.
   *
   * @throws AgentChatError rejects with `upload_failed`, `upload_not_configured`, `invalid_options` or `destroyed`.
   */
  uploadFiles(
    files: FilesInput,
    onProgress?: UploadProgress,
    options?: { readonly signal?: AbortSignal },
  ): Promise<FileReference[]>;
  /**
   * Registers a tool of this page until it is unregistered; `useClientTool` does it for a component. The tool that was registered last wins
   * over others of its name, and over that of `clientTools`.
   *
   * The tool belongs to this page: where several tabs share the conversation, the calls run in the tab that owns it, with the tools there.
   *
   * @throws AgentChatError `invalid_options` without a name, or for a definition that the engine could not use
   */
  registerTool(name: string, tool: ClientTool): ToolRegistration;
  /** Sockets only: connects ahead of the first message. */
  readonly connect?: () => Promise<void>;
  /** Sockets only: closes the connection until the next message. */
  readonly disconnect?: () => void;
  /**
   * With `persistence`: removes the stored conversation. The messages on the page stay.
   *
   * @throws AgentChatError rejects with `persistence_failed` when the storage refuses.
   */
  clearPersisted(): Promise<void>;
  /**
   * Ends the stream, handlers, timers and the connection. Later calls reject with `destroyed`. The server is asked to stop the run,
   * unless another page can go on with it: with `persistence` or `openOnStart`, and after `open()`.
   */
  destroy(): void;
}
