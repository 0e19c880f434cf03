/** A laptop that sleeps past the deadline of a question, by the clock of the browser. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { call, dialog, inStatus, rating, readCalls, said, say, startPlayground } from './open-playground.ts';

const playground = startPlayground();

const DEADLINE_MS = 10 * 60_000;

/** Suspends the page while a form is half filled. */
async function fallAsleep(): Promise<Page> {
  const page = await playground.open();
  await page.clock.install();
  await say(page, 'I want to give feedback');
  await dialog(page).waitFor();
  await dialog(page).getByLabel('Comment').fill('Calm.');
  await rating(page, 1).press('5');
  return page;
}

/** Expects that the page reports the timeout, shows the typed input, and that the agent got one timed-out answer. */
async function expectTooLate(page: Page): Promise<void> {
  const late = page.getByRole('dialog');
  await late
    .getByText('The agent no longer waits: it was stopped, or the time was up. Nothing was sent.')
    .waitFor();
  expect(await late.getByLabel('Comment').inputValue()).toBe('Calm.');
  expect(await late.getByRole('radio', { checked: true }).inputValue()).toBe('5');
  await said(page, 'No problem, maybe another time.').waitFor();
  await inStatus(page, 'idle').waitFor();
  expect(await call(page, 'feedback').getAttribute('data-outcome')).toBe('timed-out');
  expect(await readCalls(page)).toEqual([
    { call: 'request_feedback', answers: ['Timed out after 600 s without an answer'] },
  ]);
}

test('an answer after waking is refused before any timer fires, and the typed input stays', async () => {
  const page = await fallAsleep();
  await page.clock.setSystemTime(Date.now() + DEADLINE_MS + 60_000);
  await rating(page, 5).press('Enter');
  await expectTooLate(page);
});

test('a question past its deadline expires as soon as the laptop wakes, and the typed input stays', async () => {
  const page = await fallAsleep();
  await page.clock.fastForward(DEADLINE_MS + 60_000);
  await expectTooLate(page);
});

test('a question can be answered normally after a sleep that ends before the deadline', async () => {
  const page = await fallAsleep();
  await page.clock.fastForward(DEADLINE_MS - 60_000);
  await rating(page, 5).press('Enter');
  await said(page, 'Thank you for the 5 out of 5.').waitFor();
  expect(await readCalls(page)).toEqual([
    { call: 'request_feedback', answers: [{ rating: 5, comment: 'Calm.' }] },
  ]);
});
