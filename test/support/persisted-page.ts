/** Pages whose conversation is kept: to open one, to leave it in the middle, and to come back. */
import { vi } from 'vitest';
import { type AgentChatOptions, type ClientTools, createPersistence } from '../../src/core.ts';
import type { ChatStorage, StorageOption } from '../../src/persistence/chat-storage.ts';
import { createMemoryStorage } from '../../src/testing/memory-storage.ts';
import { createScriptedTransport } from '../../src/testing/scripted-transport.ts';
import { createDeferred } from './deferred.ts';
import { scriptedChat, settled } from './scripted-chat.ts';
import { awaitingAnswers, call, request, start, text } from './scripted-events.ts';

/** Lets the persistence, loaded on demand, get through. */
export async function restored(chat: { subscribe(listener: () => void): () => void }): Promise<void> {
  // The page before this one saves at the end of its task.
  await settled();
  chat.subscribe(() => {});
  // The storage, the run and the handlers that run again follow one another.
  await settled();
  await settled();
}

export function open(storage: StorageOption, options: Partial<AgentChatOptions> = {}) {
  return scriptedChat(
    { id: 'c', persistence: createPersistence({ storage }), ...options },
    createScriptedTransport(),
  );
}

/** A page on which the agent has just asked for these calls, and which is then left without a word. */
export async function left(
  storage: StorageOption,
  clientTools: ClientTools,
  cursor: string | undefined,
  ...names: string[]
) {
  const page = open(storage, { clientTools });
  await restored(page.chat);
  void page.chat.sendMessage('order');
  const run = await page.backend.request(0);
  const at = cursor === undefined ? {} : { cursor };
  run.send({ ...start, ...at }, ...text('t', 'One moment. '));
  run.send(request(...names.map((name, index) => call(`c${index}`, name))), awaitingAnswers);
  await settled();
  return page;
}

/** A storage, and `slow`: the same one to a page whose saves wait for `write()`. */
export function slowStorage() {
  const { entries, ...storage } = createMemoryStorage();
  const writing = createDeferred();
  const save: ChatStorage['save'] = (key, text) => writing.promise.then(() => storage.save(key, text));
  return { entries, storage, slow: { ...storage, save }, write: () => writing.resolve() };
}

/**
 * Listeners of the page that leave nothing behind, where the test undoes its stubs; the returned function leaves the page.
 */
export function pageLeft(): () => void {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  return () => page.dispatchEvent(new Event('pagehide'));
}
