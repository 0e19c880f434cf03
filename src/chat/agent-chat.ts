/** The public shape of a chat: what it takes and what it can do. */

import type { PersistenceOptions } from '../persistence/persistence-options.ts';
import type { FinishReason, TokenUsage } from '../protocol/events.ts';
import type { Clock } from '../shared/clock.ts';
import type { AgentChatError } from '../shared/errors.ts';
import type { Notice } from '../state/conversation.ts';
import type { FileReference, UIMessage } from '../state/message.ts';
import type { AgentChatState } from '../store/chat-state.ts';
import type { ChoiceMemory } from '../tools/choice-memory.ts';
import type { ClientTools } from '../tools/client-tool.ts';
import type { SettledCall } from '../tools/settled-call.ts';
import type { AgentTransport } from '../transport/agent-transport.ts';

/** Files as a person picks them, or as they already are somewhere. */
export type FilesInput = FileList | readonly File[] | readonly FileReference[];

/** What is shown as the user's message. */
export interface UserMessageInput {
  /** Text, or an object (shown as an object part named by its `type`). */
  readonly content?: string | Readonly<Record<string, unknown>>;
  /** Raw files are uploaded first; references are used as they are. */
  readonly files?: FilesInput;
}

/** How a message goes out while a call waits for a person. */
export interface SendOptions {
  /**
   * - `reject` (default): the promise rejects with code `awaiting_input` and nothing changes
   * - `cancel`: every waiting call settles as superseded, the agent is told, then the message goes out
   * - `queue`: the message goes out when the turn ends; until then this page alone holds it, so a reload loses it
   */
  readonly whilePending?: 'reject' | 'cancel' | 'queue';
}

/** Where to put a file and where it will be found. */
export interface UploadTarget {
  readonly id: string;
  readonly uploadUrl: string;
  readonly downloadUrl: string;
}

/** Asks the application for upload targets, one per file and in the same order. */
export type RequestUploadUrls = (
  files: readonly { filename: string; mediaType: string; size: number }[],
) => Promise<{ readonly files: readonly UploadTarget[] }>;

/** How far a file is: its index, and 0 to 100. */
export type UploadProgress = (fileIndex: number, progress: number) => void;

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
  /** What was said before. Default `[]`. */
  readonly initialMessages?: readonly UIMessage[];
  /** Automatic continuations since the last message or answer of a person before the turn fails. Default 25. */
  readonly maxToolRounds?: number;
  /**
   * Survive reloads: messages, the run and its position, waiting calls with what was filled in, answers not yet taken.
   * Restored from the first use on: `subscribe`, `send`, `resume`, or in a page `getState`. Default `false`.
   */
  readonly persistence?: PersistenceOptions | false;
  /** What people want to have remembered about tools with `approval`: `createRememberedChoices()`. Default: nothing. */
  readonly rememberedChoices?: ChoiceMemory;
  /** Needed to send raw files. */
  readonly requestUploadUrls?: RequestUploadUrls;
  /**
   * A turn failed; also in `state.error`. Once per failure. What fails beside the turn is told here alone: a snapshot that
   * could not be kept, a tool of the transport that could not be reached.
   */
  readonly onError?: (error: AgentChatError) => void;
  /** A turn ended well. */
  readonly onFinish?: (info: FinishInfo) => void;
  /** A turn was stopped by `stop()`. */
  readonly onStop?: () => void;
  /**
   * A call got its outcome, from a person, a handler, or because its time was up. Once per call, in the tab that runs
   * the conversation; `createAuditTrail` writes it down.
   */
  readonly onCallSettled?: (call: SettledCall) => void;
  readonly onResourceUpdate?: (name: string, value: unknown) => void;
  readonly onNotice?: (notice: Notice) => void;
  /** Something arrived that is no event we know; the stream went on. */
  readonly onUnknownEvent?: (event: unknown) => void;
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
   * in `state.error`. While a turn streams, it is interrupted first; answers it still owes the agent go out before the
   * trigger.
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
  /** Ends the turn: pending calls settle as aborted, the server is told, `onStop` is called. */
  stop(): void;
  /** Repeats what failed: the same trigger, or the same answers. Resolves like `send`. Does nothing when nothing failed. */
  retry(): Promise<void>;
  /** Leaves status `error` and keeps the messages. */
  clearError(): void;
  /**
   * Reads on a run that was cut, where it was cut. Does nothing when none was, so that it may be called whenever a page
   * begins.
   *
   * @throws AgentChatError rejects with `not_resumable` when the backend gave no position in the run, or cannot go on with it.
   */
  resume(): Promise<void>;
  /**
   * Uploads without sending, for instance to show progress first. `signal` takes it back.
   *
   * @throws AgentChatError rejects with `upload_failed`, `upload_not_configured`, `invalid_options` or `destroyed`.
   */
  uploadFiles(
    files: FilesInput,
    onProgress?: UploadProgress,
    options?: { readonly signal?: AbortSignal },
  ): Promise<FileReference[]>;
  /** Sockets only: connects ahead of the first message. */
  readonly connect?: () => Promise<void>;
  /** Sockets only: closes the connection until the next message. */
  readonly disconnect?: () => void;
  /**
   * With `persistence`: forgets what was kept of this conversation. The messages on the page stay.
   *
   * @throws AgentChatError rejects with `persistence_failed` when the storage does not let it.
   */
  clearPersisted(): Promise<void>;
  /**
   * Ends everything: the stream, handlers, timers, the connection. Later calls reject with `destroyed`. The server is told
   * to stop, unless `persistence` keeps the conversation: then the run goes on, to be read on by whoever opens it next.
   */
  destroy(): void;
}
