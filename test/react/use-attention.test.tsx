// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentChat, AgentChatProvider, useAgentChat, useAttention } from '../../src/index.ts';
import { awaitingAnswers, call, request, start } from '../support/scripted-events.ts';
import { createBackstage, passFrame } from './support.ts';

const ASKS = '(1) The agent asks – localhost:3000';

beforeEach(() => {
  document.title = 'Orders';
});
afterEach(() => {
  document.head.replaceChildren();
});

/** A page with `useAttention` whose agent asks by `ask`. */
async function openPage(labels?: Parameters<typeof useAttention>[0]) {
  const stage = createBackstage({ clientTools: { confirm: 'interactive' } });
  let chat!: AgentChat;
  function Provider({ children }: { children: ReactNode }) {
    chat = useAgentChat(stage.options) as unknown as AgentChat;
    return <AgentChatProvider chat={chat}>{children}</AgentChatProvider>;
  }
  const page = renderHook(() => useAttention(labels), { wrapper: Provider });
  await act(async () => void chat.sendMessage('Hi'));
  return {
    ...page,
    ask: (...calls: ReturnType<typeof call>[]) => stage.say(0, start, request(...calls), awaitingAnswers),
    async answer(index = 0) {
      await act(async () => void chat.getState().pendingCalls[index]?.decline());
      await passFrame(stage);
    },
  };
}

describe('useAttention', () => {
  it('says in the title who asks and where while a question waits, without its values', async () => {
    const page = await openPage();
    expect(document.title).toBe('Orders');
    await page.ask(call('a', 'confirm', { amount: 89 }));
    expect(document.title).toBe(ASKS);
    await page.answer();
    expect(document.title).toBe('Orders');
  });

  it('counts the questions that wait', async () => {
    const page = await openPage();
    await page.ask(call('a', 'confirm'), call('b', 'confirm'));
    expect(document.title).toBe('(2) The agent asks – localhost:3000');
    await page.answer();
    expect(document.title).toBe(ASKS);
  });

  it('says nothing of a question that only other people may answer', async () => {
    const page = await openPage();
    await page.ask({ ...call('a', 'confirm'), mayAnswer: false });
    expect(document.title).toBe('Orders');
  });

  it('leaves a title alone that the app has set while a question waited', async () => {
    const page = await openPage();
    await page.ask(call('a', 'confirm'));
    document.title = 'Orders (3)';
    await page.answer();
    expect(document.title).toBe('Orders (3)');
  });

  it('restores the title that the app has set between two questions', async () => {
    const page = await openPage();
    await page.ask(call('a', 'confirm'), call('b', 'confirm'));
    document.title = 'Invoices';
    await page.answer();
    expect(document.title).toBe(ASKS);
    await page.answer();
    expect(document.title).toBe('Invoices');
  });

  it('restores the title when its component unmounts', async () => {
    const page = await openPage();
    await page.ask(call('a', 'confirm'));
    page.unmount();
    expect(document.title).toBe('Orders');
  });

  it('counts the questions of two chats of a page together', async () => {
    const one = await openPage();
    const two = await openPage();
    await one.ask(call('a', 'confirm'));
    await two.ask(call('a', 'confirm'));
    expect(document.title).toBe('(2) The agent asks – localhost:3000');
    await one.answer();
    expect(document.title).toBe(ASKS);
    await two.answer();
    expect(document.title).toBe('Orders');
  });

  it('uses the words that it is given', async () => {
    const page = await openPage({ labels: { attentionTitle: (count) => `${count} Frage` } });
    await page.ask(call('a', 'confirm'));
    expect(document.title).toBe('1 Frage');
  });

  it('says that a browser without notifications does not support them, and asks nobody', async () => {
    const page = await openPage();
    expect(page.result.current.permission).toBe('unsupported');
    expect(await page.result.current.requestPermission()).toBe('unsupported');
  });
});
