import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { type ConversationChange, createConversation } from '../../../src/core/state/conversation.ts';
import { type ToolCall, toolCallKey } from '../../../src/core/state/tool-call.ts';
import { ChatStore } from '../../../src/core/store/chat-store.ts';
import type { InteractiveTool } from '../../../src/core/tools/client-tool.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const at = new Date(Date.UTC(2026, 0, 1));
const started: ConversationChange = {
  type: 'turn-started',
  messageId: 'id-1',
  at,
  command: { type: 'trigger', triggerName: 'go' },
};
const event = (one: AgentEvent): ConversationChange => ({ type: 'event', event: one });
const say = (delta: string): ConversationChange => event({ type: 'text-delta', id: 't', delta });

function setup() {
  const clock = createManualClock();
  const store = new ChatStore(createConversation([]), clock);
  const notified: unknown[] = [];
  const unsubscribe = store.subscribe(() => notified.push(store.getState()));
  return { store, clock, notified, unsubscribe };
}

/** A call in the stage `waiting`. */
function waiting(toolCallId: string, toolName: string): ConversationChange[] {
  const key = toolCallKey('r', toolCallId);
  const request = { toolCallId, toolName, args: {} };
  const call: ToolCall = {
    key,
    executionId: 'r',
    request,
    requestedAt: 0,
    stage: 'announced',
    serverToolResults: [],
  };
  return [
    { type: 'calls-requested', calls: [call] },
    { type: 'call-waiting', key },
  ];
}

const toShown = (tool: InteractiveTool) => ({ tool, definition: '', parsed: { value: {} } });

/** Lets a call wait, and shows it to the person. */
function ask(store: ChatStore, toolCallId: string, toolName: string): void {
  for (const change of waiting(toolCallId, toolName)) store.change(change);
  store.show(toolCallKey('r', toolCallId), toShown({ toolCallId, toolName } as InteractiveTool));
}

const settle = (toolCallId: string): ConversationChange => ({
  type: 'call-settled',
  key: toolCallKey('r', toolCallId),
  answer: { outcome: 'submitted', result: 1 },
});

describe('notifications', () => {
  it('any number of changes within a frame is one notification', () => {
    const { store, clock, notified } = setup();
    store.change(started);
    for (let index = 0; index < 50; index += 1) store.change(say('x'));
    expect(notified).toHaveLength(0);
    clock.frame();
    expect(notified).toHaveLength(1);
    clock.frame();
    expect(notified).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });

  it('getState() is current before the listeners are notified', () => {
    const { store } = setup();
    store.change(started);
    store.change(say('x'));
    expect(store.getState()).toMatchObject({ status: 'streaming', messages: [{ parts: [{ text: 'x' }] }] });
  });

  it('publish() notifies at once, and the pending frame does not notify again', () => {
    const { store, clock, notified } = setup();
    store.change(started);
    store.publish();
    expect(notified).toHaveLength(1);
    expect(clock.waiting).toBe(0);
    store.publish();
    expect(notified).toHaveLength(1);
  });

  it('a change without effect on the state notifies no listener', () => {
    const { store, clock, notified } = setup();
    store.change(event({ type: 'start', executionId: 'r', cursor: 'p1' }));
    clock.frame();
    expect(notified).toHaveLength(0);
    expect(store.read().cursor).toBe('p1');
  });

  it('notifications end with the subscription, and with close()', () => {
    const { store, clock, notified, unsubscribe } = setup();
    unsubscribe();
    store.change(started);
    clock.frame();
    expect(notified).toHaveLength(0);
    const late: unknown[] = [];
    store.subscribe(() => late.push(1));
    store.change({ type: 'turn-ended', ending: 'stopped' });
    const tell = store.close();
    expect([late.length, clock.waiting]).toEqual([0, 0]);
    // The last change before close() is still published.
    tell();
    expect(late).toHaveLength(1);
    store.change(started);
    store.publish();
    expect([late.length, clock.waiting]).toEqual([1, 0]);
  });

  it('a listener that is subscribed twice is notified twice, and each subscription ends separately', () => {
    const { store } = setup();
    let count = 0;
    const listener = () => {
      count += 1;
    };
    const first = store.subscribe(listener);
    store.subscribe(listener);
    store.change(started);
    store.publish();
    expect(count).toBe(2);
    first();
    first();
    store.change({ type: 'turn-ended', ending: 'stopped' });
    store.publish();
    expect(count).toBe(3);
  });
});

it('deltas that are applied together give the same state and cursor as deltas applied one by one', () => {
  const reason = (delta: string) => event({ type: 'reasoning-delta', id: 't', delta });
  const fill = (toolCallId: string, inputTextDelta: string) =>
    event({ type: 'tool-input-delta', toolCallId, inputTextDelta });
  const at = (change: ConversationChange, cursor: string) =>
    change.type === 'event' ? event({ ...change.event, cursor }) : change;
  const changes = [
    event({ type: 'tool-input-start', toolCallId: '1', toolName: 'ask' }),
    event({ type: 'tool-input-start', toolCallId: '2', toolName: 'ask' }),
    ...[reason('so '), reason('that'), say('He'), say('llo'), reason('!'), say(', Ada')],
    event({ type: 'text-delta', id: 'u', delta: 'More' }),
    ...[fill('1', '{"a":'), fill('1', '1'), fill('2', '{"b":2'), fill('1', '}'), say('.'), fill('2', '}')],
    ...[at(say('x'), 'p1'), say('y'), at(say('z'), 'p2'), say('!')],
  ];
  const [quick, close] = [setup().store, setup().store];
  quick.change(started);
  close.change(started);
  for (const change of changes) {
    quick.change(change);
    close.change(change);
    close.read();
  }
  expect(quick.getState().messages).toEqual(close.getState().messages);
  expect(quick.read().cursor).toBe('p2');
  expect(quick.getState().messages[0]?.parts).toMatchObject([
    { type: 'tool-call', toolCallId: '1', args: { a: 1 } },
    { type: 'tool-call', toolCallId: '2', args: { b: 2 } },
    { type: 'reasoning', text: 'so that!' },
    { type: 'text', text: 'Hello, Ada.xyz!' },
    { type: 'text', text: 'More' },
  ]);
});

describe('identity', () => {
  it('the state is the same frozen object as long as nothing changes', () => {
    const { store } = setup();
    const state = store.getState();
    expect(store.getState()).toBe(state);
    expect(Object.isFrozen(state)).toBe(true);
  });

  it('a delta changes the identity of its message and part only', () => {
    const { store } = setup();
    store.change(started);
    store.change(event({ type: 'reasoning-delta', id: 'r', delta: 'because' }));
    store.change(say('x'));
    store.change({ type: 'turn-ended', ending: 'finished' });
    store.change({ ...started, messageId: 'id-2' });
    store.change(event({ type: 'reasoning-delta', id: 'r', delta: 'because' }));
    store.change(say('y'));
    const before = store.getState();
    store.change(say('z'));
    const now = store.getState();
    expect(now.messages[0]).toBe(before.messages[0]);
    expect(now.messages[1]).not.toBe(before.messages[1]);
    expect(now.messages[1]?.parts[0]).toBe(before.messages[1]?.parts[0]);
    expect(before.messages[1]?.parts[1]).toMatchObject({ text: 'y' });
    expect(now.messages[1]?.parts[1]).toMatchObject({ text: 'yz' });
    for (const key of ['pendingClientTools', 'notices', 'error', 'usage', 'connectionState'] as const)
      expect(now[key]).toBe(before[key]);
  });
});

describe('pendingClientTools', () => {
  it('pendingClientTools retains its identity while text streams, and unchanged lists retain theirs when a call settles', () => {
    const { store } = setup();
    store.change(started);
    ask(store, '1', 'ask');
    ask(store, '2', 'rate');
    const pending = store.getState().pendingClientTools;
    store.change(say('x'));
    expect(store.getState().pendingClientTools).toBe(pending);
    store.change({ type: 'input-saved', key: toolCallKey('r', '1'), input: 'half' });
    expect(store.getState().pendingClientTools).toBe(pending);
    store.change(settle('1'));
    const after = store.getState().pendingClientTools;
    expect(Object.keys(after)).toEqual(['rate']);
    expect(after.rate).toBe(pending.rate);
  });

  it('a call is among the pending calls as soon as it is shown, in the order of the requests', () => {
    const { store, clock, notified } = setup();
    store.change(started);
    for (const change of [...waiting('1', 'ask'), ...waiting('2', 'ask')]) store.change(change);
    const tool = (toolCallId: string) => ({ toolCallId, toolName: 'ask' }) as InteractiveTool;
    const [first, second] = [tool('1'), tool('2')];
    store.publish();
    store.show(toolCallKey('r', '2'), toShown(second));
    expect(store.getState().pendingCalls).toEqual([second]);
    store.show(toolCallKey('r', '1'), toShown(first));
    expect(store.getState().pendingCalls).toEqual([first, second]);
    expect(store.getShown(toolCallKey('r', '1'))?.tool).toBe(first);
    clock.frame();
    expect(notified).toHaveLength(2);
  });

  it('a tool is gone when its call waits no longer, also for a call that waits again', () => {
    const { store } = setup();
    store.change(started);
    ask(store, '1', 'ask');
    store.change(settle('1'));
    expect([store.getState().pendingCalls, store.getShown(toolCallKey('r', '1'))]).toEqual([[], undefined]);
    for (const change of waiting('1', 'ask')) store.change(change);
    expect(store.getState().pendingCalls).toEqual([]);
  });

  it('pendingClientTools has the calls that wait now, also when one call replaced another', () => {
    const { store } = setup();
    store.change(started);
    ask(store, '1', 'ask');
    expect(store.getState().pendingClientTools.ask).toMatchObject([{ toolCallId: '1' }]);
    store.change(settle('1'));
    ask(store, '2', 'ask');
    expect(store.getState().pendingClientTools.ask).toMatchObject([{ toolCallId: '2' }]);
  });

  it('pendingClientTools has no prototype, so that any tool name is safe', () => {
    const { store } = setup();
    expect(Object.getPrototypeOf(store.getState().pendingClientTools)).toBeNull();
    store.change(started);
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(store.getState().pendingClientTools[name]).toBeUndefined();
      ask(store, name, name);
      expect(store.getState().pendingClientTools[name]).toMatchObject([{ toolName: name }]);
    }
    const { pendingClientTools } = store.getState();
    expect(Object.getPrototypeOf(pendingClientTools)).toBeNull();
    expect(Object.keys(pendingClientTools)).toEqual(['__proto__', 'constructor', 'toString']);
    expect([Object.isFrozen(pendingClientTools), Object.isFrozen(pendingClientTools.toString)]).toEqual([
      true,
      true,
    ]);
  });

  it('the status is awaiting-input exactly while a call waits', () => {
    const { store } = setup();
    const statuses = [store.getState().status];
    for (const change of [
      started,
      ...waiting('1', 'ask'),
      ...waiting('2', 'ask'),
      settle('1'),
      settle('2'),
      { type: 'turn-ended', ending: 'finished' } as const,
    ]) {
      store.change(change);
      statuses.push(store.getState().status);
    }
    expect(statuses).toEqual([
      'idle',
      'streaming',
      'streaming',
      'awaiting-input',
      'awaiting-input',
      'awaiting-input',
      'awaiting-input',
      'streaming',
      'idle',
    ]);
  });
});

describe('a listener that throws', () => {
  it('a listener that throws stops neither the other listeners nor the caller of the change', () => {
    const { store, clock, notified } = setup();
    const reported: unknown[] = [];
    vi.stubGlobal('reportError', (thrown: unknown) => reported.push(thrown));
    const broken = new Error('listener');
    store.subscribe(() => {
      throw broken;
    });
    let after = 0;
    store.subscribe(() => {
      after += 1;
    });
    store.change(started);
    store.publish();
    store.change({ type: 'turn-ended', ending: 'stopped' });
    clock.frame();
    expect([notified.length, after]).toEqual([2, 2]);
    expect(reported).toEqual([broken, broken]);
  });
});
