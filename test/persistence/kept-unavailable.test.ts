import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryStorage } from '../../src/testing/memory-storage.ts';
import { open } from '../support/kept-page.ts';
import { settled } from '../support/scripted-chat.ts';

const server = { isGone: true, asked: 0 };

beforeEach(() => {
  Object.assign(server, { isGone: true, asked: 0 });
  vi.doMock('../../src/persistence/persisted-chat.ts', (importOriginal) => {
    server.asked += 1;
    if (server.isGone) throw new Error('Failed to fetch dynamically imported module');
    return importOriginal();
  });
});

/** A page that was asked to send something, whose code that keeps conversations could not be loaded. */
async function waiting() {
  const { entries, ...storage } = createMemoryStorage();
  const page = open(storage);
  const sent = page.chat.sendMessage('Hi').catch(({ code }) => code);
  await vi.waitFor(() => expect(page.clock.waiting).toBe(1));
  return { ...page, sent, entries };
}

describe('where the code that keeps conversations cannot be loaded', () => {
  it('a message waits, as the page may be about to go, and is sent unkept where a second try fails as well', async () => {
    const { chat, clock, backend, heard } = await waiting();
    await clock.advance(999);
    expect([backend.commands, heard, server.asked]).toEqual([[], [], 1]);
    await clock.advance(1);
    await backend.request(0);
    expect(backend.commands).toMatchObject([{ type: 'trigger' }]);
    expect([heard, server.asked]).toEqual([['error persistence_failed'], 2]);
    chat.destroy();
  });

  it('a second try keeps the conversation', async () => {
    const { chat, clock, backend, heard, entries } = await waiting();
    server.isGone = false;
    await clock.advance(1000);
    await backend.request(0);
    expect(entries.get('handrail:c')).toContain('Hi');
    expect(heard).toEqual([]);
    chat.destroy();
  });

  it('a page that goes meanwhile sends nothing', async () => {
    const { chat, clock, backend, heard, sent } = await waiting();
    server.isGone = false;
    chat.destroy();
    await clock.advance(1000);
    expect(await sent).toBe('destroyed');
    await settled();
    expect([backend.commands, heard]).toEqual([[], []]);
  });
});
