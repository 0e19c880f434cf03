/** The further backends in Chromium. The server counts the answers, not the page. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import {
  type BackendId,
  call,
  composer,
  DONE,
  dialog,
  enterDialog,
  inStatus,
  ORDERED,
  openTab,
  rating,
  readCalls,
  readHistory,
  said,
  say,
  sessionOf,
  startPlayground,
  tabTo,
} from './open-playground.ts';

const playground = startPlayground();

const BACKENDS: readonly BackendId[] = ['ai-sdk', 'ag-ui', 'standard-agents', 'utp'];

/** An agent of CommonGround shows a page only the calls that the page answers. */
const HIDES_SERVER_TOOLS: readonly BackendId[] = ['utp'];

const BEGINNING = 'Once upon a time there was a tool call.';
const STORY_WORDS = 101;

/** Returns the words of the answer that the page shows. */
async function readWords(page: Page): Promise<readonly string[]> {
  const texts = page.locator('.hr-message[data-role="assistant"] [data-part="text"]');
  return (await texts.allInnerTexts()).join(' ').split(/\s+/);
}

async function expectOneOrder(page: Page, backend: BackendId): Promise<void> {
  await said(page, DONE).waitFor();
  await inStatus(page, 'idle').waitFor();
  await dialog(page).waitFor({ state: 'hidden' });
  expect(await said(page, DONE).count()).toBe(1);
  expect(await call(page, 'Confirm order').getAttribute('data-outcome')).toBe('submitted');
  expect(await call(page, 'Place order').count()).toBe(HIDES_SERVER_TOOLS.includes(backend) ? 0 : 1);
  expect(await readCalls(page)).toEqual(ORDERED);
}

describe.each(BACKENDS)('the backend %s', (backend) => {
  test('an order that the backend wants approved goes from start to finish by keyboard', async () => {
    const page = await playground.open({ backend });
    await tabTo(page, composer(page));
    await page.keyboard.type('Please order a desk lamp');
    await page.keyboard.press('Enter');
    await enterDialog(page);
    expect(await dialog(page).innerText()).toContain('Order 1 Arc desk lamp');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Confirm');
    await page.keyboard.press('Enter');
    await expectOneOrder(page, backend);

    await page.keyboard.type('Hello again');
    await page.keyboard.press('Enter');
    await said(page, 'Hello! I am a scripted agent').waitFor();
    await inStatus(page, 'idle').waitFor();
  });

  test('Escape cancels the order, and the agent does not place it', async () => {
    const page = await playground.open({ backend });
    await say(page, 'Order a lamp');
    await dialog(page).waitFor();
    await page.keyboard.press('Escape');
    await said(page, 'All right, I did not order anything.').waitFor();
    await inStatus(page, 'idle').waitFor();
    expect(await call(page, 'Confirm order').getAttribute('data-outcome')).toBe('cancelled');
    expect(await readCalls(page)).toEqual([
      ORDERED[0],
      { call: 'confirm_order', answers: [expect.any(String)] },
    ]);
  });

  test('a form is filled and submitted by keyboard after a reload, and is sent once', async () => {
    const page = await playground.open({ backend });
    await say(page, 'I want to give feedback');
    await enterDialog(page);
    expect(await dialog(page).innerText()).toContain('How did this conversation go?');
    await tabTo(page, dialog(page).getByLabel('Comment'));
    await page.keyboard.type('Calm.');
    await page.reload();
    await enterDialog(page);
    expect(await dialog(page).getByLabel('Comment').inputValue()).toBe('Calm.');
    await tabTo(page, rating(page, 1));
    await page.keyboard.type('5');
    await tabTo(page, dialog(page).getByRole('button', { name: 'Send' }));
    await page.keyboard.press('Enter');
    await said(page, 'Thank you for the 5 out of 5.').waitFor();
    await inStatus(page, 'idle').waitFor();
    expect(await readCalls(page)).toEqual([
      { call: 'request_feedback', answers: [{ rating: 5, comment: 'Calm.' }] },
    ]);
  });

  test('an approval is open again after a reload, and is sent once', async () => {
    const page = await playground.open({ backend });
    await say(page, 'Order a lamp');
    await dialog(page).waitFor();
    await page.reload();
    await enterDialog(page);
    expect(await page.locator('.hr-message').count()).toBe(2);
    await page.keyboard.press('Enter');
    await expectOneOrder(page, backend);
  });

  test('tools of the server, of the browser and of a person work in one turn', async () => {
    const page = await playground.open({ backend });
    await say(page, 'Plan my evening');
    await enterDialog(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await said(page, /^It is \d\d:\d\d where you are/).waitFor();
    await inStatus(page, 'idle').waitFor();
    expect(await readCalls(page)).toEqual([
      { call: 'find_events', answers: [expect.any(Array)] },
      { call: 'get_local_time', answers: [{ time: expect.any(String), timeZone: expect.any(String) }] },
      { call: 'choose_option', answers: [{ selected: expect.any(String) }] },
    ]);
  });

  test('two tabs show one approval, and the tab that is no owner answers it once', async () => {
    const first = await playground.open({ backend });
    const second = await openTab(first);
    await say(first, 'Order a lamp');
    await dialog(first).waitFor();
    await dialog(second).waitFor();
    await second.bringToFront();
    await enterDialog(second);
    await second.keyboard.press('Enter');
    for (const tab of [second, first]) {
      // A closing dialog fades out, and the animation may wait until its tab is visible.
      await tab.bringToFront();
      await expectOneOrder(tab, backend);
    }
  });

  test('another tab takes over when the owner tab is closed over an open approval', async () => {
    const first = await playground.open({ backend });
    const second = await openTab(first);
    await say(first, 'Order a lamp');
    await dialog(second).waitFor();
    await first.close();
    await second.bringToFront();
    await enterDialog(second);
    await second.keyboard.press('Enter');
    await expectOneOrder(second, backend);
    await second.close();
  });
});

/** A task of CommonGround that failed cannot be retried. */
const RETRIED = BACKENDS.filter((backend) => backend !== 'utp');

describe.each(RETRIED)('the backend %s', (backend) => {
  test('a failed answer can be retried, and no text is doubled', async () => {
    const page = await playground.open({ backend });
    await say(page, 'Fail once');
    const alert = page.getByRole('alert').filter({ hasText: 'overloaded' });
    await alert.waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await said(page, 'This time it answered.').waitFor();
    await inStatus(page, 'idle').waitFor();
    expect((await readWords(page)).join(' ')).toBe('I ask the model. This time it answered.');
  });
});

/** The backends that go on with a cut answer, and what a page does for it. */
const RESUMED: readonly (readonly [BackendId, (page: Page) => Promise<unknown>])[] = [
  [
    'ai-sdk',
    (page) => page.waitForResponse((response) => response.url().endsWith('/stream') && response.ok()),
  ],
  ['standard-agents', (page) => page.waitForEvent('websocket')],
  [
    'utp',
    (page) => page.waitForResponse((response) => response.url().includes('backend=utp') && response.ok()),
  ],
];

describe.each(RESUMED)('an answer of the backend %s', (backend, resumed) => {
  test('continues in the reloaded page with each word once', async () => {
    const page = await playground.open({ backend });
    await say(page, 'Tell me a slow story');
    await said(page, BEGINNING).waitFor();
    await page.reload();
    await said(page, 'The end.').waitFor();
    await inStatus(page, 'idle').waitFor();
    expect(await readWords(page)).toHaveLength(STORY_WORDS);
  });

  test('continues after the connection is cut, with each word once', async () => {
    const page = await playground.open({ backend });
    await say(page, 'Tell me a slow story');
    await said(page, BEGINNING).waitFor();
    const resuming = resumed(page);
    await page.getByRole('button', { name: 'Cut the connection' }).click();
    await resuming;
    await said(page, 'The end.').waitFor();
    await inStatus(page, 'idle').waitFor();
    expect(await readWords(page)).toHaveLength(STORY_WORDS);
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

/** Resolves once an agent of CommonGround has said its last word about a stopped call. Until then it is busy, and refuses messages. */
async function agentRests(page: Page): Promise<void> {
  const readLast = async () => (await readHistory(page, sessionOf(page))).at(-1);
  await expect
    .poll(readLast, { timeout: 20_000 })
    .toEqual({ role: 'assistant', content: expect.any(String) });
}

/** Stops a turn whose question is open, reloads the page and sends another message. */
async function stopOverQuestion(page: Page, beforeMessage = async (_page: Page) => {}): Promise<void> {
  await page.getByRole('group', { name: 'Questions' }).getByText('Inline', { exact: true }).click();
  await say(page, 'Order a lamp');
  const question = page.getByRole('region', { name: /^Order 1 Arc desk lamp/ });
  await question.waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await question.waitFor({ state: 'hidden' });
  await inStatus(page, 'idle').waitFor();
  await beforeMessage(page);
  await page.reload();
  await say(page, 'Hello!');
  await said(page, 'Hello! I am a scripted agent').waitFor();
  await inStatus(page, 'idle').waitFor();
  expect(await question.count()).toBe(0);
  expect((await readCalls(page)).map(({ call: name }) => name)).not.toContain('place_order');
}

test('a stop over an open question frees an agent of CommonGround for the next message', async () => {
  await stopOverQuestion(await playground.open({ backend: 'utp' }), agentRests);
});

test('a task of CommonGround that failed is an error without a retry, and the next message is answered', async () => {
  const page = await playground.open({ backend: 'utp' });
  await say(page, 'Fail once');
  await page.getByRole('alert').filter({ hasText: 'overloaded' }).waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await say(page, 'Fail once');
  await said(page, 'This time it answered.').waitFor();
  await inStatus(page, 'idle').waitFor();
});

describe('a thread of Standard Agents', () => {
  const backend = 'standard-agents';

  test('gets a secret that is typed by keyboard, and neither the page nor the model keeps it', async () => {
    const page = await playground.open({ backend });
    await say(page, 'Where is my parcel?');
    await enterDialog(page);
    await tabTo(page, dialog(page).getByLabel('Token', { exact: true }));
    await page.keyboard.type('hunter2-of-ann');
    await page.keyboard.press('Enter');
    await said(page, 'It is in Graz and arrives tomorrow.').waitFor();
    await inStatus(page, 'idle').waitFor();
    expect(await readCalls(page)).toEqual([
      { call: 'set_parcel_token', answers: [{ name: 'PARCEL_TOKEN', isSet: true }] },
      { call: 'track_parcel', answers: [{ place: 'Graz', arrives: 'tomorrow' }] },
    ]);
    const saved = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(saved).toContain('set_parcel_token');
    expect(saved).not.toContain('hunter2');
    expect(await page.content()).not.toContain('hunter2');
  });

  test('has no call that waits after a stop over an open question', async () => {
    const page = await playground.open({ backend });
    const stopping = page.waitForRequest((request) => request.url().endsWith('/stop'));
    await stopOverQuestion(page);
    const stop = await stopping;
    const { authorization = '' } = await stop.allHeaders();
    const url = stop.url().replace(/stop$/, 'client-tools');
    const response = await fetch(url, { headers: { authorization } });
    expect(await response.json()).toEqual({ calls: [] });
  });

  test('shows a search that the provider ran, with its sources', async () => {
    const page = await playground.open({ backend });
    await say(page, 'Search the web for a quiet train');
    await said(page, 'The 08:25 is the calmest train.').waitFor();
    await inStatus(page, 'idle').waitFor();
    const search = call(page, 'Web search');
    expect(await search.count()).toBe(1);
    await search.locator('summary').focus();
    await page.keyboard.press('Enter');
    await search.getByRole('link', { name: 'Trains to Graz' }).waitFor();
    expect(await readCalls(page)).toEqual([]);
  });
});

test('an answer of an AG-UI agent that a reload cuts is asked for again, and is shown once', async () => {
  const page = await playground.open({ backend: 'ag-ui' });
  await say(page, 'Tell me a slow story');
  await said(page, BEGINNING).waitFor();
  await page.reload();
  const error = page.locator('.hr-turn-error');
  await error.waitFor();
  expect(await error.getAttribute('data-code')).toBe('stream_interrupted');
  await page.getByRole('button', { name: 'Try again' }).click();
  await said(page, 'The end.').waitFor();
  await inStatus(page, 'idle').waitFor();
  expect(await readWords(page)).toHaveLength(STORY_WORDS);
  expect(await page.locator('.hr-message').count()).toBe(2);
});

test.each([
  ['ai-sdk', 1],
  ['ag-ui', 0],
] as const)(
  'the scenario about a file is offered by %s as often as its messages take files',
  async (backend, count) => {
    const page = await playground.open({ backend });
    expect(await page.getByRole('button', { name: 'Check a receipt' }).count()).toBe(count);
    expect(await page.getByRole('button', { name: 'Attach files' }).count()).toBe(count);
  },
);
