/** What two people do in each starter: the customer confirms a refund, and the support team approves it. */
import { type BrowserContext, chromium, type Page } from 'playwright';
import { expect } from 'vitest';
import { chromiumLaunchOptions } from '../support/chromium.ts';

/** For hangs only: PGlite makes its tables at the first request, which takes a busy machine long. Milliseconds. */
const LIMIT_MS = 120_000;

/**
 * Asks for a refund and answers both questions by keyboard. Each person has a browser of their own.
 *
 * @param onFirstAnswer called when the first dialog has its answer
 */
export async function refundByTwo(url: string, onFirstAnswer = () => {}): Promise<void> {
  const browser = await chromium.launch(chromiumLaunchOptions());
  const complaints: string[] = [];
  const open = async (context: BrowserContext, address: string) => {
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(address);
    return page;
  };
  try {
    const ada = await open(await browser.newContext(), url);
    await say(ada, 'refund 89 EUR for order 4711');
    await confirmDialog(ada, 'Refund €89.00');
    await said(ada, 'the support team has a look').waitFor();
    onFirstAnswer();

    const grace = await open(await browser.newContext(), `${url}/inbox`);
    const approve = grace.getByRole('button', { name: 'Approve €89.00' });
    await approve.focus();
    await grace.keyboard.press('Enter');
    await said(ada, 'Done. 89 EUR are on their way back to you.').waitFor();
    await approve.waitFor({ state: 'detached' });
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
