/** Notifications of the system, by the one that Chromium has. A driver keeps all pages visible, so the tests hide them. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { dialog, inStatus, say, sessionOf, startPlayground } from './open-playground.ts';

const playground = startPlayground();

/** Lets a page notify, and keeps the notifications that it shows for the test. */
async function watchNotifications(page: Page): Promise<void> {
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(() => {
    const shown: Notification[] = [];
    const Real = Notification;
    Object.assign(window, {
      shown,
      Notification: class extends Real {
        constructor(...args: ConstructorParameters<typeof Real>) {
          super(...args);
          shown.push(this);
        }
      },
    });
  });
  await page.reload();
}

const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });

/** Returns the text of each notification that a page has shown. */
const readShown = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { shown: Notification[] }).shown.map(({ title, body }) => `${title}: ${body}`),
  );

test('a hidden page notifies of a question once, and a press on the notification leads to the question', async () => {
  const page = await playground.open();
  await watchNotifications(page);
  const title = await page.title();
  await say(page, 'Choose a delivery for me');
  await hide(page);
  await dialog(page).waitFor();
  await expect.poll(() => readShown(page)).toHaveLength(1);
  const [text] = await readShown(page);
  expect(text).toMatch(/^The agent asks: A question waits for you on (localhost|127\.0\.0\.1)[:\d]*\.$/);
  expect(await page.title()).toMatch(/^\(1\) The agent asks – /);

  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.evaluate(() =>
    (window as unknown as { shown: Notification[] }).shown[0]?.dispatchEvent(new Event('click')),
  );
  expect(await dialog(page).evaluate((element) => element.contains(document.activeElement))).toBe(true);

  await dialog(page)
    .getByRole('radio', { name: /Express/ })
    .check();
  await dialog(page).getByRole('button', { name: 'Send' }).click();
  await inStatus(page, 'idle').waitFor();
  expect(await page.title()).toBe(title);
});

test('a hidden page says nothing while another tab shows the conversation', async () => {
  const seen = await playground.open();
  await watchNotifications(seen);
  const hidden = await seen.context().newPage();
  await watchNotifications(hidden);
  await hidden.goto(seen.url());
  await hide(hidden);
  expect(sessionOf(hidden)).toBe(sessionOf(seen));
  await say(seen, 'Choose a delivery for me');
  await dialog(seen).waitFor();
  await expect.poll(() => hidden.title()).toMatch(/^\(1\) The agent asks – /);
  expect(await readShown(hidden)).toEqual([]);
  expect(await readShown(seen)).toEqual([]);
});
