/**
 * The interface through which tools and endpoints use a thread (Standard Agents specification 0.15, `ThreadState`), as far as this
 * runtime has it.
 */
import type { CodeExecution, CodeExecutionOptions } from '../../../sandbox/code-execution.ts';
import type { Side, ThreadMessage } from './thread-message.ts';
import type { EnvValueType, ScheduledEffect, StoredFile, SubagentRegistryEntry } from './thread-record.ts';

/** Runs code in a sandbox: `runCode` of `handrail/sandbox`. */
export type RunCode = (source: string, options?: CodeExecutionOptions) => CodeExecution;

/** The execution in which a tool runs. */
export interface ExecutionState {
  /** Aborts when a person stops the execution. */
  readonly abortSignal: AbortSignal;
  /** How often a model was asked in this execution. */
  readonly stepCount: number;
  /** Side B of an `ai_human` agent is the person. */
  readonly currentSide: Side;
  /** Ends the execution once the calls of this turn have their results. The model is not asked again. */
  stop(): void;
}

/** Which messages `getMessages` returns. */
export interface GetMessagesOptions {
  /** At most this many, the newest. Default: all. */
  readonly limit?: number | undefined;
  /** 0 leaves the messages of subagents out. Default: all. */
  readonly maxDepth?: number | undefined;
  /** Default false. */
  readonly includeSilent?: boolean | undefined;
}

/** A message that the application adds to the queue of a thread. */
export interface QueueMessageInput {
  readonly role: 'system' | 'user';
  readonly content: string;
  /** True hides the message from people. Default false. */
  readonly silent?: boolean;
}

/** A file as `writeFile` stored it, without its content. */
export type FileRecord = Omit<StoredFile, 'data'> & { readonly path: string };

/** The thread, as a tool or an endpoint uses it. */
export interface ThreadState {
  readonly threadId: string;
  readonly agentId: string;
  readonly userId: string | null;
  /** Microseconds since the epoch. */
  readonly createdAt: number;
  /** Shared by the tools of one execution, and gone after it. */
  readonly context: Record<string, unknown>;
  /** Null in an endpoint. */
  readonly execution: ExecutionState | null;
  /** The messages without secrets, oldest first, and how many there are without `limit`. */
  getMessages(options?: GetMessagesOptions): Promise<{ messages: ThreadMessage[]; total: number }>;
  /** Adds a message, with the secrets of the thread masked. It starts an execution; a running one reads it before it asks the model again. */
  queueMessage(input: QueueMessageInput): Promise<void>;
  /** Runs a tool of the agent as if the model had called it. Then the model reads the result. */
  queueTool(name: string, args?: Record<string, unknown>): Promise<void>;
  /** Sends a custom event to all clients that follow the thread. */
  emit(eventType: string, data: unknown): void;
  /** Returns a copy of a durable value of this thread, or null. */
  getValue<Value = unknown>(key: string): Promise<Value | null>;
  /**
   * Stores a durable value. `null` and `undefined` delete the key.
   *
   * @throws TypeError for a value that JSON cannot carry.
   */
  setValue(key: string, value: unknown): Promise<void>;
  /** @throws Error if the variable is not set. */
  env(name: string): Promise<string>;
  /** A variable that is unknown is a secret. */
  envType(name: string): Promise<EnvValueType>;
  /**
   * Sets a variable. A value that is a secret now stays masked in this thread, also when the variable gets another value or type.
   *
   * @param options.type Default: the type that the variable has, or `secret`.
   * @throws TypeError for a secret of one to three characters, which could not be masked.
   */
  setEnv(name: string, value: string, options?: { readonly type?: EnvValueType }): Promise<void>;
  /**
   * Runs an effect of the agent later, outside of any execution. It is saved: after a restart it runs as soon as the thread is used, and
   * runs again if its end was not saved.
   *
   * @param delay Milliseconds. Default 0.
   * @returns the id of the scheduled effect
   * @throws TypeError for an unknown effect, or arguments that do not fit.
   */
  scheduleEffect(name: string, args?: Record<string, unknown>, delay?: number): Promise<string>;
  /** Returns the effects that have not ended, without secrets, in the order in which they were scheduled. */
  getScheduledEffects(name?: string): Promise<ScheduledEffect[]>;
  /** Cancels an effect. Returns false for one that is unknown, runs or has run. */
  removeScheduledEffect(id: string): Promise<boolean>;
  /** The subagents of this thread. */
  readonly children: readonly SubagentRegistryEntry[];
  /** Returns the thread of a subagent by its `reference`, or null if this thread has no such subagent. */
  getChildThread(referenceId: string): Promise<ThreadState | null>;
  /** Null in a thread that is no subagent. */
  getParentThread(): Promise<ThreadState | null>;
  /** Queues a message to the parent that people do not see. Does nothing in a thread that is no subagent. */
  notifyParent(content: string): Promise<void>;
  /** Returns a JSON value with the secrets of the thread masked, for an endpoint that sends it to a page. Not of the specification. */
  redact(value: unknown): unknown;
  readFile(path: string): Promise<ArrayBuffer | null>;
  writeFile(path: string, data: ArrayBuffer | string, mimeType: string): Promise<FileRecord>;
  /** @throws Error if the runtime was created without `runCode`. */
  runCode(source: string, options?: CodeExecutionOptions): CodeExecution;
}
