/** A page is left while it reads the stored conversation, and the storage answers after the person has come back. */
import { expect, it } from 'vitest';
import type { ChatStorage } from '../../../../src/core/persistence/chat-storage.ts';
import { createMemoryStorage } from '../../../../src/testing/memory-storage.ts';
import { createDeferred } from '../../../support/deferred.ts';
import { createTabOpener, settledIn } from '../../../support/open-tabs.ts';
import { start, stopped, text } from '../../../support/scripted-events.ts';

/** A storage with a conversation of one message, whose first read ends only when the test says so. */
async function openSlowPages() {
  const memory = createMemoryStorage();
  const before = await createTabOpener({}, { storage: memory })();
  void before.chat.sendMessage('stored');
  await settledIn();
  before.backend.requests[0]?.send(start, stopped);
  await settledIn();
  before.chat.destroy();
  await settledIn();
  const reading = createDeferred();
  let reads = 0;
  const load: ChatStorage['load'] = async (key) => {
    reads += 1;
    const isFirst = reads === 1;
    const stored = await memory.load(key);
    if (isFirst) await reading.promise;
    return stored;
  };
  return { openPage: createTabOpener({}, { storage: { ...memory, load } }), memory, reading };
}

it('a page that follows another tab by then still shows what that tab shows', async () => {
  const { openPage, reading } = await openSlowPages();
  const a = await openPage();
  a.tab.leave();
  await settledIn();
  const b = await openPage();
  void b.chat.sendMessage('new');
  await settledIn();
  b.backend.requests[0]?.send(start, ...text('t', 'Hello.'), stopped);
  await settledIn();
  a.tab.comeBack();
  await settledIn();
  reading.resolve();
  await settledIn();
  expect(a.chat.getState().messages).toHaveLength(3);
  expect(a.chat.getState().messages).toEqual(b.chat.getState().messages);
});

it('a page that has read the conversation again by then goes on with its turn', async () => {
  const { openPage, reading } = await openSlowPages();
  const a = await openPage();
  a.tab.leave();
  a.tab.comeBack();
  await settledIn();
  void a.chat.sendMessage('new');
  await settledIn();
  reading.resolve();
  await settledIn();
  a.backend.requests[0]?.send(start, ...text('t', 'Hello.'), stopped);
  await settledIn();
  expect(a.chat.getState().messages.map(({ parts }) => parts)).toMatchObject([
    [{ text: 'stored' }],
    [{ text: 'new' }],
    [{ text: 'Hello.' }],
  ]);
});

it('a page whose first read fails by then saves what follows', async () => {
  const { openPage, memory, reading } = await openSlowPages();
  const a = await openPage();
  a.tab.leave();
  a.tab.comeBack();
  await settledIn();
  reading.reject(new Error('gone'));
  await settledIn();
  void a.chat.sendMessage('new');
  await settledIn();
  expect(a.notified).toEqual([]);
  expect(memory.entries.get('handrail:c')).toContain('new');
});
