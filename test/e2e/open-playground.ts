/** The playground with its agent server, on a free port, and a browser in front of it. `start.test.ts` is about `npm start`. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { MountedServer } from '../../playground/server/agent-server-plugin.ts';
import type { AgentMessage } from '../../src/server/agent.ts';
import { chromiumLaunchOptions } from '../support/chromium.ts';
import { requireNatsServer } from '../support/nats-server.ts';
import { type ServedPlayground, servePlayground } from './serve-playground.ts';

export type Carrier = 'sse' | 'socket';
export type BackendId =
  | 'scripted'
  | 'octavus'
  | 'mantyx'
  | 'ai-sdk'
  | 'ag-ui'
  | 'standard-agents'
  | 'utp'
  | 'model';

export interface OpenOptions extends BrowserContextOptions {
  readonly carrier?: Carrier;
  readonly backend?: BackendId;
  /** The person in front of the page. Default: Ada, a customer. */
  readonly user?: 'grace' | 'lin';
  /** The conversation to join. Default: a new one. */
  readonly session?: string;
}

/**
 * Starts the playground for a test file. An error or warning that the page logs, or an error that it throws, fails the test
 * during which it happened.
 *
 * @param createServer called at the first request. Default: the agent server of `npm start`.
 */
export function startPlayground(createServer?: () => Promise<MountedServer>): {
  open(options?: OpenOptions): Promise<Page>;
} {
  let server: ServedPlayground;
  let browser: Browser;
  const pages: Page[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    server = await servePlayground(createServer);
    browser = await chromium.launch(chromiumLaunchOptions());
  }, 60_000);
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close();
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  return {
    async open({ carrier = 'sse', backend = 'scripted', user, session, ...options } = {}) {
      if (backend === 'utp') requireNatsServer();
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.setDefaultTimeout(20_000);
      const page = await context.newPage();
      pages.push(page);
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (isComplaint(message.type(), message.text())) complaints.push(message.text());
      });
      const query = new URLSearchParams({
        carrier,
        backend,
        ...(user && { user }),
        ...(session && { session }),
      });
      await page.goto(`${server.url}?${query}`);
      // A dialog hides the composer: the conversation may have an open question.
      await composer(page)
        .or(page.getByRole('dialog'))
        .or(page.getByRole('alertdialog'))
        .or(missingServer(page))
        .first()
        .waitFor();
      return page;
    },
  };
}

/**
 * The browser logs failed requests, and a development build names tools that failed. Tests that break connections, or deny
 * something, expect such logs.
 */
function isComplaint(type: string, text: string): boolean {
  return (
    (type === 'error' || type === 'warning') &&
    !/Failed to load resource|WebSocket connection to|^The tool "\w+" failed/.test(text)
  );
}

export const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });

/** Locates the notice that stands in place of the conversation where the machine lacks a server. */
export const missingServer = (page: Page) => page.getByText(/^This backend needs /);

/** Locates the conversation with the given status. */
export const inStatus = (page: Page, status: string) => page.locator(`main[data-status="${status}"]`);

/** Locates a text in the conversation, because other parts of the page may show the same text. */
export const said = (page: Page, text: string | RegExp) =>
  page.locator('.hr-message [data-part="text"]').getByText(text);

/** Locates a call in the transcript by its title. */
export const call = (page: Page, name: string) => page.locator('.hr-call').filter({ hasText: name });

/** Locates a dialog that accepts keys and presses. It accepts none in its first half second. */
export const dialog = (page: Page) =>
  page.getByRole('dialog').or(page.getByRole('alertdialog')).and(page.locator('[data-arming="armed"]'));

/** Locates a number of the scale in the open form. */
export const rating = (page: Page, value: number) =>
  dialog(page).getByRole('radio', { name: new RegExp(`^${value}\\b`) });

/** What the agent says at the end of an order. */
export const DONE = /^Done\. Your order number is A-\d+\.$/;

/** The calls of an order that was placed once, for one answer. */
export const ORDERED = [
  { call: 'look_up_product', answers: [expect.objectContaining({ product: 'Arc desk lamp' })] },
  { call: 'confirm_order', answers: [{ confirmed: true }] },
  { call: 'place_order', answers: [expect.objectContaining({ status: 'placed' })] },
];

/**
 * Returns the calls of the conversation and every answer that the agent got to each, as the server has them: answers that are doubled or
 * lost on the way show only here.
 */
export async function readCalls(
  page: Page,
): Promise<readonly { call: string; answers: readonly unknown[] }[]> {
  const history = await readHistory(page, sessionOf(page));
  const calls = history.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  return calls.map(({ toolCallId, toolName }) => ({
    call: toolName,
    answers: history.flatMap((message) =>
      message.role === 'tool' && message.toolCallId === toolCallId ? [message.error ?? message.result] : [],
    ),
  }));
}

/** Returns the id of the conversation that the page shows. */
export function sessionOf(page: Page): string {
  return new URL(page.url()).searchParams.get('session') ?? '';
}

/** Returns the history of a conversation with the backend of the page, as the server has it. */
export async function readHistory(page: Page, session: string): Promise<readonly AgentMessage[]> {
  const { origin, searchParams } = new URL(page.url());
  const backend = searchParams.get('backend');
  const response = await fetch(`${origin}/api/history?backend=${backend}&session=${session}`);
  return (await response.json()) as readonly AgentMessage[];
}

/** Opens another tab of the same conversation. */
export async function openTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await composer(tab).waitFor();
  return tab;
}

export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

/** Moves the focus to the first control of a dialog that opened while the focus was in the composer. */
export async function enterDialog(page: Page): Promise<void> {
  await dialog(page).waitFor();
  await page.keyboard.press('Tab');
  await dialog(page).waitFor();
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, target: ReturnType<typeof composer>): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('It cannot be reached by Tab.');
}
