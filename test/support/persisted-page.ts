/** Opens and leaves pages whose conversation is persisted. */
import { vi } from 'vitest';
import type { ChatStorage, StorageOption } from '../../src/core/persistence/chat-storage.ts';
import { type AgentChatOptions, type ClientTools, createPersistence } from '../../src/core.ts';
import { createMemoryStorage } from '../../src/testing/memory-storage.ts';
import { createScriptedTransport } from '../../src/testing/scripted-transport.ts';
import { createDeferred } from './deferred.ts';
import { scriptedChat, settled } from './scripted-chat.ts';
import { awaitingAnswers, call, request, start, text } from './scripted-events.ts';

/** Waits until the chat has restored its conversation. */
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

/** Opens a page on which the agent has just requested these calls, and abandons it without destroy(). */
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

/** Creates a storage, and `slow`: the same storage, whose saves wait for `write()`. */
export function slowStorage() {
  const { entries, ...storage } = createMemoryStorage();
  const writing = createDeferred();
  const save: ChatStorage['save'] = (key, text) => writing.promise.then(() => storage.save(key, text));
  return { entries, storage, slow: { ...storage, save }, write: () => writing.resolve() };
}

/**
 * Stubs the page's listeners, for tests that undo their stubs. The returned function leaves the page.
 */
export function pageLeft(): () => void {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  return () => page.dispatchEvent(new Event('pagehide'));
}
