/** Delivers the answer of a client tool to the endpoint of our server kit, again under the same id until the server took or refused it. */
import type { ToolAnswer } from '../../core/protocol/commands.ts';
import type { AgentEvent } from '../../core/protocol/events.ts';
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import type { ReconnectPolicy } from '../../core/transport/reconnect-policy.ts';
import type { Clock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { compact, isRecord } from '../../shared/json.ts';
import { repeatUntilTaken } from '../../shared/repeat-until-taken.ts';
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
  const { api, policy, clock, random, answering } = context;
  const { signal } = io;
  answering.add(answer.toolCallId);
  try {
    const send = async (mayHaveArrived: boolean) => {
      const reply = await post(api, threadId, answer, io);
      return reply && toEvents(reply, answer, mayHaveArrived);
    };
    const mayHaveArrived = answer.repeated === true;
    const events = await repeatUntilTaken(send, { policy, clock, random, signal, mayHaveArrived });
    if (events !== undefined) yield events;
  } finally {
    answering.delete(answer.toolCallId);
  }
}

async function post(
  api: ThreadApi,
  threadId: string,
  { toolCallId, toolName, outcome, result, error }: ToolAnswer,
  io: TransportIO,
): Promise<Reply | undefined> {
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
  const reason = isRecord(result) && typeof result.reason === 'string' ? result.reason : error;
  const body = compact({ outcome, result: sent, reason });
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
