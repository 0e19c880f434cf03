/** Real tabs with real Web Locks place one order for one answer, also when a tab is frozen, closed or crashes. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import {
  call,
  DONE,
  dialog,
  enterDialog,
  inStatus,
  ORDERED,
  openTab,
  rating,
  readCalls,
  said,
  say,
  startPlayground,
} from './open-playground.ts';

const playground = startPlayground();

async function expectOneOrder(tabs: readonly Page[], calls = ORDERED): Promise<void> {
  for (const tab of tabs) {
    // A closing dialog fades out, and the animation may wait until its tab is visible.
    await tab.bringToFront();
    await said(tab, DONE).waitFor();
    await inStatus(tab, 'idle').waitFor();
    await dialog(tab).waitFor({ state: 'hidden' });
    expect(await call(tab, 'Place order').count()).toBe(1);
    expect(await call(tab, 'Confirm order').getAttribute('data-outcome')).toBe('submitted');
    expect(await said(tab, DONE).count()).toBe(1);
  }
  const [first] = tabs;
  expect(first && (await readCalls(first))).toEqual(calls);
}

test('three tabs show one question, and the dialogs close when one tab answers', async () => {
  const first = await playground.open();
  const tabs = [first, await openTab(first), await openTab(first)];
  await say(first, 'Order a lamp');
  for (const tab of tabs) await dialog(tab).waitFor();
  await tabs[2]?.bringToFront();
  await enterDialog(tabs[2] as Page);
  await tabs[2]?.keyboard.press('Enter');
  await expectOneOrder(tabs);
});

/** Freezes the page as the browser does to save energy: the page gets an event and is then suspended. */
async function setLifecycle(page: Page, state: 'frozen' | 'active'): Promise<void> {
  const debug = await page.context().newCDPSession(page);
  await debug.send('Page.setWebLifecycleState', { state });
}

test('another tab takes over when the owner tab is frozen over an open question, and the first follows', async () => {
  const first = await playground.open();
  const second = await openTab(first);
  await say(first, 'Order a lamp');
  await dialog(second).waitFor();
  await second.bringToFront();
  await setLifecycle(first, 'frozen');
  await enterDialog(second);
  await second.keyboard.press('Enter');
  await expectOneOrder([second]);
  await setLifecycle(first, 'active');
  await expectOneOrder([first, second]);
});

const GONE: readonly [string, (page: Page) => Promise<void>][] = [
  ['is closed', (page) => page.close()],
  [
    'crashes',
    async (page) => {
      const crashed = page.waitForEvent('crash');
      const debug = await page.context().newCDPSession(page);
      // The page crashes before it can answer this command.
      debug.send('Page.crash').catch(() => {});
      await crashed;
    },
  ],
];

test.each(GONE)('another tab takes over when the owner tab %s over an open question', async (_, end) => {
  const first = await playground.open();
  const second = await openTab(first);
  await say(first, 'Order a lamp');
  await dialog(second).waitFor();
  await end(first);
  await second.bringToFront();
  await enterDialog(second);
  await second.keyboard.press('Enter');
  await expectOneOrder([second]);
  await second.close();
});

test('a half-filled form is restored after a reload, and is sent once', async () => {
  const page = await playground.open();
  await say(page, 'I want to give feedback');
  await dialog(page).waitFor();
  await dialog(page).getByLabel('Comment').fill('Calm.');
  await page.reload();
  await dialog(page).waitFor();
  expect(await dialog(page).getByLabel('Comment').inputValue()).toBe('Calm.');
  await rating(page, 1).press('5');
  await rating(page, 5).press('Enter');
  await said(page, 'Thank you for the 5 out of 5.').waitFor();
  await inStatus(page, 'idle').waitFor();
  expect(await readCalls(page)).toEqual([
    { call: 'request_feedback', answers: [{ rating: 5, comment: 'Calm.' }] },
  ]);
});

test('an answer given offline says that it is not sent yet, and is sent once when the network is back', async () => {
  const page = await playground.open();
  await say(page, 'Order a lamp');
  await enterDialog(page);
  await page.context().setOffline(true);
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'hidden' });
  await page.locator('.hr-call[data-delivery="not-sent"]').waitFor();
  await page
    .locator('.hr-bar', { hasText: 'You are offline. 1 answer goes out when you are back.' })
    .waitFor();
  await page.context().setOffline(false);
  await page.locator('.hr-bar', { hasText: 'Back online. All sent.' }).waitFor();
  await expectOneOrder([page]);
  await page.locator('.hr-call[data-delivery="received"]').waitFor();
});
