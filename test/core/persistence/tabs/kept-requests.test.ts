/** The owner has done what a page asked for, and the browser keeps that page for the back button before it hears the reply. */
import { expect, it } from 'vitest';
import { defineClientTool } from '../../../../src/core.ts';
import { createDeferred } from '../../../support/deferred.ts';
import { createTabOpener, settledIn } from '../../../support/open-tabs.ts';
import { awaitingAnswers, call, request, start, stopped, text } from '../../../support/scripted-events.ts';

const clientTools = { ask: 'interactive' } as const;
const at = (cursor: string) => ({ ...start, cursor });
const answered = { settled: true };

it('a page that missed the reply to its message gets it when it comes back, and the message is sent once', async () => {
  const openPage = createTabOpener();
  const [a, b] = [await openPage(), await openPage()];
  let isDone = false;
  void b.chat.sendMessage('order').then(() => {
    isDone = true;
  });
  await Promise.resolve();
  b.tab.leave();
  await settledIn();
  a.backend.requests[0]?.send(at('4'), ...text('t', 'Done.'), stopped);
  await settledIn();
  expect(isDone).toBe(false);
  b.tab.comeBack();
  await settledIn();
  expect(isDone).toBe(true);
  expect(a.backend.commands).toMatchObject([{ type: 'trigger' }]);
});

it('a page that missed the reply to its stop answers later questions', async () => {
  const openPage = createTabOpener({ clientTools });
  const [a, b] = [await openPage(), await openPage()];
  void a.chat.sendMessage('order');
  await settledIn();
  a.backend.requests[0]?.send(at('4'), request(call('1', 'ask')), awaitingAnswers);
  await settledIn();
  b.chat.stop();
  b.tab.leave();
  await settledIn();
  expect(a.chat.getState().status).toBe('idle');

  void a.chat.sendMessage('more');
  await settledIn();
  a.backend.requests.at(-1)?.send(at('5'), request(call('2', 'ask')), awaitingAnswers);
  await settledIn();
  b.tab.comeBack();
  await settledIn();
  expect(b.chat.getState().pendingClientTools.ask?.[0]?.submit('yes')).toEqual(answered);
  await settledIn();
  expect(a.backend.commands.map(({ type }) => type)).toEqual(['trigger', 'stop', 'trigger', 'respond']);
});

it.each(['the tab that waited', 'the page itself'])(
  'a stop is not repeated when %s owns the conversation next: it would end another turn',
  async (next) => {
    const openPage = createTabOpener({ clientTools });
    const [a, b] = [await openPage(), await openPage()];
    void a.chat.sendMessage('order');
    await settledIn();
    a.backend.requests[0]?.send(at('4'), ...text('t', 'One moment. '));
    await settledIn();
    b.chat.stop();
    b.tab.leave();
    await settledIn();
    void a.chat.sendMessage('more');
    await settledIn();
    a.backend.requests.at(-1)?.send(at('5'), request(call('2', 'ask')), awaitingAnswers);
    await settledIn();
    const c = next === 'the page itself' ? b : await openPage();
    a.tab.crash();
    await settledIn();
    b.tab.comeBack();
    await settledIn();
    expect(c.backend.commands.map(({ type }) => type)).toEqual(['resume']);
    expect(c.chat.getState().pendingClientTools.ask).toHaveLength(1);
  },
);

it.each(['the tab that waited', 'the page itself'])(
  'an approval is not repeated when %s owns the conversation next: the handler would run twice',
  async (next) => {
    await import('../../../../src/core/tools/approval.ts');
    const work = createDeferred<string>();
    let runs = 0;
    const execute = () => {
      runs += 1;
      return work.promise;
    };
    const openPage = createTabOpener({
      clientTools: { pay: defineClientTool({ execute, approval: 'always' }) },
    });
    const [a, b] = [await openPage(), await openPage()];
    void a.chat.sendMessage('order');
    await settledIn();
    a.backend.requests[0]?.send(at('4'), request(call('1', 'pay')), awaitingAnswers);
    await settledIn();
    expect(b.chat.getState().pendingClientTools.pay?.[0]?.submit(true)).toEqual(answered);
    b.tab.leave();
    await settledIn();
    expect(runs).toBe(1);
    const c = next === 'the page itself' ? b : await openPage();
    a.tab.crash();
    await settledIn();
    b.tab.comeBack();
    await settledIn();
    expect(runs).toBe(1);
    expect(c.chat.getState().pendingClientTools.pay).toMatchObject([{ approvalReason: 'interrupted' }]);
  },
);
