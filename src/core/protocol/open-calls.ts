/** The list of the calls that wait for people, over all sessions, as the route of the inbox sends it. */
import { invalidResponse } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import type { Answerer } from '../../shared/principal.ts';
import type { PendingToolCall } from './events.ts';
import { isName, isNumber } from './native-fields.ts';
import { decodeToolCall } from './native-tool-calls.ts';

/** A call that waits for a person, as `SessionStore.listOpenCalls` lists it. JSON. */
export interface OpenCall {
  readonly sessionId: string;
  readonly executionId: string;
  readonly call: PendingToolCall;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** The person who sent the message of the turn, where the app gave a principal. */
  readonly startedBy?: Answerer;
}

/** The oldest open calls first. */
export interface OpenCallList {
  readonly calls: readonly OpenCall[];
  /** Present if there are more. */
  readonly next?: string;
}

/** @throws AgentChatError `invalid_response` that names the field, if the value is no list of open calls. */
export function decodeOpenCallList(raw: unknown): OpenCallList {
  try {
    if (!isRecord(raw) || !Array.isArray(raw.calls)) throw new TypeError('calls is missing, expected a list');
    const { calls, next } = raw;
    return { calls: calls.map(decodeOpenCall), ...(isName(next) && { next }) };
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    throw invalidResponse(`The inbox sent no list of open calls: ${thrown.message}.`, raw);
  }
}

function decodeOpenCall(raw: unknown, index: number): OpenCall {
  const path = `calls[${index}]`;
  if (!isRecord(raw) || !isRecord(raw.call))
    throw new TypeError(`${path}.call is missing, expected an object`);
  const { sessionId, executionId, askedAt, startedBy } = raw;
  if (!isName(sessionId)) throw new TypeError(`${path}.sessionId is missing, expected a non-empty string`);
  if (!isName(executionId))
    throw new TypeError(`${path}.executionId is missing, expected a non-empty string`);
  return {
    sessionId,
    executionId,
    call: decodeToolCall(raw.call, `${path}.call`),
    askedAt: isNumber(askedAt) ? askedAt : 0,
    ...(isAnswerer(startedBy) && { startedBy }),
  };
}

function isAnswerer(value: unknown): value is Answerer {
  return isRecord(value) && isName(value.id) && (value.name === undefined || typeof value.name === 'string');
}
