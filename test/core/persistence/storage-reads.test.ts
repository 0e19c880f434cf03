/** A page reads its conversation when it opens, and goes on without it if it cannot read. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChatStorage, KeyValueStorage } from '../../../src/core/persistence/chat-storage.ts';
import { createPersistence } from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { createDeferred } from '../../support/deferred.ts';
import { createFakeBrowser } from '../../support/fake-tabs.ts';
import { left, open, pageLeft, restored } from '../../support/persisted-page.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { stopped, text } from '../../support/scripted-events.ts';

afterEach(() => vi.unstubAllGlobals());

describe('the storage', () => {
  it('a message sent before the conversation is restored follows it', async () => {
    const storage = createMemoryStorage();
    const before = open(storage);
    await restored(before.chat);
    void before.chat.sendMessage('one');
    (await before.backend.request(0)).send(stopped);
    await settled();
    const after = open(storage);
    void after.chat.sendMessage('two');
    await after.backend.request(0);
    expect(after.chat.getState().messages.map(({ parts }) => parts)).toMatchObject([
      [{ text: 'one' }],
      [{ text: 'two' }],
    ]);
  });

  it.each([
    ['broken text', '{"version":2,', 'not JSON'],
    ['another version', '{"version":99}', 'version 99'],
    ['another shape', '{"version":2,"savedAt":1,"messages":3}', 'messages'],
  ])(
    'a stored conversation with %s is reported and set aside, and the chat works',
    async (_, stored, named) => {
      const storage = createMemoryStorage();
      storage.save('handrail:c', stored);
      const messages: string[] = [];
      const { chat, backend } = open(storage, {
        onError: (error) => messages.push(`${error.code} ${error.message}`),
      });
      await restored(chat);
      expect(messages).toEqual([expect.stringContaining(named)]);
      expect(messages[0]).toMatch(/^persistence_failed/);
      expect([...storage.entries]).toEqual([['handrail:c.rejected', stored]]);
      expect(chat.getState().status).toBe('idle');
      void chat.sendMessage('Hi');
      expect((await backend.request(0)).command.type).toBe('trigger');
    },
  );

  it.each([
    ['at once', <Value>(value: Value) => value],
    ['by a promise', async <Value>(value: Value) => value],
  ])('a storage may have the methods of localStorage that return values %s', async (_, answer) => {
    const entries = new Map<string, string>();
    const storage: KeyValueStorage = {
      getItem: (key) => answer(entries.get(key) ?? null),
      setItem: (key, value) => answer(void entries.set(key, value)),
      removeItem: (key) => answer(void entries.delete(key)),
    };
    await left(storage, { ask: 'interactive' }, undefined, 'ask');
    await settled();
    const after = open(storage, { clientTools: { ask: 'interactive' } });
    await restored(after.chat);
    expect(after.chat.getState().pendingClientTools.ask).toHaveLength(1);
    await after.chat.clearPersisted();
    expect([...entries.keys()]).toEqual([]);
    expect(after.notified).toEqual([]);
  });

  it.each([
    ['fails to read', () => Promise.reject(new Error('offline'))],
    ['throws at reading', () => JSON.parse('no JSON')],
    ['never answers', () => new Promise<never>(() => {})],
  ])('a storage that %s does not stop the chat, and its content is not overwritten', async (_, load) => {
    const { entries, ...storage } = createMemoryStorage();
    await left(storage, { ask: 'interactive' }, undefined, 'ask');
    await settled();
    const saved = entries.get('handrail:c');
    const page = open({ ...storage, load });
    await restored(page.chat);
    const sent = page.chat.sendMessage('Hi');
    await page.clock.advance(10_000);
    (await page.backend.request(0)).send(...text('t', 'Hello'), stopped);
    await sent;
    page.chat.destroy();
    await settled();
    expect(page.chat.getState().messages).toHaveLength(2);
    expect(page.notified.filter((line) => line === 'error persistence_failed')).toHaveLength(1);
    expect(saved).toContain('"ask"');
    expect(entries.get('handrail:c')).toBe(saved);

    const after = open(storage, { clientTools: { ask: 'interactive' } });
    await restored(after.chat);
    expect(after.chat.getState().pendingClientTools.ask).toHaveLength(1);
  });

  it('a stored conversation is restored up to an age of seven days', async () => {
    const day = 24 * 60 * 60 * 1000;
    const storage = createMemoryStorage();
    await left(storage, { ask: 'interactive' }, undefined, 'ask');
    await settled();
    for (const [days, count] of [
      [7, 1],
      [7.1, 0],
    ] as const) {
      const later = open(storage, { clientTools: { ask: 'interactive' } });
      await later.clock.advance(days * day);
      await restored(later.chat);
      expect(later.chat.getState().pendingClientTools.ask ?? []).toHaveLength(count);
    }
  });

  it('a stored conversation older than maxAgeMs is removed instead of restored', async () => {
    const storage = createMemoryStorage();
    const before = open(storage);
    await restored(before.chat);
    void before.chat.sendMessage('Hi');
    (await before.backend.request(0)).send(stopped);
    await settled();
    const late = open(storage, { persistence: createPersistence({ storage, maxAgeMs: 1000 }) });
    await late.clock.advance(5000);
    await restored(late.chat);
    expect(late.chat.getState().messages).toEqual([]);
    expect(storage.entries.size).toBe(0);
  });

  it('a storage that is still reading at destroy() is not changed', async () => {
    const onLeave = pageLeft();
    const { entries, ...storage } = createMemoryStorage();
    const before = await left(storage, { ask: 'interactive' }, undefined, 'ask');
    before.chat.destroy();
    await settled();
    const saved = entries.get('handrail:c');
    const reading = createDeferred();
    const slow: ChatStorage = { ...storage, load: (key) => reading.promise.then(() => storage.load(key)) };
    const brief = open(slow, { clientTools: { ask: 'interactive' } });
    await restored(brief.chat);
    brief.chat.destroy();
    reading.resolve();
    await settled();
    onLeave();
    await settled();
    expect(saved).toContain('"ask"');
    expect(entries.get('handrail:c')).toBe(saved);
  });

  it('no timer waits for a storage after destroy(), or after the storage has answered', async () => {
    const storage = createMemoryStorage();
    const gone = open({ ...storage, load: () => new Promise<never>(() => {}) });
    await restored(gone.chat);
    gone.chat.destroy();
    await gone.clock.advance(10_000);
    expect(gone.notified).toEqual([]);

    const { chat, clock } = open(storage);
    await restored(chat);
    expect(clock.waiting).toBe(0);
  });

  it('persistence whose channel cannot be opened is reported, and the chat goes on', async () => {
    const openChannel = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    const tabs = { ...createFakeBrowser().openTab().environment, openChannel };
    const { chat, backend, notified } = open(createMemoryStorage(), {
      persistence: createPersistence({ storage: createMemoryStorage(), tabs }),
    });
    await restored(chat);
    void chat.sendMessage('Hi');
    expect((await backend.request(0)).command.type).toBe('trigger');
    expect(notified).toEqual(['error persistence_failed']);
  });

  it('persistence without a chat id is refused', () => {
    expect(() =>
      scriptedChat({ persistence: createPersistence({ storage: createMemoryStorage() }) }),
    ).toThrow(/pass id/);
  });
});
