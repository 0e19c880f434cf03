/** `clearPersisted()` removes the saved conversation, and no later write brings it back. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChatStorage } from '../../../src/core/persistence/chat-storage.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { createFakeBrowser } from '../../support/fake-tabs.ts';
import { createTabOpener, settledIn } from '../../support/open-tabs.ts';
import { left, open, pageLeft, restored, slowStorage } from '../../support/persisted-page.ts';
import { settled } from '../../support/scripted-chat.ts';
import { start, text } from '../../support/scripted-events.ts';

afterEach(() => vi.unstubAllGlobals());

describe('clearPersisted', () => {
  it('clearPersisted() of an unreadable conversation lets the chat persist again', async () => {
    const { entries, ...storage } = createMemoryStorage();
    const { chat, backend } = open({ ...storage, load: () => Promise.reject(new Error('offline')) });
    await restored(chat);
    await chat.clearPersisted();
    void chat.sendMessage('Hi');
    await backend.request(0);
    await settled();
    expect(entries.get('handrail:c')).toContain('Hi');
  });

  it('clearPersisted() is final: neither a running write nor leaving the page brings the conversation back', async () => {
    const onLeave = pageLeft();
    const { slow, write, entries } = slowStorage();
    const { chat, backend } = open(slow);
    await restored(chat);
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, ...text('t', 'Hello'));
    await settled();
    const cleared = chat.clearPersisted();
    await import('../../../src/core/persistence/persisted-chat.ts');
    await settled();
    write();
    await cleared;
    expect(entries.size).toBe(0);
    onLeave();
    await settled();
    chat.destroy();
    await settled();
    expect(entries.size).toBe(0);
  });

  it('clearPersisted() also removes changes since the last write', async () => {
    const onLeave = pageLeft();
    const storage = createMemoryStorage();
    const { chat, backend } = open(storage);
    await restored(chat);
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start);
    await settled();
    run.send(...text('t', 'Hello'));
    await settled();
    expect(storage.entries.get('handrail:c')).not.toContain('Hello');
    await chat.clearPersisted();
    onLeave();
    await settled();
    expect(storage.entries.size).toBe(0);
  });

  it('clearPersisted() also works on an unused chat, and removes data that was set aside', async () => {
    const storage = createMemoryStorage();
    await storage.save('handrail:c', 'of an older version');
    const { chat } = open(storage);
    await restored(chat);
    await storage.save('handrail:c', 'of the version after it');
    const next = open(storage);
    await next.chat.clearPersisted();
    expect(storage.entries.size).toBe(0);
    expect(next.notified).toEqual([]);
  });

  it('clearPersisted() rejects when the storage fails', async () => {
    const fault = new Error('read only');
    const storage: ChatStorage = { load: () => null, save: () => {}, remove: () => Promise.reject(fault) };
    const { chat, notified } = open(storage);
    await restored(chat);
    await expect(chat.clearPersisted()).rejects.toMatchObject({ code: 'persistence_failed', cause: fault });
    expect(notified).toEqual([]);
  });

  it('clearPersisted() also removes the last write of a destroyed chat', async () => {
    const { storage, slow, write, entries } = slowStorage();
    const before = await left(slow, { ask: 'interactive' }, undefined, 'ask');
    before.chat.destroy();
    const cleared = open(storage).chat.clearPersisted();
    await settled();
    write();
    await cleared;
    await settled();
    expect(entries.size).toBe(0);
  });

  it.each([
    ['the tab that runs the conversation', 0],
    ['a tab that follows', 1],
  ])(
    'clearPersisted() of an unreadable conversation, called in %s, counts in every tab, also when another tab takes over',
    async (_, at) => {
      const { entries, ...storage } = createMemoryStorage();
      const load = () => Promise.reject(new Error('offline'));
      const openPage = createTabOpener({}, { storage: { ...storage, load } });
      const [a, b, c] = [await openPage(), await openPage(), await openPage()];
      await [a, b][at]?.chat.clearPersisted();
      void a.chat.sendMessage('Hi');
      await settledIn();
      expect(entries.get('handrail:c')).toContain('Hi');
      for (const [gone, next, said] of [
        [a, b, 'Hello'],
        [b, c, 'Hey'],
      ] as const) {
        gone.tab.crash();
        void next.chat.sendMessage(said);
        await settledIn();
        expect(entries.get('handrail:c')).toContain(said);
      }
    },
  );

  it('clearPersisted() in a following tab also removes the running write of the owner', async () => {
    const { slow, write, entries } = slowStorage();
    const openPage = createTabOpener({}, { storage: slow });
    const [a, b] = [await openPage(), await openPage()];
    void a.chat.sendMessage('Hi');
    await settledIn();
    const cleared = b.chat.clearPersisted();
    await settledIn();
    write();
    await cleared;
    await settledIn();
    expect(entries.size).toBe(0);
  });

  it('clearPersisted() in a following tab rejects when the storage of the owner fails', async () => {
    const fault = new Error('read only');
    const storage = createMemoryStorage();
    const browser = createFakeBrowser();
    await createTabOpener({}, { browser, storage: { ...storage, remove: () => Promise.reject(fault) } })();
    const { chat } = await createTabOpener({}, { browser, storage })();
    await expect(chat.clearPersisted()).rejects.toMatchObject({
      code: 'persistence_failed',
      message: expect.stringContaining('read only'),
    });
  });
});
