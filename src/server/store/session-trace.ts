/**
 * The trace of a session: every step as data, so that a developer can read what a stuck run did, in whichever process. Steps hold ids, words
 * and numbers. Arguments, results, texts and the names of people are in none of them, because a trace is copied into tickets and logs.
 */
import type { AgentEvent, FinishReason } from '../../core/protocol/events.ts';
import type { Clock } from '../../shared/clock.ts';
import { compact } from '../../shared/json.ts';
import type { ToolOutcome } from '../../shared/tool-outcome.ts';
import type { SessionRequest } from '../parse-session-request.ts';
import { type FailureListener, reportFailure, type ServerFailure } from '../report-failure.ts';
import type { CallRecord, CallStage, StoredStep } from './call-record.ts';
import type { EventSource } from './event-source.ts';
import type { ExecutionState, SessionRecord } from './session-store.ts';

/** One step of a session. Switch over `type`; later versions may add types and fields. */
export type SessionTraceStep = {
  /** Milliseconds since the epoch, by the session's clock. */
  readonly at: number;
  readonly sessionId: string;
} & SessionTraceEntry;

/** A step without its time and session. */
export type SessionTraceEntry = RequestEntry | RunEntry | CallEntry | RecordEntry | FailureEntry;

/** Takes a step. Undefined where the app traces nothing, so that `trace?.({ ... })` costs nothing there. */
export type TraceSession = ((entry: SessionTraceEntry) => void) | undefined;

/** The function of the app that gets the steps. */
export type SessionTraceListener = (step: SessionTraceStep) => unknown;

type RequestType = SessionRequest['type'];

/**
 * The requests of clients. The process that a client reaches says `request-received`. The process that owns the session says
 * `request-handled` when the requests before it are handled; for a follower it says so again after each change.
 */
type RequestEntry =
  | {
      readonly type: 'request-received';
      readonly request: RequestType;
      readonly executionId?: string | undefined;
      readonly idempotencyKey?: string | undefined;
      /** The last event that the client has. */
      readonly after?: number | undefined;
      /** The calls that it answers. */
      readonly toolCallIds?: readonly string[] | undefined;
      /** Other people answer the other calls. */
      readonly partial?: true | undefined;
      /** Its response lasts until the client leaves. */
      readonly follow?: true | undefined;
    }
  | {
      readonly type: 'request-handled';
      readonly request: RequestType;
      /** The execution that the session has now, and how it stands. */
      readonly executionId?: string | undefined;
      readonly status?: ExecutionState | undefined;
      readonly revision: number;
    }
  /** The response to the request begins with an error. `code` is its code. */
  | {
      readonly type: 'request-refused';
      readonly request?: RequestType | undefined;
      readonly code?: string | undefined;
    };

/** The runs in this process. A `run-started` without `run-ended` is under way, or its process died. */
type RunEntry =
  | { readonly type: 'run-started'; readonly executionId: string; readonly lastSeq: number }
  | {
      readonly type: 'run-ended';
      readonly executionId: string;
      readonly lastSeq: number;
      /** As it was saved. `running`: it could not be saved. */
      readonly status?: ExecutionState | undefined;
      readonly finishReason?: FinishReason | undefined;
      /** The code of the error with which it failed. */
      readonly code?: string | undefined;
    }
  /** `round` counts the tool rounds before it. */
  | { readonly type: 'agent-invoked'; readonly executionId: string; readonly round: number }
  | {
      readonly type: 'agent-ended';
      readonly executionId: string;
      readonly status: 'finished' | 'failed' | 'aborted';
      readonly finishReason?: FinishReason | undefined;
      readonly code?: string | undefined;
      /** The number of calls that the server or a client has to answer. */
      readonly calls: number;
    };

/** The life of calls. `call-changed` and `step-changed` come after the save. */
type CallEntry =
  /** The session looks after a call of a server tool: its approval, then its handler. */
  | {
      readonly type: 'tool-started';
      readonly executionId: string;
      readonly toolCallId: string;
      readonly toolName: string;
    }
  | {
      readonly type: 'tool-ended';
      readonly executionId: string;
      readonly toolCallId: string;
      readonly toolName: string;
      /** `asks`: it waits for a person. `broken`: a step could not be saved. */
      readonly status: 'result' | 'error' | 'asks' | 'broken';
    }
  | {
      readonly type: 'call-changed';
      readonly executionId: string;
      readonly toolCallId: string;
      readonly toolName: string;
      readonly stage: CallStage;
      /** That of the answer, or of the end of a call that nobody answered. */
      readonly outcome?: ToolOutcome | undefined;
      /** The call whose tool asks this question. */
      readonly askedBy?: string | undefined;
    }
  | {
      readonly type: 'step-changed';
      readonly executionId: string;
      readonly toolCallId: string;
      /** The number of the step in its call, from 1. Its key may have words of the app, so it is not here. */
      readonly step: number;
      /** `asked` is a step of `ask`, the other ones are steps of `once`. */
      readonly status: StoredStep['type'];
    };

/** The record in the store. */
type RecordEntry =
  | {
      readonly type: 'saved';
      readonly revision: number;
      readonly executionId?: string | undefined;
      readonly status?: ExecutionState | undefined;
      /** The ids of new and changed calls. */
      readonly toolCallIds?: readonly string[] | undefined;
    }
  /** Another process has saved this revision, so nothing was changed here. */
  | { readonly type: 'save-refused'; readonly revision: number };

/** A failure, of which `onError` has the error itself. */
type FailureEntry = {
  readonly type: 'error-reported';
  readonly source: ServerFailure['source'];
  readonly executionId?: string | undefined;
  readonly toolCallId?: string | undefined;
};

/** Returns the function that takes the steps of a session. An error of the app's function goes to `onError`, and changes nothing. */
export function createSessionTrace(
  listener: SessionTraceListener | undefined,
  { id: sessionId, clock, onError }: { id: string; clock: Clock; onError: FailureListener | undefined },
): TraceSession {
  if (listener === undefined) return undefined;
  return (entry) => {
    const step = compact({ at: clock.now(), sessionId, ...entry }) as SessionTraceStep;
    const report = (thrown: unknown) => reportFailure(onError, thrown, { source: 'trace', sessionId });
    (async () => listener(step))().catch(report);
  };
}

/** Returns a listener that traces each failure before the app gets it. */
export function withTrace(
  trace: TraceSession,
  onError: FailureListener | undefined,
): FailureListener | undefined {
  if (trace === undefined) return onError;
  return (thrown, failure) => {
    const { source, executionId, toolCallId } = failure;
    trace({ type: 'error-reported', source, executionId, toolCallId });
    return onError?.(thrown, failure);
  };
}

/** The step of a request that has arrived. */
export function toReceivedEntry(request: SessionRequest): SessionTraceEntry {
  const type = 'request-received' as const;
  switch (request.type) {
    case 'trigger':
      return { type, request: request.type, idempotencyKey: request.idempotencyKey };
    case 'continue': {
      const { executionId, toolResults, partial } = request;
      const toolCallIds = toolResults.map(({ toolCallId }) => toolCallId);
      return { type, request: request.type, executionId, toolCallIds, partial: partial || undefined };
    }
    case 'resume':
      return { type, request: request.type, executionId: request.executionId, after: request.after };
    case 'open': {
      const { executionId, after, follow } = request;
      return { type, request: request.type, executionId, after, follow: follow || undefined };
    }
    case 'stop': {
      const { executionId, idempotencyKey } = request;
      return { type, request: request.type, executionId, idempotencyKey };
    }
  }
}

/** Traces the error with which a response begins. */
export function traceRefusal(trace: TraceSession, source: EventSource, request?: RequestType): EventSource {
  if (trace === undefined) return source;
  let isFirst = true;
  return {
    async next() {
      const event: AgentEvent | null = await source.next();
      if (isFirst && event?.type === 'error') trace({ type: 'request-refused', request, code: event.code });
      isFirst = false;
      return event;
    },
    close: () => source.close(),
  };
}

/** Traces a save, and what it changed of calls and their steps. */
export function traceSaved(
  trace: TraceSession,
  before: SessionRecord,
  { revision, execution, calls }: SessionRecord,
): void {
  if (trace === undefined) return;
  const changed = Object.entries(calls).filter(([key, call]) => before.calls[key] !== call);
  const toolCallIds = changed.map(([, { toolCallId }]) => toolCallId);
  trace({
    type: 'saved',
    ...{ revision, executionId: execution?.id, status: execution?.state },
    toolCallIds: toolCallIds.length > 0 ? toolCallIds : undefined,
  });
  for (const [key, call] of changed) traceCall(trace, before.calls[key], call);
}

function traceCall(trace: NonNullable<TraceSession>, before: CallRecord | undefined, call: CallRecord): void {
  const { executionId, toolCallId, toolName, stage, askedBy, steps = {} } = call;
  const outcome = outcomeOf(call);
  if (before?.stage !== stage || outcomeOf(before) !== outcome)
    trace({ type: 'call-changed', executionId, toolCallId, toolName, stage, outcome, askedBy });
  for (const [index, [name, { type: status }]] of Object.entries(steps).entries()) {
    const hasChanged = before?.steps?.[name] !== steps[name];
    if (hasChanged) trace({ type: 'step-changed', executionId, toolCallId, step: index + 1, status });
  }
}

function outcomeOf({ answer, end }: CallRecord): ToolOutcome | undefined {
  return end?.outcome ?? answer?.outcome;
}
