/** What a session keeps so that it outlives a request, and with a persistent store a restart of the process. */
import type {
  ErrorEvent,
  FinishEvent,
  PendingToolCall,
  TokenUsage,
  ToolResult,
} from '../../protocol/events.ts';
import type { AgentAssistantMessage, AgentMessage } from '../agent.ts';
import { createMemoryLogs, type MemoryLogLimits, type OpenLog } from './event-log.ts';

/**
 * - `running`: an invocation is under way (or was, when the process died)
 * - `waiting`: for the client to answer `open`
 * - `interrupted`: ended because nobody read it; an identical continue restarts it
 * - `failed`: ended in an error; an identical continue restarts it
 * - `done`: ended well
 * - `stopped`: ended by a stop
 */
export type ExecutionState = 'running' | 'waiting' | 'interrupted' | 'failed' | 'done' | 'stopped';

/** The current execution of a session. JSON. */
export interface ExecutionRecord {
  readonly id: string;
  readonly messageId: string;
  readonly trigger: { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
  readonly state: ExecutionState;
  /** How many messages the history had when this execution began. */
  readonly historyStart: number;
  /** Calls the client has been asked to answer. */
  readonly open: readonly PendingToolCall[];
  /** What the server's tools answered beside `open`; told together with it. */
  readonly ran: readonly ToolResult[];
  /** The answers accepted last, to recognise a repeated continue. */
  readonly lastAnswers: readonly ToolResult[];
  /** Ids of all calls of this execution that a client answered. */
  readonly answered: readonly string[];
  readonly rounds: number;
  readonly usage: TokenUsage | null;
  /** What an invocation had said that was interrupted or failed; for the history should nobody restart it. */
  readonly partial: AgentAssistantMessage | null;
  /**
   * Sequence numbers: of the last event before `lastAnswers`, of the `start` that opened the last leg, and of the last event.
   * What is between the first two was said by tries of this leg that came to nothing.
   */
  readonly answeredAt: number;
  readonly legStart: number;
  readonly lastSeq: number;
  /** How the last leg ended. */
  readonly ending: FinishEvent | ErrorEvent | null;
}

/** Everything a session keeps. JSON; never changed in place. */
export interface SessionRecord {
  /** Grows by one with each save. */
  readonly revision: number;
  /** The conversation as the agent sees it. */
  readonly messages: readonly AgentMessage[];
  readonly execution: ExecutionRecord | null;
}

/**
 * Where sessions live. Sessions with the same id and store continue the same conversation.
 *
 * One process at a time should serve a session (route by session id): live runs are in its memory. Another one takes them
 * for interrupted; where it went on, the first lets go of what it has when it is asked next.
 */
export interface SessionStore {
  load(sessionId: string): Promise<SessionRecord | null>;
  /**
   * Keeps the record. A store that several processes share must compare and set: when it already holds this
   * `revision` or a later one, it keeps what it has and resolves to `false`, and the session decides anew.
   */
  save(sessionId: string, record: SessionRecord): Promise<unknown>;
  /** Logs of executions; those of a session's earlier executions may go. Default: in memory, lost with the process. */
  openLog?: OpenLog;
}

/** A store in memory. Share one between the sessions of a server; it is gone when the process ends. */
export function createMemorySessionStore(limits: MemoryLogLimits = {}): SessionStore {
  const { maxSessions = 1_000 } = limits;
  /** The one unused for longest comes first. */
  const records = new Map<string, SessionRecord>();
  const keep = (sessionId: string, record: SessionRecord) => {
    records.delete(sessionId);
    records.set(sessionId, record);
  };
  return {
    async load(sessionId) {
      const record = records.get(sessionId);
      if (record !== undefined) keep(sessionId, record);
      return record ?? null;
    },
    async save(sessionId, record) {
      if ((records.get(sessionId)?.revision ?? 0) >= record.revision) return false;
      keep(sessionId, record);
      for (const oldest of records.keys()) {
        if (records.size <= maxSessions) break;
        records.delete(oldest);
      }
      return true;
    },
    openLog: createMemoryLogs(limits),
  };
}
