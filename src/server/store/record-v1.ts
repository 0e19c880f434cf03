/** The stored form of handrail 0.1 (version 1). */
import type {
  ErrorEvent,
  FinishEvent,
  PendingToolCall,
  TokenUsage,
  ToolResult,
} from '../../core/protocol/events.ts';
import type { Answerer, Principal } from '../../shared/principal.ts';
import type { ToolOutcome } from '../../shared/tool-outcome.ts';
import type { AgentMessage } from '../agent.ts';
import type { StoredChoice } from './choice-store.ts';
import type { ExecutionRecord, ExecutionState, TurnRecord } from './session-store.ts';

/** The record of version 1. */
export interface RecordV1 {
  readonly revision: number;
  readonly messages: readonly AgentMessage[];
  readonly execution: ExecutionV1 | null;
  readonly receivedKeys?: readonly string[];
  readonly answers?: readonly AnswerV1[];
  readonly turns?: readonly TurnRecord[];
}

export interface ExecutionV1 {
  readonly id: string;
  readonly messageId: string;
  readonly trigger: ExecutionRecord['trigger'];
  readonly idempotencyKey?: string;
  readonly state: ExecutionState;
  readonly historyStart: number;
  readonly open: readonly PendingToolCall[];
  readonly ran: readonly ToolResult[];
  readonly lastAnswers: readonly ToolResult[];
  readonly answered: readonly string[];
  readonly rounds: number;
  readonly usage: TokenUsage | null;
  readonly partial: { readonly role: 'assistant'; readonly content: string } | null;
  /** A sequence number. */
  readonly answeredAt: number;
  readonly requestStart: number;
  readonly lastSeq: number;
  readonly ending: FinishEvent | ErrorEvent | null;
  readonly askedAt?: number;
  readonly startedBy?: Principal;
  readonly given?: readonly ToolResult[];
  readonly steps?: Readonly<Record<string, Readonly<Record<string, StepV1>>>>;
  readonly repeats?: string;
}

export type StepV1 =
  | { readonly type: 'asked'; readonly toolCallId: string; readonly attempt: number }
  | {
      readonly type: 'answered';
      readonly attempt: number;
      readonly answer: {
        readonly outcome: ToolOutcome;
        readonly result?: unknown;
        readonly error?: string;
        readonly answeredBy?: Answerer;
      };
    }
  | { readonly type: 'started' }
  | { readonly type: 'done'; readonly value: unknown }
  | { readonly type: 'failed'; readonly error: string };

export interface AnswerV1 {
  readonly executionId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly isApproval?: true;
  readonly outcome: ToolOutcome;
  readonly result?: unknown;
  readonly error?: string;
  readonly answeredBy?: Answerer;
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly receipt?: string;
  readonly answerReceipt?: string;
  readonly shown?: string;
  readonly remembered?: Pick<StoredChoice, 'sessionId' | 'executionId' | 'toolCallId' | 'rememberedAt'>;
}
