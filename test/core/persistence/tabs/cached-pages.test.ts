/** A page in the back/forward cache owns nothing. When the person comes back to it, it follows until it has the lock again. */
import { expect, it } from 'vitest';
import { createMemoryStorage } from '../../../../src/testing/memory-storage.ts';
import { createDeferred } from '../../../support/deferred.ts';
import { createFakeBrowser } from '../../../support/fake-tabs.ts';
import { createTabOpener, settledIn } from '../../../support/open-tabs.ts';
import { awaitingAnswers, call, request, start, stopped, text } from '../../../support/scripted-events.ts';

const clientTools = { ask: 'interactive' } as const;
const at = (cursor: string) => ({ ...start, cursor });

it('a page that comes back shows the turn of the tab that took over, and asks that tab to act', async () => {
  const openPage = createTabOpener({ clientTools });
  const [a, b] = [await openPage(), await openPage()];
  a.tab.leave();
  await settledIn();
  void b.chat.sendMessage('order a lamp');
  await settledIn();
  b.backend.requests[0]?.send(at('1'), request(call('1', 'ask')), awaitingAnswers);
  await settledIn();

  a.tab.comeBack();
  await settledIn();
  expect(a.chat.getState().messages).toEqual(b.chat.getState().messages);
  expect(a.chat.getState().pendingClientTools.ask).toHaveLength(1);
  void a.chat.sendMessage('hello', { whilePending: 'queue' });
  a.chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
  await settledIn();
  expect(a.backend.commands).toEqual([]);
  expect(b.backend.commands).toMatchObject([
    { type: 'trigger' },
    { type: 'respond', answers: [{ result: 'yes' }] },
  ]);
});

it('a page that is left closes its channel: a message would end its stay in the cache of Chromium', async () => {
  const browser = createFakeBrowser();
  const channels: BroadcastChannel[] = [];
  const openTab = () => {
    const { environment, ...tab } = browser.openTab();
    const openChannel = (name: string) => {
      channels.push(environment.openChannel(name));
      return channels.at(-1) as BroadcastChannel;
    };
    return { ...tab, environment: { ...environment, openChannel } };
  };
  const openPage = createTabOpener({}, { browser: { openTab } });
  const [a, b] = [await openPage(), await openPage()];
  b.tab.leave();
  await settledIn();
  expect(channels).toMatchObject([{ isClosed: false }, { isClosed: true }]);
  // A page that the browser only freezes gets the messages later.
  a.tab.freeze();
  expect(channels).toMatchObject([{ isClosed: false }, { isClosed: true }]);
  a.tab.thaw();
  b.tab.comeBack();
  await settledIn();
  void b.chat.sendMessage('hello');
  await settledIn();
  expect(a.backend.commands).toMatchObject([{ type: 'trigger' }]);
  expect(channels).toMatchObject([{ isClosed: false }, { isClosed: true }, { isClosed: false }]);
});

it('a page without other tabs resumes its run when it comes back', async () => {
  const openPage = createTabOpener({ clientTools });
  const a = await openPage();
  void a.chat.sendMessage('order');
  await settledIn();
  a.backend.requests[0]?.send(at('4'), ...text('t', 'One moment. '));
  await settledIn();
  a.tab.leave();
  await settledIn();
  expect(a.backend.requests[0]?.signal.aborted).toBe(true);
  expect(a.notified).toEqual([]);

  a.tab.comeBack();
  await settledIn();
  expect(a.backend.commands).toMatchObject([{ type: 'trigger' }, { type: 'resume', cursor: '4' }]);
  a.backend.requests[1]?.send(...text('u', 'Done.'), stopped);
  await settledIn();
  expect(a.chat.getState().status).toBe('idle');
});

it('a page that comes back alone goes on from what a tab did that was closed meanwhile', async () => {
  const openPage = createTabOpener({ clientTools });
  const a = await openPage();
  void a.chat.sendMessage('order');
  await settledIn();
  a.backend.requests[0]?.send(at('4'), request(call('1', 'ask')), awaitingAnswers);
  await settledIn();
  a.tab.leave();
  await settledIn();
  const b = await openPage();
  b.backend.requests[0]?.send(awaitingAnswers);
  b.chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
  await settledIn();
  b.backend.requests[1]?.send(start, ...text('t', 'Done.'), stopped);
  await settledIn();
  b.tab.crash();

  a.tab.comeBack();
  await settledIn();
  expect(a.chat.getState()).toMatchObject({ status: 'idle', pendingClientTools: {} });
  expect(a.chat.getState().messages.at(-1)?.parts).toMatchObject([{}, { text: 'Done.' }]);
  expect(a.backend.commands).toMatchObject([{ type: 'trigger' }]);
});

it('a page that is left while it reads the storage does not act when the storage answers', async () => {
  const memory = createMemoryStorage();
  const reading = createDeferred();
  const load = async (key: string) => {
    await reading.promise;
    return memory.load(key);
  };
  const browser = createFakeBrowser();
  const a = await createTabOpener({}, { browser, storage: { ...memory, load } })();
  void a.chat.sendMessage('from a');
  a.tab.leave();
  await settledIn();
  const b = await createTabOpener({}, { browser, storage: memory })();
  a.tab.comeBack();
  reading.resolve();
  await settledIn();
  expect(a.backend.commands).toEqual([]);
  expect(b.backend.commands).toMatchObject([{ input: { USER_MESSAGE: 'from a' } }]);
});

it('a page that is left before it has the lock, and comes back twice, takes one place in the line', async () => {
  const browser = createFakeBrowser();
  const tabs: ReturnType<typeof browser.openTab>[] = [];
  const openTab = () => {
    const tab = browser.openTab();
    tabs.push(tab);
    return tab;
  };
  const openPage = createTabOpener({}, { browser: { openTab } });
  const opening = openPage();
  tabs[0]?.leave();
  tabs[0]?.comeBack();
  tabs[0]?.leave();
  const a = await opening;
  const b = await openPage();
  a.tab.comeBack();
  await settledIn();
  void a.chat.sendMessage('hello');
  await settledIn();
  expect(a.backend.commands).toEqual([]);
  expect(b.backend.commands).toMatchObject([{ type: 'trigger' }]);
});

it('an owner whose lock is taken stops acting at once, and follows the tab that has it', async () => {
  const work = createDeferred<string>();
  const openPage = createTabOpener({ clientTools: { slow: () => work.promise } });
  const [a, b] = [await openPage(), await openPage()];
  void a.chat.sendMessage('order');
  await settledIn();
  a.backend.requests[0]?.send(at('4'), request(call('1', 'slow')), awaitingAnswers);
  await settledIn();
  a.tab.loseLock();
  await settledIn();
  work.resolve('late');
  await settledIn();
  expect(a.backend.requests[0]?.signal.aborted).toBe(true);
  expect(a.backend.commands.map(({ type }) => type)).toEqual(['trigger']);
  expect(b.backend.commands).toMatchObject([{ type: 'resume', cursor: '4' }]);
  expect(a.chat.getState().pendingClientTools.slow).toHaveLength(1);
});

it('an owner whose lock is taken has it again when the tab that took over is closed', async () => {
  const openPage = createTabOpener();
  const [a, b] = [await openPage(), await openPage()];
  a.tab.loseLock();
  await settledIn();
  void a.chat.sendMessage('one');
  await settledIn();
  b.backend.requests[0]?.send(start, ...text('t', 'Done.'), stopped);
  await settledIn();
  b.tab.crash();
  await settledIn();
  void a.chat.sendMessage('two');
  await settledIn();
  expect(b.backend.commands).toMatchObject([{ input: { USER_MESSAGE: 'one' } }]);
  expect(a.backend.commands).toMatchObject([{ input: { USER_MESSAGE: 'two' } }]);
});

it('a page whose frame may not lock acts again after it was left and came back', async () => {
  const browser = createFakeBrowser();
  const locks = { request: () => Promise.reject(new DOMException('No locks here', 'SecurityError')) };
  const openTab = () => {
    const { environment, ...tab } = browser.openTab();
    return { ...tab, environment: { ...environment, locks } };
  };
  const a = await createTabOpener({}, { browser: { ...browser, openTab } as unknown as typeof browser })();
  a.tab.leave();
  await settledIn();
  a.tab.comeBack();
  await settledIn();
  void a.chat.sendMessage('hello');
  await settledIn();
  expect(a.backend.commands).toMatchObject([{ type: 'trigger' }]);
});
