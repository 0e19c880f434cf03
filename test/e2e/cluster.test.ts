/** `npm start -- --cluster`: two real nodes, a real Redis, and pages in front of them while nodes are killed. */
import type { Page } from 'playwright';
import { beforeAll, expect, test, vi } from 'vitest';
import type { MountedServer } from '../../playground/server/agent-server-plugin.ts';
import { createCluster } from '../../playground/server/cluster/create-cluster.ts';
import { call, dialog, said, say, startPlayground } from './open-playground.ts';

let cluster: MountedServer | undefined;
beforeAll(async () => {
  cluster = await createCluster();
}, 120_000);

const playground = startPlayground(async () => {
  if (cluster !== undefined) return cluster;
  throw new Error(
    'These tests need redis-server: install it (Debian: "apt-get install redis-server") and put it on PATH.',
  );
});

/** Locates the nodes with the given status, in the panel that only the playground of a cluster has. */
const nodes = (page: Page, status: 'running' | 'idle' | 'down') =>
  page.getByRole('region', { name: 'Nodes' }).locator(`li[data-status="${status}"]`);

test('an answer goes on at the other node after the node that gives it was killed', async () => {
  const page = await playground.open();
  await say(page, 'Tell me a slow story');
  await said(page, /^The agent waited/).waitFor();
  await nodes(page, 'running').getByRole('button').click();
  await nodes(page, 'down').waitFor();
  // The page repeats its request by itself.
  await said(page, 'The end.').waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  expect(await said(page, /^Once upon a time/).count()).toBe(1);
}, 120_000);

test('a question outlives both nodes, and the server pays once when the person who may answer it did', async () => {
  const log = vi.spyOn(console, 'log');
  const ada = await playground.open();
  await say(ada, 'Refund order 4711');
  await call(ada, 'Refund').getByText('waits for the support team').waitFor();
  for (const name of ['node-1', 'node-2'])
    await ada.getByRole('button', { name: `Kill this node: ${name}` }).click();
  await nodes(ada, 'down').nth(1).waitFor();
  await nodes(ada, 'idle').nth(1).waitFor();

  const session = new URL(ada.url()).searchParams.get('session') ?? '';
  const grace = await playground.open({ user: 'grace', session });
  await dialog(grace).getByRole('button', { name: 'Refund €89.00' }).click();
  await dialog(grace).getByRole('textbox', { name: 'Reason' }).fill('It came broken');
  await dialog(grace).getByRole('button', { name: 'Send' }).click();
  for (const page of [grace, ada]) await said(page, /^Done. The money is/).waitFor();
  const payments = log.mock.calls.filter(([line]) => String(line).includes('Pays back 89 EUR'));
  expect(payments).toHaveLength(1);
}, 120_000);
