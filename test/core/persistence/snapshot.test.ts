import { describe, expect, it } from 'vitest';
import { decodeSnapshot, encodeSnapshot } from '../../../src/core/persistence/snapshot.ts';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import {
  type Conversation,
  type ConversationChange,
  createConversation,
} from '../../../src/core/state/conversation.ts';
import { toInitialMessages } from '../../../src/core/state/initial-messages.ts';
import type { UIMessage } from '../../../src/core/state/message.ts';
import { reduceConversation } from '../../../src/core/state/reduce-conversation.ts';
import { toolCallKey } from '../../../src/core/state/tool-call.ts';
import { toToolCalls } from '../../../src/core/tools/to-tool-calls.ts';
import { AgentChatError } from '../../../src/shared/errors.ts';
import { call, start, text } from '../../support/scripted-events.ts';

const AT = new Date('2026-01-02T03:04:05Z');
const event = (fact: AgentEvent): ConversationChange => ({ type: 'event', event: fact });
const changed = (state: Conversation, ...changes: ConversationChange[]) =>
  changes.reduce(reduceConversation, state);

const request = {
  type: 'client-tool-request',
  executionId: 'run-1',
  toolCalls: [call('c1', 'ask', { a: 1 }), call('c2', 'ask'), call('c3', 'ask')],
  serverToolResults: [{ toolCallId: 's1', result: 1 }],
} as const;
const [first, second, third] = ['c1', 'c2', 'c3'].map((id) => toolCallKey('run-1', id)) as [
  string,
  string,
  string,
];

/** A running turn: text and arguments are arriving, calls wait, are settled, or are delivered. */
function createBusyConversation(): Conversation {
  return changed(
    createConversation([]),
    {
      type: 'turn-started',
      messageId: 'm-1',
      at: AT,
      command: { type: 'trigger', triggerName: 'user-message', input: { USER_MESSAGE: 'Hi' } },
      userMessage: {
        id: 'u-1',
        role: 'user',
        parts: [
          { type: 'file', id: 'f', url: 'https://files.example/f', mediaType: 'image/png' },
          { type: 'text', text: 'Hi', status: 'done' },
        ],
        status: 'done',
        createdAt: AT,
      },
    },
    ...[start, ...text('t', 'Hel')].map(event),
    event({ type: 'text-start', id: 'o', responseType: 'Order' }),
    event({ type: 'text-delta', id: 'o', delta: '{"a":' }),
    event({
      type: 'block-start',
      blockId: 'b',
      blockName: 'Draw',
      blockType: 'generate-image',
      display: 'name',
    }),
    event({ type: 'tool-input-start', toolCallId: 'c1', toolName: 'ask' }),
    event({ type: 'source', sourceType: 'url', id: 'l', url: 'https://pages.example' }),
    event({ type: 'usage', usage: { inputTokens: 1 } }),
    { type: 'calls-requested', calls: toToolCalls(request, AT.getTime()) },
    { type: 'call-waiting', key: first, expiresAt: AT.getTime() + 1000 },
    { type: 'input-saved', key: first, input: { half: true } },
    { type: 'call-settled', key: second, answer: { outcome: 'submitted', result: 1 } },
    { type: 'call-settled', key: third, answer: { outcome: 'cancelled', error: 'User cancelled' } },
    { type: 'calls-delivered', keys: [third] },
    { type: 'undelivered-kept' },
    { type: 'notice', notice: { code: 'slow', text: 'This takes a while' } },
    event({ ...start, cursor: '7' }),
  );
}

const busy = createBusyConversation();
const failed = changed(
  busy,
  {
    type: 'request-sent',
    command: {
      type: 'respond',
      executionId: 'run-1',
      answers: [{ toolCallId: 'c2', toolName: 'ask', outcome: 'submitted', result: 1, echo: {} }],
      serverToolResults: [{ toolCallId: 's1', result: 1 }],
    },
  },
  {
    type: 'turn-ended',
    ending: 'failed',
    error: new AgentChatError({
      code: 'backend_error',
      message: 'Busy',
      errorType: 'tool_error',
      source: 'tool',
      retryable: true,
      retryAfter: 3,
      status: 409,
      backendCode: 'SESSION_BUSY',
      provider: { name: 'anthropic', requestId: 'req-1' },
      tool: { name: 'ask', callId: 'c2' },
    }),
  },
);

function decoded(json: string): Conversation {
  const snapshot = decodeSnapshot(json);
  if ('fault' in snapshot) throw new Error(snapshot.fault);
  return snapshot.conversation;
}

/** Every kind of change that may follow a restored state. */
function goOn(state: Conversation): Conversation {
  const { type } = state.request ?? {};
  if (state.phase === 'streaming' && type !== 'trigger' && type !== 'respond')
    throw new Error('nothing to go on with');
  const open = state.phase === 'error' ? changed(state, { type: 'turn-resumed' }) : state;
  return changed(
    open,
    event({ type: 'text-delta', id: 't', delta: 'lo' }),
    event({ type: 'text-delta', id: 'o', delta: '1}' }),
    event({ type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{}' }),
    event({ type: 'text-start', id: 'n' }),
    event({ type: 'block-end', blockId: 'b' }),
    { type: 'call-settled', key: first, answer: { outcome: 'submitted', result: null } },
    { type: 'turn-ended', ending: 'finished' },
  );
}

describe('a snapshot', () => {
  it.each([
    ['in the middle of a turn', busy],
    ['after a failure', failed],
  ])('a snapshot taken %s restores an equal state', (_, state) => {
    const { error, ...rest } = decoded(encodeSnapshot(state, 0));
    expect(rest).toEqual({ ...state, error: undefined });
    expect(error).toEqual(state.error);
    expect(goOn({ ...rest, error })).toEqual(goOn(state));
  });

  it('a snapshot with one value of another kind is refused, or restores a usable state', () => {
    const stored = [busy, failed].map((state) => JSON.parse(encodeSnapshot(state, 0)) as object);
    const broken: string[] = [];
    let refused = 0;
    for (const { place, json } of stored.flatMap(listMangled)) {
      const snapshot = decodeSnapshot(json);
      if ('fault' in snapshot) {
        refused += 1;
        continue;
      }
      try {
        goOn(snapshot.conversation);
      } catch (thrown) {
        broken.push(`${place}: ${String(thrown)}`);
      }
    }
    expect(broken).toEqual([]);
    // Another number means that a check is missing, or that the shape of the snapshot changed.
    expect(refused).toBe(1808);
  });

  it.each([
    ['a part without its text', (saved: Saved) => (saved.messages[0].parts[1] = { type: 'text' })],
    [
      'a status that is none',
      (saved: Saved) => (saved.messages[0].parts[1] = { type: 'text', text: '', status: 'new' }),
    ],
    ['a settled call without its answer', (saved: Saved) => delete saved.calls[1].answer],
    ['a request of another kind', (saved: Saved) => (saved.request.type = 'dance')],
    ['no request to go on with', (saved: Saved) => (saved.request = null)],
    ['nothing in place of the undelivered calls', (saved: Saved) => (saved.undelivered = null)],
    ['nothing where the names of allowed tools stand', (saved: Saved) => (saved.allowedTools = null)],
    ['nothing where the usage stands', (saved: Saved) => (saved.usage = null)],
    [
      'an answer nobody can send',
      (saved: Saved) => (saved.request = { type: 'respond', executionId: 'r', answers: [{}] }),
    ],
  ])('a snapshot with %s is refused', (_, mangle) => {
    const saved = JSON.parse(encodeSnapshot(busy, 0));
    mangle(saved);
    expect(decodeSnapshot(JSON.stringify(saved))).toEqual({ fault: expect.any(String) });
  });

  it('a snapshot may have unknown parts, because initialMessages may have them', () => {
    const parts = [
      { type: 'poll', items: [] },
      { type: 'text', text: 'without a status' },
    ] as unknown as UIMessage['parts'];
    const initial = toInitialMessages([{ id: 'i', role: 'assistant', parts, status: 'done', createdAt: AT }]);
    const { messages } = decoded(encodeSnapshot(createConversation(initial), 0));
    expect(messages).toEqual(initial);
    expect(messages[0]?.parts).toMatchObject([
      { type: 'poll' },
      { text: 'without a status', status: 'done' },
    ]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: it is about what has the wrong type
type Saved = any;

/** Returns copies of the value, each with one field missing or of another type. */
function listMangled(value: object): { place: string; json: string }[] {
  const mangled: { place: string; json: string }[] = [];
  const visit = (at: Saved, path: string) => {
    for (const key of Object.keys(at)) {
      const was = at[key];
      for (const other of [undefined, null, 7, [null]]) {
        at[key] = other;
        mangled.push({ place: `${path}.${key} = ${JSON.stringify(other)}`, json: JSON.stringify(value) });
      }
      at[key] = was;
      if (typeof was === 'object' && was !== null) visit(was, `${path}.${key}`);
    }
  };
  visit(value, '');
  return mangled;
}
