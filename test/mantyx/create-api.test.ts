/** Requests to the platform, or to the proxy before it: what they carry, and what comes back that is no answer. */
import { describe, expect, it } from 'vitest';
import { createGate, readText } from '../integration/open-chat.ts';
import { MANTYX_KEY } from '../support/mantyx-platform.ts';
import { openMantyx } from './open-mantyx.ts';

it('headers are asked for each time: a token may have expired', async () => {
  let token = '';
  const { chat, platform } = await openMantyx(
    {},
    { headers: async () => ({ authorization: `Bearer ${token}` }) },
  );
  await chat.sendMessage('Hi');
  expect(chat.getState().error).toMatchObject({ errorType: 'authentication_error' });
  token = MANTYX_KEY;
  await chat.retry();
  expect(readText(chat.getState())).toBe('Hello!');
  expect(platform.requests.at(-1)?.headers.authorization).toBe(`Bearer ${MANTYX_KEY}`);
});

it('the base may end in slashes, and the workspace be any text', async () => {
  const asked: string[] = [];
  const { chat } = await openMantyx(
    {},
    {
      baseUrl: 'https://mantyx.test/route//',
      workspace: 'a/b',
      fetch: async (url) => {
        asked.push(String(url));
        return Response.json({ error: 'not_found' }, { status: 404 });
      },
    },
  );
  await chat.sendMessage('Hi');
  expect(asked).toEqual(['https://mantyx.test/route/api/v1/workspaces/a%2Fb/agent-runs']);
});

it('a cancel reaches the platform also from a page that goes away', async () => {
  const gate = createGate();
  const kept: string[] = [];
  const { chat, platform } = await openMantyx(
    { script: () => [{ hold: gate.hold }] },
    {
      fetch: (url, init) => {
        if (init?.keepalive) kept.push(String(url));
        return fetch(url, init);
      },
    },
  );
  void chat.sendMessage('Hi');
  await gate.reached;
  chat.stop();
  await platform.run().ended;
  expect(kept).toEqual([expect.stringMatching(/\/agent-runs\/run_1\/cancel$/)]);
});

describe('an answer to the start of a run', () => {
  const breaksOff = () =>
    new Response(new ReadableStream({ start: (controller) => controller.error(new Error('reset')) }));
  it.each<[string, () => Response, string, boolean]>([
    ['breaks off', breaksOff, 'connection_failed', true],
    ['is a page', () => new Response('<p>Sign in'), 'invalid_response', false],
    ['is a list', () => Response.json([]), 'invalid_response', false],
    ['is nothing', () => new Response(null, { status: 204 }), 'invalid_response', false],
    ['names no run', () => Response.json({ runId: '' }), 'invalid_response', false],
  ])('that %s', async (_what, answer, code, retryable) => {
    const { chat } = await openMantyx({}, { fetch: async () => answer() });
    await chat.sendMessage('Hi');
    expect(chat.getState().error).toMatchObject({ code, retryable });
  });
});

describe('a refusal in the words of the platform', () => {
  it.each<[Record<string, unknown>, string, string | undefined]>([
    [
      { error: 'insufficient_scope', message: 'Not allowed.', required: 'runs:write' },
      'Not allowed. Required: runs:write.',
      'insufficient_scope',
    ],
    [{ error: 'Upgrade first.', hint: 'See plans.' }, 'Upgrade first. See plans.', undefined],
    [{ error: '', message: 7, hint: '', code: 'odd' }, 'Request failed: 403', 'odd'],
  ])('%j', async (body, said, backendCode) => {
    const { chat, platform } = await openMantyx();
    platform.failNext('create', { status: 403, body });
    await chat.sendMessage('Hi');
    const { error } = chat.getState();
    expect(error?.backendCode).toBe(backendCode);
    expect(error?.message).toBe(said);
  });
});
