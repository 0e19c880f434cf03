/** A page that the browser freezes gives up ownership. When it thaws, it shows the current state and runs no handler again. */
import { expect, it, vi } from 'vitest';
import type { ChatStorage } from '../../../../src/core/persistence/chat-storage.ts';
import { createMemoryStorage } from '../../../../src/testing/memory-storage.ts';
import type { ScriptedRequest } from '../../../../src/testing/scripted-transport.ts';
import { createDeferred } from '../../../support/deferred.ts';
import { createTabOpener, settledIn } from '../../../support/open-tabs.ts';
import { awaitingAnswers, call, request, start, stopped, text } from '../../../support/scripted-events.ts';

const clientTools = { ask: 'interactive' } as const;
const at = (cursor: string) => ({ ...start, cursor });

it('another tab takes over when the owner is frozen over an open question, and the first tab follows', async () => {
  const openPage = createTabOpener({ clientTools });
  const [a, b] = [await openPage(), await openPage()];
  void a.chat.sendMessage('order');
  await settledIn();
  a.backend.requests[0]?.send(at('4'), request(call('1', 'ask')), awaitingAnswers);
  await settledIn();
  a.tab.freeze();
  await settledIn();
  expect(b.backend.commands).toMatchObject([{ type: 'resume', cursor: '4' }]);
  b.backend.requests[0]?.send(awaitingAnswers);
  b.chat.getState().pendingClientTools.ask?.[0]?.submit('from b');
  await settledIn();
  b.backend.requests[1]?.send(start, ...text('t', 'Done.'), stopped);
  await settledIn();
  expect(a.chat.getState().status).toBe('awaiting-input');

  a.tab.thaw();
  await settledIn();
  expect(a.chat.getState().messages).toEqual(b.chat.getState().messages);
  expect(a.chat.getState().status).toBe('idle');
  expect(a.backend.commands.map(({ type }) => type)).toEqual(['trigger']);
  expect(b.backend.commands.map(({ type }) => type)).toEqual(['resume', 'respond']);

  // The thawed tab waits for the lock again.
  b.chat.destroy();
  await settledIn();
  void a.chat.sendMessage('more');
  await settledIn();
  expect(a.backend.commands.at(-1)).toMatchObject({ type: 'trigger', input: { USER_MESSAGE: 'more' } });
});

it('an answer given in the task in which the owner is frozen is not requested again', async () => {
  const openPage = createTabOpener({ clientTools });
  const [a, b] = [await openPage(), await openPage()];
  void a.chat.sendMessage('order');
  await settledIn();
  a.backend.requests[0]?.send(start, request(call('1', 'ask')), awaitingAnswers);
  await settledIn();
  a.chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
  a.tab.freeze();
  await settledIn();
  expect(b.chat.getState().pendingClientTools).toEqual({});
  expect(b.backend.commands).toMatchObject([{ type: 'respond', answers: [{ result: 'yes' }] }]);
});

it('events and handler results that reach a frozen owner are dropped', async () => {
  const work = createDeferred<string>();
  const runs: AbortSignal[] = [];
  const openPage = createTabOpener({
    clientTools: {
      slow: (_args, { signal }) => {
        runs.push(signal);
        return work.promise;
      },
    },
  });
  const [a, b] = [await openPage(), await openPage()];
  void a.chat.sendMessage('order');
  await settledIn();
  a.backend.requests[0]?.send(at('4'), request(call('1', 'slow')));
  await settledIn();
  a.tab.freeze();
  await settledIn();
  expect(runs.map(({ aborted }) => aborted)).toEqual([true]);
  expect(a.backend.requests[0]?.signal.aborted).toBe(true);
  a.backend.requests[0]?.send(request(call('2', 'slow')), awaitingAnswers);
  work.resolve('late');
  a.tab.thaw();
  await settledIn();
  // The next owner cannot know whether the handler acted before the freeze, so the person is asked.
  expect(
    b.chat
      .getState()
      .pendingClientTools.slow?.map(({ toolCallId, approvalReason: asks }) => [toolCallId, asks]),
  ).toEqual([['1', 'interrupted']]);
  expect(runs).toHaveLength(1);
  expect(a.backend.commands.map(({ type }) => type)).toEqual(['trigger']);
});

it.each([
  ['ends', (response: ScriptedRequest) => response.end()],
  ['breaks', (response: ScriptedRequest) => response.fail(new Error('aborted'))],
])('a response that %s because its owner was frozen fails no turn and settles no call', async (_, close) => {
  const openPage = createTabOpener({ clientTools }, { capabilities: { results: 'one-by-one' } });
  const [a, b] = [await openPage(), await openPage()];
  void a.chat.sendMessage('order');
  await settledIn();
  a.backend.requests[0]?.send(at('4'), ...text('t', 'One moment. '), request(call('1', 'ask')));
  await settledIn();
  a.tab.freeze();
  if (a.backend.requests[0] !== undefined) close(a.backend.requests[0]);
  await settledIn();
  expect(a.notified).toEqual([]);
  expect(a.chat.getState().status).toBe('awaiting-input');
  expect(b.chat.getState().pendingClientTools.ask).toHaveLength(1);
});

it('a failed request of an owner that was frozen is not repeated when another tab has repeated it', async () => {
  const openPage = createTabOpener();
  const [a, b] = [await openPage(), await openPage()];
  void a.chat.sendMessage('order');
  await settledIn();
  a.backend.requests[0]?.fail(new Error('offline'));
  await settledIn();
  a.tab.freeze();
  await settledIn();
  void b.chat.retry();
  await settledIn();
  b.backend.requests[0]?.send(start, stopped);
  await settledIn();
  a.tab.thaw();
  await settledIn();
  b.chat.destroy();
  await settledIn();
  await a.chat.retry();
  expect(a.backend.commands).toHaveLength(1);
});

it('promises that wait for the end of the turn settle when the owner is frozen', async () => {
  const openPage = createTabOpener();
  const [a] = [await openPage(), await openPage()];
  const rested = vi.fn();
  a.chat.sendMessage('order').then(rested, rested);
  await settledIn();
  expect(rested).not.toHaveBeenCalled();
  a.tab.freeze();
  await settledIn();
  expect(rested.mock.calls).toEqual([[undefined]]);
});

it('a frozen tab does not take over: the next active tab does', async () => {
  const openPage = createTabOpener({ clientTools });
  const [a, b, c] = [await openPage(), await openPage(), await openPage()];
  b.tab.freeze();
  a.tab.crash();
  await settledIn();
  void c.chat.sendMessage('order');
  await settledIn();
  expect(c.backend.commands).toMatchObject([{ type: 'trigger' }]);
  b.tab.thaw();
  await settledIn();
  expect(b.chat.getState().messages).toEqual(c.chat.getState().messages);
  expect(b.backend.commands).toEqual([]);
});

it('a tab that took over knows the remaining tabs', async () => {
  const openPage = createTabOpener({ clientTools });
  const [a, b, c] = [await openPage(), await openPage(), await openPage()];
  a.tab.crash();
  await settledIn();
  b.tab.freeze();
  await settledIn();
  void c.chat.sendMessage('order');
  await settledIn();
  expect(c.backend.commands).toMatchObject([{ type: 'trigger' }]);
});

it('a page without other tabs persists the conversation when it is frozen', async () => {
  const openPage = createTabOpener();
  const a = await openPage();
  void a.chat.sendMessage('order');
  await settledIn();
  a.tab.freeze();
  a.tab.thaw();
  a.backend.requests[0]?.send(start, ...text('t', 'Done.'), stopped);
  await settledIn();
  expect(a.chat.getState().status).toBe('idle');
  expect(a.backend.commands).toMatchObject([{ type: 'trigger' }]);
  void a.chat.sendMessage('more');
  await settledIn();
  expect(a.backend.commands).toMatchObject([{ type: 'trigger' }, { type: 'trigger' }]);
});

it('a following tab persists nothing when it is frozen, nor while it is frozen', async () => {
  const memory = createMemoryStorage();
  const save = vi.fn(memory.save);
  const openPage = createTabOpener({}, { storage: { ...memory, save } });
  const [a, b, c] = [await openPage(), await openPage(), await openPage()];
  void a.chat.sendMessage('order');
  a.backend.requests[0]?.send(start, ...text('t', 'One moment. '));
  await settledIn();
  save.mockClear();
  b.tab.freeze();
  await settledIn();
  expect(save).not.toHaveBeenCalled();

  // A former owner does not persist either.
  a.tab.freeze();
  await settledIn();
  a.tab.thaw();
  await settledIn();
  save.mockClear();
  c.chat.clearError();
  await settledIn();
  expect(save).toHaveBeenCalledTimes(1);
});

it('a message that waits for the end of the turn is sent by the remaining tab', async () => {
  const openPage = createTabOpener({ clientTools });
  const [a, b] = [await openPage(), await openPage()];
  void a.chat.sendMessage('order');
  await settledIn();
  a.backend.requests[0]?.send(at('4'), request(call('1', 'ask')), awaitingAnswers);
  await settledIn();
  void a.chat.sendMessage('from a', { whilePending: 'queue' });
  void b.chat.sendMessage('from b', { whilePending: 'queue' });
  await settledIn();
  a.tab.freeze();
  await settledIn();
  a.tab.thaw();
  await settledIn();
  b.backend.requests[0]?.send(awaitingAnswers);
  b.chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
  await settledIn();
  b.backend.requests[1]?.send(start, stopped);
  await settledIn();
  b.backend.requests[2]?.send(stopped);
  await settledIn();
  b.backend.requests[3]?.send(stopped);
  await settledIn();
  const sent = b.backend.commands.flatMap((command) => (command.type === 'trigger' ? [command.input] : []));
  expect(sent).toEqual([{ USER_MESSAGE: 'from b' }, { USER_MESSAGE: 'from a' }]);
  expect(a.backend.commands).toHaveLength(1);
});

it('messages that wait at a second owner are not lost when the second owner is frozen, too', async () => {
  const openPage = createTabOpener({ clientTools });
  const [a, b, c, d] = [await openPage(), await openPage(), await openPage(), await openPage()];
  void a.chat.sendMessage('order');
  await settledIn();
  a.backend.requests[0]?.send(at('4'), request(call('1', 'ask')), awaitingAnswers);
  await settledIn();
  const refused = vi.fn();
  const sent = [b, d].map(({ chat }) => chat.sendMessage('more', { whilePending: 'queue' }));
  for (const each of sent) each.catch(refused);
  await settledIn();
  a.tab.crash();
  await settledIn();
  b.tab.freeze();
  await settledIn();
  b.tab.thaw();
  await settledIn();
  expect(refused).not.toHaveBeenCalled();
  c.backend.requests[0]?.send(awaitingAnswers);
  c.chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
  for (const index of [1, 2, 3]) {
    await settledIn();
    c.backend.requests[index]?.send(start, stopped);
  }
  await Promise.all(sent);
  expect(c.backend.commands.map(({ type }) => type)).toEqual(['resume', 'respond', 'trigger', 'trigger']);
});

it('messages that wait at a second owner are not lost when the first owner is the remaining tab', async () => {
  const openPage = createTabOpener({ clientTools });
  const [a, b] = [await openPage(), await openPage()];
  void a.chat.sendMessage('order');
  await settledIn();
  a.backend.requests[0]?.send(at('4'), request(call('1', 'ask')), awaitingAnswers);
  await settledIn();
  const isSent = vi.fn();
  b.chat.sendMessage('more', { whilePending: 'queue' }).then(isSent, isSent);
  await settledIn();
  for (const { tab } of [a, b]) {
    tab.freeze();
    await settledIn();
    tab.thaw();
    await settledIn();
  }
  a.backend.requests[1]?.send(awaitingAnswers);
  a.chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
  for (const index of [2, 3]) {
    await settledIn();
    a.backend.requests[index]?.send(start, stopped);
  }
  await settledIn();
  expect(isSent.mock.calls).toEqual([[undefined]]);
  expect(a.backend.commands.map(({ type }) => type)).toEqual(['trigger', 'resume', 'respond', 'trigger']);
});

it('a thawed tab that owns the conversation reads the storage first, and then does what other tabs requested meanwhile', async () => {
  const memory = createMemoryStorage();
  const reading = createDeferred();
  let isSlow = false;
  const load: ChatStorage['load'] = async (key) => {
    if (isSlow) await reading.promise;
    return memory.load(key);
  };
  const openPage = createTabOpener({}, { storage: { ...memory, load } });
  const [a, b, c] = [await openPage(), await openPage(), await openPage()];
  a.tab.freeze();
  await settledIn();
  void c.chat.sendMessage('from c');
  await settledIn();
  b.backend.requests[0]?.send(start, ...text('t', 'Done.'), stopped);
  await settledIn();
  c.chat.destroy();
  b.chat.destroy();
  await settledIn();
  isSlow = true;
  a.tab.thaw();
  void a.chat.sendMessage('from a');
  await settledIn();
  expect(a.backend.commands).toEqual([]);
  reading.resolve();
  await settledIn();
  expect(a.backend.commands).toMatchObject([{ input: { USER_MESSAGE: 'from a' } }]);
  expect(a.chat.getState().messages.map(({ parts }) => parts)).toMatchObject([
    [{ text: 'from c' }],
    [{ text: 'Done.' }],
    [{ text: 'from a' }],
  ]);
});
