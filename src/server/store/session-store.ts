/** The stored form of a session: it outlives a request, and with a persistent store a restart of the process. */
import type { ToolDescription } from '../../core/protocol/commands.ts';
import type { ErrorEvent, FinishEvent, TokenUsage } from '../../core/protocol/events.ts';
import type { OpenCall, OpenCallList } from '../../core/protocol/open-calls.ts';
import type { Principal } from '../../shared/principal.ts';
import type { AgentUserMessage } from '../agent.ts';
import type { CallRecords } from './call-record.ts';
import type { ChoiceStore } from './choice-store.ts';
import type { OpenLog } from './event-log.ts';
import type { ListOpenCallsOptions } from './list-options.ts';

export type { ListOpenCallsOptions, OpenCall, OpenCallList };

/**
 * - `running`: an invocation is under way (or was, when the process died)
 * - `waiting`: the client has to answer the calls in `open`
 * - `interrupted`: ended because no client read it; an identical continue restarts it
 * - `failed`: ended in an error; an identical continue restarts it
 * - `done`: ended without an error
 * - `stopped`: ended by a stop
 */
export type ExecutionState = 'running' | 'waiting' | 'interrupted' | 'failed' | 'done' | 'stopped';

/** The current execution of a session. JSON. The calls that it names by their keys are in `calls` of the record. */
export interface ExecutionRecord {
  readonly id: string;
  readonly messageId: string;
  readonly trigger: { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
  /** The key that the client gave the trigger. Absent for clients that send none. */
  readonly idempotencyKey?: string | undefined;
  readonly state: ExecutionState;
  /** How many messages the history had when this execution began. */
  readonly historyStart: number;
  /** The calls of the last request, answered ones among them. Empty while the agent runs. */
  readonly open: readonly string[];
  /** The calls of server tools in the same batch as `open`; their results are sent together with it. */
  readonly ran: readonly string[];
  /** The calls whose answers opened the last request; a repeated continue has the same. */
  readonly lastAnswers: readonly string[];
  readonly rounds: number;
  readonly usage: TokenUsage | null;
  /** The text of an interrupted or failed invocation. The history gets it unless a client restarts the request. */
  readonly partial: AssistantMessageRecord | null;
  /**
   * Sequence numbers: of the last event before the `lastAnswers`, of the `start` that opened the last request, and of the last
   * event. Events between the first two belong to failed or interrupted attempts at this request.
   */
  readonly answeredSeq: number;
  readonly requestStart: number;
  readonly lastSeq: number;
  /** How the last request ended. */
  readonly ending: FinishEvent | ErrorEvent | null;
  /** When the calls in `open` were asked. Milliseconds since the epoch; absent before the first question. */
  readonly askedAt?: number;
  /** The person who sent the message of the turn. */
  readonly startedBy?: Principal | undefined;
  /** The tools of the page that the agent sees in this turn. Absent where there is none. */
  readonly clientTools?: readonly ToolDescription[];
  /** The first execution of the message, where this one repeats it. Default: `id`. */
  readonly repeats?: string;
}

/** Where a turn begins in the history, and how the client names its answer. JSON. */
export interface TurnRecord {
  /** The index of the first message after that of the person. */
  readonly at: number;
  readonly messageId: string;
  readonly executionId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly startedBy?: Principal | undefined;
  /** The metadata of the message of the person, and of the answer. Imported messages have it. */
  readonly userMetadata?: unknown;
  readonly metadata?: unknown;
}

/** The text and the calls of the agent in one invocation. JSON. */
export interface AssistantMessageRecord {
  readonly role: 'assistant';
  readonly content: string;
  /** The keys of its calls. Each call has its arguments and its result; the message has no copy. */
  readonly calls?: readonly string[];
  readonly modelContent?: unknown;
}

export type MessageRecord = AgentUserMessage | AssistantMessageRecord;

/** The whole stored state of a session. JSON; never changed in place. What did not change stays the same object from save to save. */
export interface SessionRecord {
  readonly version: 2;
  /** Grows by one with each save. */
  readonly revision: number;
  /** The conversation. `readHistory` returns it as the agent sees it. */
  readonly messages: readonly MessageRecord[];
  readonly execution: ExecutionRecord | null;
  /** All calls of the conversation, over all executions, with their answers. */
  readonly calls: CallRecords;
  /** The keys of all triggers that were taken, so that a message that is sent again is recognised. */
  readonly receivedKeys?: readonly string[];
  /** The turns of the conversation, in its order. */
  readonly turns?: readonly TurnRecord[];
}

/**
 * Where sessions live. Sessions with the same id and store continue the same conversation.
 *
 * One process at a time should serve a session (route by session id), because live runs are in its memory. Another process
 * takes such a run for interrupted. If it continues the session, the first process ends its own run at the next request.
 *
 * The checks of `sessionStoreChecks` in `handrail/testing` show whether a store does what is said here.
 */
export interface SessionStore {
  load(sessionId: string): Promise<SessionRecord | null>;
  /**
   * Saves the record and resolves to `true`. A store that several processes share must compare and set: when it already holds this
   * `revision` or a later one, it leaves its record as it is and resolves to `false`, and the session handles the request again.
   */
  save(sessionId: string, record: SessionRecord): Promise<boolean>;
  /** Opens the log of an execution; logs of a session's earlier executions may be deleted. Default: in memory, lost with the process. */
  openLog?: OpenLog;
  /**
   * Lists the calls that wait for people, over all sessions, also those of a request that some have answered partly. A call leaves the
   * list when it is answered or expires.
   */
  listOpenCalls?(options?: ListOpenCallsOptions): Promise<OpenCallList>;
  /**
   * Calls back after each save of any session, also of other processes that share the store; without an id after a time in which the
   * store may have missed saves. Returns the function that ends it. Default: after the saves of this process alone.
   */
  watch?(listener: (sessionId?: string) => void): () => void;
  /**
   * The time of the store, for the deadlines of questions: then a process whose clock is wrong expires no question of the others.
   * Milliseconds since the epoch. Default: the time of the process.
   */
  now?(): Promise<number>;
  /** The approvals that people want to have remembered, see `remember` of a server tool. Default: nothing is remembered. */
  readonly choices?: ChoiceStore;
}
