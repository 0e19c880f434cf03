/** The cost of a long stream, counted in operations, because times differ between machines. */
import { describe, expect, it } from 'vitest';
import { decodeSnapshot, encodeSnapshot } from '../../../src/core/persistence/snapshot.ts';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { createConversation } from '../../../src/core/state/conversation.ts';
import { reduceConversation } from '../../../src/core/state/reduce-conversation.ts';
import { ChatStore } from '../../../src/core/store/chat-store.ts';
import { createIncrementalJson } from '../../../src/shared/incremental-json.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { countCharacters } from '../../support/count-characters.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { start, stopped } from '../../support/scripted-events.ts';

const DELTAS = 20_000;
const PER_FRAME = 100;
/** 100 KB of one object, five characters at a time. */
const object = JSON.stringify({
  items: Array.from({ length: DELTAS / 4 }, (_, index) => `item ${index + 1e7}`),
});
const pieces = Array.from({ length: DELTAS }, (_, index) => {
  const size = Math.ceil(object.length / DELTAS);
  return object.slice(index * size, (index + 1) * size);
});
const delta = (piece: string): AgentEvent => ({ type: 'text-delta', id: 'o', delta: piece });

describe('20,000 deltas of a 100 KB object', () => {
  it('20,000 deltas publish once per frame, and give the whole object at the end', async () => {
    const { chat, backend, clock } = scriptedChat();
    let publications = 0;
    let messages = chat.getState().messages;
    chat.subscribe(() => {
      if (chat.getState().messages !== messages) publications += 1;
      ({ messages } = chat.getState());
    });
    const sent = chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, { type: 'text-start', id: 'o', responseType: 'Big' });
    await settled();
    clock.frame();
    const before = publications;
    for (let from = 0; from < DELTAS; from += PER_FRAME) {
      for (const piece of pieces.slice(from, from + PER_FRAME)) run.send(delta(piece));
      // Each chunk of the response takes a few turns of promises.
      for (let turn = 0; turn < PER_FRAME / 5; turn += 1) await settled();
      clock.frame();
    }
    expect(publications - before).toBe(DELTAS / PER_FRAME);
    run.send({ type: 'text-end', id: 'o' }, stopped);
    await sent;
    expect(chat.getState().messages[1]?.parts).toMatchObject([
      { status: 'done', object: JSON.parse(object) },
    ]);
  });

  it('20,000 deltas read each character of the object once, however often the state is read', () => {
    const parser = createIncrementalJson();
    const count = countCharacters(() => {
      for (const [index, piece] of pieces.entries()) {
        parser.feed(piece);
        if (index % PER_FRAME === 0) parser.value();
      }
    });
    expect(count).toBe(object.length);
  });

  it('20,000 deltas allocate one part and one message per publication, not per delta', () => {
    const clock = createManualClock();
    const store = new ChatStore(createConversation([]), clock);
    const parts = new Set<unknown>();
    store.subscribe(() => parts.add(store.getState().messages[0]?.parts[0]));
    store.change({
      type: 'turn-started',
      messageId: 'm',
      at: new Date(0),
      command: { type: 'trigger', triggerName: 'go' },
    });
    for (const [index, piece] of pieces.entries()) {
      store.change({ type: 'event', event: delta(piece) });
      if (index % PER_FRAME === PER_FRAME - 1) clock.frame();
    }
    expect(parts.size).toBe(DELTAS / PER_FRAME);
  });

  it('a delta copies neither the history nor other parts', () => {
    const history = Array.from({ length: 500 }, (_, index) => ({
      id: `m-${index}`,
      role: 'user' as const,
      parts: [],
      status: 'done' as const,
      createdAt: new Date(0),
    }));
    let state = reduceConversation(createConversation(history), {
      type: 'turn-started',
      messageId: 'm',
      at: new Date(0),
      command: { type: 'trigger', triggerName: 'go' },
    });
    for (const id of ['a', 'b'])
      state = reduceConversation(state, { type: 'event', event: { type: 'text-delta', id, delta: 'x' } });
    const next = reduceConversation(state, {
      type: 'event',
      event: { type: 'text-delta', id: 'b', delta: 'y' },
    });
    expect(next.messages).toBe(state.messages);
    expect(next.calls).toBe(state.calls);
    expect(next.streamingMessage?.partIndexes).toBe(state.streamingMessage?.partIndexes);
    expect(next.streamingMessage?.parts[0]).toBe(state.streamingMessage?.parts[0]);
    expect(next.streamingMessage?.parts[1]).not.toBe(state.streamingMessage?.parts[1]);
  });
});

it('persisting a long conversation encodes each finished message once', () => {
  let encoded = 0;
  const messages = Array.from({ length: 1000 }, (_, index) => ({
    id: `m${index}`,
    role: 'user' as const,
    parts: [],
    status: 'done' as const,
    createdAt: new Date(0),
    toJSON: () => {
      encoded += 1;
      return { id: `m${index}`, role: 'user', parts: [], status: 'done', createdAt: new Date(0) };
    },
  }));
  const conversation = createConversation(messages);
  const kept = encodeSnapshot(conversation, 1);
  expect(encodeSnapshot({ ...conversation, phase: 'streaming' }, 1)).toBe(kept.replace('idle', 'streaming'));
  expect(encoded).toBe(1000);
  const decoded = decodeSnapshot(kept);
  expect('fault' in decoded ? decoded.fault : decoded.conversation.messages.map(({ id }) => id)).toEqual(
    messages.map(({ id }) => id),
  );
});
