import { type ToolSet, tool } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { createAiSdkTransport } from '../../../src/backends/ai-sdk/create-ai-sdk-transport.ts';
import { type AgentChatOptions, createAgentChat } from '../../../src/core.ts';
import { listen } from '../../integration/listen.ts';
import { untilStatus } from '../../support/until-status.ts';
import { type ChatRouteOptions, createChatRoute } from './chat-route.ts';
import { createChatSocket } from './chat-socket.ts';

type Frame = Readonly<Record<string, unknown>>;

const reconnect = { initialDelayMs: 1, maxDelayMs: 1 };
const clientTool = tool({ inputSchema: z.object({}).loose() }) as ToolSet[string];
const locateThenSay: ChatRouteOptions['say'] = (prompt) =>
  prompt.at(-1)?.role === 'tool' ? ['You are here.'] : ['Let me see. ', { call: 'locate', id: 'c1' }];

/** A chunk of text as the server numbers it. */
const says = (sequence: number, delta: string): Frame => ({
  type: 'chunk',
  sequence,
  chunk: { type: 'text-delta', id: 't', delta },
});

/** Every socket that the page has opened. */
const sockets: WebSocket[] = [];
/** Called with each frame before the page gets it. Returns true to break the connection instead. */
let onFrame: (frame: Frame) => boolean = () => false;

let isLost: (frame: Frame) => boolean = () => false;

class PageSocket extends WebSocket {
  #isBroken = false;

  constructor(url: string, protocols?: string[]) {
    super(url, protocols);
    sockets.push(this);
  }

  /** Breaks instead of sending what `isLost` names. */
  override send(data: string): void {
    if (isLost(JSON.parse(data) as Frame)) this.terminate();
    else super.send(data);
  }

  override emit(event: string, ...values: unknown[]): boolean {
    if (event === 'message' && !this.#isBroken) {
      this.#isBroken = onFrame(JSON.parse(String(values[0])) as Frame);
      if (this.#isBroken) this.terminate();
    }
    return event === 'message' && this.#isBroken ? false : super.emit(event, ...values);
  }
}

afterEach(() => {
  onFrame = isLost = () => false;
  sockets.length = 0;
  vi.unstubAllGlobals();
});

async function open(
  say: ChatRouteOptions['say'],
  options: Partial<AgentChatOptions> = {},
  settings: Parameters<typeof createAiSdkTransport>[0] = {},
  respond?: Parameters<typeof createChatSocket>[0]['respond'],
) {
  const frames: Frame[] = [];
  const route = createChatRoute({ say, tools: { locate: clientTool } });
  const handle = createChatSocket({
    respond: respond ?? route.respond,
    onFrame: (frame) => frames.push(frame),
  });
  return { ...(await openPage(handle, options, settings)), frames };
}

/** Opens a page whose server answers each frame of the page with these. */
async function openScripted(
  answer: (frame: Frame) => readonly Frame[],
  options: Partial<AgentChatOptions> = {},
) {
  const frames: Frame[] = [];
  let send = (_: Frame) => {};
  const page = await openPage((socket) => {
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as Frame;
      frames.push(frame);
      send = (given) => socket.send(JSON.stringify({ requestId: frame.requestId, ...given }));
      for (const given of answer(frame)) send(given);
    });
  }, options);
  /** Sends a frame for the latest request. */
  const sendLater = (frame: Frame) => send(frame);
  return { ...page, frames, sendLater };
}

async function openPage(
  handle: (socket: WebSocket) => void,
  options: Partial<AgentChatOptions>,
  settings: Parameters<typeof createAiSdkTransport>[0] = {},
) {
  vi.stubGlobal('WebSocket', PageSocket);
  const { port, close } = await listen(() => {}, handle);
  const transport = createAiSdkTransport({
    socketUrl: `http://127.0.0.1:${port}/chat`,
    reconnect,
    ...settings,
  });
  const chat = createAgentChat({ transport, clientTools: { locate: () => 'here' }, ...options });
  const texts = () =>
    chat
      .getState()
      .messages.flatMap(({ role, parts }) =>
        role === 'assistant' ? parts.flatMap((part) => (part.type === 'text' ? part.text : [])) : [],
      );
  const end = async () => {
    chat.destroy();
    transport.connection?.disconnect();
    await close();
  };
  return { chat, texts, end };
}

describe('createAiSdkTransport over a socket', () => {
  it('a turn with a call of the client takes two requests over one connection', async () => {
    const { chat, frames, texts, end } = await open(
      locateThenSay,
      {},
      { headers: { 'X-User': 'ada' }, body: { plan: 'b' } },
    );
    await chat.sendMessage('Hi');
    await untilStatus(chat, 'idle');
    expect(texts()).toEqual(['Let me see. ', 'You are here.']);
    expect(sockets).toHaveLength(1);
    expect(frames).toMatchObject([
      { type: 'send', trigger: 'submit-message', headers: { 'x-user': 'ada' }, body: { plan: 'b' } },
      { type: 'send', messageId: expect.any(String), messages: [{ role: 'user' }, { role: 'assistant' }] },
    ]);
    await end();
  });

  it('a response that is cut goes on over the next connection, after the chunks that are here', async () => {
    onFrame = ({ sequence }) => sockets.length === 1 && sequence === 4;
    const { chat, frames, texts, end } = await open(() => ['One. ', 'Two.']);
    await chat.sendMessage('Hi');
    await untilStatus(chat, 'idle');
    expect(texts()).toEqual(['One. ', 'Two.']);
    expect(frames).toMatchObject([{ type: 'send' }, { type: 'resume', lastSequence: 3 }]);
    await end();
  });

  it('a chunk that is none counts, so that a response which is cut after it goes on at the right place', async () => {
    onFrame = ({ sequence }) => sockets.length === 1 && sequence === 4;
    const text = { type: 'text-delta', id: 't' };
    const chunks = [
      { type: 'start' },
      { no: 'chunk' },
      { ...text, delta: 'One. ' },
      { ...text, delta: 'Two. ' },
    ];
    const unknown: unknown[] = [];
    const { chat, frames, texts, end } = await open(
      () => [],
      { onUnknownEvent: (event) => unknown.push(event) },
      {},
      async function* () {
        yield* chunks;
        yield { ...text, delta: 'Three.' };
        yield { type: 'finish' };
      } as unknown as Parameters<typeof createChatSocket>[0]['respond'],
    );
    await chat.sendMessage('Hi');
    await untilStatus(chat, 'idle');
    expect(texts()).toEqual(['One. Two. Three.']);
    expect(frames).toMatchObject([{ type: 'send' }, { type: 'resume', lastSequence: 3 }]);
    expect(unknown).toHaveLength(1);
    await end();
  });

  it('answers that never arrived are sent again, although the server replays the response that asked', async () => {
    isLost = ({ messages }) => sockets.length === 1 && JSON.stringify(messages).includes('"here"');
    const { chat, frames, texts, end } = await open(locateThenSay);
    await chat.sendMessage('Hi');
    await untilStatus(chat, 'idle');
    expect(texts()).toEqual(['Let me see. ', 'You are here.']);
    expect(frames.map(({ type }) => type)).toEqual(['send', 'resume', 'send']);
    // Nothing of that response is here, so that the server has to replay it.
    expect(frames[1]).not.toHaveProperty('lastSequence');
    await end();
  });

  it('a chunk that comes twice is shown once', async () => {
    const { chat, frames, texts, sendLater, end } = await openScripted(() => [
      says(0, 'One. '),
      says(0, 'One. '),
    ]);
    const sent = chat.sendMessage('Hi');
    await vi.waitFor(() => expect(texts()).toEqual(['One. ']));
    sendLater(says(1, 'Two.'));
    sendLater({ type: 'end' });
    await sent;
    expect(texts()).toEqual(['One. Two.']);
    expect(frames).toHaveLength(1);
    await end();
  });

  it('a chunk that is missing is asked for again over the next connection', async () => {
    const { chat, frames, texts, end } = await openScripted(({ type }) =>
      type === 'send'
        ? [says(0, 'One. '), says(2, 'Three.')]
        : [says(1, 'Two. '), says(2, 'Three.'), { type: 'end' }],
    );
    await chat.sendMessage('Hi');
    expect(texts()).toEqual(['One. Two. Three.']);
    expect(frames).toMatchObject([{ type: 'send' }, { type: 'resume', lastSequence: 0 }]);
    await end();
  });

  it.each([
    ['without a request', { ...says(0, 'Lost.'), requestId: undefined }, 1],
    ['of an unknown type', { type: 'from-the-future' }, 1],
    ['of a request that is over', { type: 'error', requestId: 'gone' }, 0],
  ])('a frame %s leaves the answer as it is', async (_, stray, reported) => {
    const unknown: unknown[] = [];
    const { chat, texts, end } = await openScripted(
      () => [{ type: 'start' }, stray, says(0, 'Hello.'), { type: 'end' }],
      { onUnknownEvent: (event) => unknown.push(event) },
    );
    await chat.sendMessage('Hi');
    expect(texts()).toEqual(['Hello.']);
    expect(unknown).toHaveLength(reported);
    expect(sockets).toHaveLength(1);
    await end();
  });

  it('a request that the server refuses is an error with its text', async () => {
    const { chat, end } = await openScripted(() => [{ type: 'error', errorText: 'Already active.' }]);
    await chat.sendMessage('Hi');
    expect(chat.getState().error).toMatchObject({ code: 'backend_error', message: 'Already active.' });
    await end();
  });

  it('a stop sends an abort for the request', async () => {
    const { chat, frames, end } = await open(() => ['One. ', 'Two.']);
    onFrame = () => {
      chat.stop();
      return false;
    };
    await chat.sendMessage('Hi');
    await vi.waitFor(() => expect(frames).toHaveLength(2));
    expect(frames[1]).toEqual({ type: 'abort', requestId: frames[0]?.requestId });
    await end();
  });
});
