/** The storage whose browser part no other place has: a conversation in IndexedDB outlives its page. */
import { expect, it } from 'vitest';
import { createAgentChat, createIndexedDbStorage, createPersistence } from '../../src/core.ts';
import { createScriptedTransport } from '../../src/testing/scripted-transport.ts';
import { awaitingAnswers, call, request, start } from '../support/scripted-events.ts';

const DATABASE = 'indexed-db-storage-test';

/** A page that knows nothing but what is stored. */
function openPage() {
  const backend = createScriptedTransport();
  const chat = createAgentChat({
    transport: backend,
    id: 'c',
    clientTools: { ask: 'interactive' },
    persistence: createPersistence({ storage: createIndexedDbStorage(DATABASE), tabs: false }),
  });
  const pending = new Promise<void>((resolve) => {
    chat.subscribe(() => chat.getState().status === 'awaiting-input' && resolve());
  });
  return { chat, backend, pending, question: () => chat.getState().pendingClientTools.ask?.[0] };
}

it('a question comes back from IndexedDB with its draft, and nothing once it was cleared', async () => {
  const before = openPage();
  void before.chat.sendMessage('order');
  (await before.backend.request(0)).send(start, request(call('1', 'ask', { size: 'L' })), awaitingAnswers);
  await before.pending;
  before.question()?.saveInput({ engraving: 'Ada' });
  before.chat.destroy();
  const storage = createIndexedDbStorage(DATABASE);
  await expect.poll(() => storage.load('handrail:c'), { timeout: 20_000 }).toContain('Ada');

  const after = openPage();
  await after.pending;
  expect(after.question()).toMatchObject({ toolCallId: '1', args: { size: 'L' } });
  expect(after.question()?.getSavedInput()).toEqual({ engraving: 'Ada' });
  await after.chat.clearPersisted();
  after.chat.destroy();
  expect(await storage.load('handrail:c')).toBeUndefined();
});
