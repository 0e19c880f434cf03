import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import {
  type Carrier,
  call,
  composer,
  dialog,
  inStatus,
  readHistory,
  said,
  say,
  sessionOf,
  startPlayground,
} from './open-playground.ts';

const playground = startPlayground();

const entry = (page: Page, session: string) =>
  page.getByRole('listitem', { name: `Conversation ${session}` });

/** A question takes no answer in its first half second, nor before its details were in view. */
async function untilReady(answer: Locator): Promise<void> {
  await expect.poll(() => answer.getAttribute('aria-disabled'), { timeout: 20_000 }).not.toBe('true');
}

async function openInbox(page: Page): Promise<void> {
  await page.getByText(/^Inbox \(/).click();
  await page.getByRole('region', { name: 'Waiting for you' }).waitFor();
}

describe.each<[Carrier]>([['sse'], ['socket']])('the inbox, with the conversation over %s', (carrier) => {
  test('colleagues answer the questions of a closed page, and the run goes on without one', async () => {
    const chat = await playground.open({ carrier });
    const session = sessionOf(chat);
    await say(chat, 'I want a refund');
    await call(chat, 'Refund').getByText('waits for the support team').waitFor();
    await chat.close();

    const [grace, lin] = [
      await playground.open({ carrier, user: 'grace' }),
      await playground.open({ carrier, user: 'lin' }),
    ];
    await Promise.all([openInbox(grace), openInbox(lin)]);
    const allow = (page: Page) => entry(page, session).getByRole('button', { name: 'Refund €89.00' });
    await allow(lin).waitFor();
    expect(await entry(lin, session).innerText()).toMatch(/for Ada[\s\S]*Refund/);
    await allow(grace).focus();
    await untilReady(allow(grace));
    await grace.keyboard.press('Enter');
    await allow(lin).waitFor({ state: 'detached' });

    const reason = entry(lin, session).getByRole('textbox', { name: 'Reason' });
    await untilReady(entry(lin, session).getByRole('button', { name: 'Send' }));
    await reason.fill('It came broken');
    await reason.press('Enter');
    for (const page of [grace, lin]) await entry(page, session).waitFor({ state: 'detached' });

    const again = await playground.open({ carrier, session });
    await said(again, /^Done. The money is/).waitFor();
    expect((await readHistory(again, session)).filter(({ role }) => role === 'tool')).toMatchObject([
      { toolName: 'refund', result: { paid: 89 } },
    ]);
  });
});

test('the question of another conversation is answered from the inbox beside a chat', async () => {
  const chat = await playground.open();
  const session = sessionOf(chat);
  await say(chat, 'Choose a delivery for me');
  await dialog(chat).waitFor();
  await chat.close();
  const page = await playground.open();
  await openInbox(page);
  await entry(page, session).getByRole('radio').first().check();
  await entry(page, session).getByRole('button', { name: 'Send' }).click();
  await entry(page, session).waitFor({ state: 'detached' });
  await say(page, 'Hello!');
  await inStatus(page, 'idle').waitFor();
  await composer(page).waitFor();
  expect((await readHistory(page, session)).filter(({ role }) => role === 'tool')).toHaveLength(1);
});
