import { describe, expect, test } from 'vitest';
import {
  type BackendId,
  type Carrier,
  call,
  composer,
  dialog,
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
  test('goes from start to finish by keyboard alone', async () => {
    const page = await playground.open({ carrier, backend });
    await tabTo(page, composer(page));
    await page.keyboard.type('Please order a ceramic mug');
    await page.keyboard.press('Enter');

    await dialog(page).waitFor();
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

    // The focus is where it was, so the conversation simply goes on.
    await page.keyboard.type('Hello again');
    await page.keyboard.press('Enter');
    await said(page, 'Hello! I am a scripted agent').waitFor();
  });

  test('Escape cancels: nothing is ordered, and the agent knows', async () => {
    const page = await playground.open({ carrier, backend });
    await say(page, 'Order a lamp');
    await dialog(page).waitFor();
    await page.keyboard.press('Escape');
    await said(page, 'All right, I did not order anything.').waitFor();
    expect(await call(page, 'Confirm order').getAttribute('data-outcome')).toBe('cancelled');
    expect(await call(page, 'Place order').count()).toBe(0);
  });
});

test('declining is an answer too', async () => {
  const page = await playground.open();
  await say(page, 'Order a lamp');
  await dialog(page).getByRole('button', { name: 'Decline', exact: true }).click();
  await said(page, 'All right, I did not order anything.').waitFor();
  expect(await call(page, 'Confirm order').getAttribute('data-outcome')).toBe('declined');
});

test('while a question is open the composer says so and sends nothing', async () => {
  const page = await playground.open();
  await say(page, 'Order a lamp');
  await dialog(page).waitFor();
  // The dialog is in front of it for the mouse; this is what remains for other ways in.
  const input = page.locator('textarea[aria-label="Message"]');
  expect(await page.locator('.hr-composer-hint').innerText()).toContain('Answer or cancel');
  await input.fill('Hurry up', { force: true });
  await input.evaluate((element: HTMLTextAreaElement) => element.form?.requestSubmit());
  expect(await page.locator('.hr-message[data-role="user"]').count()).toBe(1);
  // The written text is not lost.
  await page.keyboard.press('Escape');
  await said(page, 'I did not order anything.').waitFor();
  expect(await input.inputValue()).toBe('Hurry up');
});
