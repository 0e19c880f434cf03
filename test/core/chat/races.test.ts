/** Several people answer the same question at the same moment: one answer counts, and all pages come to rest with what really happened. */
import { describe, expect, it, vi } from 'vitest';
import type { ModelEvent } from '../../../src/server/agent.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { calls, createListAgent, stop, text } from '../../server/support.ts';
import {
  ADA,
  askTwo,
  CARRIERS,
  callParts,
  firstCall,
  isAsked,
  isAtRest,
  lastText,
  openPage,
  type Page,
  untilAll,
  YES,
} from '../../support/open-pages.ts';
import { shareSession } from '../../support/shared-session.ts';

/** An agent that calls `pay`, and then speaks for as long as the test wants. */
function createSpeaker() {
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const agent = async function* ({
    messages,
  }: {
    messages: readonly { role: string }[];
  }): AsyncGenerator<ModelEvent> {
    if (!messages.some(({ role }) => role === 'tool')) return yield* calls('pay');
    yield { type: 'text-start', id: 't' };
    yield { type: 'text-delta', id: 't', delta: 'Well, ' };
    await gate;
    yield { type: 'text-delta', id: 't', delta: 'it is over.' };
    yield stop;
  };
  return { agent, goOn };
}

describe.each(CARRIERS)('two pages over %s answer one approval in the same moment', (carrier) => {
  it.each([
    ['the result of the tool', () => 'paid'],
    ['a tool that returns nothing', () => undefined],
  ])('the page whose no came second shows the yes, and %s', async (_of, execute) => {
    const { agent, goOn } = createSpeaker();
    const ran = vi.fn(execute);
    const shared = shareSession({
      agent,
      tools: { pay: defineServerTool({ approval: 'always', execute: ran }) },
    });
    const { ada, bob } = await askTwo(shared, carrier);
    firstCall(ada).submit(YES);
    firstCall(bob).decline();
    await untilAll(({ chat }) => lastText(chat) === 'Well, ', ada, bob);
    goOn();
    await untilAll(isAtRest, ada, bob);
    expect([ada.chat.getState().error, bob.chat.getState().error]).toEqual([null, null]);
    expect(ran).toHaveBeenCalledTimes(1);
    for (const page of [ada, bob]) {
      expect(lastText(page.chat)).toBe('Well, it is over.');
      expect(callParts(page.chat)).toMatchObject([
        { status: 'done', outcome: 'submitted', ...(page === bob && { answeredBy: { id: 'ada' } }) },
      ]);
      expect(page.notified.filter((line) => line.startsWith('error'))).toEqual([]);
    }
    expect(bob.settled).toMatchObject([
      { outcome: 'declined' },
      { outcome: 'submitted', answeredBy: 'person', person: { id: 'ada', name: 'Ada' } },
    ]);
  });

  it('both pages come to rest without an error when the answers are equal', async () => {
    const { agent, goOn } = createSpeaker();
    const ran = vi.fn(() => 'paid');
    const shared = shareSession({
      agent,
      tools: { pay: defineServerTool({ approval: 'always', execute: ran }) },
    });
    const { ada, bob } = await askTwo(shared, carrier);
    firstCall(ada).submit(YES);
    firstCall(bob).submit(YES);
    await untilAll(({ chat }) => lastText(chat) === 'Well, ', ada, bob);
    goOn();
    await untilAll(isAtRest, ada, bob);
    for (const page of [ada, bob]) {
      expect(page.chat.getState()).toMatchObject({ status: 'idle', error: null });
      expect(lastText(page.chat)).toBe('Well, it is over.');
      expect(callParts(page.chat)).toMatchObject([{ outcome: 'submitted' }]);
    }
    expect(callParts(bob.chat)).toMatchObject([{ answeredBy: { id: 'ada' } }]);
    expect(ran).toHaveBeenCalledTimes(1);
  });
});

it.each(CARRIERS)(
  'the later of two answers to a question shows the one that counts, over %s, though nobody is logged in',
  async (carrier) => {
    const agent = createListAgent(calls('ask'), [...text('Thanks'), stop]);
    const shared = shareSession({ agent });
    const more = { clientTools: { ask: 'interactive' } } as const;
    const first = openPage(shared, undefined, carrier, more);
    const second = openPage(shared, undefined, carrier, more);
    await untilAll(isAtRest, first, second);
    void first.chat.sendMessage('hello');
    await untilAll(isAsked, first, second);
    firstCall(first).submit('blue');
    firstCall(second).submit('red');
    await untilAll(isAtRest, first, second);
    for (const { chat } of [first, second]) {
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
      expect(callParts(chat)).toMatchObject([{ result: 'blue' }]);
      expect(lastText(chat)).toBe('Thanks');
    }
    expect(second.settled.map(({ result }) => result)).toEqual(['red', 'blue']);
  },
);

describe.each(CARRIERS)('two approvals that both people may give, over %s', (carrier) => {
  const sayYes = ({ chat }: Page, name: string) =>
    chat
      .getState()
      .pendingCalls.find(({ toolName }) => toolName === name)
      ?.submit(YES);

  function openWorld() {
    const pay = vi.fn(() => 'paid');
    const ship = vi.fn(() => 'shipped');
    const agent = createListAgent(calls('pay', 'ship'), [...text('Thanks'), stop]);
    const define = (execute: () => string) => defineServerTool({ approval: 'always', execute });
    const shared = shareSession({ agent, tools: { pay: define(pay), ship: define(ship) } });
    return { pay, ship, agent, shared };
  }

  it('each answer is stored when it is given, and the agent goes on when both are there', async () => {
    const { pay, ship, shared } = openWorld();
    const { ada, bob } = await askTwo(shared, carrier);
    sayYes(ada, 'pay');
    sayYes(bob, 'ship');
    await untilAll(isAtRest, ada, bob);
    for (const page of [ada, bob]) {
      expect(lastText(page.chat)).toBe('Thanks');
      expect(page.chat.getState().error).toBeNull();
      expect(callParts(page.chat)).toMatchObject([
        { toolName: 'pay', status: 'done', outcome: 'submitted', result: 'paid' },
        { toolName: 'ship', status: 'done', outcome: 'submitted', result: 'shipped' },
      ]);
    }
    expect([pay.mock.calls.length, ship.mock.calls.length]).toEqual([1, 1]);
  });

  it('no answer is lost when both pages close before the other one has arrived', async () => {
    const { pay, ship, shared } = openWorld();
    const { ada, bob } = await askTwo(shared, carrier);
    sayYes(ada, 'pay');
    await untilAll(({ chat }) => chat.getState().pendingCalls.length === 1, bob);
    ada.chat.destroy();
    bob.chat.destroy();
    const later = openPage(shared, ADA, carrier);
    await untilAll(isAsked, later);
    expect(later.chat.getState().pendingCalls).toMatchObject([{ toolName: 'ship' }]);
    sayYes(later, 'ship');
    await untilAll(isAtRest, later);
    expect(lastText(later.chat)).toBe('Thanks');
    expect([pay.mock.calls.length, ship.mock.calls.length]).toEqual([1, 1]);
  });

  it('two answers of the same moment on one page go together, and a later one follows the one before', async () => {
    const { shared, agent } = openWorld();
    const page = openPage(shared, ADA, carrier);
    await untilAll(isAtRest, page);
    void page.chat.sendMessage('hello');
    await untilAll(isAsked, page);
    sayYes(page, 'pay');
    sayYes(page, 'ship');
    await untilAll(isAtRest, page);
    expect(page.sent.filter((type) => type.startsWith('continue'))).toEqual(['continue']);
    expect(agent.contexts).toHaveLength(2);
    const other = openWorld();
    const second = openPage(other.shared, ADA, carrier);
    await untilAll(isAtRest, second);
    void second.chat.sendMessage('hello');
    await untilAll(isAsked, second);
    sayYes(second, 'pay');
    await Promise.resolve();
    sayYes(second, 'ship');
    await untilAll(isAtRest, second);
    expect(second.sent.filter((type) => type.startsWith('continue'))).toEqual([
      'continue partial',
      'continue',
    ]);
    expect(lastText(second.chat)).toBe('Thanks');
  });
});
