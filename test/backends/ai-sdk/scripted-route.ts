/** A route whose responses the test writes, chunk by chunk. */
import { createAiSdkTransport } from '../../../src/backends/ai-sdk/create-ai-sdk-transport.ts';
import { type AgentChat, type AgentChatOptions, createAgentChat } from '../../../src/core.ts';
import { createManualClock, type ManualClock } from '../../../src/testing/manual-clock.ts';
import { settled } from '../../support/scripted-chat.ts';

export type Chunk = { readonly type: string; readonly [key: string]: unknown };

export interface Posted {
  readonly id: string;
  readonly trigger: string;
  readonly messages: readonly {
    readonly id: string;
    readonly role: string;
    readonly parts: readonly Chunk[];
    readonly metadata?: unknown;
  }[];
}

export interface RouteRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  /** The body of a post. */
  readonly body: Posted;
  /** Sends chunks, each in a piece of its own. */
  send(...chunks: Chunk[]): Promise<void>;
  /** Ends the response with `[DONE]`. */
  end(...chunks: Chunk[]): Promise<void>;
  /** Ends the response without a word. */
  cut(): Promise<void>;
}

export const words = (id: string, ...deltas: string[]): Chunk[] => [
  { type: 'text-start', id },
  ...deltas.map((delta) => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
];

export function callOf(toolCallId: string, toolName: string, input: object = {}): Chunk {
  return { type: 'tool-input-available', toolCallId, toolName, input };
}

export function approvalOf(toolCallId: string, more: object = {}): Chunk {
  return { type: 'tool-approval-request', toolCallId, approvalId: `p-${toolCallId}`, ...more };
}

type TransportOptions = NonNullable<Parameters<typeof createAiSdkTransport>[0]>;

/** Answers a GET with 204, unless the test writes its response. */
export function scriptedRoute(
  options: Partial<AgentChatOptions> = {},
  transportOptions: TransportOptions = {},
  streams = false,
): { chat: AgentChat; clock: ManualClock; requests: RouteRequest[]; notices: string[]; unknown: unknown[] } {
  const clock = createManualClock();
  const requests: RouteRequest[] = [];
  const notices: string[] = [];
  const unknown: unknown[] = [];
  const fetchScripted: typeof fetch = async (input, init) => {
    const encoder = new TextEncoder();
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (given) => {
        controller = given;
      },
    });
    init?.signal?.addEventListener('abort', () => controller?.error(init.signal?.reason));
    const write = async (text: string) => {
      controller?.enqueue(encoder.encode(`data: ${text}\n\n`));
      await settled();
    };
    const request: RouteRequest = {
      url: String(input),
      method: init?.method ?? 'GET',
      headers: new Headers(init?.headers),
      body: JSON.parse(String(init?.body ?? 'null')),
      async send(...chunks) {
        for (const chunk of chunks) await write(JSON.stringify(chunk));
      },
      async end(...chunks) {
        await request.send(...chunks);
        await write('[DONE]');
        controller?.close();
        await settled();
      },
      async cut() {
        controller?.close();
        await settled();
      },
    };
    requests.push(request);
    if (request.method === 'GET' && !streams) return new Response(null, { status: 204 });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const chat = createAgentChat({
    clock,
    transport: createAiSdkTransport({
      fetch: fetchScripted,
      clock,
      reconnect: { initialDelayMs: 0, maxDelayMs: 0 },
      ...transportOptions,
    }),
    onNotice: ({ code }) => notices.push(code),
    onUnknownEvent: (event) => unknown.push(event),
    ...options,
  });
  return { chat, clock, requests, notices, unknown };
}

/** Sends a message, and waits until the route has it. */
export async function say(chat: AgentChat, text = 'Hi'): Promise<void> {
  void chat.sendMessage(text, { whilePending: 'cancel' });
  await settled();
}

export const partsOf = (chat: AgentChat) => chat.getState().messages.at(-1)?.parts ?? [];
export const textOf = (chat: AgentChat) =>
  partsOf(chat)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');
