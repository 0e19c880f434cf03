/** The ways in which a call or an approval can end, as a server of the AI SDK gets them. Both versions of `ai` check each history. */
import { type UIMessage, validateUIMessages } from 'ai';
import { validateUIMessages as validateUIMessages7 } from 'ai-7';
import { describe, expect, it } from 'vitest';
import { createAiSdkTransport } from '../../src/ai-sdk/create-ai-sdk-transport.ts';
import { writeAnswers } from '../../src/ai-sdk/write-answers.ts';
import { type AgentChat, type AgentChatOptions, createAgentChat, defineClientTool } from '../../src/core.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { settled } from '../support/scripted-chat.ts';
import { untilStatus } from '../support/until-status.ts';

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
