/** One conversation on several devices: each page has a browser profile of its own, and nothing but the address of the conversation. */
import { describe, expect, test } from 'vitest';
import {
  type Carrier,
  call,
  dialog,
  inStatus,
  readCalls,
  said,
  say,
  sessionOf,
  startPlayground,
} from './open-playground.ts';

const playground = startPlayground();

describe.each<[Carrier]>([['sse'], ['socket']])('a second device over %s', (carrier) => {
  test('joins a run in the middle, and both see its end', async () => {
    const laptop = await playground.open({ carrier });
    await say(laptop, 'Tell me a slow story');
    await said(laptop, /^Once upon a time/).waitFor();
    const phone = await playground.open({
      carrier,
      session: sessionOf(laptop),
      viewport: { width: 390, height: 844 },
    });
    await said(phone, /^Once upon a time/).waitFor();
    await inStatus(phone, 'streaming').waitFor();
    for (const page of [laptop, phone]) await said(page, 'The end.').waitFor();
    for (const page of [laptop, phone]) await inStatus(page, 'idle').waitFor();
    expect(await said(phone, /^Once upon a time/).count()).toBe(1);
  });

  test('shows the open question; its answer closes the dialog on the other one, and is taken once', async () => {
    const laptop = await playground.open({ carrier });
    await say(laptop, 'Choose a delivery for me');
    await dialog(laptop).waitFor();
    const phone = await playground.open({
      carrier,
      session: sessionOf(laptop),
      viewport: { width: 390, height: 844 },
    });
    await dialog(phone)
      .getByRole('radio', { name: /Express/ })
      .check();
    await dialog(phone).getByRole('button', { name: 'Send' }).click();
    await dialog(laptop).waitFor({ state: 'detached' });
    for (const page of [laptop, phone]) await inStatus(page, 'idle').waitFor();
    expect(await readCalls(laptop)).toEqual([{ call: 'choose_option', answers: [{ selected: 'express' }] }]);
  });

  test('goes on after a device without storage came back', async () => {
    const laptop = await playground.open({ carrier });
    const session = sessionOf(laptop);
    await say(laptop, 'Choose a delivery for me');
    await dialog(laptop).waitFor();
    await laptop.context().close();
    const cleared = await playground.open({ carrier, session });
    await dialog(cleared)
      .getByRole('radio', { name: /Pick up/ })
      .check();
    await dialog(cleared).getByRole('button', { name: 'Send' }).click();
    await inStatus(cleared, 'idle').waitFor();
    expect(await readCalls(cleared)).toEqual([{ call: 'choose_option', answers: [{ selected: 'pickup' }] }]);
  });
});

test('three people answer one request, each on their page, and the run goes on with the last answer', async () => {
  const ada = await playground.open();
  await say(ada, 'I want to return my lamp');
  await dialog(ada).waitFor();
  await call(ada, 'Take the goods back').getByText('waits for the warehouse').waitFor();
  const session = sessionOf(ada);
  const lin = await playground.open({ user: 'lin', session });
  await dialog(lin).getByRole('button', { name: 'Take them back' }).click();
  await call(ada, 'Take the goods back').getByText('allowed by Lin').waitFor();

  const grace = await playground.open({ user: 'grace', session });
  await dialog(grace).getByRole('button', { name: 'Refund €89.00' }).click();
  await call(ada, 'Refund').first().getByText('allowed by Grace').waitFor();
  await dialog(ada).getByRole('radio', { name: 'Money back' }).check();
  await dialog(ada).getByRole('button', { name: 'Send' }).click();
  await dialog(grace).getByRole('textbox', { name: 'Reason' }).fill('It came broken');
  await dialog(grace).getByRole('button', { name: 'Send' }).click();
  for (const page of [ada, grace, lin]) await said(page, 'All three have answered.').waitFor();
  expect(await readCalls(ada)).toEqual([
    { call: 'choose_option', answers: [{ selected: 'money' }] },
    { call: 'take_back', answers: [expect.objectContaining({ status: 'taken back' })] },
    { call: 'refund', answers: [expect.objectContaining({ paid: 89 })] },
  ]);
}, 60_000);
