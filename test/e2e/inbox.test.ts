import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import {
  type Carrier,
  composer,
  dialog,
  inStatus,
  readHistory,
  say,
  startPlayground,
} from './open-playground.ts';

const playground = startPlayground();

const entry = (page: Page, session: string) =>
  page.getByRole('listitem', { name: `Conversation ${session}` });

async function openInbox(page: Page): Promise<void> {
  await page.getByText(/^Inbox \(/).click();
  await page.getByRole('region', { name: 'Waiting for you' }).waitFor();
}

const sessionOf = (page: Page) => page.evaluate(() => sessionStorage.getItem('playground-session') ?? '');

describe.each<[Carrier]>([['sse'], ['socket']])('the inbox, with the conversation over %s', (carrier) => {
  test('a colleague answers the questions of a closed page, and the run goes on without one', async () => {
    const chat = await playground.open({ carrier });
    const session = await sessionOf(chat);
    await say(chat, 'Refund order 4711');
    await inStatus(chat, 'awaiting-input').waitFor();
    await chat.close();

    const [laptop, grace] = [
      await playground.open({ carrier, person: 'grace' }),
      await playground.open({ carrier, person: 'grace' }),
    ];
    await Promise.all([openInbox(laptop), openInbox(grace)]);
    await entry(laptop, session).waitFor();
    expect(await entry(grace, session).innerText()).toMatch(/for Ada[\s\S]*Refund an order/);

    await entry(grace, session).getByRole('button', { name: 'Pay the refund' }).focus();
    await grace.keyboard.press('Enter');
    await entry(grace, session).getByRole('textbox', { name: 'Reason' }).fill('It came broken');
    await entry(grace, session).getByRole('button', { name: 'Submit' }).click();
    await entry(grace, session).waitFor({ state: 'detached' });
    await entry(laptop, session).waitFor({ state: 'detached' });

    const history = `/api/history?backend=scripted&session=${session}`;
    const goesOn = async (url: string) =>
      /The money is on its way back/.test(await (await fetch(url)).text());
    await laptop.waitForFunction(goesOn, history);
    expect((await readHistory(laptop, session)).filter(({ role }) => role === 'tool')).toMatchObject([
      { toolName: 'refund_order', result: { paid: 89 } },
    ]);
  });
});

test('the question of another conversation is answered from the inbox beside a chat', async () => {
  const chat = await playground.open();
  const session = await sessionOf(chat);
  await say(chat, 'Choose a delivery for me');
  await dialog(chat).waitFor();
  await chat.close();
  const page = await playground.open();
  await openInbox(page);
  await entry(page, session).getByRole('radio').first().check();
  await entry(page, session).getByRole('button', { name: 'Submit' }).click();
  await entry(page, session).waitFor({ state: 'detached' });
  await say(page, 'Hello!');
  await inStatus(page, 'idle').waitFor();
  await composer(page).waitFor();
  expect((await readHistory(page, session)).filter(({ role }) => role === 'tool')).toHaveLength(1);
});
