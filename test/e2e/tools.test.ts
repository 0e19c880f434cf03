import { expect, test } from 'vitest';
import {
  call,
  dialog,
  enterDialog,
  inStatus,
  rating,
  said,
  say,
  startPlayground,
} from './open-playground.ts';

const playground = startPlayground();

test('the agent gets the location from a tool that runs in the browser', async () => {
  const page = await playground.open({
    permissions: ['geolocation'],
    geolocation: { latitude: 47.37, longitude: 8.54 },
  });
  await say(page, 'Where am I?');
  await said(page, 'You are at 47.37° latitude and 8.54° longitude').waitFor();
  expect(await call(page, 'Get location').getAttribute('data-status')).toBe('done');
});

test('the agent gets the reason as text when the browser denies the location', async () => {
  const page = await playground.open();
  await say(page, 'Where am I?');
  await said(page, /^I could not find out: .*denied/i).waitFor();
  expect(await call(page, 'Get location').getAttribute('data-status')).toBe('error');
  await inStatus(page, 'idle').waitFor();
});

test('a remembered approval lets a tool copy to the clipboard without a question, until the choice is removed', async () => {
  const page = await playground.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText('mine'));
  await say(page, 'Copy a haiku');
  await dialog(page).getByText('Always allow…').click();
  expect(await clipboard()).toBe('mine');
  await dialog(page).getByRole('button', { name: 'Allow', exact: true }).click();
  await said(page, 'It is on your clipboard.').waitFor();
  expect(await clipboard()).toContain('One answer arrives.');
  await say(page, 'Copy a haiku');
  await said(page, 'It is on your clipboard.').nth(1).waitFor();
  await page.getByText('Choices and answers').click();
  await page.getByRole('button', { name: /^Forget the choice for Copy/ }).click();
  await say(page, 'Copy a haiku');
  await dialog(page).getByRole('button', { name: 'Decline' }).click();
  await said(page, 'your clipboard stays as it is').waitFor();
  expect(
    await page.locator('.policies .hr-audit').evaluateAll((all) => all.map((one) => one.dataset)),
  ).toEqual([
    { outcome: 'declined', by: 'person' },
    { outcome: 'submitted', by: 'automatic' },
    { outcome: 'submitted', by: 'automatic' },
  ]);
});

test('a form of a schema shows issues at the field, and sends the corrected values', async () => {
  const page = await playground.open();
  await say(page, 'I want to give feedback');
  const form = dialog(page);
  await form.waitFor();
  expect(await form.innerText()).toContain('How did this conversation go?');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.locator('[aria-invalid="true"]').first().waitFor();
  await rating(page, 1).press('5');
  await form.getByLabel('Comment').fill('Calm.');
  await rating(page, 5).press('Enter');
  await said(page, 'Thank you for the 5 out of 5.').waitFor();
});

test('a choice can be answered by keyboard', async () => {
  const page = await playground.open();
  await say(page, 'Choose a delivery');
  await enterDialog(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await said(page, /^Noted: (express|standard|pickup)\.$/).waitFor();
  expect(await call(page, 'Choose delivery').getAttribute('data-outcome')).toBe('submitted');
});

test('tools of the server, of the browser and of a person work in one turn', async () => {
  const page = await playground.open();
  await say(page, 'Plan my evening');
  await dialog(page).waitFor();
  expect(await call(page, 'Find events').getAttribute('data-status')).toBe('done');
  await dialog(page).getByText('Something to listen to').click();
  await dialog(page)
    .getByRole('button', { name: /confirm|choose|submit|send/i })
    .last()
    .click();
  await said(page, /^It is \d\d:\d\d where you are.*Jazz at the harbour/).waitFor();
  expect(await page.locator('.hr-call[data-status="done"]').count()).toBe(3);
});
