/** A network that fails where it is told to, between our real transports and a real server. */
import { WebSocket } from 'ws';
import {
  type AgentTransport,
  createHttpTransport,
  createSocketTransport,
  type SocketLike,
} from '../../src/core.ts';
import { type Carrier, SESSION } from '../integration/connect.ts';

/** What happens at one event of the conversation, counted over all its responses. */
export type Fault =
  | 'none'
  /** The connection breaks before the event, in the middle of it, after it. */
  | 'cut-before'
  | 'cut-inside'
  | 'cut-after'
  | 'duplicate'
  /** Here `at` counts requests: one never reaches the server. */
  | 'lose-request'
  /** Something else happens then: a reload, an answer, a restart. */
  | 'call';

export interface FaultPlan {
  readonly fault: Fault;
  /** Which event it happens at; the first is 0. */
  readonly at: number;
  readonly onCall?: () => void;
}

/** Counts the events of a conversation over all its pages and connections. */
export interface FaultyNetwork {
  readonly seen: number;
  /** Requests, counted only where one of them is to be lost. */
  readonly asked: number;
  connect(): FaultyPage;
}

export interface FaultyPage {
  readonly transport: AgentTransport;
  /** The page is gone: nothing of it reaches the server any more. */
  kill(): void;
}

const reconnect = { initialDelayMs: 1, maxDelayMs: 1, maxAttempts: 5 };

export function createFaultyNetwork(carrier: Carrier, port: number, plan: FaultPlan): FaultyNetwork {
  let seen = 0;
  let asked = 0;
  const isLost = () => plan.fault === 'lose-request' && asked++ === plan.at;
  /** What to do with the event that arrives now. */
  const nextFault = (): Fault => {
    const isNow = plan.fault !== 'lose-request' && seen === plan.at;
    seen += 1;
    if (!isNow) return 'none';
    if (plan.fault === 'call') plan.onCall?.();
    return plan.fault;
  };
  return {
    get seen() {
      return seen;
    },
    get asked() {
      return asked;
    },
    connect: () =>
      carrier === 'http' ? connectHttp(port, nextFault, isLost) : connectSocket(port, nextFault, isLost),
  };
}

function connectHttp(port: number, nextFault: () => Fault, isLost: () => boolean): FaultyPage {
  const gone = new AbortController();
  const transport = createHttpTransport({
    reconnect,
    async request(payload, { signal }) {
      if (isLost()) throw new TypeError('the request never arrived');
      const response = await fetch(`http://127.0.0.1:${port}/api/agent`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sessionId: SESSION, ...payload }),
        signal: AbortSignal.any([signal, gone.signal]),
      });
      const { status, headers } = response;
      return new Response(response.body?.pipeThrough(failingEvents(nextFault, gone.signal)) ?? null, {
        status,
        headers,
      });
    },
  });
  return { transport, kill: () => gone.abort() };
}

/** Passes bytes on event by event. */
function failingEvents(nextFault: () => Fault, gone: AbortSignal): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  return new TransformStream({
    transform(chunk, controller) {
      rest += decoder.decode(chunk, { stream: true });
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const event = rest.slice(0, end + 2);
        rest = rest.slice(end + 2);
        const isEvent = event.includes('data: {');
        const fault = isEvent ? nextFault() : 'none';
        if (gone.aborted) return controller.error(new Error('the page is gone'));
        if (fault === 'cut-before') return controller.error(new Error('cut before an event'));
        if (fault === 'cut-inside') {
          controller.enqueue(encoder.encode(event.slice(0, event.length >> 1)));
          return controller.terminate();
        }
        controller.enqueue(encoder.encode(event));
        if (fault === 'duplicate') controller.enqueue(encoder.encode(event));
        if (fault === 'cut-after') return controller.terminate();
      }
    },
  });
}

function connectSocket(port: number, nextFault: () => Fault, isLost: () => boolean): FaultyPage {
  const sockets = new Set<WebSocket>();
  let isGone = false;
  const transport = createSocketTransport({
    reconnect,
    connect: async () => {
      if (isGone) throw new Error('the page is gone');
      const socket = new WebSocket(`ws://127.0.0.1:${port}`);
      sockets.add(socket);
      return failingSocket(socket, nextFault, isLost);
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

/** Hands frames on one by one; a cut socket says nothing more but that it closed. */
function failingSocket(socket: WebSocket, nextFault: () => Fault, isLost: () => boolean): SocketLike {
  let isCut = false;
  let listener: SocketLike['onmessage'] = null;
  const cut = () => {
    isCut = true;
    socket.terminate();
  };
  socket.onmessage = ({ data }) => {
    if (isCut) return;
    const isEvent = String(data).includes('"type"') && !String(data).includes('"heartbeat"');
    const fault = isEvent ? nextFault() : 'none';
    if (isCut || fault === 'cut-before' || fault === 'cut-inside') return cut();
    const hand = () => listener?.call(socket, { data } as MessageEvent);
    hand();
    if (fault === 'duplicate') hand();
    if (fault === 'cut-after') cut();
  };
  return new Proxy(socket as unknown as SocketLike, {
    get(target, key) {
      if (key === 'onmessage') return listener;
      if (key === 'send') return (data: string) => (isLost() ? cut() : socket.send(data));
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
