import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { composer, dialog, readCalls, said, say, startPlayground, tabTo } from './open-playground.ts';

const playground = startPlayground();
const card = (page: Page, name: RegExp) => page.getByRole('region', { name });
const choose = (page: Page, label: string) =>
  page.getByRole('group', { name: 'Questions' }).getByText(label, { exact: true }).click();

test('an inline question can be answered by keyboard, once', async () => {
  const page = await playground.open();
  await choose(page, 'Inline');
  expect(new URL(page.url()).searchParams.get('questions')).toBe('inline');
  await say(page, 'Order a lamp');
  const question = card(page, /^Order 1 Arc desk lamp/);
  await question.waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  // An inline question does not take the focus from a person who types.
  expect(await composer(page).evaluate((element) => element === document.activeElement)).toBe(true);
  const confirm = question.getByRole('button', { name: 'Confirm' });
  // A card that comes into the page takes no answer in its first half second.
  await confirm.and(page.locator('[aria-disabled="false"]')).waitFor();
  await confirm.focus();
  await page.keyboard.press('Enter');
  await said(page, 'Your order number').waitFor();
  expect(await readCalls(page)).toEqual([
    { call: 'look_up_product', answers: [expect.objectContaining({ product: 'Arc desk lamp' })] },
    { call: 'confirm_order', answers: [{ confirmed: true }] },
    { call: 'place_order', answers: [expect.objectContaining({ status: 'placed' })] },
  ]);
});

test('an open question moves between dialog and conversation with its typed input', async () => {
  const page = await playground.open();
  await choose(page, 'Inline');
  await say(page, 'I want to give feedback');
  const comment = card(page, /^Your feedback/).getByRole('textbox', { name: 'Comment' });
  await tabTo(page, comment);
  await page.keyboard.type('Calm and quick');
  await choose(page, 'Dialogs');
  await dialog(page).waitFor();
  expect(await dialog(page).getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('Calm and quick');
});
