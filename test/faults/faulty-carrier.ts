/** A network that fails at planned events, between the real transports and a real server. */
import { WebSocket } from 'ws';
import type { SocketTransportSettings } from '../../src/core/transport/create-socket-transport.ts';
import {
  type AgentTransport,
  createFallbackTransport,
  createHttpTransport,
  createSocketTransport,
  type SocketLike,
} from '../../src/core.ts';
import { type Clock, systemClock } from '../../src/shared/clock.ts';
import { connectAgUi } from '../integration/ag-ui-backend.ts';
import { connectAiSdk, connectAiSdkSocket } from '../integration/ai-sdk-backend.ts';
import { type Carrier, SESSION } from '../integration/connect.ts';
import { connectMantyx } from '../integration/mantyx-backend.ts';
import { connectStandardAgents } from '../integration/standard-agents-backend.ts';

/** The way of the requests. `fallback`: over the socket, and by HTTP when that is cut. The others: by the transport of that name. */
export type FaultyCarrier = Carrier | 'fallback' | 'ai-sdk-socket' | 'standard-agents' | keyof typeof CONNECT;

const CONNECT = { mantyx: connectMantyx, 'ai-sdk': connectAiSdk, 'ag-ui': connectAgUi };

/** A fault at one event of the conversation. */
export type EventFault =
  /** The connection breaks before, inside or after the event. */
  | 'cut-before'
  | 'cut-inside'
  | 'cut-after'
  /** The socket stays open after the event, and passes nothing any more in either direction. */
  | 'freeze'
  | 'duplicate'
  /** The player acts: a reload, an answer, a restart. */
  | 'call';

/**
 * A fault of one request. `lose-request`: it never reaches the server. `lose-response`: the connection breaks before its response.
 * `swallow-response`: the server sends the whole response, and no byte of it reaches the page. `swallow-answers`: a proxy swallows the
 * frame, if it has answers, and the connection stands. `second-login`: another login has ended this one, so the server refuses.
 */
export type RequestFault =
  | 'lose-request'
  | 'lose-response'
  | 'swallow-response'
  | 'swallow-answers'
  | 'second-login';

export interface FaultPlan {
  /** The faults by the index of the event, counted over all responses. */
  readonly events: readonly { readonly fault: EventFault; readonly at: number }[];
  /** The faults by the index of the request. */
  readonly requests: readonly { readonly fault: RequestFault; readonly at: number }[];
  readonly onCall: () => void;
  /** The conversation. Default: the one that every backend serves. Over HTTP alone. */
  readonly sessionId?: string;
  /** True: requests arrive in the order in which they are made, also cancelled ones, as over one connection of HTTP/2. */
  readonly isOrdered?: boolean;
}

/** Counts the events and requests of a conversation over all its pages and connections. */
export interface FaultyNetwork {
  /** The number of events. */
  readonly seen: number;
  readonly requested: number;
  connect(): FaultyPage;
}

export interface FaultyPage {
  readonly transport: AgentTransport;
  /** Closes the page: none of its requests reaches the server any more. */
  kill(): void;
}

/** Timers fire twenty times as early, so that a missing acknowledgement is noticed after half a second. */
const fastClock: Clock = { ...systemClock, after: (ms, callback) => systemClock.after(ms / 20, callback) };

/** A frozen socket is noticed after half a second, although the server sends its first heartbeat much later. */
const heartbeat = { intervalMs: 300, timeoutMs: 200 };

const reconnect = { initialDelayMs: 1, maxDelayMs: 1, maxAttempts: 5 };

export function createFaultyNetwork(carrier: FaultyCarrier, port: number, plan: FaultPlan): FaultyNetwork {
  let seen = 0;
  let requestCount = 0;
  let latest: Promise<unknown> = Promise.resolve();
  const orderedFetch: typeof fetch = async (input, { signal, ...init } = {}) => {
    const response = latest.then(() => fetch(input, init));
    latest = response.catch(() => {});
    const { body } = await response;
    if (signal?.aborted) void body?.cancel();
    signal?.throwIfAborted();
    signal?.addEventListener('abort', () => void body?.cancel().catch(() => {}));
    return response;
  };
  const request = plan.isOrdered ? orderedFetch : fetch;
  const isFrozen = plan.events.some(({ fault }) => fault === 'freeze');
  const isSwallowed = plan.requests.some(({ fault }) => fault === 'swallow-answers');
  const clock = isSwallowed ? fastClock : systemClock;
  const nextRequest = (): RequestFault | undefined => {
    const at = requestCount++;
    return plan.requests.find((step) => step.at === at)?.fault;
  };
  /** Counts an event and returns its faults. */
  const nextEvent = (): ReadonlySet<EventFault> => {
    const at = seen++;
    const faults = new Set(plan.events.filter((step) => step.at === at).map(({ fault }) => fault));
    if (faults.has('call')) plan.onCall();
    return faults;
  };
  return {
    get seen() {
      return seen;
    },
    get requested() {
      return requestCount;
    },
    connect() {
      if (carrier === 'http') return connectHttp(port, nextEvent, nextRequest, request, plan.sessionId);
      if (carrier in CONNECT) {
        const gone = new AbortController();
        const transport = CONNECT[carrier as keyof typeof CONNECT](
          port,
          failingFetch(nextEvent, nextRequest, gone.signal, request),
        );
        return { transport, kill: () => gone.abort() };
      }
      if (carrier === 'ai-sdk-socket') return connectChatSocket(port, nextEvent, nextRequest);
      if (carrier === 'standard-agents') return connectThread(port, nextEvent, nextRequest, request);
      const socket = connectSocket(port, nextEvent, nextRequest, { clock, ...(isFrozen && { heartbeat }) });
      if (carrier === 'ws') return socket;
      const http = connectHttp(port, nextEvent, nextRequest, request);
      return {
        transport: createFallbackTransport([socket.transport, http.transport]),
        kill() {
          socket.kill();
          http.kill();
        },
      };
    },
  };
}

type NextEvent = () => ReadonlySet<EventFault>;
type NextRequest = () => RequestFault | undefined;

const NO_FAULTS: ReadonlySet<EventFault> = new Set();

function connectHttp(
  port: number,
  nextEvent: NextEvent,
  nextRequest: NextRequest,
  request: typeof fetch,
  sessionId = SESSION,
): FaultyPage {
  const gone = new AbortController();
  const transport = createHttpTransport({
    reconnect,
    url: `http://127.0.0.1:${port}/api/agent`,
    body: { sessionId },
    fetch: failingFetch(nextEvent, nextRequest, gone.signal, request),
  });
  return { transport, kill: () => gone.abort() };
}

function failingFetch(
  nextEvent: NextEvent,
  nextRequest: NextRequest,
  gone: AbortSignal,
  request: typeof fetch,
): typeof fetch {
  return async (input, init) => {
    const fault = nextRequest();
    if (fault === 'lose-request') throw new TypeError('the request never arrived');
    if (fault === 'second-login') return Response.json({ error: 'Log in again' }, { status: 401 });
    const signal = init?.signal ? AbortSignal.any([init.signal, gone]) : gone;
    const response = await request(input, { ...init, signal });
    if (fault === 'lose-response') {
      await response.body?.cancel();
      throw new TypeError('the response never arrived');
    }
    if (fault === 'swallow-response') {
      await response.arrayBuffer();
      throw new TypeError('the response never arrived');
    }
    const { status, headers, body } = response;
    if (body === null || !headers.get('content-type')?.startsWith('text/event-stream')) return response;
    return new Response(failingEvents(body, nextEvent, gone), { status, headers });
  };
}

/** Passes the bytes on, event by event, with the planned faults. No `TransformStream`: that of Node 20 throws when it is cancelled late. */
function failingEvents(
  body: ReadableStream<Uint8Array>,
  nextEvent: NextEvent,
  gone: AbortSignal,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const reader = body.getReader();
  let rest = '';
  /** Passes an event on. Returns false if the response ends with it. */
  const pass = (event: string, controller: ReadableStreamDefaultController<Uint8Array>): boolean => {
    const faults = event.includes('data: {') ? nextEvent() : NO_FAULTS;
    if (gone.aborted) throw new Error('the page is gone');
    if (faults.has('cut-before')) throw new Error('cut before an event');
    const isHalf = faults.has('cut-inside');
    controller.enqueue(encoder.encode(isHalf ? event.slice(0, event.length >> 1) : event));
    if (faults.has('duplicate')) controller.enqueue(encoder.encode(event));
    return !isHalf && !faults.has('cut-after');
  };
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: true });
      const events = rest.split(/(?<=\n\n)/);
      rest = events.at(-1)?.endsWith('\n\n') ? '' : (events.pop() ?? '');
      if (events.every((event) => pass(event, controller)) && !done) return;
      controller.close();
      await reader.cancel();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function connectSocket(
  port: number,
  nextEvent: NextEvent,
  nextRequest: NextRequest,
  settings: SocketTransportSettings,
): FaultyPage {
  const sockets = new Set<WebSocket>();
  let isGone = false;
  const transport = createSocketTransport({
    reconnect,
    ...settings,
    connect: async () => {
      if (isGone) throw new Error('the page is gone');
      const socket = new WebSocket(`ws://127.0.0.1:${port}`);
      sockets.add(socket);
      return failingSocket(socket, nextEvent, nextRequest);
    },
  });
  return {
    transport,
    kill() {
      isGone = true;
      for (const socket of sockets) socket.terminate();
    },
  };
}

let pageCount = 0;
/** Makes the sockets of a page, by the query of its address. */
const pages = new Map<string, (url: string) => SocketLike>();

/** The transport makes its sockets by the global class, as in a browser. */
function connectChatSocket(port: number, nextEvent: NextEvent, nextRequest: NextRequest): FaultyPage {
  const query = `page=${++pageCount}`;
  const sockets = new Set<WebSocket>();
  let isGone = false;
  pages.set(`?${query}`, (url) => {
    if (isGone) throw new Error('the page is gone');
    const socket = new WebSocket(url);
    sockets.add(socket);
    return failingSocket(socket, nextEvent, nextRequest);
  });
  globalThis.WebSocket = function open(url: string) {
    return pages.get(new URL(url).search)?.(url);
  } as unknown as typeof globalThis.WebSocket;
  return {
    transport: connectAiSdkSocket(port, query),
    kill() {
      isGone = true;
      for (const socket of sockets) socket.terminate();
    },
  };
}

/** Requests go over HTTP, and events over the socket of a thread. */
function connectThread(
  port: number,
  nextEvent: NextEvent,
  nextRequest: NextRequest,
  request: typeof fetch,
): FaultyPage {
  const gone = new AbortController();
  const sockets = new Set<WebSocket>();
  const connect = (url: URL) => {
    if (gone.signal.aborted) throw new Error('the page is gone');
    const socket = new WebSocket(url);
    sockets.add(socket);
    return failingSocket(socket, nextEvent, nextRequest);
  };
  const send = failingFetch(nextEvent, nextRequest, gone.signal, request);
  return {
    transport: connectStandardAgents(port, send, connect),
    kill() {
      gone.abort();
      for (const socket of sockets) socket.terminate();
    },
  };
}

/** Passes frames on one by one, with the planned faults. A socket that was cut sends no more frames, only its close. */
function failingSocket(socket: WebSocket, nextEvent: NextEvent, nextRequest: NextRequest): SocketLike {
  let isCut = false;
  let isSwallowing = false;
  let isFrozen = false;
  let listener: SocketLike['onmessage'] = null;
  const cut = () => {
    isCut = true;
    socket.terminate();
  };
  socket.onmessage = ({ data }) => {
    if (isCut || isFrozen) return;
    const isEvent = String(data).includes('"type"') && !String(data).includes('"heartbeat"');
    if (isSwallowing) {
      if (/"type":"(finish|error)"/.test(String(data))) cut();
      return;
    }
    const faults = isEvent ? nextEvent() : NO_FAULTS;
    if (isCut || faults.has('cut-before') || faults.has('cut-inside')) return cut();
    const pass = () => listener?.call(socket, { data } as MessageEvent);
    pass();
    if (faults.has('duplicate')) pass();
    isFrozen = faults.has('freeze');
    if (faults.has('cut-after')) cut();
  };
  const send = (data: string) => {
    if (isFrozen) return;
    const fault = nextRequest();
    if (fault === 'lose-request') return cut();
    if (fault === 'swallow-response') isSwallowing = true;
    if (fault === 'swallow-answers' && JSON.parse(data).type === 'continue') return;
    socket.send(data, () => fault === 'lose-response' && cut());
  };
  return new Proxy(socket as unknown as SocketLike, {
    get(target, key) {
      if (key === 'onmessage') return listener;
      if (key === 'send') return send;
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set(target, key, value) {
      if (key === 'onmessage') listener = value;
      else Reflect.set(target, key, value, target);
      return true;
    },
  });
}
