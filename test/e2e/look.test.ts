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
    await page.locator('.hr-card .hr-answer[type="submit"][aria-disabled="false"]').waitFor();
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

test('the devtools open and close on a phone, and the composer stays reachable', async () => {
  const page = await playground.open({ viewport: { width: 360, height: 740 } });
  const panel = page.getByRole('complementary', { name: 'handrail devtools' });
  expect(await panel.count()).toBe(0);
  await page.getByRole('button', { name: 'handrail devtools' }).click();
  await panel.waitFor();
  await say(page, 'Hello');
  await inStatus(page, 'idle').waitFor();
  await panel.locator('[data-step="turn-ended"]').first().waitFor();
  await panel.getByRole('button', { name: 'Close' }).click();
  await panel.waitFor({ state: 'detached' });
  const focused = await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent);
  expect(focused).toBe('handrail devtools');
  expect(await composer(page).isVisible()).toBe(true);
});

test('the devtools show requests and events, and can be filtered', async () => {
  const page = await playground.open();
  await page.getByRole('button', { name: 'handrail devtools' }).click();
  await say(page, 'Hello');
  const rows = page.getByRole('region', { name: 'Steps' }).locator('li');
  await rows.and(page.locator('[data-step="turn-ended"]')).first().waitFor();
  const sent = rows.and(page.locator('[data-step="request-sent"]'));
  await sent.nth(3).waitFor();
  // The page opens the conversation and follows it at rest, sends the message, and follows the conversation again.
  const commands = await sent.evaluateAll((lines) =>
    lines.map((line) => /command: (\w+)/.exec(line.textContent ?? '')?.[1]).reverse(),
  );
  expect(commands).toEqual(['open', 'open', 'trigger', 'open']);
  const deltas = rows.and(page.locator('[data-step="event-received"]')).filter({ hasText: 'text-delta' });
  expect(await deltas.count()).toBeGreaterThan(0);
  await page.getByLabel('Show', { exact: true }).selectOption('requests');
  expect(await deltas.count()).toBe(0);
  await page.getByLabel('Filter steps').fill('no such step');
  await page.getByText('No step matches.').waitFor();
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
