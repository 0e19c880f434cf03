import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import {
  type Conversation,
  type ConversationChange,
  createConversation,
} from '../../../src/core/state/conversation.ts';
import { reduceConversation } from '../../../src/core/state/reduce-conversation.ts';
import { toolCallKey } from '../../../src/core/state/tool-call.ts';
import { createMessageSelector } from '../../../src/core/store/select-messages.ts';
import { uiMessageSchema } from '../../../src/core.ts';
import { batchSizes, eventStream, inBatches } from '../../support/arbitrary-events.ts';
import fc from '../../support/fast-check.ts';

const at = new Date(Date.UTC(2026, 0, 1));
const started: ConversationChange = {
  type: 'turn-started',
  messageId: 'id-1',
  at,
  command: { type: 'trigger', triggerName: 'user-message' },
};
const ended: ConversationChange = { type: 'turn-ended', ending: 'finished' };

/** Returns the changes that the chat makes of an event: a request also announces its calls. */
function changesOf(event: AgentEvent): ConversationChange[] {
  if (event.type !== 'client-tool-request') return [{ type: 'event', event }];
  const { executionId, toolCalls, serverToolResults = [] } = event;
  const calls = toolCalls.map((request) => ({
    key: toolCallKey(executionId, request.toolCallId),
    executionId,
    request,
    requestedAt: at.getTime(),
    args: request.args,
    stage: 'announced' as const,
    serverToolResults,
  }));
  return [
    { type: 'event', event },
    { type: 'calls-requested', calls },
  ];
}

/** Any change that the chat can make, in arbitrary order. */
const key = fc.constantFrom(...['1', '2'].map((id) => toolCallKey('run-1', id)));
const keys = fc.array(key, { maxLength: 2 });
const action: fc.Arbitrary<ConversationChange> = fc.oneof(
  fc.constant(started),
  fc.constant<ConversationChange>({ type: 'turn-retried', fresh: undefined }),
  fc.constant<ConversationChange>({ type: 'turn-retried', fresh: { messageId: 'id-2', at } }),
  fc.constant<ConversationChange>({ type: 'turn-resumed' }),
  fc.constant<ConversationChange>({ type: 'error-cleared' }),
  fc
    .constantFrom('finished' as const, 'stopped' as const, 'failed' as const, 'interrupted' as const)
    .map((ending): ConversationChange => ({ type: 'turn-ended', ending })),
  fc.record({ type: fc.constant('call-running' as const), key, args: fc.constant({}) }),
  fc.record({ type: fc.constant('call-waiting' as const), key, args: fc.constant({}) }),
  fc.record({ type: fc.constant('input-saved' as const), key, input: fc.jsonValue() }),
  fc.record({
    type: fc.constant('call-settled' as const),
    key,
    answer: fc.constantFrom(
      { outcome: 'submitted' as const, result: { ok: true } },
      { outcome: 'failed' as const, error: 'no' },
      { outcome: 'expired' as const },
    ),
  }),
  fc.record({ type: fc.constant('calls-delivered' as const), keys }),
  fc.record({ type: fc.constant('calls-acknowledged' as const), keys }),
  fc.record({ type: fc.constant('calls-lost' as const), keys }),
);
const changes = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: eventStream.map((events) => events.slice(0, 6).flatMap(changesOf)) },
      { weight: 2, arbitrary: action.map((one) => [one]) },
    ),
    { maxLength: 12 },
  )
  .map((groups) => [started, ...groups.flat()]);

const fold = (list: readonly ConversationChange[], state = createConversation([])): Conversation =>
  list.reduce(reduceConversation, state);

describe('reduceConversation, for any changes in any order', () => {
  it('reduceConversation is pure: equal input gives equal output, and neither state nor change is modified', () => {
    fc.assert(
      fc.property(changes, (list) => {
        let state = createConversation([]);
        for (const change of list) {
          const before = structuredClone(state);
          const changeBefore = structuredClone(change);
          const next = reduceConversation(state, change);
          expect(reduceConversation(state, change)).toEqual(next);
          expect(state).toEqual(before);
          expect(change).toEqual(changeBefore);
          state = next;
        }
      }),
    );
  });

  it('every message of reduceConversation parses with uiMessageSchema and survives JSON', () => {
    fc.assert(
      fc.property(changes, (list) => {
        const select = createMessageSelector();
        let state = createConversation([]);
        for (const change of list) {
          state = reduceConversation(state, change);
          for (const message of select(state)) {
            expect(uiMessageSchema.parse(JSON.parse(JSON.stringify(message)))).toEqual(message);
          }
        }
      }),
    );
  });

  it('values that reduceConversation does not change retain their identity', () => {
    fc.assert(
      fc.property(changes, (list) => {
        const select = createMessageSelector();
        let state = createConversation([]);
        let before = select(state);
        for (const change of list) {
          const next = reduceConversation(state, change);
          const messages = select(next);
          if (next === state) expect(messages).toBe(before);
          // A call that is asked again, or settled late, changes the finished message that shows it.
          const concernsCall = change.type === 'calls-requested' || change.type === 'call-settled';
          for (const [index, message] of concernsCall ? [] : before.entries()) {
            if (
              message.status === 'done' &&
              messages[index]?.id === message.id &&
              messages[index].status === 'done'
            )
              expect(messages[index]).toBe(message);
          }
          expect(select(next)).toBe(messages);
          state = next;
          before = messages;
        }
      }),
    );
  });
});

describe('messages, for any stream of events', () => {
  it('messages are the same with and without incremental parsers, whatever a retry removed', () => {
    fc.assert(
      fc.property(changes, batchSizes, (list, sizes) => {
        const remembering = createMessageSelector();
        let state = createConversation([]);
        for (const batch of inBatches(list, sizes)) {
          state = fold(batch, state);
          expect(remembering(state)).toEqual(createMessageSelector()(state));
        }
      }),
    );
  });

  it('messages are the same however often the state is read while they arrive', () => {
    fc.assert(
      fc.property(eventStream, batchSizes, (events, sizes) => {
        const all = events.flatMap(changesOf);
        const often = createMessageSelector();
        let state = fold([started]);
        for (const batch of inBatches(all, sizes)) {
          state = fold(batch, state);
          often(state);
        }
        const once = createMessageSelector();
        expect(often(state)).toEqual(once(fold([started, ...all])));
        expect(often(fold([ended], state))).toEqual(once(fold([started, ...all, ended])));
      }),
    );
  });

  it('messages have no unfinished part once the turn has ended, at any event', () => {
    fc.assert(
      fc.property(
        eventStream,
        fc.constantFrom('finished' as const, 'stopped' as const, 'failed' as const, 'interrupted' as const),
        (events, ending) => {
          let state = fold([started]);
          for (const event of events) {
            state = fold(changesOf(event), state);
            const over = fold([{ type: 'turn-ended', ending }], state);
            const statuses = over.messages.flatMap(({ status, parts }) => [
              status,
              ...parts.map((part) => ('status' in part ? part.status : 'done')),
            ]);
            expect(statuses.filter((status) => /streaming|pending|running/.test(status))).toEqual([]);
            expect(over.streamingMessage).toBeNull();
          }
        },
      ),
    );
  });

  it('published messages never change, at any depth', () => {
    fc.assert(
      fc.property(eventStream, batchSizes, (events, sizes) => {
        const select = createMessageSelector();
        const published: { readonly shown: unknown; readonly copy: unknown }[] = [];
        let state = fold([started]);
        for (const batch of inBatches([...events.flatMap(changesOf), ended], sizes)) {
          state = fold(batch, state);
          const shown = select(state);
          expectFrozen(shown);
          published.push({ shown, copy: structuredClone(shown) });
        }
        for (const { shown, copy } of published) expect(shown).toEqual(copy);
      }),
    );
  });
});

function expectFrozen(value: unknown, path = 'messages'): void {
  if (typeof value !== 'object' || value === null || value instanceof Date) return;
  expect(Object.isFrozen(value), `${path} is frozen`).toBe(true);
  for (const [key, item] of Object.entries(value)) expectFrozen(item, `${path}.${key}`);
}
