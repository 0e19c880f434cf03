/** A chat that begins with stored messages: what is posted of them, what is asked, and the response that goes on at the server. */
import { type UIMessage, validateUIMessages } from 'ai';
import { validateUIMessages as validateUIMessages7 } from 'ai-7';
import { describe, expect, it } from 'vitest';
import { fromUIMessages, toUIMessages } from '../../../src/ai-sdk.ts';
import { createAiSdkTransport } from '../../../src/backends/ai-sdk/create-ai-sdk-transport.ts';
import type { AiSdkMessage } from '../../../src/backends/ai-sdk/ui-message.ts';
import { createAgentChat, type UIMessage as PageMessage, uiMessageSchema } from '../../../src/core.ts';
import { settled } from '../../support/scripted-chat.ts';
import {
  approvalOf,
  callOf,
  type Posted,
  partsOf,
  say,
  scriptedRoute,
  textOf,
  words,
} from './scripted-route.ts';

const question: AiSdkMessage = {
  id: 'u',
  role: 'user',
  metadata: { createdAt: '2026-01-02T03:04:05.000Z' },
  parts: [
    { type: 'text', text: 'My name is Ann' },
    { type: 'file', mediaType: 'image/png', url: 'https://example.com/a.png', filename: 'a.png' },
  ],
};
const answer: AiSdkMessage = {
  id: 'a',
  role: 'assistant',
  metadata: { model: 'm' },
  parts: [
    { type: 'step-start' },
    { type: 'reasoning', text: 'Think', state: 'done', providerMetadata: { p: { signature: 's' } } },
    { type: 'tool-lookup', toolCallId: '1', state: 'output-available', input: { a: 1 }, output: { b: 2 } },
    {
      type: 'dynamic-tool',
      toolName: 'read',
      toolCallId: '2',
      state: 'output-error',
      input: {},
      errorText: 'No',
    },
    {
      type: 'tool-pay',
      toolCallId: '3',
      state: 'output-denied',
      input: {},
      approval: { id: 'p', approved: false, reason: 'limit' },
    },
    { type: 'step-start' },
    { type: 'text', text: 'Hello Ann', state: 'done' },
    { type: 'source-url', sourceId: 's', url: 'https://example.com/', title: 'Prices' },
    { type: 'data-weather', id: 'w', data: { sunny: true } },
  ],
};
const approval: AiSdkMessage = {
  id: 'b',
  role: 'assistant',
  parts: [
    { type: 'step-start' },
    {
      type: 'tool-pay',
      toolCallId: 'c',
      state: 'approval-requested',
      input: { amount: 3 },
      approval: { id: 'p-c', signature: 's' },
    },
  ],
};
const openCall: AiSdkMessage = {
  id: 'b',
  role: 'assistant',
  parts: [
    { type: 'step-start' },
    { type: 'tool-confirm', toolCallId: 'c', state: 'input-available', input: {} },
  ],
};
/** A provider counted the ids of its calls anew in the second step. */
const countedAnew: AiSdkMessage = {
  id: 'b',
  role: 'assistant',
  parts: [
    { type: 'step-start' },
    { type: 'tool-confirm', toolCallId: 'call_0', state: 'output-available', input: {}, output: 'no' },
    { type: 'step-start' },
    { type: 'tool-confirm', toolCallId: 'call_0', state: 'input-available', input: { amount: 3 } },
  ],
};

/** Both versions of `ai` take the history. */
async function validate(messages: unknown): Promise<void> {
  await validateUIMessages({ messages: messages as UIMessage[] });
  await validateUIMessages7({ messages: messages as UIMessage[] });
}

describe('fromUIMessages and toUIMessages', () => {
  it('convert a history there and back', async () => {
    const page = fromUIMessages([question, answer, approval]);
    expect(toUIMessages(page)).toEqual([question, answer, approval]);
    await validate(toUIMessages(page));
    for (const message of page) expect(uiMessageSchema.safeParse(message).error).toBeUndefined();
    expect(page[0]).toMatchObject({
      createdAt: new Date('2026-01-02T03:04:05Z'),
      metadata: question.metadata,
    });
    expect(page[1]?.parts).toMatchObject([
      { type: 'reasoning', text: 'Think' },
      { type: 'tool-call', toolName: 'lookup', result: { b: 2 }, status: 'done' },
      { type: 'tool-call', toolName: 'read', error: 'No', status: 'error' },
      { type: 'tool-call', toolName: 'pay', outcome: 'declined', reason: 'limit', executedBy: 'server' },
      { type: 'text', text: 'Hello Ann' },
      { type: 'source', sourceType: 'url', id: 's' },
      { type: 'object', id: 'w', typeName: 'weather', object: { sunny: true } },
    ]);
  });

  it('leave out the texts of the system, which are no answer', () => {
    const system: AiSdkMessage = { id: 's', role: 'system', parts: [{ type: 'text', text: 'Secret: 42' }] };
    expect(fromUIMessages([system, question])).toHaveLength(1);
  });
});

describe('the messages that a chat begins with', () => {
  it('initialMessages are posted before the first message, with files, calls and metadata', async () => {
    const { chat, requests } = scriptedRoute({ initialMessages: fromUIMessages([question, answer]) });
    await say(chat, 'What is my name?');
    expect(requests[0]?.body.messages.slice(0, 2)).toEqual([question, answer]);
    expect(requests[0]?.body.messages).toHaveLength(3);
    await validate(requests[0]?.body.messages);
  });

  it('messages of a page of another backend are posted as far as the AI SDK has words for them', async () => {
    const initialMessages: PageMessage[] = [
      {
        id: 'a',
        role: 'assistant',
        status: 'done',
        createdAt: new Date(0),
        parts: [
          {
            type: 'tool-call',
            toolCallId: '1',
            toolName: 'ask',
            args: {},
            status: 'done',
            outcome: 'submitted',
            result: 1,
          },
          {
            type: 'tool-call',
            toolCallId: '2',
            toolName: 'ask',
            args: {},
            status: 'cancelled',
            outcome: 'aborted',
          },
          { type: 'text', text: 'Well', status: 'done' },
          { type: 'operation', operationId: 'o', name: 'Work', operationType: 'x', status: 'done' },
        ],
      },
    ];
    const { chat, requests } = scriptedRoute({ initialMessages });
    await say(chat);
    expect(requests[0]?.body.messages[0]?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'tool-ask', state: 'output-available', output: 1 },
      { type: 'tool-ask', state: 'output-error', errorText: expect.stringContaining('aborted') },
      { type: 'step-start' },
      { type: 'text', text: 'Well' },
    ]);
    await validate(requests[0]?.body.messages);
  });
});

describe('a question that is open in a stored history', () => {
  const stored = (last: AiSdkMessage) => [
    ['initialMessages', { initialMessages: fromUIMessages([question, last]) }, {}] as const,
    ['the option messages', {}, { messages: [question, last] }] as const,
  ];

  it.each(stored(approval))(
    'an approval of %s is asked without a request, and its yes is posted',
    async (...given) => {
      const [, options, transport] = given;
      const { chat, requests } = scriptedRoute(options, transport);
      chat.subscribe(() => {});
      await settled();
      expect(requests).toEqual([]);
      expect(chat.getState().status).toBe('awaiting-input');
      expect(chat.getState().messages).toHaveLength(2);
      chat.getState().pendingCalls[0]?.submit({ confirmed: true });
      await settled();
      expect(requests[0]?.body.messages.at(-1)?.parts.at(-1)).toMatchObject({
        state: 'approval-responded',
        approval: { id: 'p-c', signature: 's', approved: true },
      });
      await requests[0]?.end({ type: 'start', messageId: 'b' }, ...words('t', 'Paid'), { type: 'finish' });
      expect([chat.getState().messages.length, textOf(chat)]).toEqual([2, 'Paid']);
    },
  );

  it.each(stored(openCall))('a call of %s is asked, and its answer is posted', async (...given) => {
    const [, options, transport] = given;
    const { chat, requests } = scriptedRoute(
      { ...options, clientTools: { confirm: 'interactive' } },
      transport,
    );
    chat.subscribe(() => {});
    await settled();
    chat.getState().pendingCalls[0]?.submit('yes');
    await settled();
    expect(requests[0]?.body.messages.at(-1)?.parts.at(-1)).toMatchObject({
      state: 'output-available',
      output: 'yes',
    });
  });

  it.each(stored(countedAnew))(
    'a call of %s that has the id of an earlier call gets its own answer',
    async (...given) => {
      const [, options, transport] = given;
      const { chat, requests } = scriptedRoute(
        { ...options, clientTools: { confirm: 'interactive' } },
        transport,
      );
      chat.subscribe(() => {});
      await settled();
      expect(chat.getState().messages.at(-1)?.parts).toMatchObject([
        { toolName: 'confirm', status: 'done', result: 'no' },
        { toolName: 'confirm', status: 'running' },
      ]);
      chat.getState().pendingCalls[0]?.submit('yes');
      await settled();
      expect(requests[0]?.body.messages.at(-1)?.parts.filter(({ type }) => type !== 'step-start')).toEqual([
        expect.objectContaining({ toolCallId: 'call_0', state: 'output-available', output: 'no' }),
        expect.objectContaining({ toolCallId: 'call_0', state: 'output-available', output: 'yes' }),
      ]);
    },
  );

  it('a message that is sent over the question closes it', async () => {
    const { chat, requests } = scriptedRoute({ initialMessages: fromUIMessages([question, approval]) });
    chat.subscribe(() => {});
    await settled();
    await say(chat, 'Never mind');
    expect(requests[0]?.body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    await validate(requests[0]?.body.messages);
    expect(chat.getState().pendingCalls).toEqual([]);
  });
});

describe('a response that goes on at the server', () => {
  const page = (id: string | undefined, streams = true, initial: readonly AiSdkMessage[] = [question]) =>
    scriptedRoute(
      {
        ...(id && { id }),
        initialMessages: fromUIMessages(initial),
        clientTools: { confirm: 'interactive' },
      },
      { resume: true },
      streams,
    );

  it('is joined once at the start of a chat with an id', async () => {
    const { chat, requests } = page('chat-7');
    chat.subscribe(() => {});
    await settled();
    expect(requests.map(({ url }) => url)).toEqual(['/api/chat/chat-7/stream']);
    await requests[0]?.send({ type: 'start', messageId: 'a' }, ...words('t', 'Hello', ' Ann').slice(0, 2));
    expect([chat.getState().status, textOf(chat)]).toEqual(['streaming', 'Hello']);
    await requests[0]?.end({ type: 'text-delta', id: 't', delta: ' Ann' }, { type: 'finish' });
    expect([chat.getState().status, textOf(chat)]).toEqual(['idle', 'Hello Ann']);
    expect(chat.getState().messages.map(({ id }) => id)).toEqual(['u', 'a']);
    await say(chat, 'Thanks');
    expect(requests[1]?.body.messages.map(({ id }) => id).slice(0, 2)).toEqual(['u', 'a']);
  });

  it('204 is quiet, at the start and for resume()', async () => {
    const { chat, requests, notices } = page('chat-7', false);
    chat.subscribe(() => {});
    await settled();
    await chat.resume();
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
    expect([chat.getState().status, chat.getState().error, ...notices]).toEqual(['idle', null]);
  });

  it('is an error of onError if the server has no route for it, as with useChat', async () => {
    const errors: unknown[] = [];
    const chat = createAgentChat({
      id: 'chat-7',
      transport: createAiSdkTransport({
        resume: true,
        fetch: async () => new Response('Not found', { status: 404 }),
      }),
      onError: (error) => errors.push(error),
    });
    chat.subscribe(() => {});
    await settled();
    expect(errors).toMatchObject([{ code: 'http_error', status: 404 }]);
    expect([chat.getState().status, chat.getState().error]).toEqual(['idle', null]);
  });

  it('is not asked for under an id that the app did not give', async () => {
    const { chat, requests } = page(undefined);
    chat.subscribe(() => {});
    await settled();
    expect(requests).toEqual([]);
  });

  it('a part of it that the server has stored is not doubled', async () => {
    const half: AiSdkMessage = { id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'Hel' }] };
    const { chat, requests } = page('chat-7', true, [question, half]);
    chat.subscribe(() => {});
    await settled();
    await requests[0]?.end({ type: 'start', messageId: 'a' }, ...words('t', 'Hello'), { type: 'finish' });
    expect([chat.getState().messages.length, textOf(chat)]).toEqual([2, 'Hello']);
  });

  it('a continuation goes on in the message that asked, over a cut as well', async () => {
    const asked: AiSdkMessage = {
      id: 'b',
      role: 'assistant',
      parts: [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool-confirm', toolCallId: 'c', state: 'output-available', input: {}, output: 'yes' },
      ],
    };
    const { chat, clock, requests } = page('chat-7', true, [question, asked]);
    chat.subscribe(() => {});
    await settled();
    await requests[0]?.send({ type: 'start', messageId: 'b' }, ...words('t', ' Do', 'ne').slice(0, 2));
    await requests[0]?.cut();
    await clock.advance(1);
    await settled();
    await requests[1]?.end({ type: 'start', messageId: 'b' }, ...words('t', ' Done'), callOf('d', 'confirm'));
    expect([chat.getState().messages.length, textOf(chat)]).toEqual([2, 'Let me see. Done']);
    expect(partsOf(chat).map(({ type }) => type)).toEqual(['text', 'tool-call', 'text', 'tool-call']);
    expect(chat.getState().pendingCalls.map(({ toolCallId }) => toolCallId)).toEqual(['d']);
  });
});

describe('a stored question at a server that keeps its streams', () => {
  const page = (last: AiSdkMessage, streams = true) =>
    scriptedRoute(
      {
        id: 'chat-7',
        initialMessages: fromUIMessages([question, last]),
        clientTools: { confirm: 'interactive' },
      },
      { resume: true },
      streams,
    );
  const pendingOf = ({ chat }: ReturnType<typeof page>) =>
    chat.getState().pendingCalls.map(({ toolCallId }) => toolCallId);

  it.each([
    ['an approval', approval],
    ['a call', openCall],
  ])('stays if nothing goes on: %s', async (_, last) => {
    const opened = page(last, false);
    opened.chat.subscribe(() => {});
    await settled();
    expect(opened.requests.map(({ method }) => method)).toEqual(['GET']);
    expect(pendingOf(opened)).toEqual(['c']);
  });

  it('stays if the server cannot be asked', async () => {
    const errors: unknown[] = [];
    const chat = createAgentChat({
      id: 'chat-7',
      initialMessages: fromUIMessages([question, approval]),
      transport: createAiSdkTransport({
        resume: true,
        fetch: () => Promise.reject(new TypeError('offline')),
      }),
      onError: (error) => errors.push(error),
    });
    chat.subscribe(() => {});
    await settled();
    expect(chat.getState().pendingCalls.map(({ toolCallId }) => toolCallId)).toEqual(['c']);
    expect(errors).toEqual([]);
  });

  it.each([
    ['yes', { type: 'tool-output-available', toolCallId: 'c', output: 'paid' }, { result: 'paid' }],
    ['no', { type: 'tool-output-denied', toolCallId: 'c' }, { outcome: 'declined' }],
  ])('is not asked if the %s of another page goes on', async (_, decided, end) => {
    const opened = page(approval);
    const { chat, requests } = opened;
    chat.subscribe(() => {});
    await settled();
    await requests[0]?.send({ type: 'start', messageId: 'b' }, decided, { type: 'start-step' });
    expect(pendingOf(opened)).toEqual([]);
    await requests[0]?.end(...words('t', 'Well.'), { type: 'finish' });
    expect(partsOf(chat)).toMatchObject([{ toolName: 'pay', status: 'done', ...end }, { text: 'Well.' }]);
    await say(chat, 'Thanks');
    expect(requests[1]?.body.messages.map(({ id }) => id).slice(0, 2)).toEqual(['u', 'b']);
    await validate(requests[1]?.body.messages);
  });

  it('is not asked if the answer of another page to a call goes on in words', async () => {
    const opened = page(openCall);
    const { chat, requests } = opened;
    chat.subscribe(() => {});
    await settled();
    const done = words('t', 'Done.');
    await requests[0]?.end({ type: 'start', messageId: 'b' }, { type: 'start-step' }, ...done, {
      type: 'finish',
    });
    expect([pendingOf(opened), chat.getState().status, textOf(chat)]).toEqual([[], 'idle', 'Done.']);
    expect(partsOf(chat).map(({ type }) => type)).toEqual(['tool-call', 'text']);
  });

  it('is not asked if the response that goes on has no message id', async () => {
    const opened = page(approval);
    const { chat, requests } = opened;
    chat.subscribe(() => {});
    await settled();
    const output = { type: 'tool-output-available', toolCallId: 'c', output: 'paid' };
    await requests[0]?.end({ type: 'start' }, output, ...words('t', 'Well.'), { type: 'finish' });
    expect([pendingOf(opened), chat.getState().messages.length, textOf(chat)]).toEqual([[], 2, 'Well.']);
  });

  it('is asked once if the response that asked comes again', async () => {
    const opened = page(approval);
    opened.chat.subscribe(() => {});
    await settled();
    const asking = [{ type: 'start-step' }, callOf('c', 'pay', { amount: 3 }), approvalOf('c')];
    await opened.requests[0]?.end({ type: 'start', messageId: 'b' }, ...asking, { type: 'finish' });
    expect(pendingOf(opened)).toEqual(['c']);
    expect(partsOf(opened.chat)).toHaveLength(1);
  });
});

describe('regenerate() of a chat that has sent nothing itself', () => {
  it('repeats the turn of the latest message of the person, with its files and metadata', async () => {
    const metadata = { source: 'phone' };
    const second: AiSdkMessage = { ...question, id: 'v', metadata };
    const { chat, requests } = scriptedRoute({
      initialMessages: fromUIMessages([question, answer, second, { ...answer, id: 'c' }]),
    });
    void chat.regenerate?.();
    await settled();
    const { trigger, messages } = requests[0]?.body ?? { messages: [] };
    expect(trigger).toBe('regenerate-message');
    expect(messages.slice(0, 2)).toEqual([question, answer]);
    expect(messages.slice(2)).toMatchObject([{ role: 'user', metadata }]);
    expect(messages[2]?.parts).toHaveLength(2);
    expect(messages[2]?.parts).toEqual(expect.arrayContaining([...second.parts]));
    await requests[0]?.end({ type: 'start', messageId: 'd' }, ...words('t', 'Hello'), { type: 'finish' });
    expect(chat.getState().messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('needs a message of the person', async () => {
    const { chat, requests } = scriptedRoute({ initialMessages: fromUIMessages([answer]) });
    await expect(chat.regenerate?.()).rejects.toMatchObject({ code: 'invalid_options' });
    expect(requests).toEqual([]);
  });
});

describe('the id of the chat', () => {
  it('is the id that the app gave, and one transport serves many chats', async () => {
    const bodies: Posted[] = [];
    const transport = createAiSdkTransport({
      fetch: async (_, init) => {
        bodies.push(JSON.parse(String(init?.body)));
        return new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } });
      },
    });
    for (const id of ['chat-7', 'chat-8'])
      await createAgentChat({ id, transport }).sendMessage(`Hi from ${id}`);
    expect(bodies.map(({ id, messages }) => [id, messages.length])).toEqual([
      ['chat-7', 1],
      ['chat-8', 1],
    ]);
  });

  it.each(['', '.', '..'])('"%s" is refused before a request', async (id) => {
    const own = scriptedRoute({ id });
    const given = scriptedRoute({}, { chatId: id });
    for (const { chat, requests } of [own, given]) {
      await chat.sendMessage('Hi');
      expect(chat.getState().error).toMatchObject({
        code: 'invalid_options',
        message: expect.stringContaining(`"${id}"`),
      });
      expect(requests).toEqual([]);
    }
  });
});
