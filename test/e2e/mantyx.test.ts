/** A Mantyx session behind the proxy, in Chromium. The platform counts the answers, not the page. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import {
  call,
  composer,
  dialog,
  enterDialog,
  inStatus,
  rating,
  said,
  say,
  startPlayground,
  tabTo,
} from './open-playground.ts';

const playground = startPlayground();

interface Line {
  readonly user?: string;
  readonly call?: string;
  readonly toolName?: string;
  readonly answer?: string;
  readonly result?: string;
}

/** The calls of the page's tools that the model made, with each answer that it got. */
async function whatTheModelSaw(page: Page): Promise<readonly unknown[]> {
  const lines = (await page.evaluate(async () => {
    const session = sessionStorage.getItem('playground-session');
    return (await fetch(`/api/agent/mantyx/${session}/transcript`)).json();
  })) as readonly Line[];
  const nameOf = (id: string) => lines.find((line) => line.call === id)?.toolName;
  return lines.map(({ user, toolName, answer, result }) => {
    if (answer !== undefined) return { answered: nameOf(answer), with: JSON.parse(result ?? 'null') };
    return user === undefined ? { asked: toolName } : { user };
  });
}

test('an order at Mantyx goes from start to finish by keyboard, and the next message follows', async () => {
  const page = await playground.open({ backend: 'mantyx' });
  const posted: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/tool-results')) posted.push(response.status());
  });
  await tabTo(page, composer(page));
  await page.keyboard.type('Please order a ceramic mug');
  await page.keyboard.press('Enter');
  await enterDialog(page);
  expect(await dialog(page).innerText()).toContain('Order 1 Ceramic mug');
  expect(await inStatus(page, 'awaiting-input').count()).toBe(1);
  await page.keyboard.press('Enter');
  await said(page, /^Done\. Your order number is A-\d+\.$/).waitFor();
  await inStatus(page, 'idle').waitFor();
  expect(await call(page, 'Confirm order').getAttribute('data-outcome')).toBe('submitted');
  expect(await call(page, 'Place order').count()).toBe(1);
  expect(posted).toEqual([204]);

  await page.keyboard.type('Hello again');
  await page.keyboard.press('Enter');
  await said(page, 'Hello! I am a scripted agent').waitFor();
  await inStatus(page, 'idle').waitFor();
  expect(await whatTheModelSaw(page)).toEqual([
    { user: 'Please order a ceramic mug' },
    { asked: 'confirm_order' },
    { answered: 'confirm_order', with: { confirmed: true } },
    { user: 'Hello again' },
  ]);
});

test('Escape cancels an order at Mantyx, and the agent gets the cancellation', async () => {
  const page = await playground.open({ backend: 'mantyx' });
  await say(page, 'Order a lamp');
  await dialog(page).waitFor();
  await page.keyboard.press('Escape');
  await said(page, 'All right, I did not order anything.').waitFor();
  expect(await call(page, 'Confirm order').getAttribute('data-outcome')).toBe('cancelled');
  expect(await call(page, 'Place order').count()).toBe(0);
});

test('a form of Mantyx that is reloaded in the middle is requested once and answered once', async () => {
  const page = await playground.open({ backend: 'mantyx' });
  await say(page, 'I want to give feedback');
  await dialog(page).waitFor();
  expect(await dialog(page).innerText()).toContain('How did this conversation go?');
  await page.reload();
  await dialog(page).waitFor();
  await tabTo(page, rating(page, 1));
  await page.keyboard.type('5');
  await tabTo(page, dialog(page).getByLabel('Comment'));
  await page.keyboard.type('Calm.');
  await tabTo(page, rating(page, 5));
  await page.keyboard.press('Enter');
  await said(page, 'Thank you for the 5 out of 5.').waitFor();
  await inStatus(page, 'idle').waitFor();
  expect(await whatTheModelSaw(page)).toEqual([
    { user: 'I want to give feedback' },
    { asked: 'request_feedback' },
    { answered: 'request_feedback', with: { rating: 5, comment: 'Calm.' } },
  ]);
});

test('a confirmation of Mantyx that is reloaded before and right after the answer gives one order and one answer', async () => {
  const page = await playground.open({ backend: 'mantyx' });
  await say(page, 'Order a lamp');
  await dialog(page).waitFor();
  await page.reload();
  await enterDialog(page);
  const posted = page.waitForResponse((response) => response.url().endsWith('/tool-results'));
  await page.keyboard.press('Enter');
  expect((await posted).status()).toBe(204);
  await page.reload();
  await said(page, /^Done\. Your order number is A-\d+\.$/).waitFor();
  await inStatus(page, 'idle').waitFor();
  expect(await dialog(page).count()).toBe(0);
  expect(await call(page, 'Confirm order').getAttribute('data-outcome')).toBe('submitted');
  expect(await call(page, 'Place order').count()).toBe(1);
  expect(await whatTheModelSaw(page)).toEqual([
    { user: 'Order a lamp' },
    { asked: 'confirm_order' },
    { answered: 'confirm_order', with: { confirmed: true } },
  ]);
});

test('tools of the server, of the browser and of a person work in one turn of Mantyx, with a reload in between', async () => {
  const page = await playground.open({ backend: 'mantyx' });
  await say(page, 'Plan my evening');
  await dialog(page).waitFor();
  await page.reload();
  await enterDialog(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await said(page, /^It is \d\d:\d\d where you are/).waitFor();
  await inStatus(page, 'idle').waitFor();
  const seen = await whatTheModelSaw(page);
  expect(seen.slice(0, 3)).toEqual([
    { user: 'Plan my evening' },
    { asked: 'get_local_time' },
    { asked: 'choose_option' },
  ]);
  expect(seen.slice(3)).toEqual([
    { answered: 'get_local_time', with: { time: expect.any(String), timeZone: expect.any(String) } },
    { answered: 'choose_option', with: { selected: expect.any(String) } },
  ]);
});
