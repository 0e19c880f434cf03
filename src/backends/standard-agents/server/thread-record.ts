/** The stored form of a thread: with a persistent store it outlives the process. */
import type { JsonValue } from '../../../shared/json.ts';
import type { ThreadMessage } from './thread-message.ts';

/** `secret` values are kept out of tool output, logs, the stream and the list of variables; `text` values may be shown. */
export type EnvValueType = 'text' | 'secret';

/** An environment variable of a thread. */
export interface EnvValue {
  readonly value: string;
  readonly type: EnvValueType;
}

/** A file of a thread. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  /** The content in base64. */
  readonly data: string;
}

/** Work that waits for its turn: a message, or a tool call that the application wants to be run. */
export type QueuedWork =
  | { readonly type: 'message'; readonly message: ThreadMessage }
  | { readonly type: 'tool'; readonly id: string; readonly name: string; readonly args: JsonValue };

/** An effect that runs later, or runs now. */
export interface ScheduledEffect {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, JsonValue>>;
  /** When it is due. Microseconds since the epoch, both. */
  readonly scheduledAt: number;
  readonly createdAt: number;
}

/** How the session of a thread ended. */
export interface SessionEnd {
  readonly status: 'completed' | 'failed';
  readonly message: string;
}

/** A subagent of a thread. */
export interface SubagentRegistryEntry {
  /** The id of its thread. */
  readonly reference: string;
  /** Its agent, and its name for people. */
  readonly name: string;
  readonly displayName: string;
  readonly status: 'running' | SessionEnd['status'];
  readonly blocking: boolean;
  readonly resumable: boolean;
  readonly receives_messages: 'side_a' | 'side_b';
  readonly parentCommunication: 'implicit' | 'explicit';
  /** The call that created it: its message and its id. */
  readonly key: string;
  /** The id of the last call to it. */
  readonly callId: string;
}

/** The whole state of a thread. JSON; never changed in place. */
export interface ThreadRecord {
  readonly id: string;
  readonly agent_id: string;
  /** The user who created the thread, and the only one who may use it. */
  readonly user_id: string;
  readonly tags: readonly string[];
  /** Microseconds since the epoch. */
  readonly created_at: number;
  /**
   * - `running`: an execution is under way, or was when the process died
   * - `stopping`: the open calls get their results, and then the execution ends
   * - `idle`: nothing runs
   */
  readonly run: 'idle' | 'running' | 'stopping';
  readonly messages: readonly ThreadMessage[];
  readonly queue: readonly QueuedWork[];
  readonly values: Readonly<Record<string, JsonValue>>;
  readonly env: Readonly<Record<string, EnvValue>>;
  /** The values of all variables that were ever secret. Absent in threads of version 0.1. */
  readonly secrets?: readonly string[];
  /** The thread whose subagent this one is, and its name for people. */
  readonly parent_id?: string | undefined;
  readonly name?: string | undefined;
  /** How many threads are above this one. Default 0. */
  readonly level?: number | undefined;
  readonly children?: readonly SubagentRegistryEntry[];
  /** Absent while the session goes on. */
  readonly session?: SessionEnd | undefined;
  /** The tool `sessionStatus` said this last. */
  readonly session_status?: string | undefined;
  readonly effects?: readonly ScheduledEffect[];
  /** By path: `/attachments/{name}`. */
  readonly files: Readonly<Record<string, StoredFile>>;
}
