/** Posts the answer of a client tool to the endpoint of our server kit. */
import { withFiles } from '../../core/protocol/with-files.ts';
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import type { Delivery, PostRequest } from '../../core/transport/create-one-by-one-transport.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { compact, isRecord, readOwn } from '../../shared/json.ts';
import { readReason } from '../../shared/tool-outcome.ts';
import { findEnvVariable } from './create-env-tool.ts';
import type { ThreadApi } from './create-thread-api.ts';
import { readRunName } from './run-name.ts';

/**
 * The first answer of a call counts. Resolves to undefined when the signal aborts.
 *
 * @throws AgentChatError `connection_failed`; `http_error`, also for a server without the kit
 */
export async function postAnswer(
  api: ThreadApi,
  { executionId, answer, mayHaveArrived }: PostRequest,
  io: TransportIO,
): Promise<Delivery | undefined> {
  const { toolCallId, toolName, outcome, result, error, files } = answer;
  const thread = `/${encodeURIComponent(readRunName(executionId).threadId)}`;
  const variable =
    outcome === 'submitted' ? findEnvVariable(readOwn(io.clientTools?.() ?? {}, toolName)) : undefined;
  let sent = withFiles(result, files);
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
  if (reply === undefined) return undefined;
  if (reply.status === 404 && typeof reply.body.code !== 'string') throw noKit(toolName);
  if (reply.status < 400) return 'accepted';
  if (reply.status === 404) return 'expired';
  const { outcome: given } = reply.body;
  const stored = isRecord(given) ? given.outcome : given;
  // An earlier attempt arrived, and only its response was lost.
  return mayHaveArrived && stored === outcome ? 'duplicate' : 'elsewhere';
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
