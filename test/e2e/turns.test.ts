import type { Page } from 'playwright';
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
} from './open-playground.ts';

const playground = startPlayground();

const WAYS: readonly [Carrier, BackendId][] = [
  ['sse', 'scripted'],
  ['socket', 'scripted'],
  ['sse', 'octavus'],
  ['socket', 'octavus'],
];
const CARRIERS: readonly Carrier[] = ['sse', 'socket'];

const BEGINNING = 'Once upon a time there was a tool call.';
const STORY_WORDS = 101;
const answer = (page: Page) =>
  page.locator('.hr-message[data-role="assistant"] [data-part="text"]').allInnerTexts();
const button = (page: Page, name: string) => page.getByRole('button', { name });
/** The rows of a step in the timeline of the devtools. */
const steps = (page: Page, type: string, words = '') =>
  page.locator(`[data-step="${type}"]`).filter({ hasText: words });
const devtools = (page: Page) => page.getByRole('button', { name: 'handrail devtools' });
const closeDevtools = (page: Page) => page.getByRole('button', { name: 'Close', exact: true });

describe.each(WAYS)('over %s with the %s backend', (carrier, backend) => {
  test('a slow answer can be stopped, and the next answer is complete', async () => {
    const page = await playground.open({ carrier, backend });
    await say(page, 'Tell me a slow story');
    await said(page, BEGINNING).waitFor();
    await button(page, 'Stop').click();
    await inStatus(page, 'idle').waitFor();
    expect(await page.locator('.hr-message [data-status="streaming"]').count()).toBe(0);
    const stopped = await answer(page);

    await say(page, 'Hello');
    await said(page, 'Try one of the suggestions').waitFor();
    await inStatus(page, 'idle').waitFor();
    // No text of the stopped run arrived later.
    expect((await answer(page)).slice(0, stopped.length)).toEqual(stopped);
    expect((await answer(page)).join(' ')).not.toContain('The end.');
  });

  test('a failed answer can be retried, and no text is doubled', async () => {
    const page = await playground.open({ carrier, backend });
    await say(page, 'Fail once');
    const alert = page.getByRole('alert').filter({ hasText: 'The model is busy.' });
    await alert.waitFor();
    expect(await alert.getAttribute('data-code')).toBe('backend_error');
    await button(page, 'Try again').click();
    await said(page, 'This time it answered.').waitFor();
    await inStatus(page, 'idle').waitFor();
    expect(await alert.count()).toBe(0);
    expect(await page.locator('.hr-message').count()).toBe(2);
    expect(await answer(page)).toEqual(['I ask the model.', 'This time it answered.']);
  });

  test('a question is open again after a reload, and one answer is sent', async () => {
    const page = await playground.open({ carrier, backend });
    await say(page, 'Order a lamp');
    await dialog(page).waitFor();
    await page.reload();
    await dialog(page).waitFor();
    expect(await page.locator('.hr-message').count()).toBe(2);
    await enterDialog(page);
    await page.keyboard.press('Enter');
    await said(page, 'Your order number').waitFor();
    await inStatus(page, 'idle').waitFor();
    expect(await call(page, 'Place order').count()).toBe(1);
    // No element had the focus when the question was restored, so the focus goes to the composer, not to the top of the page.
    await composer(page).and(page.locator(':focus')).waitFor();

    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.locator('main[data-empty]').waitFor();
    expect(await dialog(page).count()).toBe(0);
  });
});

describe.each(CARRIERS)('a connection that is cut over %s', (carrier) => {
  test('a connection cut in the middle of an answer resumes to the end, with each word once', async () => {
    const page = await playground.open({ carrier });
    await say(page, 'Tell me a slow story');
    await said(page, BEGINNING).waitFor();
    await button(page, 'Cut the connection').click();
    await devtools(page).click();
    await steps(page, 'response-resumed').first().waitFor();
    await closeDevtools(page).click();
    await said(page, 'The end.').waitFor();
    await inStatus(page, 'idle').waitFor();
    const words = (await answer(page)).join(' ').split(/\s+/);
    expect(words.slice(0, 3)).toEqual(['Once', 'upon', 'a']);
    expect(words).toHaveLength(STORY_WORDS);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('an answer that a reload cuts continues in the reloaded page', async () => {
    const page = await playground.open({ carrier });
    await say(page, 'Tell me a slow story');
    await said(page, BEGINNING).waitFor();
    await page.reload();
    await said(page, 'The end.').waitFor();
    await inStatus(page, 'idle').waitFor();
    expect((await answer(page)).join(' ').split(/\s+/)).toHaveLength(STORY_WORDS);
  });

  test('an answer still arrives once after the connection is cut during the question', async () => {
    const page = await playground.open({ carrier });
    await say(page, 'Order a lamp');
    await dialog(page).waitFor();
    // The dialog hides the button from the accessibility tree, and not from the pointer.
    await page.getByText('Cut the connection').click();
    await dialog(page).getByRole('button', { name: 'Confirm' }).click();
    await said(page, 'Your order number').waitFor();
    expect(await call(page, 'Place order').count()).toBe(1);
    await devtools(page).click();
    expect(await steps(page, 'request-sent', 'respond').count()).toBe(1);
  });

  test('a cut connection to a backend without resume gives an error that can be retried', async () => {
    const page = await playground.open({ carrier, backend: 'octavus' });
    await say(page, 'Tell me a slow story');
    await said(page, BEGINNING).waitFor();
    await button(page, 'Cut the connection').click();
    await page.locator('.hr-turn-error').waitFor();
    expect(await page.locator('.hr-turn-error').getAttribute('data-code')).toBe(
      carrier === 'sse' ? 'stream_interrupted' : 'connection_lost',
    );
    await button(page, 'Try again').click();
    await said(page, BEGINNING).waitFor();
    await button(page, 'Stop').click();
    await inStatus(page, 'idle').waitFor();
    expect(await page.locator('.hr-message').count()).toBe(2);
  });
});

test('the socket shows that it reconnects while the server is away, until the server is back', async () => {
  const page = await playground.open({ carrier: 'socket' });
  const bar = page.locator('.hr-bar[data-kind="connecting"]');
  await say(page, 'Hello');
  await inStatus(page, 'idle').waitFor();
  await button(page, 'Cut for 4 seconds').click();
  await bar.waitFor();
  await bar.waitFor({ state: 'detached' });
  await devtools(page).click();
  await steps(page, 'connection-changed', 'state: connected').nth(1).waitFor();
  expect(await steps(page, 'connection-changed', 'state: connected').count()).toBe(2);
});
