/** Code of the agent in the playground: requested, run in the sandbox, and shown in the transcript. */
import { expect, test } from 'vitest';
import { dialog, enterDialog, inStatus, said, say, startPlayground, tabTo } from './open-playground.ts';

const playground = startPlayground();

test('code runs on consent, by keyboard alone, and the agent goes on with the result', async () => {
  const page = await playground.open();
  await say(page, 'Add up my orders');
  await enterDialog(page);
  expect(await dialog(page).innerText()).toContain('readOrders from shop');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Don’t run');
  const run = dialog(page).getByRole('button', { name: 'Run code' });
  // The end of the code is out of view: the first press leads to it, and runs nothing.
  expect(await run.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await run.and(page.locator(':not([aria-disabled="true"])')).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('return { sum:');
  await tabTo(page, run);
  await page.keyboard.press('Enter');

  await said(page, 'Together that is 110 EUR.').waitFor();
  await inStatus(page, 'idle').waitFor();
  expect(await dialog(page).count()).toBe(0);
  const card = page.getByRole('region', { name: 'Run code' });
  expect(await card.getByText('Finished').count()).toBe(1);
  expect(await card.getByRole('log', { name: 'Progress' }).innerText()).toContain('3 of 3');
});

test('code does not run when it is declined', async () => {
  const page = await playground.open({ carrier: 'socket' });
  await say(page, 'Add up my orders');
  await enterDialog(page);
  await page.keyboard.press('Enter');
  await said(page, 'Then I leave it to you.').waitFor();
  expect(await page.getByText('Finished').count()).toBe(0);
});
