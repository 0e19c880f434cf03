/** A page whose storage is blocked, or that has no Web Locks, because it came over plain http: the library goes on without them. */
import { expect, test, vi } from 'vitest';
import {
  type AgentChatError,
  createAgentChat,
  createAuditTrail,
  createIndexedDbStorage,
  createPersistence,
  createRememberedChoices,
  createWebStorage,
  type Persistence,
} from '../../src/core.ts';
import { createScriptedTransport } from '../../src/testing/scripted-transport.ts';
import { awaitingAnswers, call, request, start, stopped, text } from '../support/scripted-events.ts';

/** Browsers throw this at the access to the property itself. */
function block(...names: readonly ('localStorage' | 'sessionStorage' | 'indexedDB')[]) {
  for (const name of names) {
    vi.spyOn(window, name, 'get').mockImplementation(() => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    });
  }
}

function openPage(persistence: Persistence, id = crypto.randomUUID()) {
  const backend = createScriptedTransport();
  const onError = vi.fn<(error: AgentChatError) => void>();
  const chat = createAgentChat({
    transport: backend,
    id,
    clientTools: { ask: 'interactive' },
    persistence,
    onError,
  });
  chat.subscribe(() => {});
  const question = () => chat.getState().pendingClientTools.ask?.[0];
  return { id, chat, backend, onError, question };
}

/** Asks the person something, and sends the answer. Returns once the turn is over. */
async function askAndAnswer({ chat, backend, question }: ReturnType<typeof openPage>) {
  const rested = chat.sendMessage('order');
  const run = await backend.request(0);
  run.send(start, request(call('1', 'ask')), awaitingAnswers);
  run.end();
  await rested;
  expect(question()?.submit('yes')).toEqual({ settled: true });
  (await backend.request(1)).send(start, ...text('t', 'Done.'), stopped);
  await expect.poll(() => chat.getState().status).toBe('idle');
  expect(backend.commands).toMatchObject([
    { type: 'trigger' },
    { type: 'respond', answers: [{ result: 'yes' }] },
  ]);
}

test.each([
  ['localStorage', () => createPersistence()],
  ['sessionStorage', () => createPersistence({ storage: createWebStorage(() => sessionStorage) })],
  ['IndexedDB', () => createPersistence({ storage: createIndexedDbStorage() })],
])('a chat whose %s is blocked says so once, and every call is answered once', async (_, persistence) => {
  block('localStorage', 'sessionStorage', 'indexedDB');
  const page = openPage(persistence());
  await askAndAnswer(page);
  expect(page.onError.mock.calls.map(([{ code, retryable }]) => ({ code, retryable }))).toEqual([
    { code: 'persistence_failed', retryable: false },
  ]);
  expect(page.onError.mock.calls[0]?.[0].message).toContain('is left as it is');
  page.chat.destroy();
});

test('two tabs whose storage is blocked share one conversation as long as one is open', async () => {
  block('localStorage');
  const first = openPage(createPersistence());
  const rested = first.chat.sendMessage('order');
  const run = await first.backend.request(0);
  run.send(start, request(call('1', 'ask')), awaitingAnswers);
  await rested;
  const second = openPage(createPersistence(), first.id);
  await expect.poll(() => second.question()).toBeDefined();
  second.question()?.submit('yes');
  const answer = await first.backend.request(1);
  expect(answer.command).toMatchObject({ type: 'respond', answers: [{ result: 'yes' }] });
  expect(second.backend.commands).toEqual([]);
  answer.send(start, ...text('t', 'Done.'), stopped);
  await expect.poll(() => second.chat.getState().status).toBe('idle');
  first.chat.destroy();
  second.chat.destroy();
});

test('remembered choices and the audit trail count on the page where its storage is blocked', async () => {
  block('localStorage', 'sessionStorage');
  const reported = vi.spyOn(window, 'reportError').mockImplementation(() => {});
  const choices = createRememberedChoices();
  const trail = createAuditTrail({ storage: createWebStorage(() => sessionStorage) });
  const asked = { toolName: 'copy', args: {}, conversationId: 'c' };
  await choices.remember(asked, { choice: 'allowed', scope: 'browser' });
  expect(choices.getChoices()).toMatchObject([{ toolName: 'copy', choice: 'allowed' }]);
  expect(trail.getEntries()).toEqual([]);
  expect(reported).toHaveBeenCalled();
});

test.each([
  ['navigator.locks', () => vi.spyOn(navigator, 'locks', 'get').mockReturnValue(undefined as never)],
  [
    'BroadcastChannel',
    () =>
      vi.stubGlobal(
        'BroadcastChannel',
        class {
          constructor() {
            throw new DOMException('Denied', 'SecurityError');
          }
        },
      ),
  ],
])(
  'without %s each tab is on its own: it asks its questions and sends its answers itself',
  async (_, remove) => {
    remove();
    const first = openPage(createPersistence());
    const second = openPage(createPersistence(), first.id);
    await askAndAnswer(first);
    await askAndAnswer(second);
    expect([first, second].flatMap(({ onError }) => onError.mock.calls)).toEqual([]);
    vi.unstubAllGlobals();
    await first.chat.clearPersisted();
    first.chat.destroy();
    second.chat.destroy();
  },
);
