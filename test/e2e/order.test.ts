import { describe, expect, test } from 'vitest';
import {
  type BackendId,
  type Carrier,
  call,
  composer,
  dialog,
  enterDialog,
  inStatus,
  said,
  say,
  startPlayground,
  tabTo,
} from './open-playground.ts';

const playground = startPlayground();

const WAYS: readonly [Carrier, BackendId][] = [
  ['sse', 'scripted'],
  ['socket', 'scripted'],
  ['sse', 'octavus'],
  ['socket', 'octavus'],
];

describe.each(WAYS)('an order over %s with the %s backend', (carrier, backend) => {
  test('an order goes from start to finish by keyboard alone', async () => {
    const page = await playground.open({ carrier, backend });
    await tabTo(page, composer(page));
    await page.keyboard.type('Please order a ceramic mug');
    await page.keyboard.press('Enter');

    await enterDialog(page);
    expect(await dialog(page).innerText()).toContain('Order 1 Ceramic mug');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Confirm');
    expect(await inStatus(page, 'awaiting-input').count()).toBe(1);
    await page.keyboard.press('Enter');

    await said(page, /^Done\. Your order number is A-\d+\.$/).waitFor();
    await inStatus(page, 'idle').waitFor();
    expect(await dialog(page).count()).toBe(0);
    expect(await call(page, 'Confirm order').getAttribute('data-outcome')).toBe('submitted');
    expect(await call(page, 'Place order').count()).toBe(1);
    expect(await page.locator('.hr-message').count()).toBe(2);

    // The focus is back in the composer, so the person can type the next message.
    await page.keyboard.type('Hello again');
    await page.keyboard.press('Enter');
    await said(page, 'Hello! I am a scripted agent').waitFor();
  });

  test('Escape cancels the order, and the agent gets the cancellation', async () => {
    const page = await playground.open({ carrier, backend });
    await say(page, 'Order a lamp');
    await dialog(page).waitFor();
    await page.keyboard.press('Escape');
    await said(page, 'All right, I did not order anything.').waitFor();
    expect(await call(page, 'Confirm order').getAttribute('data-outcome')).toBe('cancelled');
    expect(await call(page, 'Place order').count()).toBe(0);
  });
});

test('a declined order is an answer too', async () => {
  const page = await playground.open();
  await say(page, 'Order a lamp');
  await dialog(page).getByRole('button', { name: 'Decline', exact: true }).click();
  await said(page, 'All right, I did not order anything.').waitFor();
  expect(await call(page, 'Confirm order').getAttribute('data-outcome')).toBe('declined');
});

test('the composer sends nothing while a question is open, and shows the reason', async () => {
  const page = await playground.open();
  await say(page, 'Order a lamp');
  await dialog(page).waitFor();
  // The dialog covers the button for the mouse, but assistive technology can still press it.
  const input = page.locator('textarea[aria-label="Message"]');
  expect(await page.locator('.hr-composer-hint').innerText()).toContain('Answer or stop it first');
  await input.fill('Hurry up', { force: true });
  await input.evaluate((element: HTMLTextAreaElement) => element.form?.requestSubmit());
  expect(await page.locator('.hr-message[data-role="user"]').count()).toBe(1);
  // The typed text remains.
  await page.keyboard.press('Escape');
  await said(page, 'I did not order anything.').waitFor();
  expect(await input.inputValue()).toBe('Hurry up');
});
