/** The ways in which a call or an approval can end, as a server of the AI SDK gets them. Both versions of `ai` check each history. */
import { type UIMessage, validateUIMessages } from 'ai';
import { validateUIMessages as validateUIMessages7 } from 'ai-7';
import { describe, expect, it } from 'vitest';
import { createAiSdkTransport } from '../../../src/backends/ai-sdk/create-ai-sdk-transport.ts';
import { writeAnswers } from '../../../src/backends/ai-sdk/write-answers.ts';
import {
  type AgentChat,
  type AgentChatOptions,
  createAgentChat,
  defineClientTool,
} from '../../../src/core.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { settled } from '../../support/scripted-chat.ts';
import { untilStatus } from '../../support/until-status.ts';

type Chunk = { readonly type: string; readonly [key: string]: unknown };
type Posted = UIMessage & { readonly parts: readonly Chunk[] };

const call: Chunk = { type: 'tool-input-available', toolCallId: 'c', toolName: 'confirm', input: { a: 1 } };
const request: Chunk = { type: 'tool-approval-request', toolCallId: 'c', approvalId: 'p', signature: 's' };
const said: Chunk[] = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Well.' },
  { type: 'text-end', id: 't' },
];

/** Asks with the first response and says "Well." with all others. Keeps the histories that were posted, once both versions took them. */
async function ask(first: readonly Chunk[], options: Partial<AgentChatOptions> = {}) {
  const histories: Posted[][] = [];
  const clock = createManualClock();
  const send: typeof fetch = async (_, init) => {
    const { messages } = JSON.parse(String(init?.body)) as { readonly messages: Posted[] };
    await validateUIMessages({ messages });
    await validateUIMessages7({ messages });
    histories.push(messages);
    const chunks = [{ type: 'start' }, { type: 'start-step' }, ...(histories.length === 1 ? first : said)];
    const frames = [...chunks, { type: 'finish-step' }, { type: 'finish' }].map(
      (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
    );
    return new Response(`${frames.join('')}data: [DONE]\n\n`, {
      headers: { 'content-type': 'text/event-stream' },
    });
  };
  const transport = createAiSdkTransport({ fetch: send, clock });
  const chat = createAgentChat({ transport, clock, ...options });
  await chat.sendMessage('Hi');
  /** Returns the part of the call in the history that was posted last. */
  const part = () =>
    histories
      .at(-1)
      ?.flatMap(({ parts }) => parts)
      .find(({ toolCallId }) => toolCallId === 'c');
  return { chat, clock, histories, part };
}

const first = (chat: AgentChat) => chat.getState().pendingCalls[0];
const interactive = { confirm: 'interactive' } as const;

describe('the answer to a call of the page is its part', () => {
  it.each<[string, (chat: AgentChat) => unknown, Chunk | object]>([
    ['submitted', (chat) => first(chat)?.submit({ b: 2 }), { state: 'output-available', output: { b: 2 } }],
    [
      'submitted without a value',
      (chat) => first(chat)?.submit(undefined),
      { state: 'output-available', output: null },
    ],
    [
      'declined',
      (chat) => first(chat)?.decline('too much'),
      { state: 'output-available', output: { outcome: 'declined', reason: 'too much' } },
    ],
    ['cancelled', (chat) => first(chat)?.cancel(), { state: 'output-error', errorText: 'User cancelled' }],
  ])('%s', async (_, answer, expected) => {
    const { chat, histories, part } = await ask([call], { clientTools: interactive });
    answer(chat);
    await untilStatus(chat, 'idle');
    expect(part()).toEqual({ type: 'tool-confirm', toolCallId: 'c', input: { a: 1 }, ...expected });
    expect(histories).toHaveLength(2);
  });

  it('failed', async () => {
    const confirm = () => Promise.reject(new Error('no battery'));
    const { chat, part } = await ask([call], { clientTools: { confirm } });
    await untilStatus(chat, 'idle');
    expect(part()).toMatchObject({ state: 'output-error', errorText: 'no battery' });
  });

  it('timed out', async () => {
    const confirm = defineClientTool({ interactive: true, timeoutMs: 5_000 });
    const { chat, clock, part } = await ask([call], { clientTools: { confirm } });
    await clock.advance(5_000);
    await untilStatus(chat, 'idle');
    expect(part()).toMatchObject({ state: 'output-error', errorText: expect.stringContaining('5 s') });
  });

  it('expired at the backend, with a text that says so', () => {
    const messages = [
      {
        id: 'm',
        role: 'assistant' as const,
        parts: [{ type: 'tool-confirm', toolCallId: 'c', state: 'input-available' }],
      },
    ];
    const answer = {
      toolCallId: 'c',
      toolName: 'confirm',
      outcome: 'expired',
      error: 'It expired',
      echo: {},
    } as const;
    const written = writeAnswers(messages, [answer], { isRedacted: false, hasHandler: () => false });
    expect(written[0]?.parts[0]).toMatchObject({ state: 'output-error', errorText: 'It expired' });
  });

  it('superseded: it goes in the same request as the message', async () => {
    const { chat, histories, part } = await ask([call], { clientTools: interactive });
    await chat.sendMessage('Forget it', { whilePending: 'cancel' });
    expect(histories.map((messages) => messages.length)).toEqual([1, 3]);
    expect(part()).toMatchObject({ state: 'output-error', errorText: 'Superseded by a new message' });
  });

  it('aborted: nothing is sent, and the next message carries an error', async () => {
    const { chat, histories, part } = await ask([call], { clientTools: interactive });
    chat.stop();
    await settled();
    expect(histories).toHaveLength(1);
    await chat.sendMessage('Again');
    expect(part()).toMatchObject({ state: 'output-error', errorText: expect.stringContaining('stopped') });
  });
});

describe('the answer to an approval is its part, with every field of the request', () => {
  it.each<[string, (chat: AgentChat) => unknown, object]>([
    ['submitted', (chat) => first(chat)?.submit({ confirmed: true }), { approved: true }],
    ['declined', (chat) => first(chat)?.decline('too much'), { approved: false, reason: 'too much' }],
    ['cancelled', (chat) => first(chat)?.cancel(), { approved: false, reason: 'User cancelled' }],
  ])('%s', async (_, answer, expected) => {
    const { chat, part } = await ask([call, request]);
    answer(chat);
    await untilStatus(chat, 'idle');
    expect(part()).toMatchObject({
      state: 'approval-responded',
      approval: { id: 'p', signature: 's', ...expected },
    });
  });

  it.each<[string, (chat: AgentChat) => unknown]>([
    ['superseded by a message', () => {}],
    ['aborted by a stop', (chat) => chat.stop()],
  ])('%s: the message after it carries a refusal', async (_, act) => {
    const { chat, histories, part } = await ask([call, request]);
    await act(chat);
    await chat.sendMessage('Forget it', { whilePending: 'cancel' });
    expect(histories).toHaveLength(2);
    expect(part()).toMatchObject({ state: 'output-denied', approval: { id: 'p', approved: false } });
  });

  it('timed out, it is a no with the limit as its reason', async () => {
    const confirm = defineClientTool({ interactive: true, timeoutMs: 5_000 });
    const { chat, clock, part } = await ask([call, request], { clientTools: { confirm } });
    await clock.advance(5_000);
    await untilStatus(chat, 'idle');
    expect(part()).toMatchObject({
      state: 'approval-responded',
      approval: { id: 'p', approved: false, reason: expect.stringContaining('5 s') },
    });
  });

  it('a tool of the page that asks runs after the yes, and its output goes with it', async () => {
    const ran: unknown[] = [];
    const confirm = (args: unknown) => {
      ran.push(args);
      return 'done';
    };
    const { chat, histories, part } = await ask([call, request], { clientTools: { confirm } });
    expect(ran).toEqual([]);
    first(chat)?.submit({ confirmed: true });
    await untilStatus(chat, 'idle');
    expect(ran).toEqual([{ a: 1 }]);
    expect(histories).toHaveLength(2);
    expect(part()).toMatchObject({
      state: 'output-available',
      output: 'done',
      approval: { id: 'p', signature: 's', approved: true },
    });
  });

  it('a tool of the page that asks does not run after a no', async () => {
    let runs = 0;
    const { chat, part } = await ask([call, request], { clientTools: { confirm: () => ++runs } });
    first(chat)?.decline('too much');
    await untilStatus(chat, 'idle');
    expect(runs).toBe(0);
    expect(part()).toMatchObject({ state: 'approval-responded', approval: { approved: false } });
  });

  it('the answers to all approvals and calls of a step go in one request', async () => {
    const other = (toolCallId: string) => ({ ...call, toolCallId });
    const second = { ...request, toolCallId: 'd', approvalId: 'q' };
    const { chat, histories } = await ask([call, request, other('d'), second, other('e')], {
      clientTools: interactive,
    });
    const [one, two, three] = chat.getState().pendingCalls;
    one?.submit({ confirmed: true });
    three?.submit('here');
    await settled();
    expect(histories).toHaveLength(1);
    two?.decline();
    await untilStatus(chat, 'idle');
    expect(histories).toHaveLength(2);
    expect(histories[1]?.at(-1)?.parts).toMatchObject([
      { type: 'step-start' },
      { toolCallId: 'c', state: 'approval-responded', approval: { id: 'p', approved: true } },
      { toolCallId: 'd', state: 'approval-responded', approval: { id: 'q', approved: false } },
      { toolCallId: 'e', state: 'output-available', output: 'here' },
    ]);
  });

  it('an error in place of an answer leaves the approval out', async () => {
    const failed: Chunk = { type: 'tool-output-error', toolCallId: 'c', errorText: 'Gone' };
    const { chat, part } = await ask([call, request, failed, ...said]);
    await chat.sendMessage('Again');
    expect(part()).toEqual({
      type: 'tool-confirm',
      toolCallId: 'c',
      input: { a: 1 },
      state: 'output-error',
      errorText: 'Gone',
    });
  });
});

describe('a call that the server left open is closed before the next message', () => {
  it.each<[string, (chat: AgentChat) => unknown, object]>([
    [
      'an approval with a yes, as an error',
      (chat) => first(chat)?.submit({ confirmed: true }),
      { state: 'output-error', approval: { approved: true } },
    ],
    [
      'an approval with a no, as denied',
      (chat) => first(chat)?.decline(),
      { state: 'output-denied', approval: { approved: false } },
    ],
  ])('%s', async (_, answer, expected) => {
    const { chat, part } = await ask([call, request]);
    answer(chat);
    await untilStatus(chat, 'idle');
    await chat.sendMessage('Again');
    expect(part()).toMatchObject(expected);
  });

  it('a call of the provider, as an error', async () => {
    const { chat, histories, part } = await ask([{ ...call, providerExecuted: true }]);
    expect(histories).toHaveLength(1);
    await chat.sendMessage('Again');
    expect(part()).toMatchObject({ state: 'output-error', errorText: expect.stringContaining('stopped') });
  });
});
