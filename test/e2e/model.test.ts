/** The page with a real provider, whose model returns scripted responses. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { call, dialog, enterDialog, inStatus, said, say, startPlayground } from './open-playground.ts';

interface ChatRequest {
  readonly model: string;
  readonly tools: readonly { readonly function: { readonly name: string } }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

const requests: ChatRequest[] = [];
let endpoint: Server;

/** A model that requests a confirmation first, and then responds to the answer. */
function answer({ messages }: ChatRequest): object {
  const result = messages.at(-1);
  if (result?.role === 'tool') {
    return {
      content: String(result.content).includes('true') ? 'The model ordered it.' : 'The model did not.',
    };
  }
  const args = JSON.stringify({ action: 'Order 1 mug', description: 'Now.', price: '18 EUR' });
  const tool = {
    index: 0,
    id: 'call_0',
    type: 'function',
    function: { name: 'confirm_order', arguments: args },
  };
  return { content: 'May I?', tool_calls: [tool] };
}

// This must run before the playground starts, whose server reads the environment.
beforeAll(async () => {
  endpoint = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const body = JSON.parse(text) as ChatRequest;
    requests.push(body);
    const delta = answer(body);
    const finish_reason = 'tool_calls' in delta ? 'tool_calls' : 'stop';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const choice of [{ delta }, { delta: {}, finish_reason }]) {
      response.write(
        `data: ${JSON.stringify({ id: 'r', model: 'tiny', choices: [{ index: 0, ...choice }] })}\n\n`,
      );
    }
    response.end('data: [DONE]\n\n');
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const { port } = endpoint.address() as AddressInfo;
  vi.stubEnv('OPENAI_API_KEY', 'a-key');
  vi.stubEnv('OPENAI_BASE_URL', `http://127.0.0.1:${port}/v1`);
  vi.stubEnv('OPENAI_MODEL', 'tiny');
});
afterAll(() => {
  vi.unstubAllEnvs();
  endpoint.closeAllConnections();
  endpoint.close();
});

const playground = startPlayground();

test('the playground talks to the model when the environment has a key, with the same tools', async () => {
  const page = await playground.open({ backend: 'model' });
  expect(await page.getByLabel('Backend').locator('option:checked').innerText()).toBe('tiny');
  await say(page, 'A mug, please');
  await enterDialog(page);
  expect(await dialog(page).innerText()).toContain('18 EUR');
  await page.keyboard.press('Enter');
  await said(page, 'The model ordered it.').waitFor();
  await inStatus(page, 'idle').waitFor();
  expect(await call(page, 'Confirm order').getAttribute('data-outcome')).toBe('submitted');
  expect(requests.map(({ model }) => model)).toEqual(['tiny', 'tiny']);
  expect(requests[0]?.tools.map((tool) => tool.function.name)).toContain('get_browser_location');
});
