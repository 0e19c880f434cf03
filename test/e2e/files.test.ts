import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { inStatus, said, say, startPlayground } from './open-playground.ts';

const playground = startPlayground();
const receipt = {
  name: 'receipt.txt',
  mimeType: 'text/plain',
  buffer: Buffer.from('1 lamp: 89 EUR\n'.repeat(100)),
};
const attachButton = (page: Page) => page.getByRole('button', { name: 'Attach files' });

test.each([
  ['scripted', 'I have receipt.txt (2 kB).'],
  ['octavus', 'I have receipt.txt (2 kB).'],
  ['ai-sdk', 'I have receipt.txt.'],
] as const)(
  'a file chosen by keyboard is uploaded, sent with the message, and can be opened, with the %s backend',
  async (backend, answer) => {
    const page = await playground.open({ backend });
    // The listener is set early, because the browser takes a moment until it fires this event instead of showing a dialog.
    page.on('filechooser', (chooser) => chooser.setFiles(receipt));
    await say(page, 'Please check my receipt');
    await said(page, 'Attach it with the paper clip').waitFor();
    await inStatus(page, 'idle').waitFor();
    await page.keyboard.press('Shift+Tab');
    expect(await attachButton(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove receipt.txt' }).waitFor();
    // The message is not sent before the upload ends.
    await page.locator('.hr-attachment[data-state="uploaded"]').waitFor();
    await say(page, 'Here it is');
    await said(page, answer).waitFor();

    const link = page.locator('.hr-message').getByRole('link', { name: 'receipt.txt' });
    const response = await fetch((await link.getAttribute('href')) ?? '');
    expect(await response.text()).toBe(String(receipt.buffer));
    // The server must not serve an uploaded file as a page.
    expect(response.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''receipt.txt");
    expect(response.headers.get('content-security-policy')).toBe('sandbox');
  },
);

test('a file that is too large is refused by the page before the upload, and by the server', async () => {
  const page = await playground.open();
  const input = page.locator('.hr-composer input[type="file"]');
  await input.setInputFiles({ ...receipt, name: 'film.txt', buffer: Buffer.alloc(10_000_001) });
  await page.getByText('film.txt is larger than').first().waitFor();
  expect(await page.getByRole('button', { name: 'Remove film.txt' }).count()).toBe(0);
  const status = await page.evaluate(async () => {
    const asked = await fetch('/api/files', {
      method: 'POST',
      body: JSON.stringify({ files: [{ filename: 'film.txt', mediaType: 'text/plain' }] }),
    });
    const { files } = await asked.json();
    const put = await fetch(files[0].uploadUrl, { method: 'PUT', body: new Uint8Array(10_000_001) });
    return put.status;
  });
  expect(status).toBe(413);
});

test('the composer has no attach button when a message takes no files', async () => {
  const page = await playground.open({ backend: 'mantyx' });
  expect(await attachButton(page).count()).toBe(0);
});
