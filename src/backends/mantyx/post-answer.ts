/** Posts an answer, and retries under the same id until the platform has accepted or refused it (Mantyx protocol 0.11, section 6). */
import type { ToolAnswer } from '../../core/protocol/commands.ts';
import type { AgentEvent, ToolResultAcknowledgedEvent } from '../../core/protocol/events.ts';
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import type { ReconnectPolicy } from '../../core/transport/reconnect-policy.ts';
import type { Clock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { repeatUntilTaken, wasRefused } from '../../shared/repeat-until-taken.ts';
import { countBytes } from './assert-limit.ts';
import type { Api } from './create-api.ts';

const MAX_RESULT_BYTES = 2 * 1024 * 1024;
const MAX_ERROR_BYTES = 8 * 1024;

export interface PostContext {
  readonly api: Api;
  readonly policy: ReconnectPolicy | false;
  readonly clock: Clock;
  readonly random: () => number;
  readonly isOver: (runId: string, signal: AbortSignal) => Promise<boolean>;
  /** The answers whose every attempt so far was refused, so that none of them can have arrived. */
  readonly refused: Set<string>;
}

/** The outcome of posting an answer; `elsewhere`: another page answered the call. */
type Delivery = ToolResultAcknowledgedEvent['status'] | 'elsewhere';

/** Posts an answer and yields its acknowledgement. Throws `connection_failed` and `http_error`. */
export async function* postAnswer(
  context: PostContext,
  runId: string,
  answer: ToolAnswer,
  io: TransportIO,
): AsyncGenerator<readonly AgentEvent[], void, undefined> {
  const { policy, clock, random, refused } = context;
  const { signal } = io;
  const { toolCallId } = answer;
  const key = JSON.stringify([runId, toolCallId]);
  let mayHaveArrived = answer.repeated === true && !refused.delete(key);
  const body = toBody(answer);
  if (body.notice !== undefined) {
    yield [{ type: 'notice', code: 'tool_result_too_large', text: body.notice, toolCallId }];
  }
  const send = (hasArrived: boolean) => {
    mayHaveArrived = hasArrived;
    return post(context, runId, { toolUseId: toolCallId, ...body.sent }, mayHaveArrived, signal);
  };
  const options = { policy, clock, random, signal, mayHaveArrived };
  const delivery = await repeatUntilTaken(send, options).catch((thrown: unknown) => {
    if (!mayHaveArrived && wasRefused(thrown)) refused.add(key);
    throw thrown;
  });
  if (delivery !== undefined && !signal.aborted) yield toEvents(delivery, answer);
}

async function post(
  { api, isOver }: PostContext,
  runId: string,
  body: Readonly<Record<string, unknown>>,
  mayHaveArrived: boolean,
  signal: AbortSignal,
): Promise<Delivery> {
  try {
    await api.ask({ path: `agent-runs/${encodeURIComponent(runId)}/tool-results`, body }, signal);
    return 'accepted';
  } catch (thrown) {
    const status = AgentChatError.isInstance(thrown) ? thrown.status : undefined;
    if (status !== 404 && status !== 409) throw thrown;
    // An earlier attempt arrived, and only its response was lost.
    if (mayHaveArrived) return 'duplicate';
    // The call is not open: its run is over, or another page answered it. This must be decided now, because a further attempt
    // would look as if this one had arrived.
    return status === 409 || (await isOver(runId, signal).catch(() => false)) ? 'expired' : 'elsewhere';
  }
}

/**
 * Acknowledges the answer. An answer that does not count is recorded as `expired`, and the person gets a notice; that is no error of
 * the run.
 */
function toEvents(delivery: Delivery, { toolCallId, toolName }: ToolAnswer): readonly AgentEvent[] {
  const status = delivery === 'elsewhere' ? 'expired' : delivery;
  const acknowledged: AgentEvent = { type: 'tool-result-acknowledged', toolCallId, status };
  switch (delivery) {
    case 'expired': {
      const text = `The answer to ${toolName} came too late: the run is over.`;
      return [acknowledged, { type: 'notice', code: 'answer_expired', text, toolCallId }];
    }
    case 'elsewhere': {
      const text = `The answer to ${toolName} was not used: the call was answered elsewhere first.`;
      return [acknowledged, { type: 'notice', code: 'answered_elsewhere', text, toolCallId }];
    }
    default:
      return [acknowledged];
  }
}

interface Body {
  readonly sent: { readonly result: string } | { readonly error: string };
  /** A notice for the person. */
  readonly notice?: string;
}

/** A result over the limit becomes an error and is not cut, because a part of it could mean something else. */
function toBody({ toolName, result, error }: ToolAnswer): Body {
  if (error !== undefined) return { sent: { error: cutText(error) } };
  const text = typeof result === 'string' ? result : JSON.stringify(result ?? null);
  const bytes = countBytes(text);
  if (bytes <= MAX_RESULT_BYTES) return { sent: { result: text } };
  const notice = `The result of ${toolName} has ${bytes} bytes, and at most ${MAX_RESULT_BYTES} can be sent, so the agent got an error instead. Return less, or a reference to it.`;
  return { sent: { error: cutText(notice) }, notice };
}

/** Cuts a text to the limit, between characters. */
function cutText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength <= MAX_ERROR_BYTES) return text;
  const room = MAX_ERROR_BYTES - countBytes('…');
  return `${new TextDecoder().decode(bytes.subarray(0, room), { stream: true })}…`;
}
