/** Chromium with its back/forward cache, which drivers of tests switch off. */
import { chromium, type Page } from 'playwright';
import { chromiumLaunchOptions } from '../support/chromium.ts';
import { Key, type TestBrowser, type TestTab } from './test-browser.ts';

/** @param moreArgs arguments of the command line */
export async function launchChromium(...moreArgs: readonly string[]): Promise<TestBrowser> {
  const { args, ...options } = chromiumLaunchOptions();
  const browser = await chromium.launch({
    ...options,
    args: [...args, ...moreArgs],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  const context = await browser.newContext();
  return {
    keepsPages: true,
    async openTab(url) {
      const page = await context.newPage();
      await page.goto(url);
      return createTab(page);
    },
    close: () => browser.close(),
  };
}

function createTab(page: Page): TestTab {
  const evaluate: TestTab['evaluate'] = (expression) => page.evaluate(expression);
  // Playwright waits for the load event of the page, which a page that was kept has no more.
  const traverse = (delta: number) => evaluate<void>(`void setTimeout(() => history.go(${delta}))`);
  return {
    evaluate,
    async open(url) {
      await page.goto(url);
    },
    async reload() {
      await page.reload();
    },
    back: () => traverse(-1),
    forward: () => traverse(1),
    async press(keys) {
      for (const key of keys) await page.keyboard.press(NAMES[key] ?? key);
    },
    show: () => page.bringToFront(),
    close: () => page.close(),
  };
}

const NAMES: Readonly<Record<string, string>> = { [Key.enter]: 'Enter', [Key.tab]: 'Tab' };
