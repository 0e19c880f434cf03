/** When the chat writes a conversation to its storage, and what it writes. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChatStorage } from '../../../src/core/persistence/chat-storage.ts';
import { createPersistence, createSocketTransport } from '../../../src/core.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { createDeferred } from '../../support/deferred.ts';
import { left, open, pageLeft, restored, slowStorage } from '../../support/persisted-page.ts';
import { settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped, text } from '../../support/scripted-events.ts';
import { createFakeServer } from '../transport/fake-socket.ts';

afterEach(() => vi.unstubAllGlobals());

describe('the storage', () => {
  it('a full storage is reported once, and the chat goes on', async () => {
    const full: ChatStorage = {
      load: () => null,
      save: () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      },
      remove: () => {},
    };
    const { chat, backend, notified } = open(full);
    await restored(chat);
    const sent = chat.sendMessage('Hi');
    (await backend.request(0)).send(...text('t', 'Hello'), stopped);
    await sent;
    await settled();
    expect(chat.getState().status).toBe('idle');
    expect(notified.filter((line) => line === 'error persistence_failed')).toHaveLength(1);
  });

  it('a failed write is tried again when the page is left', async () => {
    const onLeave = pageLeft();
    const { entries, ...storage } = createMemoryStorage();
    let isFull = false;
    const save: ChatStorage['save'] = (key, text) => {
      if (isFull) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      storage.save(key, text);
    };
    const { chat, backend, notified } = open({ ...storage, save }, { clientTools: { ask: 'interactive' } });
    await restored(chat);
    void chat.sendMessage('order');
    (await backend.request(0)).send(start, request(call('c0', 'ask')), awaitingAnswers);
    await settled();
    isFull = true;
    chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
    await settled();
    expect(notified).toEqual(['error persistence_failed']);
    isFull = false;
    onLeave();
    await settled();
    expect(entries.get('handrail:c')).toContain('"yes"');
  });

  it('a storage that is still writing at destroy() gets the last state: the open question with its saved input', async () => {
    const { entries, ...storage } = createMemoryStorage();
    const writes = [createDeferred(), createDeferred()];
    let begun = 0;
    const slow: ChatStorage = {
      ...storage,
      async save(key, snapshot) {
        begun += 1;
        await writes[begun - 1]?.promise;
        storage.save(key, snapshot);
      },
    };
    const before = await left(slow, { ask: 'interactive' }, undefined, 'ask');
    before.chat.getState().pendingClientTools.ask?.[0]?.saveInput({ size: 'L' });
    before.chat.destroy();
    expect(begun).toBe(1);
    for (const { resolve } of writes) {
      resolve();
      await settled();
    }
    expect(begun).toBe(2);
    const after = open(storage, { clientTools: { ask: 'interactive' } });
    await restored(after.chat);
    expect(after.chat.getState().pendingClientTools.ask?.[0]?.getSavedInput()).toEqual({ size: 'L' });
  });

  it('the next chat of the page reads the storage after the last write of the destroyed chat', async () => {
    const { storage, slow, write } = slowStorage();
    const before = await left(slow, { ask: 'interactive' }, undefined, 'ask');
    before.chat.destroy();
    const after = open(storage, { clientTools: { ask: 'interactive' } });
    await restored(after.chat);
    write();
    await settled();
    expect(after.chat.getState().pendingClientTools.ask).toHaveLength(1);
  });

  it('leaving a page writes only if something changed, because another page may have gone on', async () => {
    const onLeave = pageLeft();
    const storage = createMemoryStorage();
    const save = vi.fn(storage.save);
    const say = async (content: string) => {
      const page = open({ ...storage, save });
      await restored(page.chat);
      void page.chat.sendMessage(content);
      (await page.backend.request(0)).send(start, stopped);
      await settled();
    };
    await say('one');
    const server = createFakeServer();
    const clock = createManualClock();
    const transport = createSocketTransport({ connect: server.connect, clock });
    const idle = open({ ...storage, save }, { transport, clock });
    await restored(idle.chat);
    expect(idle.chat.getState().messages).toHaveLength(1);
    await say('two');
    save.mockClear();
    await idle.chat.connect?.();
    await clock.advance(1000);
    onLeave();
    await settled();
    expect(idle.chat.getState().connectionState).toBe('connected');
    expect(save).not.toHaveBeenCalled();
    expect(storage.entries.get('handrail:c')).toContain('two');
  });

  it('destroy() removes the listeners of the storage from the page', async () => {
    const listeners: string[] = [];
    const page = {
      addEventListener: (type: string) => listeners.push(type),
      removeEventListener: (type: string) => listeners.splice(listeners.indexOf(type), 1),
    };
    vi.stubGlobal('document', page);
    for (const [name, listener] of Object.entries(page)) vi.stubGlobal(name, listener);
    const { chat } = open(createMemoryStorage(), {
      persistence: createPersistence({ storage: createMemoryStorage(), tabs: false }),
    });
    await restored(chat);
    expect(listeners).toEqual(['online', 'offline', 'pagehide', 'visibilitychange']);
    chat.destroy();
    expect(listeners).toEqual([]);
  });

  it('streaming text is written at intervals, not per delta, and its end is written at destroy()', async () => {
    let saves = 0;
    let saved = '';
    const save: ChatStorage['save'] = (_, text) => {
      saves += 1;
      saved = text;
    };
    const storage: ChatStorage = { load: () => null, save, remove: () => {} };
    const { chat, backend, clock } = open(storage);
    await restored(chat);
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    await settled();
    const before = saves;
    run.send(...text('t', 'a'));
    for (let count = 0; count < 100; count += 1) run.send({ type: 'text-delta', id: 't', delta: 'b' });
    await settled();
    expect(saves - before).toBe(0);
    await clock.advance(500);
    expect(saves - before).toBe(1);
    run.send({ type: 'text-delta', id: 't', delta: 'the end' });
    await settled();
    expect(saved).not.toContain('the end');
    chat.destroy();
    expect(saved).toContain('the end');
  });

  it('the id of a run is written as soon as the run begins, because a resume needs it', async () => {
    const storage = createMemoryStorage();
    const before = open(storage);
    await restored(before.chat);
    void before.chat.sendMessage('Hi');
    const run = await before.backend.request(0);
    await settled();
    run.send({ ...start, cursor: '1' });
    await settled();
    const after = open(storage);
    await restored(after.chat);
    expect(after.backend.commands).toMatchObject([{ type: 'resume', executionId: 'run-1', cursor: '1' }]);
  });

  it('answers given in one task are one write, also with a slow storage, and the last write is complete', async () => {
    const memory = createMemoryStorage();
    const writes: { text: string; done: () => void }[] = [];
    const slow: ChatStorage = {
      ...memory,
      save(key, text) {
        const { promise, resolve } = createDeferred();
        writes.push({ text, done: () => [memory.save(key, text), resolve()] });
        return promise;
      },
    };
    const answered = (text: string) =>
      (JSON.parse(text).calls as { answer?: object }[]).filter(({ answer }) => answer !== undefined).length;
    const { chat, backend } = open(slow, {
      clientTools: { ask: 'interactive', now: () => new Promise(() => {}) },
    });
    await restored(chat);
    void chat.sendMessage('order');
    const asks = ['1', '2', '3'].map((id) => call(id, 'ask'));
    (await backend.request(0)).send(start, request(...asks, call('4', 'now')), awaitingAnswers);
    await settled();
    // One write is running, and later changes have to follow it.
    expect(writes.map(({ text }) => answered(text))).toEqual([0]);
    const [first, second, third] = chat.getState().pendingClientTools.ask ?? [];
    first?.submit(1);
    second?.submit(2);
    writes[0]?.done();
    await settled();
    expect(writes.map(({ text }) => answered(text))).toEqual([0, 2]);
    writes[1]?.done();
    await settled();
    third?.submit(3);
    third?.submit(4);
    await settled();
    expect(writes.map(({ text }) => answered(text))).toEqual([0, 2, 3]);
    writes[2]?.done();
    await settled();
    expect(writes).toHaveLength(3);
    expect(answered(memory.entries.get('handrail:c') ?? '')).toBe(3);
  });

  it('answers given in one task are one write on an idle storage too, which happens at once when the page is left', async () => {
    const storage = createMemoryStorage();
    const writes: string[] = [];
    const counted: ChatStorage = {
      ...storage,
      save(key, text) {
        writes.push(text);
        storage.save(key, text);
      },
    };
    const { chat, backend } = open(counted, {
      clientTools: { ask: 'interactive', now: () => new Promise(() => {}) },
    });
    await restored(chat);
    void chat.sendMessage('order');
    (await backend.request(0)).send(
      start,
      request(call('1', 'ask'), call('2', 'ask'), call('3', 'now')),
      awaitingAnswers,
    );
    await settled();
    const before = writes.length;
    const [first, second] = chat.getState().pendingClientTools.ask ?? [];
    first?.submit(1);
    second?.submit(2);
    expect(writes.length - before).toBe(0);
    chat.destroy();
    expect(writes.length - before).toBe(1);
    await settled();
    expect(writes.length - before).toBe(1);
    expect(writes.at(-1)).toMatch(/"result":1.*"result":2/);
  });
});
