/** A real A2A agent on a free port, of protocol 1.0 or 0.3: the handlers of `@a2a-js/sdk` behind `node:http`. */
import type { AgentCard, Message, Part, Task } from '@a2a-js/sdk';
import { Role } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  type RequestContext,
  ServerCallContext,
} from '@a2a-js/sdk/server';
import { toNodeHandler } from '../../src/server/http/create-node-handler.ts';
import { listen } from '../integration/listen.ts';
import { allowAnyOrigin } from './allow-any-origin.ts';

export interface A2aPeer {
  readonly cardUrl: string;
  /** The agent card as the server returns it. */
  readonly card: Readonly<Record<string, unknown>>;
  /** Requests that reached the agent, with their headers. */
  readonly requests: readonly { readonly method: string; readonly headers: Headers; readonly body: string }[];
  close(): Promise<void>;
}

/** Makes the agent's reply to a request: a message, or a task in any state. */
export type A2aReply = (context: RequestContext) => Message | Task | Promise<Message | Task>;

export const textPart = (value: string): Part => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
});

export const agentMessage = ({ taskId, contextId }: RequestContext, ...texts: string[]): Message => ({
  messageId: `reply-${taskId}`,
  contextId,
  taskId: '',
  role: Role.ROLE_AGENT,
  parts: texts.map(textPart),
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

export async function startA2aPeer(reply: A2aReply, version: '1.0' | '0.3' = '1.0'): Promise<A2aPeer> {
  const requests: { method: string; headers: Headers; body: string }[] = [];
  let rpc: { handle(body: string, context: ServerCallContext): Promise<unknown> };
  let served: Readonly<Record<string, unknown>>;
  const server = await listen(
    toNodeHandler(
      allowAnyOrigin(async (request) => {
        const body = await request.text();
        requests.push({ method: request.method, headers: request.headers, body });
        if (request.method === 'GET') return Response.json(served);
        const requestedVersion = request.headers.get('a2a-version') ?? '0.3';
        return Response.json(await rpc.handle(body, new ServerCallContext({ requestedVersion })));
      }),
    ),
  );
  const url = `http://127.0.0.1:${server.port}/a2a`;
  const described = { name: 'HR', description: 'Knows about leave.', version: '1.4.0' };
  const card: AgentCard = {
    ...described,
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: version }],
    provider: undefined,
    capabilities: { streaming: false, pushNotifications: false, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    signatures: [],
  };
  served =
    version === '1.0'
      ? { ...card, 'x-ours': 'survives' }
      : {
          ...described,
          protocolVersion: '0.3.0',
          url,
          preferredTransport: 'JSONRPC',
          capabilities: { streaming: false },
          defaultInputModes: ['text/plain'],
          defaultOutputModes: ['text/plain'],
          skills: [],
          'x-ours': 'survives',
        };
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), {
    async execute(context, bus) {
      const answer = await reply(context);
      bus.publish('parts' in answer ? AgentEvent.message(answer) : AgentEvent.task(answer));
      bus.finished();
    },
    async cancelTask() {},
  });
  rpc = version === '1.0' ? new JsonRpcTransportHandler(handler) : new LegacyJsonRpcTransportHandler(handler);
  return {
    cardUrl: `http://127.0.0.1:${server.port}/.well-known/agent-card.json`,
    card: served,
    requests,
    close: server.close,
  };
}
