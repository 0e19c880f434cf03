/** One answer, one `POST`, retried under the same id until its fate is known (Mantyx protocol 0.11, section 6). */
import type { ToolAnswer } from '../protocol/commands.ts';
import type { AgentEvent, ToolResultAcknowledgedEvent } from '../protocol/events.ts';
import type { Clock } from '../shared/clock.ts';
import { AgentChatError } from '../shared/errors.ts';
import type { TransportIO } from '../transport/agent-transport.ts';
import { backoffDelay, wait } from '../transport/backoff.ts';
import type { ReconnectPolicy } from '../transport/reconnect-policy.ts';
import { mayPass } from '../transport/recovery.ts';
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
}

/** What became of an answer; `elsewhere`: the call had another one. */
type Fate = ToolResultAcknowledgedEvent['status'] | 'elsewhere';

/** Posts an answer and tells what became of it. Throws `connection_failed` and `http_error`. */
export async function* postAnswer(
  context: PostContext,
  runId: string,
  answer: ToolAnswer,
  io: TransportIO,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { policy, clock, random } = context;
  const { toolCallId } = answer;
  const body = toBody(answer);
  if (body.notice !== undefined) {
    yield { type: 'notice', code: 'tool_result_too_large', text: body.notice, toolCallId };
  }
  for (let attempt = 0; ; attempt += 1) {
    try {
      const isRepeated = attempt > 0 || answer.repeated === true;
      const fate = await post(context, runId, { toolUseId: toolCallId, ...body.sent }, isRepeated, io.signal);
      if (io.signal.aborted) return;
      return yield* tell(fate, answer);
    } catch (thrown) {
      if (io.signal.aborted) return;
      const error = AgentChatError.isInstance(thrown) ? thrown : undefined;
      if (!error || !mayPass(error) || policy === false || attempt >= policy.maxAttempts) throw thrown;
      const asked = (error.retryAfter ?? 0) * 1000;
      await wait(clock, Math.max(asked, backoffDelay(policy, attempt, random)), io.signal, asked);
    }
  }
}

async function post(
  { api, isOver }: PostContext,
  runId: string,
  body: Readonly<Record<string, unknown>>,
  isRepeated: boolean,
  signal: AbortSignal,
): Promise<Fate> {
  try {
    await api.ask({ path: `agent-runs/${encodeURIComponent(runId)}/tool-results`, body }, signal);
    return 'accepted';
  } catch (thrown) {
    const status = AgentChatError.isInstance(thrown) ? thrown.status : undefined;
    if (status !== 404 && status !== 409) throw thrown;
    // It had arrived: only its acknowledgement was lost.
    if (isRepeated) return 'duplicate';
    // Not open: its run is over, or somebody else has answered it. Asked again it would look as if it had arrived.
    return status === 409 || (await isOver(runId, signal).catch(() => false)) ? 'expired' : 'elsewhere';
  }
}

/** An answer that does not count is no error of the run, but the person who gave it hears of it. */
function* tell(fate: Fate, { toolCallId, toolName }: ToolAnswer): Generator<AgentEvent> {
  const status = fate === 'elsewhere' ? 'duplicate' : fate;
  yield { type: 'tool-result-acknowledged', toolCallId, status };
  if (fate === 'expired') {
    const text = `The answer to ${toolName} came too late: the run is over.`;
    yield { type: 'notice', code: 'answer_expired', text, toolCallId };
  }
  if (fate === 'elsewhere') {
    const text = `Somebody else answered ${toolName} first.`;
    yield { type: 'notice', code: 'answered_elsewhere', text, toolCallId };
  }
}

interface Body {
  readonly sent: { readonly result: string } | { readonly error: string };
  /** What the person should know of it. */
  readonly notice?: string;
}

/** A result over the limit is not cut, half of it could mean something else: the model is told that there is none. */
function toBody({ toolName, result, error }: ToolAnswer): Body {
  if (error !== undefined) return { sent: { error: cutText(error) } };
  const text = typeof result === 'string' ? result : JSON.stringify(result ?? null);
  const bytes = countBytes(text);
  if (bytes <= MAX_RESULT_BYTES) return { sent: { result: text } };
  const notice = `The result of ${toolName} has ${bytes} bytes, and at most ${MAX_RESULT_BYTES} can be sent, so the agent was told that it failed. Return less, or a reference to it.`;
  return { sent: { error: cutText(notice) }, notice };
}

/** At most so much of a text as the limit has room for; a character is never cut in two. */
function cutText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength <= MAX_ERROR_BYTES) return text;
  const room = MAX_ERROR_BYTES - countBytes('…');
  return `${new TextDecoder().decode(bytes.subarray(0, room), { stream: true })}…`;
}
