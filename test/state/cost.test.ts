/** What changes of the conversation cost, counted: the history is looked at once per turn, and nothing is copied for nothing. */
import { expect, it } from 'vitest';
import type { AgentEvent } from '../../src/protocol/events.ts';
import { type Conversation, createConversation } from '../../src/state/conversation.ts';
import type { UIMessage } from '../../src/state/message.ts';
import { reduceConversation } from '../../src/state/reduce-conversation.ts';

const begin = (messages: readonly UIMessage[]): Conversation =>
  reduceConversation(createConversation(messages), {
    type: 'turn-started',
    messageId: 'own',
    at: new Date(0),
    command: { type: 'trigger', triggerName: 'go' },
  });
const hear = (state: Conversation, event: AgentEvent) => reduceConversation(state, { type: 'event', event });

/** As many as asked for; `onLook` hears of each whose id is read. */
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

it('a turn looks at each message of the history once, for the name of its own, whatever it then brings', () => {
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

it('a name that the history has is no second one', () => {
  const state = begin(history(3, () => {}));
  expect(hear(state, { type: 'start', messageId: 'm-0' }).streamingMessage?.id).toBe('own');
});

it('words about calls that change none of them leave the conversation as it is', () => {
  const state = begin([]);
  expect(reduceConversation(state, { type: 'calls-lost', keys: ['r:unknown'] })).toBe(state);
  expect(reduceConversation(state, { type: 'calls-acknowledged', keys: ['r:unknown'] })).toBe(state);
});
