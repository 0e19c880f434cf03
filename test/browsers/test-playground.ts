/** The paths of a person through the playground, for any browser. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AgentMessage } from '../../src/server/agent.ts';
import type { Carrier } from '../e2e/open-playground.ts';
import { ELSEWHERE, type ServedPlayground, servePlayground } from '../e2e/serve-playground.ts';
import { Key, type TestBrowser, type TestTab, until } from './test-browser.ts';

const COMPOSER = 'document.querySelector(\'textarea[aria-label="Message"]\')';
const ARMED = 'document.querySelector(\'[role$="dialog"][data-arming="armed"]\')';
const inStatus = (status: string) => `document.querySelector('main[data-status="${status}"]')`;
const SAID =
  '[...document.querySelectorAll(\'.hr-message [data-part="text"]\')].map((part) => part.textContent)';
const DONE = `${SAID}.some((text) => /^Done\\. Your order number is A-\\d+\\.$/.test(text.trim()))`;

/** @param launch starts the browser, once for the tests of a file */
export function testPlayground(launch: () => Promise<TestBrowser>): void {
  let browser: TestBrowser;
  let playground: ServedPlayground;
  const tabs: TestTab[] = [];
  let sessions = 0;

  beforeAll(async () => {
    playground = await servePlayground();
    browser = await launch();
  }, 60_000);
  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close();
  });
  afterAll(async () => {
    await browser?.close();
    await playground?.close();
  });

  /** Returns the address of a conversation that nobody has begun. */
  const newAddress = (carrier: Carrier = 'sse') => {
    sessions += 1;
    return `${playground.url}?carrier=${carrier}&backend=scripted&session=browser-${sessions}`;
  };
  const openTab = async (address: string) => {
    const tab = await browser.openTab(address);
    tabs.push(tab);
    await until(tab, `${COMPOSER} && ${inStatus('idle')}`);
    return tab;
  };
  const closeTab = async (tab: TestTab) => {
    tabs.splice(tabs.indexOf(tab), 1);
    await tab.close();
  };
  /** Leaves the conversation for another page. */
  const leave = async (tab: TestTab) => {
    await tab.evaluate('window.wasKept = true');
    await tab.open(new URL(ELSEWHERE, playground.url).href);
  };
  const comeBack = async (tab: TestTab) => {
    await tab.back();
    await until(tab, `${COMPOSER} && document.readyState === 'complete'`);
    // A test of the cache that the browser does not use would prove nothing.
    expect(await tab.evaluate('window.wasKept === true')).toBe(browser.keepsPages);
  };

  /** Expects that the conversation has one order, for one answer, on every tab and on the server. */
  const expectOneOrder = async (address: string, ...shown: TestTab[]) => {
    for (const tab of shown) {
      await until(tab, `${DONE} && ${inStatus('idle')}`);
      await until(tab, `!document.querySelector('[role$="dialog"]')`);
    }
    const session = new URL(address).searchParams.get('session');
    const response = await fetch(`${playground.url}api/history?backend=scripted&session=${session}`);
    const history = (await response.json()) as readonly AgentMessage[];
    const results = history.flatMap((message) => (message.role === 'tool' ? [message] : []));
    expect(results.map(({ toolName }) => toolName)).toEqual([
      'look_up_product',
      'confirm_order',
      'place_order',
    ]);
    expect(results[1]?.result).toEqual({ confirmed: true });
  };

  describe.each(['sse', 'socket'] as const)('over %s', (carrier) => {
    test('an order goes from start to finish by keyboard', async () => {
      const address = newAddress(carrier);
      const tab = await openTab(address);
      await order(tab);
      await confirm(tab);
      await expectOneOrder(address, tab);
    });

    test('an open question is there again after a reload, and is answered once', async () => {
      const address = newAddress(carrier);
      const tab = await openTab(address);
      await order(tab);
      await tab.reload();
      await confirm(tab);
      await expectOneOrder(address, tab);
    });

    test('an open question is there again when the person comes back and goes forward, and is answered once', async () => {
      const address = newAddress(carrier);
      const tab = await openTab(address);
      await order(tab);
      await leave(tab);
      await comeBack(tab);
      await tab.forward();
      await until(tab, `location.pathname === '${ELSEWHERE}'`);
      await comeBack(tab);
      await confirm(tab);
      await expectOneOrder(address, tab);
    });
  });

  test('another tab takes over when the owner tab is closed over an open question', async () => {
    const address = newAddress();
    const first = await openTab(address);
    const second = await openTab(address);
    await first.show();
    await order(first);
    await until(second, ARMED);
    await closeTab(first);
    await second.show();
    await confirm(second);
    await expectOneOrder(address, second);
  });

  test('an owner tab that was left follows the other tab when the person comes back, and shows what it has begun', async () => {
    const address = newAddress();
    const first = await openTab(address);
    const second = await openTab(address);
    await first.show();
    await leave(first);
    await second.show();
    await order(second);
    await first.show();
    await comeBack(first);
    await until(first, ARMED);
    // The inbox of each page, and the conversation of the one that owns it.
    await expect.poll(() => playground.countOpen(), { timeout: 20_000 }).toBe(3);
    await confirm(first);
    await expectOneOrder(address, first, second);
  });

  test('pages that were left hold no response open, so that the next page loads', async () => {
    for (let page = 0; page < 8; page += 1) {
      const tab = tabs[0] ?? (await openTab(newAddress()));
      if (page > 0) await tab.open(newAddress());
      await until(tab, `${COMPOSER} && ${inStatus('idle')}`);
      await order(tab);
      await leave(tab);
      await expect.poll(() => playground.countOpen(), { timeout: 20_000 }).toBe(0);
    }
  });
}

/** Orders a lamp by keyboard, and waits for the question. */
async function order(tab: TestTab): Promise<void> {
  await tab.evaluate(`${COMPOSER}.focus()`);
  await tab.press([...'Order a lamp', Key.enter]);
  await until(tab, `${ARMED} && ${inStatus('awaiting-input')}`);
}

/** Confirms the question by keyboard. */
async function confirm(tab: TestTab): Promise<void> {
  await until(tab, ARMED);
  // A dialog that opened while the focus was in a text field moves it to its first control with the first Tab.
  if (await tab.evaluate(`document.activeElement === ${ARMED}`)) await tab.press([Key.tab]);
  await until(tab, ARMED);
  await until(tab, `document.activeElement.textContent === 'Confirm'`);
  await tab.press([Key.enter]);
}
