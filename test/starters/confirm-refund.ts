/** Acts as the people who use the apps: they ask for a refund, and answer by keyboard. */
import { chromium, type Page } from 'playwright';
import { expect } from 'vitest';
import { chromiumLaunchOptions } from '../support/chromium.ts';

/** For hangs only: PGlite makes its tables at the first request, which takes a busy machine long. Milliseconds. */
const LIMIT_MS = 120_000;

/**
 * The customer confirms a refund in the dialog, and the support team approves it in the inbox.
 *
 * @param onFirstAnswer called when the first dialog has its answer
 */
export async function refundByTwo(url: string, onFirstAnswer = () => {}): Promise<void> {
  await withPeople(async (open) => {
    const ada = await open(url);
    await say(ada, 'refund 89 EUR for order 4711');
    await confirmDialog(ada, 'Refund €89.00');
    await said(ada, 'the support team has a look').waitFor();
    onFirstAnswer();

    const grace = await open(`${url}/inbox`);
    const approve = grace.getByRole('button', { name: 'Approve €89.00' });
    await approve.focus();
    await grace.keyboard.press('Enter');
    await said(ada, 'Done. 89 EUR are on their way back to you.').waitFor();
    await approve.waitFor({ state: 'detached' });
  });
}

/** A low refund needs the customer alone, and the tool of the browser runs when it is allowed. */
export async function answerAlone(url: string): Promise<void> {
  await withPeople(async (open) => {
    const ada = await open(url);
    await say(ada, 'refund 30 EUR for order 4712');
    await confirmDialog(ada, 'Refund €30.00');
    await said(ada, 'Done. 30 EUR are on their way back to you.').waitFor();

    await say(ada, 'copy');
    await confirmDialog(ada, 'Copy');
    await said(ada, 'The order number is on your clipboard.').waitFor();
    expect(await ada.evaluate(() => navigator.clipboard.readText())).toBe('Order 4711');
  });
}

/** The customer confirms a refund of the agent in `stand-ins.ts`. */
export async function refundByOne(url: string): Promise<void> {
  await withPeople(async (open) => {
    const ada = await open(url);
    await say(ada, 'refund 89 EUR for order 4711');
    await confirmDialog(ada, 'Refund €89.00');
    await said(ada, 'It is refunded.').waitFor();
  });
}

/** Gives each person a browser of their own, and expects that no page complains. */
async function withPeople(act: (open: (url: string) => Promise<Page>) => Promise<void>): Promise<void> {
  const browser = await chromium.launch(chromiumLaunchOptions());
  const complaints: string[] = [];
  try {
    await act(async (url) => {
      const page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
      page.setDefaultTimeout(LIMIT_MS);
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(url);
      return page;
    });
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
  }
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** A dialog that opens under somebody's fingers takes no answer at first, and the first Tab only moves into it. */
async function confirmDialog(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const armed = dialog.and(page.locator('[data-arming="armed"]'));
  await armed.waitFor();
  await page.keyboard.press('Tab');
  await armed.waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  for (let presses = 0; presses < 10 && (await focused()) !== button; presses += 1)
    await page.keyboard.press('Tab');
  expect(await focused()).toBe(button);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

/** Locates what the agent said. */
const said = (page: Page, text: string) => page.locator('.hr-message [data-part="text"]').getByText(text);
