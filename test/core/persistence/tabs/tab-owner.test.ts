/** Tabs own a conversation one after the other if they can lock, and each tab owns its own copy if they cannot. */
import { describe, expect, it, vi } from 'vitest';
import type { ChatStorage } from '../../../../src/core/persistence/chat-storage.ts';
import { type AgentChat, createPersistence } from '../../../../src/core.ts';
import { createMemoryStorage } from '../../../../src/testing/memory-storage.ts';
import { createDeferred } from '../../../support/deferred.ts';
import { createFakeBrowser } from '../../../support/fake-tabs.ts';
import { createTabOpener, settledIn } from '../../../support/open-tabs.ts';
import { scriptedChat } from '../../../support/scripted-chat.ts';
import { start, stopped } from '../../../support/scripted-events.ts';

describe('the owner of a conversation', () => {
  const persisted = async () => {
    const storage = createMemoryStorage();
    const before = createTabOpener({}, { storage });
    const { chat, backend } = await before();
    void chat.sendMessage('persisted');
    await settledIn();
    backend.requests[0]?.send(start, stopped);
    await settledIn();
    chat.destroy();
    return storage;
  };
  const shown = ({ chat }: { chat: AgentChat }) => chat.getState().messages.map(({ parts }) => parts);

  it('a new owner that never got the state reads the persisted conversation', async () => {
    const storage = await persisted();
    let reads = 0;
    const load: ChatStorage['load'] = (key) => (reads++ === 0 ? new Promise(() => {}) : storage.load(key));
    const openPage = createTabOpener({}, { storage: { ...storage, load } });
    const [a, b] = [await openPage(), await openPage()];
    expect(shown(b)).toEqual([]);
    a.tab.crash();
    await settledIn();
    expect(shown(b)).toMatchObject([[{ text: 'persisted' }]]);
  });

  it('a new owner whose state comes from a tab that could not read the storage does not overwrite the storage', async () => {
    const storage = await persisted();
    const before = storage.entries.get('handrail:c');
    let reads = 0;
    const load: ChatStorage['load'] = (key) =>
      reads++ === 0 ? Promise.reject(new Error('offline')) : storage.load(key);
    const openPage = createTabOpener({}, { storage: { ...storage, load } });
    const [a, b, c] = [await openPage(), await openPage(), await openPage()];
    for (const [gone, next] of [
      [a, b],
      [b, c],
    ] as const) {
      gone.tab.crash();
      void next.chat.sendMessage('Hi');
      await settledIn();
    }
    expect(before).toContain('persisted');
    expect(storage.entries.get('handrail:c')).toBe(before);
    expect(shown(c)).toHaveLength(2);
  });

  it.each([
    ['before anything is loaded', async () => {}],
    ['while it waits for the lock', settledIn],
    [
      'while it reads the persisted conversation',
      (grant: () => void) => settledIn().then(grant).then(settledIn),
    ],
  ])('a chat that was destroyed %s never becomes the owner', async (_, until) => {
    const browser = createFakeBrowser();
    const { environment } = browser.openTab();
    const granted = createDeferred();
    const reading = createDeferred();
    const request = (async (...args: Parameters<LockManager['request']>) => {
      await granted.promise;
      return environment.locks.request(...args);
    }) as LockManager['request'];
    const storage = createMemoryStorage();
    const { chat, backend } = scriptedChat({
      id: 'c',
      persistence: createPersistence({
        storage: { ...storage, load: () => reading.promise.then(() => null) },
        tabs: { ...environment, locks: { request } },
      }),
    });
    chat.subscribe(() => {});
    await until(granted.resolve);
    chat.destroy();
    granted.resolve();
    await settledIn();
    reading.resolve();
    await settledIn();
    const next = await createTabOpener({}, { browser, storage })();
    void next.chat.sendMessage('Hi');
    await settledIn();
    expect(next.backend.commands).toHaveLength(1);
    expect(backend.commands).toEqual([]);
  });
});

it('a page that may not use locks owns its conversation alone', async () => {
  const { environment } = createFakeBrowser().openTab();
  const locks = { request: () => Promise.reject(new DOMException('Sandboxed', 'SecurityError')) };
  const storage = createMemoryStorage();
  const { chat, backend, notified } = scriptedChat({
    id: 'c',
    persistence: createPersistence({ storage, tabs: { ...environment, locks } }),
  });
  chat.subscribe(() => {});
  await settledIn();
  void chat.sendMessage('Hi');
  await settledIn();
  expect(backend.commands).toMatchObject([{ type: 'trigger', input: { USER_MESSAGE: 'Hi' } }]);
  expect(notified).toEqual([]);
});

it('a page that may not open a channel owns its conversation alone, and still persists it', async () => {
  const { locks } = createFakeBrowser().openTab().environment;
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      }
    },
  );
  const storage = createMemoryStorage();
  const { chat, backend, notified } = scriptedChat({ id: 'c', persistence: createPersistence({ storage }) });
  chat.subscribe(() => {});
  await settledIn();
  void chat.sendMessage('Hi');
  await settledIn();
  vi.unstubAllGlobals();
  expect(backend.commands).toHaveLength(1);
  expect([...storage.entries.keys()]).toEqual(['handrail:c']);
  expect(notified).toEqual([]);
});

it('a chat outside of a browser never shares its conversation, so that requests of a server stay separate', async () => {
  const { locks, openChannel } = createFakeBrowser().openTab().environment;
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor(name: string) {
        // biome-ignore lint/correctness/noConstructorReturn: the fake one stands in for it
        return openChannel(name);
      }
    },
  );
  const requests = [1, 2].map(() =>
    scriptedChat({ id: 'c', persistence: createPersistence({ storage: createMemoryStorage() }) }),
  );
  for (const { chat } of requests) chat.subscribe(() => {});
  await settledIn();
  void requests[0]?.chat.sendMessage('Hi');
  await settledIn();
  vi.unstubAllGlobals();
  expect(requests.map(({ chat }) => chat.getState().messages.length)).toEqual([1, 0]);
});
