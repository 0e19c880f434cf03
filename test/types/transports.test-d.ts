import {
  type AgentChatError,
  type AgentEvent,
  type AgentTransport,
  type Connection,
  createAgentChat,
  createFallbackTransport,
  createHttpTransport,
  createSocketTransport,
  type RunCommand,
  type SocketLike,
  type TransportMemory,
} from 'handrail';
import { describe, expectTypeOf, it } from 'vitest';
import { WebSocket as NodeWebSocket } from 'ws';

declare const sessionId: string;

describe('requests', () => {
  it('createHttpTransport accepts a request function as the documents write it', () => {
    const transport = createHttpTransport({
      request: (payload, options) =>
        fetch('/api/trigger', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ sessionId, ...payload }),
          signal: options?.signal,
        }),
    });
    expectTypeOf(transport).toEqualTypeOf<AgentTransport>();
  });

  it('request payloads are a union discriminated by type', () => {
    createHttpTransport({
      request: async (payload, { signal }) => {
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        expectTypeOf(payload.type).toEqualTypeOf<'trigger' | 'continue' | 'resume' | 'open' | 'stop'>();
        if (payload.type === 'trigger') expectTypeOf(payload.triggerName).toEqualTypeOf<string>();
        if (payload.type === 'resume') expectTypeOf(payload.cursor).toEqualTypeOf<string>();
        if (payload.type === 'continue') expectTypeOf(payload.toolResults).items.toHaveProperty('toolCallId');
        return new Response();
      },
    });
  });

  it('createHttpTransport accepts values and functions of the payload', () => {
    createHttpTransport({ url: '/api', headers: { 'x-token': 't' }, body: { sessionId }, fetch });
    createHttpTransport({ url: new URL('https://x'), headers: ({ type }) => ({ type }), body: () => ({}) });
    createHttpTransport({
      url: '/api',
      headers: async () => new Headers(),
      body: async () => ({ sessionId }),
    });
    createHttpTransport({ url: '/api', reconnect: { initialDelayMs: 1, maxDelayMs: 2, maxAttempts: 3 } });
  });

  it('createHttpTransport needs either a request or a url', () => {
    // @ts-expect-error neither a request nor a url
    createHttpTransport({});
    // @ts-expect-error both
    createHttpTransport({ url: '/api', request: async () => new Response() });
  });
});

describe('sockets', () => {
  it('createSocketTransport accepts sockets of a browser, of ws, or of the app', () => {
    createSocketTransport({ connect: async () => new WebSocket('wss://x') });
    createSocketTransport({ connect: async () => new NodeWebSocket('wss://x') });
    class HandMade {
      readyState = 1;
      onmessage: ((event: { data: string }) => void) | null = null;
      onclose: (() => void) | null = null;
      send(_text: string) {}
      close(_code?: number) {}
    }
    createSocketTransport({ connect: () => new HandMade() });
    expectTypeOf<HandMade>().toExtend<SocketLike>();
  });

  it('createSocketTransport has the documented settings', () => {
    createSocketTransport({
      url: () => 'wss://x',
      protocols: ['v1'],
      onMessage: (data) => expectTypeOf(data).toBeUnknown(),
      onClose: () => {},
      reconnect: false,
      heartbeat: { intervalMs: 25_000, timeoutMs: 10_000 },
    });
    // @ts-expect-error neither a connect nor a url
    createSocketTransport({});
  });
});

describe('the seam', () => {
  it('a transport can be implemented with the exported types', () => {
    const mine: AgentTransport = {
      capabilities: { results: 'one-by-one', resume: true, stop: true, deadlines: true },
      async *run(command, { signal, memory }): AsyncGenerator<readonly AgentEvent[]> {
        expectTypeOf(command).toEqualTypeOf<RunCommand>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        expectTypeOf(memory).toEqualTypeOf<TransportMemory>();
        if (command.type === 'respond') {
          yield command.answers.map(({ toolCallId }) => ({
            type: 'tool-result-acknowledged',
            toolCallId,
            status: 'accepted',
          }));
        }
        yield [{ type: 'finish', finishReason: 'stop' }];
      },
      async stop({ executionId }) {
        expectTypeOf(executionId).toEqualTypeOf<string | undefined>();
      },
    };
    expectTypeOf(mine.connection).toEqualTypeOf<Connection | undefined>();
    expectTypeOf(createFallbackTransport([mine])).toEqualTypeOf<AgentTransport>();
  });

  it('the connection of a transport is typed in the state of a chat', () => {
    const chat = createAgentChat({ transport: createSocketTransport({ url: 'wss://x' }) });
    const state = chat.getState();
    expectTypeOf(chat.connect).toEqualTypeOf<(() => Promise<void>) | undefined>();
    expectTypeOf(chat.disconnect).toEqualTypeOf<(() => void) | undefined>();
    expectTypeOf(state.error).toEqualTypeOf<AgentChatError | null>();
    expectTypeOf(state.connectionError).toEqualTypeOf<Error | undefined>();
    expectTypeOf(state.connectionState).toEqualTypeOf<
      'disconnected' | 'connecting' | 'connected' | 'reconnecting' | 'error' | undefined
    >();
  });
});
