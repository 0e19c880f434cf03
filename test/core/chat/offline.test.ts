/** While the browser has no network, answers and messages wait, and then go out by themselves, once. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPersistence } from '../../../src/core.ts';
import type { AgentContext, ModelEvent } from '../../../src/server/agent.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { calls, stop, text } from '../../server/support.ts';
import { answersOf, asked, settledIn } from '../../support/asked-calls.ts';
import { type FakeNetwork, stubNetwork } from '../../support/fake-network.ts';
import {
  CARRIERS,
  callParts,
  firstCall,
  isAsked,
  isAtRest,
  openPage,
  untilAll,
} from '../../support/open-pages.ts';
import { createTabOpener } from '../../support/open-tabs.ts';
import { left, open, restored } from '../../support/persisted-page.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped } from '../../support/scripted-events.ts';
import { type Device, shareSession } from '../../support/shared-session.ts';

const MINUTE = 60_000;
const interactive = { clientTools: { ask: 'interactive' } } as const;

let network: FakeNetwork;
beforeEach(() => {
  network = stubNetwork();
});
afterEach(() => vi.unstubAllGlobals());

/** Counts the messages and the answers that the agent has seen. */
function countingAgent() {
  const seen: string[] = [];
  async function* agent({ messages }: AgentContext): AsyncGenerator<ModelEvent> {
    const last = messages.at(-1);
    seen.push(last?.role ?? 'nothing');
    if (last?.role === 'user') yield* [...text('How?'), ...calls('ask')];
    else yield* [...text('Thanks'), stop];
  }
  return { agent, seen };
}

const lose = (page: Device) => {
  page.goOffline();
  network.goOffline();
};
const back = (page: Device) => {
  page.goOnline();
  network.goOnline();
};
const deliveryIn = ({ chat }: Pick<Device, 'chat'>) => callParts(chat).at(-1)?.delivery;

describe.each(CARRIERS)('over %s without a network', (carrier) => {
  async function openAsked() {
    const { agent, seen } = countingAgent();
    const shared = shareSession({ agent });
    const page = openPage(shared, undefined, carrier, { ...interactive, openOnStart: false });
    void page.chat.sendMessage('order');
    await untilAll(isAsked, page);
    return { clock: shared.clock, page, seen };
  }

  it('an answer spends no attempt, and goes out once when the network is back', async () => {
    const { page, clock, seen } = await openAsked();
    lose(page);
    await settled();
    const before = [...page.sent];
    firstCall(page).submit('by post');
    await clock.advance(10 * MINUTE);
    expect(page.chat.getState()).toMatchObject({
      status: 'streaming',
      error: null,
      outbox: { isOffline: true, answers: 1, messages: 0 },
    });
    expect([page.sent, deliveryIn(page)]).toEqual([before, 'not-sent']);
    back(page);
    await untilAll(isAtRest, page);
    expect(page.chat.getState().outbox).toEqual({ isOffline: false, answers: 0, messages: 0 });
    expect([deliveryIn(page), callParts(page.chat).at(-1)?.result]).toEqual(['received', 'by post']);
    expect(page.sent.filter((type) => type.startsWith('continue'))).toHaveLength(1);
    expect(seen).toEqual(['user', 'tool']);
    expect(page.notified).toEqual([]);
  });

  it('an answer whose request is lost with the network is sent again once there is one, and counts once', async () => {
    const { page, clock, seen } = await openAsked();
    page.swallow('continue');
    firstCall(page).submit('by post');
    await untilAll(({ sent }) => sent.includes('continue'), page);
    lose(page);
    await clock.advance(10 * MINUTE);
    expect([page.chat.getState().error, deliveryIn(page)]).toEqual([null, 'sending']);
    back(page);
    await untilAll(isAtRest, page);
    expect([deliveryIn(page), seen]).toEqual(['received', ['user', 'tool']]);
    expect(page.notified).toEqual([]);
  });

  it('a message waits, and goes out once when the network is back', async () => {
    const { agent, seen } = countingAgent();
    const shared = shareSession({ agent });
    const { clock } = shared;
    const page = openPage(shared, undefined, carrier, { ...interactive, openOnStart: false });
    lose(page);
    void page.chat.sendMessage('order');
    await clock.advance(10 * MINUTE);
    expect(page.sent).toEqual([]);
    expect(page.chat.getState()).toMatchObject({
      error: null,
      outbox: { isOffline: true, answers: 0, messages: 1 },
    });
    back(page);
    await untilAll(isAsked, page);
    expect([page.sent, seen]).toEqual([['trigger'], ['user']]);
    expect(page.chat.getState().outbox.messages).toBe(0);
  });

  it.each([true, false])(
    'an answer that a message follows goes out before it, and is received (a page that follows: %s)',
    async (openOnStart) => {
      const { agent, seen } = countingAgent();
      const page = openPage(shareSession({ agent }), undefined, carrier, { ...interactive, openOnStart });
      await untilAll(isAtRest, page);
      void page.chat.sendMessage('order');
      await untilAll(isAsked, page);
      lose(page);
      await settled();
      firstCall(page).submit('by post');
      await settled();
      void page.chat.sendMessage('and soon');
      await settled();
      expect(deliveryIn(page)).toBe('not-sent');
      back(page);
      await untilAll(({ chat }) => isAsked(page) || chat.getState().error !== null, page);
      expect([page.chat.getState().error, page.notified]).toEqual([null, []]);
      expect(callParts(page.chat)[0]).toMatchObject({ result: 'by post', delivery: 'received' });
      expect(seen.at(-1)).toBe('user');
      expect(page.chat.getState().outbox.answers).toBe(0);
    },
  );

  it('a message that is stopped is never sent', async () => {
    const { agent, seen } = countingAgent();
    const page = openPage(shareSession({ agent }), undefined, carrier, {
      ...interactive,
      openOnStart: false,
    });
    lose(page);
    const sent = page.chat.sendMessage('order');
    await settled();
    page.chat.stop();
    await sent;
    back(page);
    await settled();
    expect(page.sent).not.toContain('trigger');
    expect([page.chat.getState().status, page.chat.getState().outbox.messages, seen]).toEqual([
      'idle',
      0,
      [],
    ]);
  });

  it('an answer that is taken back is asked for again, and the other one goes out', async () => {
    const { page, seen } = await openAsked();
    lose(page);
    firstCall(page).submit('by post');
    await settled();
    page.chat.takeBack(firstPart(page));
    expect(page.chat.getState().status).toBe('awaiting-input');
    expect(firstCall(page).getSavedInput()).toBe('by post');
    expect(deliveryIn(page)).toBeUndefined();
    firstCall(page).submit('by train');
    back(page);
    await untilAll(isAtRest, page);
    expect(callParts(page.chat).at(-1)).toMatchObject({ result: 'by train', delivery: 'received' });
    expect(seen).toEqual(['user', 'tool']);
  });
});

const firstPart = ({ chat }: Device) => callParts(chat).at(-1)?.toolCallId ?? '';

describe('the stages of an answer', () => {
  it('are sending until the backend has it, and received then', async () => {
    const { chat, backend } = await asked({ ask: 'interactive' }, [call('1', 'ask')]);
    const delivery = () => callParts(chat).at(-1)?.delivery;
    expect(delivery()).toBeUndefined();
    chat.getState().pendingCalls[0]?.submit('yes');
    expect([delivery(), chat.getState().outbox.answers]).toEqual(['sending', 1]);
    backend.requests[1]?.send(start);
    await settledIn();
    expect([delivery(), chat.getState().outbox.answers]).toEqual(['received', 0]);
  });

  it('are not sent while another call of the request has no answer, and then it can be taken back', async () => {
    const { chat, waiting } = await asked({ ask: 'interactive' }, [call('1', 'ask'), call('2', 'ask')]);
    waiting()[0]?.submit('yes');
    expect(callParts(chat).map(({ delivery }) => delivery)).toEqual(['not-sent', undefined]);
    chat.takeBack('1');
    expect(waiting().map(({ toolCallId }) => toolCallId)).toEqual(['1', '2']);
  });

  it('of an answer that is on its way cannot be taken back', async () => {
    const { chat, backend } = await asked({ ask: 'interactive' }, [call('1', 'ask')]);
    chat.getState().pendingCalls[0]?.submit('yes');
    chat.takeBack('1');
    expect(chat.getState().pendingCalls).toEqual([]);
    expect(backend.commands).toHaveLength(2);
  });

  it.each([true, false])(
    'of a turn that was stopped cannot be taken back (a backend that stops: %s)',
    async (stop) => {
      const page = await asked({ ask: 'interactive' }, [call('1', 'ask')]);
      Object.assign(page.backend.capabilities, { stop });
      network.goOffline();
      page.waiting()[0]?.submit('by post');
      await settledIn();
      page.chat.stop();
      page.chat.takeBack('1');
      expect([page.chat.getState().status, page.waiting()]).toEqual(['idle', []]);
      network.goOnline();
      void page.chat.sendMessage('Again');
      await settledIn();
      const answers = stop ? [] : [{ toolCallId: '1', outcome: 'submitted', result: 'by post' }];
      expect(answersOf(page.backend.commands)).toEqual(answers);
      expect(callParts(page.chat)[0]).toMatchObject({ result: 'by post' });
    },
  );

  it('of a handler that a person allowed cannot be taken back: it has run', async () => {
    const run = vi.fn(() => 'done');
    const { chat, waiting } = await asked({ pay: { execute: run, approval: 'always' } }, [call('1', 'pay')]);
    network.goOffline();
    waiting()[0]?.submit({ confirmed: true });
    await settledIn();
    expect(callParts(chat)[0]).toMatchObject({ result: 'done' });
    expect(callParts(chat)[0]).not.toHaveProperty('delivery');
    chat.takeBack('1');
    await settledIn();
    expect([waiting(), run.mock.calls.length]).toEqual([[], 1]);
  });

  it('are refused for an answer that came after that of another person', async () => {
    const { chat, backend } = await asked({ ask: 'interactive' }, [call('1', 'ask')]);
    chat.getState().pendingCalls[0]?.submit('mine');
    backend.requests[1]?.send(start, {
      ...{ type: 'tool-result-acknowledged', toolCallId: '1', status: 'expired' },
      ...{ outcome: 'submitted', result: 'theirs', answeredBy: { id: 'lin', name: 'Lin' } },
    } as never);
    await settledIn();
    expect(callParts(chat)[0]).toMatchObject({ delivery: 'refused', answeredBy: { name: 'Lin' } });
  });

  it('are received of an answer that was sent before the next message, and none of a question that the message ended', async () => {
    const { chat, waiting, backend } = await asked({ ask: 'interactive' }, [
      call('1', 'ask'),
      call('2', 'ask'),
    ]);
    waiting()[0]?.submit('yes');
    void chat.sendMessage('Next', { whilePending: 'cancel' });
    await settledIn();
    expect(callParts(chat).map(({ delivery }) => delivery)).toEqual(['not-sent', undefined]);
    backend.requests[1]?.send(start, stopped);
    await settledIn();
    expect(callParts(chat)).toMatchObject([{ delivery: 'received' }, { outcome: 'superseded' }]);
    expect(callParts(chat)[1]).not.toHaveProperty('delivery');
  });

  it('of a handler that ran by itself are not shown', async () => {
    const { chat } = await asked({ now: () => 1 }, [call('1', 'now')]);
    expect(callParts(chat)[0]).toMatchObject({ result: 1 });
    expect(callParts(chat)[0]).not.toHaveProperty('delivery');
  });

  it('are no longer shown of an answer that was never sent when its turn is stopped', async () => {
    const { chat } = await asked({ ask: 'interactive' }, [call('1', 'ask')]);
    network.goOffline();
    chat.getState().pendingCalls[0]?.submit('yes');
    chat.stop();
    expect(callParts(chat)[0]).not.toHaveProperty('delivery');
    expect(chat.getState().outbox.answers).toBe(0);
  });
});

describe('an answer to a backend that takes answers one by one', () => {
  it('waits for the network, and is posted once', async () => {
    const { chat, backend } = scriptedChat(
      { ...interactive, id: 'c' },
      createScriptedTransport({ results: 'one-by-one' }),
    );
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'ask')));
    await settled();
    network.goOffline();
    chat.getState().pendingCalls[0]?.submit('yes');
    await settled();
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger']);
    expect(callParts(chat)[0]?.delivery).toBe('not-sent');
    network.goOnline();
    await settled();
    backend.requests[1]?.end();
    await settled();
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'respond']);
    expect(callParts(chat)[0]?.delivery).toBe('received');
  });
});

describe('a reload without a network', () => {
  it.each(['together', 'one-by-one'] as const)(
    'keeps an answer that is taken %s, and sends it',
    async (results) => {
      const storage = createMemoryStorage();
      const before = await left(storage, { ask: 'interactive' }, undefined, 'ask');
      network.goOffline();
      before.chat.getState().pendingCalls[0]?.submit('yes');
      await settledIn();
      const page = scriptedChat(
        { id: 'c', persistence: createPersistence({ storage }), ...interactive },
        createScriptedTransport({ results }),
      );
      await restored(page.chat);
      expect(callParts(page.chat)[0]?.delivery).toBe('not-sent');
      expect([page.backend.commands, page.chat.getState().outbox]).toEqual([
        [],
        { isOffline: true, answers: 1, messages: 0 },
      ]);
      network.goOnline();
      await settledIn();
      expect(page.backend.commands).toMatchObject([{ type: 'respond', answers: [{ result: 'yes' }] }]);
    },
  );

  it('keeps a message, and sends it once under the same key', async () => {
    const storage = createMemoryStorage();
    const before = open(storage);
    await restored(before.chat);
    network.goOffline();
    void before.chat.sendMessage('order');
    await settledIn();
    const page = open(storage);
    await restored(page.chat);
    expect(page.chat.getState()).toMatchObject({ status: 'streaming', error: null, outbox: { messages: 1 } });
    network.goOnline();
    await settledIn();
    expect(page.backend.commands).toMatchObject([
      { type: 'trigger', idempotencyKey: before.chat.getState().messages[0]?.id },
    ]);
  });
});

describe('another tab', () => {
  it('shows that an answer is not sent yet, and may take it back', async () => {
    const openTab = createTabOpener(interactive);
    const [owner, other] = [await openTab(), await openTab()];
    void owner.chat.sendMessage('order');
    await settledIn();
    owner.backend.requests[0]?.send(start, request(call('1', 'ask')), awaitingAnswers);
    await settledIn();
    network.goOffline();
    other.chat.getState().pendingCalls[0]?.submit('yes');
    await settledIn();
    for (const { chat } of [owner, other]) {
      expect(callParts(chat)[0]?.delivery).toBe('not-sent');
      expect(chat.getState().outbox).toEqual({ isOffline: true, answers: 1, messages: 0 });
    }
    other.chat.takeBack('1');
    await settledIn();
    expect(owner.chat.getState().status).toBe('awaiting-input');
    other.chat.getState().pendingCalls[0]?.submit('no');
    network.goOnline();
    await settledIn();
    owner.backend.requests[1]?.send(start, stopped);
    await settledIn();
    expect(owner.backend.commands[1]).toMatchObject({ answers: [{ result: 'no' }] });
    expect(callParts(other.chat)[0]?.delivery).toBe('received');
  });
});
