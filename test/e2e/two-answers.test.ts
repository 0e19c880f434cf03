/** Two people, or one person in two tabs, answer one question in the same moment or offline. One answer counts, and all see which. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import {
  call,
  dialog,
  inStatus,
  ORDERED,
  openTab,
  readCalls,
  said,
  say,
  sessionOf,
  startPlayground,
} from './open-playground.ts';

const playground = startPlayground();
const press = (page: Page, name: 'Confirm' | 'Decline') =>
  dialog(page).getByRole('button', { name, exact: true }).click();

/** A question that two pages show: tabs of one browser, or two devices. */
const PAIRS: Readonly<Record<string, () => Promise<readonly [Page, Page]>>> = {
  async tabs() {
    const first = await playground.open();
    const second = await openTab(first);
    await say(first, 'Order a lamp');
    return [first, second];
  },
  async devices() {
    const first = await playground.open();
    await say(first, 'Order a lamp');
    await dialog(first).waitFor();
    return [first, await playground.open({ session: sessionOf(first) })];
  },
};
async function openPair(kind: string): Promise<readonly [Page, Page]> {
  const pair = await PAIRS[kind]?.();
  if (pair === undefined) throw new Error(`There is no pair of ${kind}.`);
  for (const page of pair) await dialog(page).waitFor();
  return pair;
}

/** All pages, and the agent, have the same one answer. */
async function expectOneAnswer(pages: readonly Page[]): Promise<void> {
  const outcomes: (string | null)[] = [];
  for (const page of pages) {
    await page.bringToFront();
    await said(page, /^(Done\. Your order number|All right, I did not order)/).waitFor();
    await inStatus(page, 'idle').waitFor();
    await dialog(page).waitFor({ state: 'hidden' });
    expect(await call(page, 'Confirm order').count()).toBe(1);
    outcomes.push(await call(page, 'Confirm order').getAttribute('data-outcome'));
  }
  const [outcome] = outcomes;
  expect(outcomes).toEqual(pages.map(() => outcome));
  const calls = await readCalls(pages[0] as Page);
  if (outcome === 'submitted') return expect(calls).toEqual(ORDERED);
  expect(outcome).toBe('declined');
  expect(calls.map((each) => each.call)).toEqual(['look_up_product', 'confirm_order']);
  expect(calls[1]?.answers).toHaveLength(1);
}

test.each(Object.keys(PAIRS))(
  'a yes and a no in the same moment in two %s are one answer',
  async (kind) => {
    const pair = await openPair(kind);
    // The press that loses finds no dialog any more, or one that has ended.
    await Promise.allSettled([press(pair[0], 'Confirm'), press(pair[1], 'Decline')]);
    await expectOneAnswer(pair);
    for (const page of pair) await page.reload();
    await expectOneAnswer(pair);
  },
  60_000,
);

test('a yes and a no that two devices gave offline are one answer once both are back, also after a reload', async () => {
  const pair = await openPair('devices');
  for (const page of pair) await page.context().setOffline(true);
  await press(pair[0], 'Confirm');
  await press(pair[1], 'Decline');
  for (const page of pair) await page.locator('.hr-call[data-delivery="not-sent"]').waitFor();
  for (const page of pair) await page.context().setOffline(false);
  await expectOneAnswer(pair);
  for (const page of pair) await page.reload();
  await expectOneAnswer(pair);
}, 60_000);

test('an answer that was given offline in one of two tabs is sent once after both were reloaded', async () => {
  const pair = await openPair('tabs');
  await pair[0].context().setOffline(true);
  await press(pair[1], 'Confirm');
  await dialog(pair[0]).waitFor({ state: 'hidden' });
  await pair[0].context().setOffline(false);
  await Promise.all(pair.map((page) => page.reload()));
  await expectOneAnswer(pair);
}, 60_000);
