/** Several people answer the same question at the same moment: one answer counts, and all pages come to rest with what really happened. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SettledCall } from '../../../src/core/tools/settled-call.ts';
import type { AgentChat, AgentChatOptions, InteractiveTool } from '../../../src/core.ts';
import type { ModelEvent } from '../../../src/server/agent.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import type { Principal } from '../../../src/shared/principal.ts';
import { calls, createListAgent, stop, text } from '../../server/support.ts';
import { type Carrier, type Device, type SharedSession, shareSession } from '../../support/shared-session.ts';

const ADA: Principal = { id: 'ada', name: 'Ada' };
const BOB: Principal = { id: 'bob', name: 'Bob' };
const YES = { confirmed: true };
const CARRIERS: readonly Carrier[] = ['http', 'socket'];

interface Page extends Device {
  readonly settled: SettledCall[];
}

function openPage(
  shared: SharedSession,
  principal: Principal | undefined,
  carrier: Carrier,
  options: Partial<AgentChatOptions> = {},
): Page {
  const settled: SettledCall[] = [];
  const more = { openOnStart: true, onCallSettled: (call: SettledCall) => settled.push(call), ...options };
  const device = shared.device(principal, more, carrier);
  device.chat.subscribe(() => {});
  onTestFinished(() => device.chat.destroy());
  return { ...device, settled };
}

function callParts(chat: AgentChat) {
  return chat.getState().messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'));
}

function lastText(chat: AgentChat): string {
  const parts = chat.getState().messages.at(-1)?.parts ?? [];
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** What the pages show, for the message of a test that failed. */
function show(...pages: Page[]): string {
  const toShown = ({ chat, sent, notified, settled }: Page) => {
    const { status, error } = chat.getState();
    return {
      status,
      error: error?.backendCode ?? error?.code,
      sent,
      notified,
      text: lastText(chat),
      settled: settled.map(({ outcome }) => outcome),
    };
  };
  return JSON.stringify(pages.map(toShown));
}

function firstCall({ chat }: Page): InteractiveTool {
  const [call] = chat.getState().pendingCalls;
  if (call === undefined) throw new Error('no call waits');
  return call;
}

/** Lets promises, streams and sockets go on until the condition holds. */
async function eventually(passes: () => boolean, debug?: () => string): Promise<void> {
  for (let turn = 0; turn < 20_000 && !passes(); turn += 1) await new Promise((next) => setImmediate(next));
  expect(passes(), debug?.()).toBe(true);
}

const isAsked = ({ chat }: Page) => chat.getState().status === 'awaiting-input';
const isAtRest = ({ chat }: Page) => ['idle', 'error'].includes(chat.getState().status);

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

async function askTwo(shared: SharedSession, carrier: Carrier, people = [ADA, BOB] as const) {
  const pages = people.map((person) => openPage(shared, person, carrier));
  const [ada, bob] = pages as [Page, Page];
  await eventually(
    () => isAtRest(ada) && isAtRest(bob),
    () => show(ada, bob),
  );
  void ada.chat.sendMessage('hello');
  await eventually(
    () => isAsked(ada) && isAsked(bob),
    () => show(ada, bob),
  );
  return { ada, bob };
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
    await eventually(
      () => lastText(ada.chat) === 'Well, ' && lastText(bob.chat) === 'Well, ',
      () => show(ada, bob),
    );
    goOn();
    await eventually(
      () => isAtRest(ada) && isAtRest(bob),
      () => show(ada, bob),
    );
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
    await eventually(
      () => lastText(ada.chat) === 'Well, ' && lastText(bob.chat) === 'Well, ',
      () => show(ada, bob),
    );
    goOn();
    await eventually(
      () => isAtRest(ada) && isAtRest(bob),
      () => show(ada, bob),
    );
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
    await eventually(() => isAtRest(first) && isAtRest(second));
    void first.chat.sendMessage('hello');
    await eventually(
      () => isAsked(first) && isAsked(second),
      () => show(first, second),
    );
    firstCall(first).submit('blue');
    firstCall(second).submit('red');
    await eventually(() => isAtRest(first) && isAtRest(second));
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
    await eventually(
      () => isAtRest(ada) && isAtRest(bob),
      () => show(ada, bob),
    );
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
    await eventually(
      () => bob.chat.getState().pendingCalls.length === 1,
      () => show(ada, bob),
    );
    ada.chat.destroy();
    bob.chat.destroy();
    const later = openPage(shared, ADA, carrier);
    await eventually(
      () => isAsked(later),
      () => show(later),
    );
    expect(later.chat.getState().pendingCalls).toMatchObject([{ toolName: 'ship' }]);
    sayYes(later, 'ship');
    await eventually(
      () => isAtRest(later),
      () => show(later),
    );
    expect(lastText(later.chat)).toBe('Thanks');
    expect([pay.mock.calls.length, ship.mock.calls.length]).toEqual([1, 1]);
  });

  it('two answers of the same moment on one page go together, and a later one follows the one before', async () => {
    const { shared, agent } = openWorld();
    const page = openPage(shared, ADA, carrier);
    await eventually(() => isAtRest(page));
    void page.chat.sendMessage('hello');
    await eventually(
      () => isAsked(page),
      () => show(page),
    );
    sayYes(page, 'pay');
    sayYes(page, 'ship');
    await eventually(
      () => isAtRest(page),
      () => show(page),
    );
    expect(page.sent.filter((type) => type.startsWith('continue'))).toEqual(['continue']);
    expect(agent.contexts).toHaveLength(2);
    const other = openWorld();
    const second = openPage(other.shared, ADA, carrier);
    await eventually(() => isAtRest(second));
    void second.chat.sendMessage('hello');
    await eventually(
      () => isAsked(second),
      () => show(second),
    );
    sayYes(second, 'pay');
    await Promise.resolve();
    sayYes(second, 'ship');
    await eventually(
      () => isAtRest(second),
      () => show(second),
    );
    expect(second.sent.filter((type) => type.startsWith('continue'))).toEqual([
      'continue partial',
      'continue',
    ]);
    expect(lastText(second.chat)).toBe('Thanks');
  });
});
