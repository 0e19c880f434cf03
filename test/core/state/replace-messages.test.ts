/** The backend's list of messages takes the place of the page's, and what is equal keeps its identity. */
import { describe, expect, it } from 'vitest';
import type { AgentEvent, WrittenPart } from '../../../src/core/protocol/events.ts';
import { createConversation } from '../../../src/core/state/conversation.ts';
import type { UIMessage, UIMessagePart } from '../../../src/core/state/message.ts';
import { reduceConversation } from '../../../src/core/state/reduce-conversation.ts';
import { replaceMessages } from '../../../src/core/state/replace-messages.ts';
import { createMessageSelector } from '../../../src/core/store/select-messages.ts';

const at = new Date(Date.UTC(2026, 0, 1));
const message = (id: string, text: string, role: UIMessage['role'] = 'assistant'): UIMessage => ({
  id,
  role,
  parts: [{ type: 'text', text, status: 'done' }],
  status: 'done',
  createdAt: at,
});
const text = (words: string, status: 'streaming' | 'done' = 'done'): UIMessagePart => ({
  type: 'text',
  text: words,
  status,
});

const begun = reduceConversation(createConversation([message('u1', 'Hi', 'user'), message('a1', 'Hello')]), {
  type: 'turn-started',
  messageId: 'a2',
  at,
  command: { type: 'trigger', triggerName: 'go' },
  userMessage: message('u2', 'Again', 'user'),
});
const stateAfter = (events: readonly AgentEvent[], state = begun) =>
  events.reduce((before, event) => {
    if (event.type !== 'messages-replaced') return reduceConversation(before, { type: 'event', event });
    return reduceConversation(before, { type: event.type, ...replaceMessages(before, event) });
  }, state);
const replaced = (messages: readonly UIMessage[], ...parts: readonly WrittenPart[]): AgentEvent => ({
  type: 'messages-replaced',
  messages,
  parts,
});
const writtenIn = (state: ReturnType<typeof stateAfter>) =>
  createMessageSelector()(state).at(-1)?.parts ?? [];

describe('messages before the one that is written', () => {
  it('equal ones keep their identity, others are replaced or removed', () => {
    const [first] = begun.messages;
    const list = [message('u1', 'Hi', 'user'), message('a1', 'Corrected')];
    const state = stateAfter([replaced(list)]);
    expect(state.messages.map(({ id }) => id)).toEqual(['u1', 'a1']);
    expect(state.messages[0]).toBe(first);
    expect(state.messages[1]?.parts).toEqual([text('Corrected')]);
  });

  it('a list that is equal changes nothing', () => {
    const events: AgentEvent[] = [{ type: 'text-delta', id: 't', delta: 'So' }];
    const before = stateAfter(events);
    const list = begun.messages.map((known) => ({ ...known }));
    const state = stateAfter([replaced(list, { part: text('So', 'streaming'), openId: 't' })], before);
    expect(state.messages).toBe(before.messages);
    expect(state.streamingMessage?.parts).toBe(before.streamingMessage?.parts);
  });
});

describe('the message that is written', () => {
  it('a text that goes on gets its deltas, and one that has ended gets none', () => {
    const state = stateAfter([
      { type: 'text-delta', id: 't', delta: 'The card is 4111' },
      replaced([], { part: text('Before') }, { part: text('The card', 'streaming'), openId: 't' }),
      { type: 'text-delta', id: 't', delta: ' is hidden' },
      { type: 'text-delta', id: 'other', delta: 'End' },
    ]);
    expect(writtenIn(state)).toMatchObject([
      { text: 'Before' },
      { text: 'The card is hidden' },
      { text: 'End' },
    ]);
  });

  it('parts of kinds that the backend does not know stay where they are', () => {
    const state = stateAfter([
      {
        type: 'block-start',
        blockId: 'b',
        blockName: 'PLAN',
        blockType: 'PLAN',
        display: 'name',
        isOperation: true,
      },
      { type: 'text-delta', id: 't', delta: 'Old' },
      replaced([], { part: text('New') }),
      { type: 'block-end', blockId: 'b' },
    ]);
    expect(writtenIn(state)).toMatchObject([{ type: 'operation', status: 'done' }, { text: 'New' }]);
  });

  it('a call that was asked about here keeps its answer, also where the list has it open or lacks it', () => {
    const call = { toolCallId: 'c', toolName: 'ask', args: {} };
    const request: AgentEvent = { type: 'client-tool-request', executionId: 'e', toolCalls: [call] };
    const asked = reduceConversation(stateAfter([request]), {
      type: 'calls-requested',
      calls: [
        {
          key: 'e:c',
          executionId: 'e',
          request: call,
          requestedAt: 0,
          stage: 'announced',
          serverToolResults: [],
        },
      ],
    });
    const answered = reduceConversation(asked, {
      type: 'call-settled',
      key: 'e:c',
      answer: { outcome: 'declined', result: { outcome: 'declined' }, reason: 'no' },
    });
    const open = {
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 'ask',
      args: {},
      status: 'running',
    } as const;
    for (const event of [replaced([], { part: open }), replaced([], { part: text('So') })]) {
      const part = writtenIn(stateAfter([event], answered)).find(({ type }) => type === 'tool-call');
      expect(part).toMatchObject({ status: 'done', outcome: 'declined', reason: 'no' });
    }
  });

  it('a call of the server is as the list has it, and one that the list lacks is gone', () => {
    const call = (toolCallId: string): AgentEvent => ({
      type: 'tool-input-available',
      toolCallId,
      toolName: 'look',
      input: {},
    });
    const done = {
      type: 'tool-call',
      toolCallId: 'c1',
      toolName: 'look',
      args: {},
      status: 'done',
      result: 3,
    } as const;
    const state = stateAfter([call('c1'), call('c2'), replaced([], { part: done })]);
    expect(writtenIn(state)).toEqual([done]);
  });
});
