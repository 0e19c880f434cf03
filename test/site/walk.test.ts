/** A visitor walks through the site in Chromium. Nothing but static files is behind it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serveSite } from '../../.scripts/site/serve-site.mjs';
import { chromiumLaunchOptions } from '../support/chromium.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

let site: Awaited<ReturnType<typeof serveSite>>;
let browser: Browser;
/** Collects what the browser complains about in the present test. */
let complaints: string[];

beforeAll(async () => {
  site = await serveSite();
  browser = await chromium.launch(chromiumLaunchOptions());
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
beforeEach(() => {
  complaints = [];
});
afterEach(() => {
  expect(complaints).toEqual([]);
});

async function visit(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${site.url}${path}`);
  return page;
}

async function findAxeFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(() =>
    (
      globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      }
    ).axe.run(),
  );
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`);
}

describe('the home page', () => {
  const dialogOf = (page: Page) => page.frameLocator('.home-stage iframe').getByRole('dialog');
  const armedOf = (page: Page) => page.frameLocator('.home-stage iframe').locator('[data-arming="armed"]');

  test('asks before anything else, and takes a yes from the keyboard alone', async () => {
    const page = await visit('/');
    await armedOf(page).waitFor();
    expect(await dialogOf(page).textContent()).toContain('€89.00');
    // The dialog has the focus already, on the safe answer.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const answer = page.frameLocator('.home-stage iframe').getByText('€89.00 are on their way');
    await answer.waitFor();
    // The site around it has been usable all the time.
    expect(await page.locator('h1').isVisible()).toBe(true);
    await page.context().close();
  });

  test('takes a no, and asks again when it is asked to', async () => {
    const page = await visit('/');
    await armedOf(page).waitFor();
    await page.keyboard.press('Enter');
    await page.frameLocator('.home-stage iframe').getByText('no refund').waitFor();
    await page
      .frameLocator('.home-stage iframe')
      .getByRole('button', { name: 'Ask me again' })
      .press('Enter');
    await armedOf(page).waitFor();
    expect(await dialogOf(page).isVisible()).toBe(true);
    await page.context().close();
  });

  test('follows the theme of the site into the frame', async () => {
    const page = await visit('/', { colorScheme: 'dark' });
    const ground = page.frameLocator('.home-stage iframe').locator('body');
    const colour = () => ground.evaluate((body) => getComputedStyle(body).backgroundColor);
    await armedOf(page).waitFor();
    expect(await colour()).toBe('rgb(21, 23, 28)');
    await page.getByRole('switch').first().click();
    await expect.poll(colour).toBe('rgb(255, 255, 255)');
    await page.context().close();
  });
});

test('the search finds a page and opens it', async () => {
  const page = await visit('/start');
  const field = page.getByRole('searchbox').or(page.locator('#localsearch-input'));
  // The page takes keys once its script has run, which nothing on it shows.
  const open = async () => {
    await page.keyboard.press('Control+k');
    return await field.isVisible();
  };
  await expect.poll(open, { timeout: 30_000 }).toBe(true);
  await field.fill('second approver');
  await page.locator('.results .result').first().waitFor();
  expect(await page.locator('.results').textContent()).toContain('Inbox and audit');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/(inbox-and-audit|security|server)/);
  await page.context().close();
});

test('the playground answers, and its connection can be cut', async () => {
  const page = await visit('/playground/');
  const main = page.locator('main');
  await page.getByRole('button', { name: /A slow story/ }).click();
  await main.and(page.locator('[data-status="streaming"]')).waitFor();
  await page.getByRole('button', { name: 'Cut the connection' }).click();
  await page.getByText('The end.').waitFor();
  await main.and(page.locator('[data-status="idle"]')).waitFor();
  await page.getByRole('button', { name: /Order a lamp/ }).click();
  const dialog = page.locator('[role="dialog"][data-arming="armed"]');
  await dialog.waitFor();
  await dialog.getByRole('button').last().click();
  await main.and(page.locator('[data-status="idle"]')).waitFor();
  expect(await page.locator('main').textContent()).toMatch(/A-\d{4}/);
  await page.context().close();
});

test('the components are shown by Storybook', async () => {
  const page = await visit('/storybook/?path=/docs/components-confirmationdialog--docs');
  await page
    .frameLocator('#storybook-preview-iframe')
    .getByRole('heading', { name: 'ConfirmationDialog' })
    .first()
    .waitFor();
  expect(await page.title()).toContain('ConfirmationDialog');
  await page.context().close();
});

describe.each(['/', '/tools'])('%s', (path) => {
  test.each(['light', 'dark'] as const)('has no fault that axe finds, in %s', async (colorScheme) => {
    const page = await visit(path, { colorScheme, reducedMotion: 'reduce' });
    await page.waitForLoadState('networkidle');
    expect(await findAxeFaults(page)).toEqual([]);
    await page.context().close();
  });
});

test.each(['/', '/tools', '/states', '/overview', '/api/handrail', '/playground/'])(
  '%s fits a phone without scrolling sideways',
  async (path) => {
    const page = await visit(path, PHONE);
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(tooWide).toBeLessThanOrEqual(0);
    await page.context().close();
  },
);
