/** The playground on a machine without nats-server. */
import { expect, test } from 'vitest';
import { sendJson } from '../../playground/server/send-json.ts';
import { createUtpBackend } from '../../playground/server/utp-backend.ts';
import { composer, missingServer, sessionOf, startPlayground } from './open-playground.ts';

const backend = createUtpBackend(undefined);

const playground = startPlayground(async () => ({
  async handle(request, response) {
    if (request.url === '/backends') return sendJson(response, 200, [backend.info]);
    await backend.handle(request, response, 'session');
  },
  upgrade(_, socket) {
    socket.destroy();
  },
  async close() {},
}));

test('the playground says how to install nats-server in place of a conversation with CommonGround', async () => {
  const page = await playground.open();
  expect(await missingServer(page).innerText()).toContain(
    'Install it (Debian: "apt-get install nats-server"',
  );
  expect(await composer(page).count()).toBe(0);
  expect(await page.getByLabel('Backend').locator('option').allInnerTexts()).toEqual([
    'UTP (CommonGround), not installed',
  ]);

  const url = new URL(`/api/agent?backend=utp&session=${sessionOf(page)}`, page.url());
  const response = await fetch(url, { method: 'POST', body: '{}' });
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ error: backend.info.missing });
});
