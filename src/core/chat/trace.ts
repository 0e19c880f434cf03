/**
 * The trace of a chat: every step as data, so that a developer can read what a stuck run did. Steps hold ids, words, numbers and sizes.
 * Arguments, results, error texts and messages are in none of them, because a trace is copied into tickets and logs.
 */

import type { Clock } from '../../shared/clock.ts';
import type { ConnectionState } from '../../shared/connection.ts';
import type { AgentChatError } from '../../shared/errors.ts';
import { compact } from '../../shared/json.ts';
import { callSafely } from '../../shared/report-thrown.ts';
import type { ToolOutcome } from '../../shared/tool-outcome.ts';
import type { OpenCommand, RunCommand } from '../protocol/commands.ts';
import type { AgentEvent, FinishReason } from '../protocol/events.ts';
import type { TurnEnding } from '../state/finalise.ts';
import type { ToolCall, ToolCallStage } from '../state/tool-call.ts';
import type { ResponseStep } from '../transport/agent-transport.ts';

/** One step of a chat. Switch over `type`; later versions may add types and fields. */
export type ChatTraceStep = {
  /** Milliseconds since the epoch, by the chat's clock. */
  readonly at: number;
} & ChatTraceEntry;

/** A step without its time. */
export type ChatTraceEntry =
  | TurnEntry
  | RequestEntry
  | CallEntry
  | PageEntry
  /** A failure beside a turn, of which `onError` has the text. */
  | { readonly type: 'error-reported'; readonly code: string };

/** The life of a turn. */
type TurnEntry =
  | {
      readonly type: 'turn-started';
      /** `restore`: the page goes on with a turn from the storage, or of another tab. */
      readonly cause: 'message' | 'retry' | 'resume' | 'open' | 'restore';
    }
  /** The turn rests until people have answered this many calls. */
  | { readonly type: 'turn-waiting'; readonly calls: number }
  | {
      readonly type: 'turn-ended';
      /** `interrupted`: another message took its place. `detached`: another tab goes on with it. */
      readonly ending: TurnEnding | 'detached';
      readonly finishReason?: FinishReason | undefined;
      /** The code of the error with which it failed. */
      readonly code?: string | undefined;
    };

/** The requests of a chat. Each has a number: a request without `response-ended` is still open. */
type RequestEntry =
  | {
      readonly type: 'request-sent';
      readonly request: number;
      readonly command: (RunCommand | OpenCommand)['type'];
      readonly executionId?: string | undefined;
      readonly idempotencyKey?: string | undefined;
      readonly cursor?: string | undefined;
      /** The calls whose answers it delivers. */
      readonly toolCallIds?: readonly string[] | undefined;
      /** Other people answer the other calls of the run. */
      readonly partial?: true | undefined;
      /** The response lasts while calls wait for people. */
      readonly follow?: true | undefined;
    }
  | {
      readonly type: 'event-received';
      readonly request: number;
      readonly event: AgentEvent['type'];
      readonly cursor?: string | undefined;
      readonly executionId?: string | undefined;
      readonly toolCallId?: string | undefined;
      readonly finishReason?: FinishReason | undefined;
    }
  /** The transport reads the response on by itself, see `ResponseStep`. */
  | ({ readonly request: number } & ResponseStep)
  | {
      readonly type: 'response-ended';
      readonly request: number;
      /** `finished`: with a `finish`. `ended`: without one. `failed`: with an error. `left`: this page closed it. */
      readonly status: 'finished' | 'ended' | 'failed' | 'left';
      readonly code?: string | undefined;
    }
  | {
      readonly type: 'stop-sent';
      readonly executionId?: string | undefined;
      readonly idempotencyKey?: string | undefined;
    };

/** The life of a tool call. `delivered` says that its answer was sent, `acknowledged` that the backend has it. */
type CallEntry =
  | {
      readonly type: 'call-changed';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly executionId: string;
      readonly stage: ToolCallStage;
      readonly outcome?: ToolOutcome | undefined;
      /** Why a person is asked before its handler runs. */
      readonly approvalReason?: ToolCall['approvalReason'];
    }
  /** The server refused answers, and waits for others. `code` is the server's word for why. */
  | {
      readonly type: 'answer-refused';
      readonly toolCallIds: readonly string[];
      readonly code?: string | undefined;
    };

/** The connection, the tab and the storage of this page. */
type PageEntry =
  | { readonly type: 'connection-changed'; readonly state: ConnectionState }
  | { readonly type: 'tab-role-changed'; readonly role: 'owner' | 'follower' }
  /** `size` counts characters. */
  | { readonly type: 'snapshot-saved'; readonly size: number }
  | {
      readonly type: 'snapshot-restored';
      readonly size: number;
      readonly messages: number;
      readonly calls: number;
    };

/** Hands the steps of one chat to the app. */
export class Tracer {
  /** The options as they are right now. `handrail/devtools` puts its own function here, which adds its listeners to the app's `trace`. */
  options: () => { readonly trace?: ((step: ChatTraceStep) => void) | undefined };
  readonly #clock: Clock;
  #requests = 0;

  /** @param options the options as they are right now: React apps write a new function in each render */
  constructor(options: () => { readonly trace?: (step: ChatTraceStep) => void }, clock: Clock) {
    this.options = options;
    this.#clock = clock;
  }

  /** Takes a step. Undefined where the app traces nothing, so that `tracer.step?.({ ... })` costs nothing there. */
  get step(): ((entry: ChatTraceEntry) => void) | undefined {
    const { trace } = this.options();
    if (!trace) return undefined;
    return (entry) => callSafely(() => trace(compact({ at: this.#clock.now(), ...entry }) as ChatTraceStep));
  }

  /** Returns the number of the request. */
  sent(command: RunCommand | OpenCommand): number {
    this.#requests += 1;
    this.step?.(toRequestEntry(this.#requests, command));
    return this.#requests;
  }

  /**
   * @param isLeft this page closed the response
   * @param isFinished a `finish` has arrived
   */
  ended(request: number, error: AgentChatError | undefined, isLeft: boolean, isFinished = false): void {
    const whole = isFinished ? 'finished' : 'ended';
    const status = isLeft ? 'left' : error ? 'failed' : whole;
    this.step?.({ type: 'response-ended', request, status, code: error?.code });
  }

  /** Compares the calls of the conversation with those before a change. */
  calls(before: readonly ToolCall[], after: readonly ToolCall[]): void {
    const { step } = this;
    if (!step) return;
    for (const call of after) {
      const earlier = before.find(({ key }) => key === call.key);
      const hasChanged = earlier?.stage !== call.stage || earlier.answer?.outcome !== call.answer?.outcome;
      if (hasChanged) step(toCallEntry(call));
    }
  }
}

function toRequestEntry(request: number, command: RunCommand | OpenCommand): ChatTraceEntry {
  const { type: name, executionId, idempotencyKey, cursor, answers, partial, follow } = toFields(command);
  return {
    type: 'request-sent',
    request,
    command: name,
    executionId,
    idempotencyKey,
    cursor,
    toolCallIds: answers?.map(({ toolCallId }) => toolCallId),
    partial,
    follow,
  };
}

export function toEventEntry(request: number, event: AgentEvent): ChatTraceEntry {
  const { type: name, cursor, executionId, toolCallId, finishReason } = toFields(event);
  return {
    type: 'event-received',
    request,
    event: name,
    cursor,
    executionId,
    toolCallId,
    finishReason,
  };
}

function toCallEntry({ request, executionId, stage, answer, approvalReason }: ToolCall): ChatTraceEntry {
  const { toolCallId, toolName } = request;
  return {
    type: 'call-changed',
    toolCallId,
    toolName,
    executionId,
    stage,
    outcome: answer?.outcome,
    approvalReason,
  };
}

type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type FieldOf<Union, Key> = Union extends unknown ? (Key extends keyof Union ? Union[Key] : undefined) : never;

/** Reads fields that only some members of a union have. */
function toFields<Union>(value: Union): { readonly [Key in KeysOf<Union>]: FieldOf<Union, Key> } {
  return value as { readonly [Key in KeysOf<Union>]: FieldOf<Union, Key> };
}
