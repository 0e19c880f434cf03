/** Deltas between two reads of the state are applied as one. The state shows no difference. */

import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/core/protocol/events.ts';
import { type ConversationChange, createConversation } from '../../src/core/state/conversation.ts';
import { reduceConversation } from '../../src/core/state/reduce-conversation.ts';
import { ChatStore } from '../../src/core/store/chat-store.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import fc from '../support/fast-check.ts';

const begun: ConversationChange = {
  type: 'turn-started',
  messageId: 'm',
  at: new Date(0),
  command: { type: 'trigger', triggerName: 'go' },
};

/** Makes a store in the middle of a turn. */
function beginTurn() {
  const clock = createManualClock();
  const store = new ChatStore(createConversation([]), clock);
  store.change(begun);
  return { store, clock, change: (event: AgentEvent) => store.change({ type: 'event', event }) };
}

function applyAll(events: readonly AgentEvent[]) {
  return events.reduce(
    (state, event) => reduceConversation(state, { type: 'event', event }),
    reduceConversation(createConversation([]), begun),
  );
}

const id = fc.constantFrom('a', 'b');
const piece = fc.string({ maxLength: 3 });
const cursor = fc.option(fc.nat({ max: 99 }).map(String), { nil: undefined });
const positioned = (event: AgentEvent, at: string | undefined): AgentEvent =>
  at === undefined ? event : { ...event, cursor: at };
const anyEvent = fc
  .tuple(fc.constantFrom('text', 'reasoning', 'input', 'start', 'end'), id, piece, cursor)
  .map(([kind, key, delta, at]) => {
    switch (kind) {
      case 'text':
        return positioned({ type: 'text-delta', id: key, delta }, at);
      case 'reasoning':
        return positioned({ type: 'reasoning-delta', id: key, delta }, at);
      case 'input':
        return positioned({ type: 'tool-input-delta', toolCallId: key, inputTextDelta: delta }, at);
      case 'start':
        return positioned({ type: 'tool-input-start', toolCallId: key, toolName: 'look' }, at);
      default:
        return positioned({ type: 'text-end', id: key }, at);
    }
  });

describe('deltas', () => {
  it('deltas make the same conversation however often the state is read', () => {
    fc.assert(
      fc.property(
        fc.array(anyEvent, { maxLength: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        (events, lookEvery, isFrame) => {
          const whole = JSON.stringify(events);
          const { store, clock, change } = beginTurn();
          for (const [index, event] of events.entries()) {
            change(event);
            if (index % lookEvery > 0) continue;
            if (isFrame) clock.frame();
            expect(store.read()).toEqual(applyAll(events.slice(0, index + 1)));
          }
          expect(store.read()).toEqual(applyAll(events));
          expect(JSON.stringify(events), 'the events of the transport are not changed').toBe(whole);
        },
      ),
    );
  });

  it('persistence gets the deltas of a task as one, before the next event', async () => {
    const { store, change } = beginTurn();
    const changes: ConversationChange[] = [];
    change({ type: 'text-delta', id: 'a', delta: 'before ' });
    store.onChange((_, applied) => changes.push(applied));
    expect(changes, 'no change before the first event').toEqual([]);
    change({ type: 'text-delta', id: 'a', delta: 'one ' });
    change({ type: 'text-delta', id: 'a', delta: 'two ' });
    change({ type: 'text-delta', id: 'b', delta: 'three' });
    await Promise.resolve();
    change({ type: 'text-delta', id: 'b', delta: 'four' });
    change({ type: 'text-end', id: 'b' });
    expect(changes).toEqual(
      [
        { type: 'text-delta', id: 'a', delta: 'one two ' },
        { type: 'text-delta', id: 'b', delta: 'three' },
        { type: 'text-delta', id: 'b', delta: 'four' },
        { type: 'text-end', id: 'b' },
      ].map((event) => ({ type: 'event', event })),
    );
    await Promise.resolve();
    expect(changes).toHaveLength(4);
  });
});
