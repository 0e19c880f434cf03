/** The counted cost of changes: a turn reads the history once, and no change copies unchanged values. */
import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { type Conversation, createConversation } from '../../../src/core/state/conversation.ts';
import type { UIMessage } from '../../../src/core/state/message.ts';
import { reduceConversation } from '../../../src/core/state/reduce-conversation.ts';

const begin = (messages: readonly UIMessage[]): Conversation =>
  reduceConversation(createConversation(messages), {
    type: 'turn-started',
    messageId: 'own',
    at: new Date(0),
    command: { type: 'trigger', triggerName: 'go' },
  });
const hear = (state: Conversation, event: AgentEvent) => reduceConversation(state, { type: 'event', event });

/** Creates `count` messages. Reading the id of one calls `onLook`. */
const history = (count: number, onLook: () => void) =>
  Array.from(
    { length: count },
    (_, index): UIMessage => ({
      get id() {
        onLook();
        return `m-${index}`;
      },
      role: 'user',
      parts: [],
      status: 'done',
      createdAt: new Date(0),
    }),
  );

it('a turn reads each message of the history once, to check its own message id', () => {
  let looks = 0;
  let state = begin(history(500, () => (looks += 1)));
  for (let leg = 0; leg < 3; leg += 1) {
    state = hear(state, { type: 'start', messageId: `leg-${leg}`, executionId: 'r' });
    for (let delta = 0; delta < 100; delta += 1)
      state = hear(state, { type: 'text-delta', id: 't', delta: 'word ' });
  }
  expect(state.streamingMessage?.id).toBe('leg-0');
  expect(looks).toBe(500);
});

it('a message id that the history already has is not adopted', () => {
  const state = begin(history(3, () => {}));
  expect(hear(state, { type: 'start', messageId: 'm-0' }).streamingMessage?.id).toBe('own');
});

it('an event about calls that changes no call returns the same conversation', () => {
  const state = begin([]);
  expect(reduceConversation(state, { type: 'calls-lost', keys: ['r:unknown'] })).toBe(state);
  expect(reduceConversation(state, { type: 'calls-acknowledged', keys: ['r:unknown'] })).toBe(state);
});
