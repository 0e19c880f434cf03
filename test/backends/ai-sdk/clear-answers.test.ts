/** What a person says reaches the server as it was meant, and at the call that was shown. */
import { describe, expect, it, vi } from 'vitest';
import { fromUIMessages } from '../../../src/backends/ai-sdk/from-ui-messages.ts';
import type { AiSdkMessage } from '../../../src/backends/ai-sdk/ui-message.ts';
import { createPersistence } from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { settled } from '../../support/scripted-chat.ts';
import { approvalOf, type Chunk, callOf, say, scriptedRoute, words } from './scripted-route.ts';

const step: Chunk = { type: 'start-step' };
const pending = ({ chat }: ReturnType<typeof scriptedRoute>) => chat.getState().pendingCalls;

async function asked(chunks: readonly Chunk[], options: Parameters<typeof scriptedRoute>[0] = {}) {
  const route = scriptedRoute(options);
  await say(route.chat);
  await route.requests[0]?.end(step, ...chunks, { type: 'finish' });
  return route;
}

describe('a no that an app submits to an approval', () => {
  const nos = [false, { approved: false }, { confirmed: false }, { outcome: 'declined', reason: 'limit' }];

  it.each(nos)('%j is posted as a no', async (no) => {
    const route = await asked([callOf('c', 'pay'), approvalOf('c')]);
    expect(pending(route)[0]?.submit(no)).toEqual({ settled: true });
    await settled();
    const part = route.requests[1]?.body.messages.at(-1)?.parts[1];
    expect(part).toMatchObject({ state: 'approval-responded', approval: { id: 'p-c', approved: false } });
  });

  it('keeps its reason', async () => {
    const route = await asked([callOf('c', 'pay'), approvalOf('c')]);
    pending(route)[0]?.submit({ approved: false, reason: 'too much' });
    await settled();
    const part = route.requests[1]?.body.messages.at(-1)?.parts[1];
    expect(part).toMatchObject({ approval: { approved: false, reason: 'too much' } });
  });

  it.each(nos)('%j does not run the handler of the page', async (no) => {
    const pay = vi.fn(async () => 'paid');
    const route = await asked([callOf('c', 'pay'), approvalOf('c')], { clientTools: { pay } });
    pending(route)[0]?.submit(no);
    await settled();
    expect(pay).not.toHaveBeenCalled();
    expect(route.requests[1]?.body.messages.at(-1)?.parts[1]).toMatchObject({
      approval: { approved: false },
    });
  });

  it.each([true, null, undefined, { approved: true }, { confirmed: true }])('%j is a yes', async (yes) => {
    const route = await asked([callOf('c', 'pay'), approvalOf('c')]);
    pending(route)[0]?.submit(yes);
    await settled();
    expect(route.requests[1]?.body.messages.at(-1)?.parts[1]).toMatchObject({ approval: { approved: true } });
  });

  it.each(['no', '', 0, {}])('%j is neither, and the question stays', async (value) => {
    const route = await asked([callOf('c', 'pay'), approvalOf('c')]);
    expect(pending(route)[0]?.submit(value)).toMatchObject({ settled: false, reason: 'invalid-result' });
    expect(pending(route)).toHaveLength(1);
  });
});

describe('an answer goes to the call that was shown', () => {
  it.each([
    ['a#1', 'a'],
    ['a', 'a#1'],
    ['a#2', 'a'],
  ])('of the calls %s and %s', async (allowed, declined) => {
    const calls = [
      callOf(allowed, 'pay'),
      approvalOf(allowed),
      callOf(declined, 'wipe'),
      approvalOf(declined),
    ];
    const route = await asked(calls);
    pending(route)
      .find(({ toolName }) => toolName === 'wipe')
      ?.decline();
    pending(route)
      .find(({ toolName }) => toolName === 'pay')
      ?.submit({ confirmed: true });
    await settled();
    expect(route.requests[1]?.body.messages.at(-1)?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'tool-pay', approval: { approved: true } },
      { type: 'tool-wipe', approval: { approved: false } },
    ]);
  });

  it('with what the person says about a yes', async () => {
    const route = await asked([callOf('a', 'pay'), approvalOf('a')]);
    pending(route)[0]?.submit({ confirmed: true }, { reason: 'only once' });
    await settled();
    expect(route.requests[1]?.body.messages.at(-1)?.parts.at(-1)).toMatchObject({
      approval: { approved: true, reason: 'only once' },
    });
  });

  it('where the server has used the name of the second call with an id', async () => {
    const output = { type: 'tool-output-available', toolCallId: 'a', output: 1 };
    const before = [callOf('a#2', 'look'), { ...output, toolCallId: 'a#2' }, callOf('a', 'look'), output];
    const route = await asked([...before, step, callOf('a', 'pay'), approvalOf('a')]);
    expect(pending(route)).toHaveLength(1);
    pending(route)[0]?.submit({ confirmed: true });
    await settled();
    expect(route.requests[1]?.body.messages.at(-1)?.parts.at(-1)).toMatchObject({
      type: 'tool-pay',
      approval: { approved: true },
    });
  });
});

describe('an approval that is asked before its call is complete', () => {
  const start = { type: 'tool-input-start', toolCallId: 'c', toolName: 'pay' };

  it('is shown with the arguments, which are posted with the answer', async () => {
    const route = scriptedRoute();
    await say(route.chat);
    await route.requests[0]?.send(step, start, approvalOf('c'));
    expect(pending(route)).toEqual([]);
    await route.requests[0]?.end(callOf('c', 'pay', { amount: 9 }), { type: 'finish' });
    expect(pending(route)).toMatchObject([{ args: { amount: 9 } }]);
    pending(route)[0]?.submit({ confirmed: true });
    await settled();
    expect(route.requests[1]?.body.messages.at(-1)?.parts[1]).toMatchObject({
      state: 'approval-responded',
      input: { amount: 9 },
      approval: { id: 'p-c', approved: true },
    });
  });

  it('is not asked if the call never is', async () => {
    const route = await asked([start, approvalOf('c')]);
    expect(pending(route)).toEqual([]);
    expect(route.chat.getState().status).toBe('idle');
  });
});

describe('an approval that is open in a stored history', () => {
  const call = (toolCallId: string, state: string, approval: object) => ({
    type: 'tool-pay',
    toolCallId,
    state,
    input: { toolCallId },
    approval,
  });
  const stored: AiSdkMessage[] = [
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Pay' }] },
    {
      id: 'm',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        call('yes', 'approval-responded', { id: '1', approved: true, signature: 's' }),
        call('no', 'output-denied', { id: '2', approved: false }),
        call('open', 'approval-requested', { id: '3', signature: 't' }),
      ],
    },
  ];
  const storedRoute = (streams = false) =>
    scriptedRoute({ id: 'c7', initialMessages: fromUIMessages(stored) }, { resume: streams });

  it('is asked if resume() is the first use of the chat', async () => {
    const route = storedRoute();
    void route.chat.resume();
    await settled();
    expect(pending(route).map(({ toolCallId }) => toolCallId)).toEqual(['open']);
    pending(route)[0]?.submit({ confirmed: true });
    await settled();
    expect(route.requests[0]?.body.messages.at(-1)?.parts).toMatchObject([
      {},
      { state: 'approval-responded', approval: { id: '1', approved: true, signature: 's' } },
      { state: 'output-denied' },
      { state: 'approval-responded', approval: { id: '3', approved: true, signature: 't' } },
    ]);
  });

  it.each([false, true])('keeps a message that is sent at once (streams: %s)', async (streams) => {
    const route = storedRoute(streams);
    await expect(route.chat.sendMessage('Hi')).rejects.toMatchObject({ code: 'awaiting_input' });
    expect(route.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    expect(pending(route)).toHaveLength(1);
  });

  it('asks the server for its stream once', async () => {
    const route = scriptedRoute({ id: 'c7' }, { resume: true }, true);
    void route.chat.resume();
    await settled();
    void route.chat.resume();
    await settled();
    expect(route.requests.map(({ method }) => method)).toEqual(['GET']);
    await route.requests[0]?.end({ type: 'start', messageId: 'm' }, ...words('t', 'Hello'), {
      type: 'finish',
    });
    expect(route.chat.getState().messages).toMatchObject([{ id: 'm', parts: [{ text: 'Hello' }] }]);
  });

  it('a message does not wait for a server that says nothing about its stream', async () => {
    const route = scriptedRoute({ id: 'c7' }, { resume: true }, true);
    void route.chat.resume();
    await settled();
    await say(route.chat, 'Hi');
    expect(route.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });
});

describe('a page that is left while a yes is under way', () => {
  async function leave(...heard: readonly Chunk[]) {
    const storage = createMemoryStorage();
    const options = { id: 'c', persistence: createPersistence({ storage, tabs: false }) };
    const before = scriptedRoute(options);
    await say(before.chat);
    await before.requests[0]?.end(
      { type: 'start', messageId: 'm' },
      step,
      callOf('c', 'pay'),
      approvalOf('c'),
    );
    pending(before)[0]?.submit({ confirmed: true });
    await settled();
    expect(before.requests).toHaveLength(2);
    await before.requests[1]?.send(...heard);
    await before.clock.advance(10_000);
    before.chat.destroy();
    const after = scriptedRoute(options);
    after.chat.subscribe(() => {});
    await settled();
    return after;
  }

  it('does not send it again by itself: the server would run the call twice', async () => {
    const { chat, requests } = await leave();
    expect(requests).toEqual([]);
    expect(chat.getState().error).toMatchObject({ code: 'not_resumable', retryable: true });
    void chat.retry();
    await settled();
    expect(requests.map(({ body }) => body.messages.at(-1)?.parts[1])).toMatchObject([
      { state: 'approval-responded', approval: { approved: true } },
    ]);
  });

  it('sends it again at the first retry() where its response was cut', async () => {
    const { chat, requests } = await leave({ type: 'start', messageId: 'm' });
    expect(chat.getState().error).toMatchObject({ code: 'stream_interrupted' });
    void chat.retry();
    await settled();
    expect(requests).toHaveLength(1);
  });
});
