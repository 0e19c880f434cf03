/** Delivers the answer of a client tool to the endpoint of our server kit, again under the same id until the server took or refused it. */
import type { ToolAnswer } from '../../core/protocol/commands.ts';
import type { AgentEvent } from '../../core/protocol/events.ts';
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import { backoffDelay, wait } from '../../core/transport/backoff.ts';
import type { ReconnectPolicy } from '../../core/transport/reconnect-policy.ts';
import { mayPass } from '../../core/transport/recovery.ts';
import type { Clock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { compact, isRecord } from '../../shared/json.ts';
import { readReason } from '../../shared/tool-outcome.ts';
import { findEnvVariable } from './create-env-tool.ts';
import type { Reply, ThreadApi } from './create-thread-api.ts';

export interface PostContext {
  readonly api: ThreadApi;
  readonly policy: ReconnectPolicy | false;
  readonly clock: Clock;
  readonly random: () => number;
  /** The calls whose answers are on their way. */
  readonly answering: Set<string>;
}

/** The server did not look at a request with these statuses, so it cannot have taken the answer. */
const NOT_HANDLED: readonly number[] = [401, 403, 429, 503];

/**
 * Posts an answer and yields its acknowledgement: the first answer of a call counts.
 *
 * @throws AgentChatError `connection_failed`; `http_error`, also for a server without the kit
 */
export async function* postAnswer(
  context: PostContext,
  threadId: string,
  answer: ToolAnswer,
  io: TransportIO,
): AsyncGenerator<readonly AgentEvent[], void> {
  const { answering } = context;
  answering.add(answer.toolCallId);
  try {
    yield* postUntilTaken(context, threadId, answer, io);
  } finally {
    answering.delete(answer.toolCallId);
  }
}

async function* postUntilTaken(
  context: PostContext,
  threadId: string,
  answer: ToolAnswer,
  io: TransportIO,
): AsyncGenerator<readonly AgentEvent[], void> {
  const { policy, clock, random } = context;
  let mayHaveArrived = answer.repeated === true;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const reply = await post(context.api, threadId, answer, io);
      if (reply !== undefined) yield toEvents(reply, answer, mayHaveArrived);
      return;
    } catch (thrown) {
      if (io.signal.aborted) return;
      const error = AgentChatError.isInstance(thrown) ? thrown : undefined;
      mayHaveArrived ||= !NOT_HANDLED.includes(error?.status ?? 0);
      if (!error || !mayPass(error) || policy === false || attempt >= policy.maxAttempts) throw thrown;
      const minDelayMs = (error.retryAfter ?? 0) * 1_000;
      await wait(clock, Math.max(minDelayMs, backoffDelay(policy, attempt, random)), io.signal, minDelayMs);
      if (io.signal.aborted) return;
    }
  }
}

async function post(
  api: ThreadApi,
  threadId: string,
  answer: ToolAnswer,
  io: TransportIO,
): Promise<Reply | undefined> {
  const { toolCallId, toolName, outcome, result, error } = answer;
  const thread = `/${encodeURIComponent(threadId)}`;
  const variable = outcome === 'submitted' ? findEnvVariable(io.clientTools?.()[toolName]) : undefined;
  let sent = result;
  if (variable !== undefined) {
    const { name, type } = variable;
    const value = isRecord(result) ? result.value : undefined;
    const path = `${thread}/env/${encodeURIComponent(name)}`;
    if ((await api.ask({ method: 'PUT', path, body: { value, type } }, io.signal)) === undefined)
      return undefined;
    // The model learns that the variable is set, and not its value.
    sent = { name, isSet: true };
  }
  const body = compact({ outcome, result: sent, reason: readReason(answer) ?? error });
  const path = `${thread}/client-tools/${encodeURIComponent(toolCallId)}`;
  const reply = await api.ask({ method: 'POST', path, body }, io.signal, [404, 409]);
  if (reply?.status === 404 && typeof reply.body.code !== 'string') throw noKit(toolName);
  return reply;
}

function toEvents(
  { status, body }: Reply,
  answer: ToolAnswer,
  mayHaveArrived: boolean,
): readonly AgentEvent[] {
  const { toolCallId, toolName } = answer;
  const acknowledge = (word: 'accepted' | 'expired' | 'duplicate'): AgentEvent => ({
    type: 'tool-result-acknowledged',
    toolCallId,
    status: word,
  });
  if (status < 400) return [acknowledge('accepted')];
  const stored = isRecord(body.outcome) ? body.outcome.outcome : body.outcome;
  // An earlier attempt arrived, and only its response was lost.
  if (status === 409 && mayHaveArrived && stored === answer.outcome) return [acknowledge('duplicate')];
  const [code, text] =
    status === 409
      ? [
          'answered_elsewhere',
          `The answer to ${toolName} was not used: the call was answered elsewhere first.`,
        ]
      : ['answer_expired', `The answer to ${toolName} came too late: the agent waits no longer.`];
  return [acknowledge('expired'), { type: 'notice', code, text, toolCallId }];
}

function noKit(toolName: string): AgentChatError {
  return new AgentChatError({
    code: 'http_error',
    errorType: 'not_found_error',
    source: 'platform',
    status: 404,
    message: `The server has no route for answers of client tools, so the answer to ${toolName} was kept and not sent. Add the tools and endpoints of standardAgentsKit({ tools }) from handrail/standard-agents/server to the agent.`,
  });
}
