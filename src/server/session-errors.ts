/** The error events a session makes. Their `code` is a closed list. */
import type { ErrorEvent } from '../core/protocol/events.ts';
import type { AnswerRefusal } from '../shared/answer-refusals.ts';
import { AgentChatError, describeThrown, type ErrorType } from '../shared/errors.ts';

/**
 * Why a session refused a request or ended a run, in the `code` of its `error` events. A refusal changes nothing.
 *
 * - `invalid_request`: the payload is not a request, or answers one call twice
 * - the codes of `shared/answer-refusals.ts`, for answers
 * - `invalid_principal`: the principal of the request has no `id`
 * - `already_received`: the message was taken before, and the session has gone on with a later one
 * - `unknown_message`: the message to go back to is not in the conversation
 * - `missing_tool_results`: some calls of the request are not answered
 * - `unauthorized`: nobody is logged in
 * - `cursor_expired`: the events after this cursor were dropped, and neither an open question nor a failure ended them; a message with a
 *   key that is sent again reads the whole answer
 * - `run_interrupted`: the run ended because no client read it; repeating the request helps
 * - `server_restarted`: the process that ran the request is gone; repeating the request helps
 * - `resumed_elsewhere`: another reader took over this run
 * - `tool_rounds_exceeded`: the agent kept calling tools, see `maxToolRounds`
 * - `invalid_agent_output`: the agent used the id of a call twice in one step, or yielded something that is no event
 * - `agent_failed`: the agent threw, or yielded an event that JSON cannot carry
 * - `session_conflict`: another process changed the session at the same time
 * - `store_failed`: the session store threw
 * - `invalid_frame`, `frame_too_large`: a socket frame that is not JSON, or over the limit
 */
export type SessionErrorCode =
  | AnswerRefusal
  | 'invalid_request'
  | 'invalid_principal'
  | 'already_received'
  | 'unknown_message'
  | 'missing_tool_results'
  | 'unauthorized'
  | 'cursor_expired'
  | 'run_interrupted'
  | 'server_restarted'
  | 'resumed_elsewhere'
  | 'tool_rounds_exceeded'
  | 'invalid_agent_output'
  | 'agent_failed'
  | 'session_conflict'
  | 'store_failed'
  | 'invalid_frame'
  | 'frame_too_large';

/** An `error` event with `source: 'platform'`: for its clients this server is the platform. */
export function sessionError(
  code: SessionErrorCode,
  errorType: ErrorType,
  message: string,
  retryable = false,
): ErrorEvent {
  return { type: 'error', errorType, message, source: 'platform', retryable, code };
}

/** A request that is refused and changes nothing. */
export function refusal(code: SessionErrorCode, message: string): ErrorEvent {
  return sessionError(code, 'validation_error', message);
}

/** Says why an execution that a client names is not `current`, the execution of the session. */
export function describeUnknown(executionId: string, current: object | null): string {
  const why =
    current === null
      ? 'is not known here: the server was started anew without its sessions, or its requests do not share a `store`'
      : 'is not the current one of this session, which has gone on with another';
  return `The execution '${executionId}' ${why}. Nothing was changed; send a message to go on.`;
}

/** The `error` event for an agent that throws. An `AgentChatError` keeps its classification. */
export function agentFailure(thrown: unknown): ErrorEvent {
  if (!AgentChatError.isInstance(thrown)) {
    return sessionError('agent_failed', 'execution_error', describeThrown(thrown, 'The agent failed'));
  }
  return {
    type: 'error',
    errorType: thrown.errorType,
    message: thrown.message,
    source: thrown.source,
    retryable: thrown.retryable,
    code: thrown.backendCode ?? 'agent_failed',
    ...(thrown.retryAfter === undefined ? {} : { retryAfter: thrown.retryAfter }),
    ...(thrown.provider === undefined ? {} : { provider: thrown.provider }),
    ...(thrown.tool === undefined ? {} : { tool: thrown.tool }),
  };
}

/** The `error` event for a stream of events that throws. A session never throws; other streams may. */
export function brokenEvents(thrown: unknown): ErrorEvent {
  const message = describeThrown(thrown, 'Unknown error');
  return { type: 'error', errorType: 'internal_error', message, source: 'platform', retryable: false };
}

/** Thrown inside the session when the store holds a newer record than the one to save. */
export class SessionConflict extends Error {
  override readonly name = 'SessionConflict';
}

/**
 * The `error` event for a session store that failed. It leaves the message of the store out, because drivers write hosts and users
 * into their messages; `onError` gets the error itself.
 */
export function storeFailure(thrown: unknown): ErrorEvent {
  if (thrown instanceof SessionConflict) {
    const message = 'The session was changed by another process at the same time. Repeat the request.';
    return sessionError('session_conflict', 'internal_error', message, true);
  }
  return sessionError(
    'store_failed',
    'internal_error',
    'The session store failed. Repeat the request.',
    true,
  );
}
