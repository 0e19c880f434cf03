/** The playground in any browser, and what a person does there. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { AgentMessage } from '../../src/server/agent.ts';
import type { Carrier } from '../e2e/open-playground.ts';
import { ELSEWHERE, type ServedPlayground, servePlayground } from '../e2e/serve-playground.ts';
import { Key, type TestBrowser, type TestTab, until } from './test-browser.ts';

const COMPOSER = 'document.querySelector(\'textarea[aria-label="Message"]\')';
/** The dialog, once it accepts keys. */
export const ARMED = 'document.querySelector(\'[role$="dialog"][data-arming="armed"]\')';
const inStatus = (status: string) => `document.querySelector('main[data-status="${status}"]')`;
const SAID =
  '[...document.querySelectorAll(\'.hr-message [data-part="text"]\')].map((part) => part.textContent)';
const DONE = `${SAID}.some((text) => /^Done\\. Your order number is A-\\d+\\.$/.test(text.trim()))`;

/**
 * Starts a browser and the playground for the tests of the suite that calls this.
 *
 * @param host the name by which the browser reaches this machine
 */
export function drivePlayground(launch: () => Promise<TestBrowser>, host = '127.0.0.1') {
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
    return `${playground.url.replace('127.0.0.1', host)}?carrier=${carrier}&backend=scripted&session=browser-${sessions}`;
  };
  const isReady = `${COMPOSER} && ${inStatus('idle')}`;
  const openTab = async (address: string) => {
    const tab = await browser.openTab(address);
    tabs.push(tab);
    await until(tab, isReady);
    return tab;
  };
  const show = async (tab: TestTab, address: string) => {
    await tab.open(address);
    await until(tab, isReady);
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

  return {
    newAddress,
    openTab,
    closeTab,
    show,
    leave,
    comeBack,
    expectOneOrder,
    countOpen: () => playground.countOpen(),
  };
}

/** Orders a lamp by keyboard, and waits for the question. */
export async function order(tab: TestTab): Promise<void> {
  await tab.evaluate(`${COMPOSER}.focus()`);
  await tab.press([...'Order a lamp', Key.enter]);
  await until(tab, `${ARMED} && ${inStatus('awaiting-input')}`);
}

/** Confirms the question by keyboard. */
export async function confirm(tab: TestTab): Promise<void> {
  await until(tab, ARMED);
  // A dialog that opened while the focus was in a text field moves it to its first control with the first Tab.
  if (await tab.evaluate(`document.activeElement === ${ARMED}`)) await tab.press([Key.tab]);
  await until(tab, ARMED);
  await until(tab, `document.activeElement.textContent === 'Confirm'`);
  await tab.press([Key.enter]);
}
