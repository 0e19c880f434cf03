import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { composer, dialog, inStatus, said, say, startPlayground } from './open-playground.ts';

const playground = startPlayground();
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

async function findViolations(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ path: axe });
  // Colours must be read when no animation fades. A spinner never ends, so the wait leaves it out.
  await page.evaluate(async () => {
    const fading = document
      .getAnimations()
      .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime));
    await Promise.allSettled(fading.map((animation) => animation.finished));
  });
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

const SIZES = [
  ['a desktop', { width: 1280, height: 800 }],
  ['a phone', { width: 360, height: 740 }],
] as const;

describe.each(SIZES)('the playground on %s', (_, viewport) => {
  test.each(['light', 'dark'] as const)('axe finds no violation in the %s scheme', async (colorScheme) => {
    const page = await playground.open({ viewport, colorScheme });
    expect(await findViolations(page)).toEqual([]);
    await say(page, 'Order a lamp');
    await dialog(page).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await said(page, 'All right').waitFor();
    await say(page, 'Fail once');
    await page.locator('.hr-turn-error').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('group', { name: 'Questions' }).getByText('Inline', { exact: true }).click();
    await say(page, 'Order a lamp');
    await page.locator('.hr-card').waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test('no element is wider than the window, with and without a dialog', async () => {
    const page = await playground.open({ viewport });
    const isTooWide = () =>
      page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    expect(await isTooWide()).toBe(false);
    await say(page, 'Order a lamp');
    await dialog(page).waitFor();
    expect(await isTooWide()).toBe(false);
    const box = await dialog(page).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(viewport.width);
  });
});

test('the wire log opens and closes on a phone, and the composer stays reachable', async () => {
  const page = await playground.open({ viewport: { width: 360, height: 740 } });
  const log = page.getByRole('complementary', { name: 'Wire log' });
  expect(await log.count()).toBe(0);
  await page.getByRole('button', { name: 'Wire log', exact: true }).click();
  await log.waitFor();
  await say(page, 'Hello');
  await inStatus(page, 'idle').waitFor();
  await log.locator('[data-kind="finish"]').waitFor();
  await log.getByRole('button', { name: 'Close the wire log' }).click();
  await log.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Wire log');
  expect(await composer(page).isVisible()).toBe(true);
});

test('the wire log shows both directions and can be filtered', async () => {
  const page = await playground.open();
  await say(page, 'Hello');
  const frames = page.getByRole('region', { name: 'Frames' }).locator('li');
  await frames.and(page.locator('[data-kind="finish"]')).waitFor();
  const sent = frames.and(page.locator('[data-direction="out"]'));
  await sent.nth(3).waitFor();
  // The page opens the conversation and follows it at rest, sends the message, and follows the conversation again.
  const kinds = await sent.evaluateAll((lines) => lines.map((line) => line.getAttribute('data-kind')));
  expect(kinds).toEqual(['open', 'open', 'trigger', 'open']);
  expect(await frames.and(page.locator('[data-kind="text-delta"]')).count()).toBeGreaterThan(0);
  await page.getByLabel('Deltas').uncheck();
  expect(await frames.and(page.locator('[data-kind="text-delta"]')).count()).toBe(0);
  await page.getByLabel('Direction').selectOption('out');
  expect(await frames.and(page.locator('[data-direction="in"]')).count()).toBe(0);
  await page.getByLabel('Filter frames').fill('no such frame');
  await page.getByText('No frame matches.').waitFor();
});

test('the colour scheme can be switched by hand, dialogs included', async () => {
  const page = await playground.open({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  await say(page, 'Order a lamp');
  await dialog(page).waitFor();
  const backgrounds = await page.evaluate(() =>
    [document.body, document.querySelector('[role="dialog"], [role="alertdialog"]')].map(
      (element) => element && getComputedStyle(element).colorScheme,
    ),
  );
  expect(backgrounds).toEqual(['dark', 'dark']);
});
