/**
 * A stand-in for the Octavus platform: its trigger endpoint (Octavus wire protocol 2.0, section 10), with an agent
 * of this project in place of the model. It has just enough for `AgentSession.execute` of `@octavus/server-sdk`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Agent, AgentMessage, AgentToolCall, AgentToolMessage } from 'handrail/server';

export const STAND_IN_KEY = 'any-key';

interface Conversation {
  messages: AgentMessage[];
  executions: number;
}

interface TriggerBody {
  readonly triggerName?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly executionId?: string;
  readonly toolResults?: readonly (Omit<AgentToolMessage, 'role' | 'toolName'> & { toolName?: string })[];
}

export function createOctavusStandIn(agent: Agent) {
  const conversations = new Map<string, Conversation>();

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sessionId = /^\/api\/agent-sessions\/([^/]+)\/trigger$/.exec(request.url ?? '')?.[1];
    if (sessionId === undefined) return refuse(response, 404, 'Not found');
    if (request.headers.authorization !== `Bearer ${STAND_IN_KEY}`) return refuse(response, 401, 'Wrong key');
    const body = await readBody(request);
    const conversation = conversations.get(sessionId) ?? { messages: [], executions: 0 };
    conversations.set(sessionId, conversation);
    const name = body.triggerName ?? 'user-message';
    const input = body.input ?? {};
    if (body.toolResults === undefined) {
      conversation.executions += 1;
      const content = typeof input.USER_MESSAGE === 'string' ? input.USER_MESSAGE : JSON.stringify(input);
      conversation.messages.push({ role: 'user', content, trigger: name, input });
    } else if (!takeResults(conversation, body.toolResults)) {
      return refuse(response, 400, 'There is no such call');
    }
    await play(agent, sessionId, conversation, { name, input }, response);
  };
}

/** Results that are sent again after a cut replace the earlier ones. */
function takeResults(conversation: Conversation, results: NonNullable<TriggerBody['toolResults']>): boolean {
  const ids = new Set(results.map(({ toolCallId }) => toolCallId));
  const asked = conversation.messages.findLastIndex(
    (message) => message.role === 'assistant' && message.toolCalls?.some((call) => ids.has(call.toolCallId)),
  );
  const message = conversation.messages[asked];
  if (message?.role !== 'assistant') return false;
  const answers = (message.toolCalls ?? []).map(({ toolCallId, toolName }): AgentToolMessage => {
    const given = results.find((result) => result.toolCallId === toolCallId);
    const outcome = given?.error ? { error: given.error } : { result: given?.result };
    return { role: 'tool', toolCallId, toolName, ...outcome };
  });
  conversation.messages = [...conversation.messages.slice(0, asked + 1), ...answers];
  return true;
}

async function play(
  agent: Agent,
  sessionId: string,
  conversation: Conversation,
  trigger: { name: string; input: Readonly<Record<string, unknown>> },
  response: ServerResponse,
): Promise<void> {
  const executionId = `${sessionId}-${conversation.executions}`;
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const write = (event: object) => void response.write(`data: ${JSON.stringify(event)}\n\n`);
  write({ type: 'start', messageId: `message-${executionId}`, executionId });
  let content = '';
  let toolCalls: readonly AgentToolCall[] = [];
  const { messages } = conversation;
  for await (const event of agent({ sessionId, executionId, messages, trigger, signal: abort.signal })) {
    if (event.type === 'text-delta') content += event.delta;
    if (event.type === 'tool-request') toolCalls = event.toolCalls;
    write(event.type === 'finish' ? { ...event, executionId } : event);
  }
  messages.push({ role: 'assistant', content, ...(toolCalls.length === 0 ? {} : { toolCalls }) });
  response.end('data: [DONE]\n\n');
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error }));
}

async function readBody(request: IncomingMessage): Promise<TriggerBody> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return JSON.parse(text) as TriggerBody;
}
