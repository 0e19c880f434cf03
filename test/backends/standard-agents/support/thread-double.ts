/** A double of a Standard Agents server: one thread whose rows, calls and frames a test decides. No network, and no time of its own. */

import {
  createStandardAgentsTransport,
  type StandardAgentsTransportOptions,
} from '../../../../src/backends/standard-agents/create-standard-agents-transport.ts';
import type { SocketLike } from '../../../../src/core/transport/socket-like.ts';
import { type AgentChatOptions, createAgentChat, createPersistence } from '../../../../src/core.ts';
import { createManualClock } from '../../../../src/testing/manual-clock.ts';
import { createMemoryStorage } from '../../../../src/testing/memory-storage.ts';

type Json = Readonly<Record<string, unknown>>;

export interface SentRequest {
  readonly method: string;
  /** Behind `/api/threads`. */
  readonly path: string;
  readonly body: Json | undefined;
  readonly authorization: string | null;
}

/** The time of the first message, in microseconds. */
export const STARTED_AT = 1_767_225_600_000_000;

class ThreadDouble {
  readonly clock = createManualClock();
  readonly requests: SentRequest[] = [];
  /** The addresses of the streams, and the frames that the client sent. */
  readonly streams: string[] = [];
  readonly received: unknown[] = [];
  rows: Json[] = [];
  calls: Json[] = [];
  status: string | undefined = 'idle';
  /** Answers a request in place of the double; undefined leaves it to the double. */
  answer: (request: SentRequest) => Response | Promise<Response> | undefined = () => undefined;
  #sockets = new Set<SocketLike & { readyState: number }>();

  readonly fetch: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    const { method = 'GET', body, headers } = init ?? {};
    const request: SentRequest = {
      method,
      path: pathname.replace(/^.*\/api\/threads/, ''),
      body: typeof body === 'string' ? JSON.parse(body) : undefined,
      authorization: new Headers(headers).get('authorization'),
    };
    this.requests.push(request);
    return (await this.answer(request)) ?? this.#respond(request);
  };

  readonly connect = (url: URL): SocketLike => {
    this.streams.push(url.href);
    const socket = {
      readyState: 1,
      send: (data: string) => void this.received.push(JSON.parse(data)),
      close: () => void this.#sockets.delete(socket),
      onmessage: null,
      onclose: null,
    };
    this.#sockets.add(socket);
    return socket;
  };

  #respond({ method, path, body }: SentRequest): Response {
    const [, , ...rest] = path.split('/');
    if (path === '') return Response.json({ id: 't1', threadId: 't1', agent_id: 'helper', message: 'ok' });
    if (rest.length === 0) return Response.json(this.status === undefined ? {} : { status: this.status });
    if (rest[0] === 'messages' && method === 'GET') return Response.json({ messages: this.rows });
    if (rest[0] === 'messages') {
      const row: Json = { role: 'user', status: 'completed', created_at: STARTED_AT, ...body };
      if (!this.rows.some(({ id }) => id === row.id)) {
        this.rows.push(row);
        this.status = this.status && 'running';
      }
      return Response.json({ id: row.id }, { status: 202 });
    }
    if (rest[0] === 'client-tools' && method === 'GET') return Response.json({ calls: this.calls });
    if (rest[0] === 'client-tools') {
      this.calls = this.calls.filter(({ id }) => id !== rest[1]);
      return Response.json({ status: 'accepted', outcome: body?.outcome });
    }
    return new Response(null, { status: rest[0] === 'env' ? 204 : 202 });
  }

  /** Sends frames to the page, and waits until they are shown. */
  async send(...frames: readonly Json[]): Promise<void> {
    await this.settle();
    for (const frame of frames) this.push(frame);
    await this.settle();
  }

  /** Sends a frame at once. */
  push(frame: Json): void {
    for (const socket of [...this.#sockets])
      socket.onmessage?.call(socket, { data: JSON.stringify(frame) } as never);
  }

  /** Adds or replaces a row, and sends it. */
  async put(row: Json): Promise<void> {
    const complete = { depth: 0, status: 'completed', created_at: STARTED_AT + this.rows.length, ...row };
    const index = this.rows.findIndex(({ id }) => id === row.id);
    if (index < 0) this.rows.push(complete);
    else this.rows[index] = complete;
    await this.send({ type: 'message_data', message: complete });
  }

  /** Asks the page, as the kit does. */
  async ask(call: Json): Promise<void> {
    const pending = { args: {}, ...call };
    this.calls.push({ requestedAt: STARTED_AT / 1_000 + 1, ...pending });
    await this.send({ type: 'custom', eventType: 'client_tool_request', data: pending });
  }

  /** The execution ends. */
  async rest(): Promise<void> {
    this.status = this.status && 'idle';
    await this.send({ type: 'status', status: 'idle' });
  }

  /** Cuts the streams. */
  async cut(): Promise<void> {
    for (const socket of [...this.#sockets]) {
      socket.readyState = 3;
      socket.onclose?.call(socket, undefined as never);
    }
    await this.clock.advance(1);
    await this.settle();
  }

  get openStreams(): number {
    return this.#sockets.size;
  }

  async settle(): Promise<void> {
    // A response of `fetch` takes several turns of the event loop.
    for (let turn = 0; turn < 12; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
    this.clock.frame();
  }

  /** The requests of a method whose path ends like that. */
  requestsTo(method: string, end: string): SentRequest[] {
    return this.requests.filter((request) => request.method === method && request.path.endsWith(end));
  }
}

/** Opens pages of one conversation on the double. */
export function openThread(
  clientTools: NonNullable<AgentChatOptions['clientTools']> = {},
  options: Partial<StandardAgentsTransportOptions> = {},
) {
  const server = new ThreadDouble();
  const storage = createMemoryStorage();
  const log: unknown[] = [];
  const connect = () =>
    createStandardAgentsTransport({
      endpoint: 'http://agents.example',
      agentId: 'helper',
      token: 'secret-token',
      fetch: server.fetch,
      connect: server.connect,
      clock: server.clock,
      random: () => 0,
      reconnect: { initialDelayMs: 0, maxDelayMs: 1, maxAttempts: 3 },
      ...options,
    });
  const open = (saved = storage) =>
    createAgentChat({
      id: 'c',
      transport: connect(),
      clientTools,
      clock: server.clock,
      persistence: createPersistence({ storage: saved, tabs: false }),
      onUnknownEvent: (event) => log.push(event),
      onResourceUpdate: (name, value) => log.push([name, value]),
      onNotice: ({ code }) => log.push(code),
    });
  const chat = open();
  return {
    server,
    storage,
    log,
    chat,
    transport: connect(),
    /** Sends a message, and waits until the page reads the run. */
    async start(text = 'Hi') {
      chat.sendMessage(text).catch(() => {});
      await server.settle();
      return String(server.requestsTo('POST', '/messages').at(-1)?.body?.id);
    },
    /** Closes the page and opens it again. */
    async reload() {
      await server.clock.advance(1_000);
      await server.settle();
      // A page that is closed says nothing more, also not to its storage.
      const saved = createMemoryStorage();
      for (const [key, value] of storage.entries) saved.save(key, value);
      chat.destroy();
      const next = open(saved);
      next.subscribe(() => {});
      await server.settle();
      await server.settle();
      return next;
    },
  };
}

/** The parts of the last message. */
export function partsOf(chat: ReturnType<typeof openThread>['chat']) {
  return chat.getState().messages.at(-1)?.parts ?? [];
}

/** A row with one call, whose arguments are JSON text. */
export function calling(id: string, callId: string, name: string, args: object = {}, more: Json = {}): Json {
  const call = { id: callId, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  return { id, role: 'assistant', content: null, tool_calls: JSON.stringify([call]), ...more };
}

export function chunk(messageId: string, index: number, text: string, kind = 'content'): Json {
  return { type: 'message_chunk', messageId, chunk: text, index, kind };
}
