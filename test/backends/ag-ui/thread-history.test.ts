/** The agent is told what has happened: before this page, in a turn that was stopped, and in one that a message interrupted. */
import { describe, expect, it } from 'vitest';
import { createAgUiTransport } from '../../../src/backends/ag-ui/create-ag-ui-transport.ts';
import { type AgentChatOptions, createAgentChat, type UIMessage } from '../../../src/core.ts';
import { untilStatus } from '../../support/until-status.ts';
import { ok } from './ask-agent.ts';
import { createHeldAgent } from './held-agent.ts';
import { asking, called, createRawAgent, ended, type RawEvent, said, started } from './raw-agent.ts';

const read = () => new Promise<void>((resolve) => setImmediate(resolve));
const createdAt = new Date(0);
const message = (id: string, role: UIMessage['role'], ...parts: UIMessage['parts'][number][]): UIMessage => ({
  id,
  role,
  parts,
  status: 'done',
  createdAt,
});
const text = (words: string): UIMessage['parts'][number] => ({ type: 'text', text: words, status: 'done' });

function open(runs: readonly (readonly RawEvent[])[], options: Partial<AgentChatOptions> = {}) {
  const agent = createRawAgent(...runs);
  const transport = createAgUiTransport({ url: '/agent', fetch: agent.fetch });
  return { chat: createAgentChat({ transport, ...options }), inputs: agent.inputs, transport };
}

describe('the id of a chat', () => {
  it('is the id of its thread, and one transport serves many chats', async () => {
    const { chat, transport, inputs } = open([ok], { id: 'chat-7' });
    const other = createAgentChat({ id: 'chat-8', transport });
    await chat.sendMessage('Hi');
    await other.sendMessage('Hi');
    await chat.sendMessage('Again');
    expect(inputs.map(({ threadId }) => threadId)).toEqual(['chat-7', 'chat-8', 'chat-7']);
    expect(inputs[2]?.messages).toHaveLength(3);
  });

  it('a thread id of the transport comes before it', async () => {
    const agent = createRawAgent(ok);
    const transport = createAgUiTransport({ url: '/agent', fetch: agent.fetch, threadId: 'thread-1' });
    await createAgentChat({ id: 'chat-7', transport }).sendMessage('Hi');
    expect(agent.inputs[0]?.threadId).toBe('thread-1');
  });
});

describe('the messages with which a chat begins', () => {
  const stored = [
    message(
      'u1',
      'user',
      text('My name is Ann'),
      { type: 'file', id: 'f', mediaType: 'image/png', url: 'https://app.test/a.png' },
      { type: 'file', id: 'g', mediaType: 'application/pdf', url: 'data:application/pdf;base64,AAAA' },
    ),
    message(
      'a1',
      'assistant',
      { type: 'reasoning', text: 'Hm.', status: 'done' },
      text('Let me look.'),
      {
        type: 'tool-call',
        toolCallId: 'c1',
        toolName: 'look',
        args: { a: 1 },
        status: 'done',
        result: { b: 2 },
      },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'pay', args: {}, status: 'error', error: 'no money' },
      text('Hello Ann.'),
    ),
  ];

  it('are posted: texts, files, reasoning, and calls with their results', async () => {
    const { chat, inputs } = open([ok], { initialMessages: stored });
    await chat.sendMessage('What is my name?');
    expect(inputs[0]?.messages).toMatchObject([
      {
        id: 'u1',
        role: 'user',
        content: [
          { type: 'text', text: 'My name is Ann' },
          { type: 'image', source: { type: 'url', value: 'https://app.test/a.png', mimeType: 'image/png' } },
          { type: 'document', source: { type: 'data', value: 'AAAA', mimeType: 'application/pdf' } },
        ],
      },
      { role: 'reasoning', content: 'Hm.' },
      {
        role: 'assistant',
        content: 'Let me look.',
        toolCalls: [
          { id: 'c1', function: { name: 'look', arguments: '{"a":1}' } },
          { id: 'c2', function: { name: 'pay', arguments: '{}' } },
        ],
      },
      { role: 'tool', toolCallId: 'c1', content: '{"b":2}' },
      { role: 'tool', toolCallId: 'c2', content: 'no money', error: 'no money' },
      { role: 'assistant', content: 'Hello Ann.' },
      { role: 'user', content: 'What is my name?' },
    ]);
    const ids = inputs[0]?.messages.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are posted once: the next run has them from its thread', async () => {
    const { chat, inputs } = open([ok], { initialMessages: stored });
    await chat.sendMessage('One');
    await chat.sendMessage('Two');
    expect(inputs[1]?.messages.filter(({ role }) => role === 'user')).toHaveLength(3);
  });

  const openCall = {
    type: 'tool-call',
    toolCallId: 'c1',
    toolName: 'confirm',
    args: { a: 1 },
    status: 'running',
  } as const;
  const half = [message('u1', 'user', text('Pay')), message('a1', 'assistant', text('Sure?'), openCall)];

  it('a call of the page that is open in them is asked about, and its answer continues the run', async () => {
    const { chat, inputs } = open([ok], { initialMessages: half, clientTools: { confirm: 'interactive' } });
    chat.subscribe(() => {});
    await untilStatus(chat, 'awaiting-input');
    expect(inputs).toHaveLength(0);
    expect(chat.getState().pendingCalls).toMatchObject([{ toolName: 'confirm', args: { a: 1 } }]);
    chat.getState().pendingCalls[0]?.submit('fine');
    await untilStatus(chat, 'idle');
    expect(inputs[0]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', toolCalls: [{ id: 'c1' }] },
      { role: 'tool', toolCallId: 'c1', content: 'fine' },
    ]);
    expect(chat.getState().messages.map(({ id }) => id)).toEqual(['u1', 'a1']);
  });

  it.each([
    ['no message', []],
    ['messages without an open call', stored],
  ])('resume() on a chat with %s is quiet', async (_, initialMessages) => {
    const { chat, inputs } = open([ok], { initialMessages, clientTools: { confirm: 'interactive' } });
    await chat.resume();
    expect({ inputs: inputs.length, status: chat.getState().status }).toEqual({ inputs: 0, status: 'idle' });
  });
});

describe('a turn that was left', () => {
  it('a call that was answered before a stop is posted with its answer, beside one that was not', async () => {
    const { chat, inputs } = open(
      [[started, ...called('c1', 'pay'), ...called('c2', 'confirm'), ended], ok],
      {
        clientTools: { pay: () => 'paid', confirm: 'interactive' },
      },
    );
    await chat.sendMessage('Hi');
    await untilStatus(chat, 'awaiting-input');
    chat.stop();
    await chat.sendMessage('Again');
    expect(inputs).toHaveLength(2);
    expect(inputs[1]?.messages.filter(({ role }) => role === 'tool')).toMatchObject([
      { toolCallId: 'c1', content: 'paid' },
      { toolCallId: 'c2', error: expect.any(String) },
    ]);
  });

  it('an interrupt that was answered before a stop is resolved, and the other one cancelled', async () => {
    const asked = asking({ id: 'i1', reason: 'confirmation' }, { id: 'i2', reason: 'confirmation' });
    const { chat, inputs } = open([[started, asked], ok]);
    await chat.sendMessage('Hi');
    chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    chat.stop();
    await chat.sendMessage('Again');
    expect(inputs[1]?.resume).toEqual([
      { interruptId: 'i1', status: 'resolved', payload: true },
      { interruptId: 'i2', status: 'cancelled' },
    ]);
  });

  it.each([
    ['a message that is sent into it', false],
    ['a stop', true],
  ])('the half answer before %s is posted', async (_, isStopped) => {
    const agent = createHeldAgent();
    const transport = createAgUiTransport({ url: '/agent', fetch: agent.fetch });
    const chat = createAgentChat({ transport });
    void chat.sendMessage('Clean up');
    await read();
    agent.responses[0]?.write(started, ...said('m', 'I will delete the file').slice(0, 2));
    await read();
    if (isStopped) chat.stop();
    void chat.sendMessage('No, do not');
    await read();
    expect(agent.responses[1]?.input.messages).toMatchObject([
      { role: 'user', content: 'Clean up' },
      { role: 'assistant', content: 'I will delete the file' },
      { role: 'user', content: 'No, do not' },
    ]);
    chat.destroy();
  });
});
