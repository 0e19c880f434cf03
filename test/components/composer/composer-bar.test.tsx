// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ClockContext } from '../../../src/components/hooks/use-arming.ts';
import { Composer, ComposerBar, Transcript } from '../../../src/components.ts';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { AgentChatProvider } from '../../../src/react/agent-chat-provider.tsx';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, failure, request, start } from '../../support/scripted-events.ts';

/** The network of the test's browser. */
function go(onLine: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine);
  act(() => void window.dispatchEvent(new Event(onLine ? 'online' : 'offline')));
}
afterEach(() => vi.restoreAllMocks());

async function show(events: readonly AgentEvent[], bar = <Composer />) {
  const clock = createManualClock();
  const scripted = scriptedChat({ clientTools: { ask: 'interactive' }, clock });
  const view = render(
    <ClockContext.Provider value={clock}>
      <AgentChatProvider chat={scripted.chat}>
        <Transcript />
        {bar}
      </AgentChatProvider>
    </ClockContext.Provider>,
  );
  await act(async () => {
    void scripted.chat.sendMessage('Hi');
    (await scripted.backend.request(0)).send(...events);
    await settled();
    await clock.advance(20);
  });
  const wait = (ms: number) => act(() => clock.advance(ms));
  const bars = () => view.container.querySelector('.hr-bar')?.textContent?.trim();
  const row = () => view.container.querySelector<HTMLElement>('.hr-call');
  return { ...scripted, clock, wait, bars, row };
}
const asked = [start, request(call('1', 'ask')), awaitingAnswers];

test('an answer that is given offline says that it is not sent yet, goes out, and the bar says so for two seconds', async () => {
  const { chat, backend, wait, bars, row } = await show(asked);
  go(false);
  act(() => void chat.getState().pendingCalls[0]?.submit('yes'));
  await wait(400);
  expect(bars()).toBe('You are offline. 1 answer goes out when you are back.');
  expect(row()?.dataset.delivery).toBe('not-sent');
  expect(row()?.textContent).toContain('not sent yet');
  go(true);
  await act(async () => {
    (await backend.request(1)).send(start);
    await settled();
  });
  await wait(100);
  expect(bars()).toBe('Back online. All sent.');
  expect(row()?.dataset.delivery).toBe('received');
  await wait(2_000);
  expect(bars()).toBeUndefined();
});

test('an answer that is not sent yet can be taken back', async () => {
  const { chat, wait, row } = await show(asked);
  go(false);
  act(() => void chat.getState().pendingCalls[0]?.submit('yes'));
  await wait(400);
  act(() => screen.getByRole('button', { name: 'Take back' }).click());
  await wait(400);
  expect(chat.getState().status).toBe('awaiting-input');
  expect(row()?.dataset.delivery).toBeUndefined();
  expect(screen.queryByRole('button', { name: 'Take back' })).toBeNull();
  go(true);
});

test('an answer on its way shows nothing for 300 ms', async () => {
  const { chat, wait, row } = await show(asked);
  act(() => void chat.getState().pendingCalls[0]?.submit('yes'));
  await wait(299);
  expect(row()?.dataset.delivery).toBeUndefined();
  await wait(20);
  expect(row()?.dataset.delivery).toBe('sending');
  expect(row()?.textContent).toContain('sending…');
});

test('a server that restarted is said in words for people, with a button', async () => {
  const restarted = { ...failure, code: 'server_restarted', message: 'for the log' };
  const { backend, bars } = await show([start, restarted]);
  await act(async () => {
    (await backend.request(1)).send(start, restarted);
    await settled();
  });
  expect(bars()).toContain('The server restarted. Your answers are kept.');
  expect(document.body.textContent).not.toContain('for the log');
});

test('a held question is shown with its button, and the bar of the network is weightier', async () => {
  const open = vi.fn();
  const held = { title: 'Refund order 4711', reason: 'typing', open } as const;
  const { bars } = await show([start], <ComposerBar heldQuestion={held} />);
  expect(bars()).toContain('The agent asks: Refund order 4711');
  act(() => screen.getByRole('button', { name: 'Open' }).click());
  expect(open).toHaveBeenCalledOnce();
  go(false);
  expect(bars()).toContain('You are offline.');
  go(true);
});

test('while others have to answer the composer says who, and not that the person has to', async () => {
  const theirs = { ...call('1', 'refund'), mayAnswer: false as const, waitsFor: 'the support team' };
  await show([start, request(theirs), awaitingAnswers]);
  expect(document.body.textContent).toContain('Refund waits for the support team.');
  expect(document.body.textContent).not.toContain('waits for this page');
});
