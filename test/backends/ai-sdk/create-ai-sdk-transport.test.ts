import {
  createUIMessageStream,
  createUIMessageStreamResponse,
  type ModelMessage,
  type ToolSet,
  tool,
  type UIMessage,
} from 'ai';
import type { UIMessage as UIMessage7 } from 'ai-7';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAiSdkTransport } from '../../../src/backends/ai-sdk/create-ai-sdk-transport.ts';
import {
  type AgentChat,
  type AgentChatOptions,
  createAgentChat,
  createPersistence,
} from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { settled } from '../../support/scripted-chat.ts';
import { untilStatus } from '../../support/until-status.ts';
import { type ChatRouteOptions, createChatRoute } from './chat-route.ts';

const anyArgs = z.object({}).loose();

function open(
  {
    resume = false,
    fetch: send,
    ...options
  }: Partial<AgentChatOptions> & { resume?: boolean; fetch?: typeof fetch },
  route: ReturnType<typeof createChatRoute>,
): AgentChat {
  const transport = createAiSdkTransport({
    api: '/api/chat',
    fetch: send ?? route.fetch,
    resume,
    reconnect: { initialDelayMs: 1, maxDelayMs: 1 },
  });
  return createAgentChat({ transport, ...options });
}

const partsOf = (chat: AgentChat) => chat.getState().messages.at(-1)?.parts ?? [];
const textOf = (chat: AgentChat) => partsOf(chat).flatMap((part) => (part.type === 'text' ? part.text : []));

/** Returns the results of tools that a prompt has, as the model gets them. */
function resultsIn(prompt: readonly ModelMessage[]): unknown[] {
  return prompt.flatMap(({ role, content }) =>
    role === 'tool' ? content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])) : [],
  );
}

/** A model that makes `calls` at first, and then says the results it got. */
function callsThenSays(...calls: { call: string; id: string; args?: object }[]): ChatRouteOptions['say'] {
  return (prompt) => {
    const results = resultsIn(prompt);
    return results.length === 0 ? ['Let me see. ', ...calls] : [`Got ${JSON.stringify(results)}`];
  };
}

/** A tool without `execute`: the server leaves its calls to the client. */
const clientTool = tool({ inputSchema: anyArgs }) as ToolSet[string];

describe('createAiSdkTransport', () => {
  it('a message gets the text of streamText, and the next one posts the whole history', async () => {
    const route = createChatRoute({ say: (prompt) => [`Message ${prompt.length}`] });
    const chat = open({}, route);
    await chat.sendMessage('Hi');
    expect(textOf(chat)).toEqual(['Message 1']);
    expect(chat.getState().usage).toMatchObject({ inputTokens: 1, outputTokens: 2 });
    await chat.sendMessage('Again');
    expect(textOf(chat)).toEqual(['Message 3']);
    expect(route.bodies[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(route.bodies[1]?.id).toBe(route.bodies[0]?.id);
  });

  it('a message that is regenerated or edited takes the place of what followed it', async () => {
    const route = createChatRoute({ say: (prompt) => [`Message ${prompt.length}`] });
    const chat = open({}, route);
    await chat.sendMessage('One');
    await chat.sendMessage('Two');
    await chat.regenerate?.();
    await chat.editMessage?.(chat.getState().messages[0]?.id ?? '', 'Three');
    const posted = route.bodies.map(({ trigger, messages }) => [trigger, messages.map(({ role }) => role)]);
    expect(posted).toEqual([
      ['submit-message', ['user']],
      ['submit-message', ['user', 'assistant', 'user']],
      ['regenerate-message', ['user', 'assistant', 'user']],
      ['submit-message', ['user']],
    ]);
    expect(chat.getState().messages).toHaveLength(2);
    expect(textOf(chat)).toEqual(['Message 1']);
  });

  it('the id of the chat is the one that the app gives', async () => {
    const route = createChatRoute({ say: () => ['Hello.'] });
    const chat = createAgentChat({
      transport: createAiSdkTransport({ chatId: 'chat-7', fetch: route.fetch }),
    });
    await chat.sendMessage('Hi');
    await chat.sendMessage('Again');
    expect(route.bodies.map(({ id }) => id)).toEqual(['chat-7', 'chat-7']);
  });

  it('messages that the app gives are posted before its own, and kept with the conversation', async () => {
    const messages: readonly (UIMessage | UIMessage7)[] = [
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'What is the price?' }] },
      {
        id: 'a',
        role: 'assistant',
        metadata: { model: 'm' },
        parts: [
          { type: 'step-start' },
          { type: 'tool-lookup', toolCallId: 'c', state: 'output-available', input: {}, output: 3 },
          { type: 'text', text: 'It is 3.', state: 'done' },
        ],
      },
    ];
    const prompts: (readonly ModelMessage[])[] = [];
    const lookup = tool({ inputSchema: anyArgs, execute: async () => 3 });
    const say = (prompt: readonly ModelMessage[]) => {
      prompts.push(prompt);
      return ['Yes.'];
    };
    const route = createChatRoute({ say, tools: { lookup } });
    const storage = createMemoryStorage();
    const openPage = (given: { readonly messages?: typeof messages }) =>
      createAgentChat({
        id: 'c',
        transport: createAiSdkTransport({ fetch: route.fetch, ...given }),
        persistence: createPersistence({ storage, tabs: false }),
      });
    const before = openPage({ messages });
    await before.sendMessage('Really?');
    expect(route.bodies[0]?.messages.slice(0, 2)).toEqual(messages);
    expect(prompts[0]?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    before.destroy();
    const page = openPage({});
    await page.sendMessage('Thanks');
    expect(route.bodies[1]?.messages.slice(0, 2)).toEqual(messages);
    expect(route.bodies[1]?.messages).toHaveLength(5);
    page.destroy();
  });

  it('a tool of the server is shown with its result', async () => {
    const lookup = tool({ inputSchema: anyArgs, execute: async () => ({ price: 3 }) });
    const route = createChatRoute({ say: callsThenSays({ call: 'lookup', id: 'c1' }), tools: { lookup } });
    const chat = open({}, route);
    await chat.sendMessage('Hi');
    expect(partsOf(chat)).toMatchObject([
      { text: 'Let me see. ' },
      { toolName: 'lookup', status: 'done', result: { price: 3 } },
      { text: expect.stringContaining('"price":3') },
    ]);
    expect(route.bodies).toHaveLength(1);
  });

  it('parallel calls of the client are answered together in one continuation of the same message', async () => {
    const calls = [
      { call: 'locate', id: 'c1' },
      { call: 'confirm', id: 'c2', args: { question: 'Sure?' } },
    ];
    const route = createChatRoute({
      say: callsThenSays(...calls),
      tools: { locate: clientTool, confirm: clientTool },
    });
    const chat = open({ clientTools: { locate: () => 'here', confirm: 'interactive' } }, route);
    await chat.sendMessage('Hi');
    expect(chat.getState().status).toBe('awaiting-input');
    chat.getState().pendingClientTools.confirm?.[0]?.decline('not now');
    await untilStatus(chat, 'idle');
    expect(route.bodies).toHaveLength(2);
    expect(route.bodies[1]?.messageId).toBe(route.bodies[1]?.messages.at(-1)?.id);
    expect(textOf(chat)[1]).toContain('"value":"here"');
    expect(textOf(chat)[1]).toContain('declined');
    expect(chat.getState().messages).toHaveLength(2);
  });

  it('a handler that throws sends its error as the output of the call', async () => {
    const route = createChatRoute({
      say: callsThenSays({ call: 'locate', id: 'c1' }),
      tools: { locate: clientTool },
    });
    const chat = open({ clientTools: { locate: () => Promise.reject(new Error('no battery')) } }, route);
    await chat.sendMessage('Hi');
    expect(textOf(chat)[1]).toContain('no battery');
  });
});

describe('a response that createUIMessageStream writes', () => {
  const answer =
    (execute: Parameters<typeof createUIMessageStream>[0]['execute']): typeof fetch =>
    async () =>
      createUIMessageStreamResponse({ stream: createUIMessageStream({ execute, onError: String }) });
  const route = createChatRoute({ say: () => [] });

  it('data with an id is shown once, as it was last, and each change reaches the app', async () => {
    const updates: unknown[] = [];
    const send = answer(({ writer }) => {
      writer.write({ type: 'data-weather', id: 'w', data: { status: 'loading' } });
      writer.write({ type: 'data-weather', id: 'w', data: { status: 'sunny' } });
      writer.write({ type: 'data-hint', data: 'psst', transient: true });
    });
    const chat = open({ fetch: send, onResourceUpdate: (name, value) => updates.push([name, value]) }, route);
    await chat.sendMessage('Hi');
    expect(partsOf(chat)).toMatchObject([
      { type: 'object', typeName: 'weather', object: { status: 'sunny' } },
    ]);
    expect(updates).toEqual([
      ['weather', { status: 'loading' }],
      ['weather', { status: 'sunny' }],
      ['hint', 'psst'],
    ]);
  });

  it('a failure is an error with its text', async () => {
    const send = answer(() => {
      throw new Error('Out of order');
    });
    const chat = open({ fetch: send }, route);
    await chat.sendMessage('Hi');
    expect(chat.getState().error).toMatchObject({ code: 'backend_error', message: 'Error: Out of order' });
  });

  it('a response of plain text is the text of the answer', async () => {
    const chat = open(
      { fetch: async () => new Response('Hello.', { headers: { 'content-type': 'text/plain' } }) },
      route,
    );
    await chat.sendMessage('Hi');
    expect(textOf(chat)).toEqual(['Hello.']);
  });

  it('an unknown chunk is reported, and the answer goes on', async () => {
    const unknown: unknown[] = [];
    const body = [{ type: 'from-the-future' }, { type: 'text-delta', id: 't', delta: 'Hello.' }]
      .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
      .join('');
    const send = async () =>
      new Response(`${body}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });
    const chat = open({ fetch: send, onUnknownEvent: (event) => unknown.push(event) }, route);
    await chat.sendMessage('Hi');
    expect(textOf(chat)).toEqual(['Hello.']);
    expect(unknown).toEqual([{ type: 'from-the-future' }]);
  });
});

describe('an approval of the AI SDK', () => {
  const refund = (ran: unknown[]) =>
    tool({
      inputSchema: anyArgs,
      needsApproval: true,
      execute: async (args) => {
        ran.push(args);
        return { paid: true };
      },
    });
  const call = { call: 'refund', id: 'c1', args: { amount: 3 } };

  it('an approved call runs on the server, and its part has the output', async () => {
    const ran: unknown[] = [];
    const route = createChatRoute({ say: callsThenSays(call), tools: { refund: refund(ran) } });
    const chat = open({}, route);
    await chat.sendMessage('Hi');
    const [asked] = chat.getState().pendingCalls;
    expect(asked).toMatchObject({ toolName: 'refund', args: { amount: 3 }, definition: { ui: 'confirm' } });
    expect(ran).toEqual([]);
    asked?.submit({ confirmed: true });
    await untilStatus(chat, 'idle');
    expect(ran).toEqual([{ amount: 3 }]);
    expect(partsOf(chat)).toMatchObject([
      {},
      { toolName: 'refund', status: 'done', result: { paid: true }, executedBy: 'server' },
      { text: expect.stringContaining('"paid":true') },
    ]);
  });

  it('a declined call does not run, and the server gets the reason', async () => {
    const ran: unknown[] = [];
    const route = createChatRoute({ say: callsThenSays(call), tools: { refund: refund(ran) } });
    const chat = open({}, route);
    await chat.sendMessage('Hi');
    chat.getState().pendingCalls[0]?.decline('too much');
    await untilStatus(chat, 'idle');
    expect(ran).toEqual([]);
    expect(route.bodies[1]?.messages.at(-1)?.parts.at(-1)).toMatchObject({
      state: 'approval-responded',
      approval: { approved: false, reason: 'too much' },
    });
  });

  it('a message in place of an answer closes the question, and the model accepts the history', async () => {
    const ran: unknown[] = [];
    const say: ChatRouteOptions['say'] = (prompt) =>
      prompt.at(-1)?.role === 'user' && prompt.length > 1 ? ['Never mind.'] : [call];
    const route = createChatRoute({ say, tools: { refund: refund(ran) } });
    const chat = open({}, route);
    await chat.sendMessage('Hi');
    await chat.sendMessage('Forget it', { whilePending: 'cancel' });
    expect(textOf(chat)).toEqual(['Never mind.']);
    expect(ran).toEqual([]);
    expect(route.bodies).toHaveLength(2);
  });
});

describe('a fault between an AI SDK server and the page', () => {
  const calls = callsThenSays({ call: 'locate', id: 'c1' });

  /** Makes the response to the request of a number break off after its first bytes. */
  const cutting = (route: ReturnType<typeof createChatRoute>, at: number, bytes: number): typeof fetch => {
    let count = 0;
    return async (input, init) => {
      const response = await route.fetch(input, init);
      if (count++ !== at || response.body === null) return response;
      let left = bytes;
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          if (left > 0) controller.enqueue(chunk.subarray(0, left));
          left -= chunk.length;
          if (left <= 0) controller.error(new TypeError('network error'));
        },
      });
      return new Response(response.body.pipeThrough(cut), response);
    };
  };

  it.each([1, 60, 150, 300, 500])(
    'a response that is cut after %i bytes is resumed by a replay, with each word once',
    async (bytes) => {
      const ran: string[] = [];
      const route = createChatRoute({ say: calls, tools: { locate: clientTool }, keepsStreams: true });
      const locate = (_: unknown, { toolCallId }: { toolCallId: string }) => ran.push(toolCallId);
      const chat = open({ clientTools: { locate }, resume: true, fetch: cutting(route, 0, bytes) }, route);
      await chat.sendMessage('Hi');
      await untilStatus(chat, 'idle');
      expect(ran).toEqual(['c1']);
      expect(textOf(chat)).toEqual(['Let me see. ', expect.stringContaining('"value":1')]);
      expect(route.bodies).toHaveLength(2);
    },
  );

  it.each([1, 60, 150, 300])(
    'a continuation that is cut after %i bytes is resumed, and what stands before it stays',
    async (bytes) => {
      const ran: string[] = [];
      const route = createChatRoute({ say: calls, tools: { locate: clientTool }, keepsStreams: true });
      const locate = (_: unknown, { toolCallId }: { toolCallId: string }) => ran.push(toolCallId);
      const chat = open({ clientTools: { locate }, resume: true, fetch: cutting(route, 1, bytes) }, route);
      await chat.sendMessage('Hi');
      await untilStatus(chat, 'idle');
      expect(ran).toEqual(['c1']);
      expect(partsOf(chat)).toMatchObject([
        { text: 'Let me see. ' },
        { toolName: 'locate', status: 'done', result: 1 },
        { text: expect.stringContaining('"value":1') },
      ]);
      expect(route.bodies).toHaveLength(2);
      await chat.sendMessage('Thanks');
      expect(JSON.stringify(route.bodies[2]?.messages[1]).split('"c1"')).toHaveLength(2);
    },
  );

  it.each([60, 150, 300])(
    'the output of an approved call that is cut after %i bytes finds its call in the replay',
    async (bytes) => {
      let ran = 0;
      const refund = tool({ inputSchema: anyArgs, needsApproval: true, execute: async () => ++ran });
      const route = createChatRoute({
        say: callsThenSays({ call: 'refund', id: 'c1' }),
        tools: { refund },
        keepsStreams: true,
      });
      const chat = open({ resume: true, fetch: cutting(route, 1, bytes) }, route);
      await chat.sendMessage('Hi');
      chat.getState().pendingCalls[0]?.submit({ confirmed: true });
      await untilStatus(chat, 'idle');
      expect(ran).toBe(1);
      expect(partsOf(chat)).toMatchObject([
        { text: 'Let me see. ' },
        { toolName: 'refund', status: 'done', result: 1 },
        { text: expect.stringContaining('Got') },
      ]);
    },
  );

  it('outputs whose response was lost are posted again when the server has nothing to resume', async () => {
    const route = createChatRoute({ say: calls, tools: { locate: clientTool }, keepsStreams: true });
    let count = 0;
    const lossy: typeof fetch = async (input, init) => {
      if (count++ !== 1) return route.fetch(input, init);
      route.forgetStreams();
      throw new TypeError('network error');
    };
    const chat = open({ clientTools: { locate: () => 1 }, resume: true, fetch: lossy }, route);
    await chat.sendMessage('Hi');
    await untilStatus(chat, 'idle');
    expect(textOf(chat)).toEqual(['Let me see. ', expect.stringContaining('"value":1')]);
    expect(route.bodies).toHaveLength(2);
  });

  it.each([
    ['an output', 'locate', { locate: () => 1 }],
    ['a no to an approval', 'refund', {}],
  ])(
    '%s that never arrived is posted again, although the server replays the response that asked',
    async (_, name, clientTools) => {
      const refund = tool({ inputSchema: anyArgs, needsApproval: true, execute: async () => 'paid' });
      const say = callsThenSays({ call: name, id: 'c1' });
      const route = createChatRoute({ say, tools: { locate: clientTool, refund }, keepsStreams: true });
      let count = 0;
      const lossy: typeof fetch = async (input, init) => {
        if (count++ === 1) throw new TypeError('network error');
        return route.fetch(input, init);
      };
      const chat = open({ clientTools, resume: true, fetch: lossy }, route);
      await chat.sendMessage('Hi');
      chat.getState().pendingCalls[0]?.decline();
      await untilStatus(chat, 'idle');
      expect(textOf(chat)).toEqual(['Let me see. ', expect.stringContaining('Got')]);
      expect(route.bodies).toHaveLength(2);
    },
  );

  it('a yes that may have arrived is posted again only by retry()', async () => {
    let ran = 0;
    const refund = tool({ inputSchema: anyArgs, needsApproval: true, execute: async () => ++ran });
    const route = createChatRoute({ say: callsThenSays({ call: 'refund', id: 'c1' }), tools: { refund } });
    let count = 0;
    const lossy: typeof fetch = async (input, init) => {
      if (count++ === 1) throw new TypeError('network error');
      return route.fetch(input, init);
    };
    const chat = open({ resume: true, fetch: lossy }, route);
    await chat.sendMessage('Hi');
    chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    await untilStatus(chat, 'error');
    expect(chat.getState().error?.code).toBe('not_resumable');
    expect(ran).toBe(0);
    await chat.retry();
    expect(ran).toBe(1);
    expect(chat.getState().status).toBe('idle');
  });

  it('a message that is retried stands in the history once', async () => {
    const route = createChatRoute({ say: () => ['Hello.'] });
    const chat = open({ fetch: cutting(route, 0, 200) }, route);
    await chat.sendMessage('Hi');
    expect(chat.getState().error?.code).toBe('stream_interrupted');
    await chat.retry();
    expect(textOf(chat)).toEqual(['Hello.']);
    expect(route.bodies[1]?.messages).toHaveLength(1);
  });

  it.each([
    ['without resume', { resume: false }],
    ['when the server keeps the response that asked', { resume: true, keepsStreams: true }],
    [
      'when the server forgets the response that asked',
      { resume: true, keepsStreams: true, forgetsEnded: true },
    ],
  ])(
    'a question is open again after a reload, and its answer continues the same message, %s',
    async (_, { resume, ...kept }) => {
      const route = createChatRoute({
        say: callsThenSays({ call: 'confirm', id: 'c1' }),
        tools: { confirm: clientTool },
        ...kept,
      });
      const storage = createMemoryStorage();
      const options = { id: 'c', resume, clientTools: { confirm: 'interactive' } } as const;
      const before = open({ ...options, persistence: createPersistence({ storage, tabs: false }) }, route);
      await before.sendMessage('Hi');
      before.destroy();
      let hear = () => {};
      const resumed = new Promise<void>((resolve) => {
        hear = resolve;
      });
      const listening: typeof fetch = async (input, init) => {
        const response = await route.fetch(input, init);
        if (String(input).endsWith('/stream')) hear();
        return response;
      };
      const persistence = createPersistence({ storage, tabs: false });
      const chat = open({ ...options, persistence, fetch: listening }, route);
      await untilStatus(chat, 'awaiting-input');
      if (resume) await resumed;
      await settled();
      expect(chat.getState().status).toBe('awaiting-input');
      chat.getState().pendingCalls[0]?.submit({ yes: true });
      await untilStatus(chat, 'idle');
      expect(textOf(chat)).toEqual(['Let me see. ', expect.stringContaining('"yes":true')]);
      expect(route.bodies).toHaveLength(2);
      chat.destroy();
    },
  );

  it('a secret is posted with its answer, and neither kept nor posted again', async () => {
    const route = createChatRoute({
      say: (prompt) => (prompt.length === 1 ? [{ call: 'login', id: 'c1' }] : ['Thanks.']),
      tools: { login: clientTool },
    });
    const storage = createMemoryStorage();
    const output = z.object({ user: z.string(), password: z.string().meta({ writeOnly: true }) });
    const chat = open(
      {
        id: 'c',
        clientTools: { login: { interactive: true, output } },
        persistence: createPersistence({ storage, tabs: false }),
      },
      route,
    );
    await chat.sendMessage('Hi');
    chat.getState().pendingCalls[0]?.submit({ user: 'ada', password: 'swordfish' });
    await untilStatus(chat, 'idle');
    expect(JSON.stringify(route.bodies[1])).toContain('swordfish');
    await chat.sendMessage('Thanks');
    expect(JSON.stringify(route.bodies[2])).not.toContain('swordfish');
    chat.destroy();
    expect(JSON.stringify([...storage.entries])).not.toContain('swordfish');
  });
});
