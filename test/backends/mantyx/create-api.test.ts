/** Requests to the platform or its proxy: URL, headers, and invalid responses. */
import { describe, expect, it } from 'vitest';
import { createGate, readText } from '../../integration/open-chat.ts';
import { MANTYX_KEY } from '../../support/mantyx-platform.ts';
import { openMantyx } from './open-mantyx.ts';

it('createApi calls the headers function for each request, because a token may have expired', async () => {
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

it('createApi passes credentials to fetch with every request', async () => {
  const given: unknown[] = [];
  const { chat } = await openMantyx(
    {},
    {
      credentials: 'include',
      fetch: (url, init) => {
        given.push(init?.credentials);
        return fetch(url, init);
      },
    },
  );
  await chat.sendMessage('Hi');
  expect(readText(chat.getState())).toBe('Hello!');
  expect(new Set(given)).toEqual(new Set(['include']));
});

it('createApi accepts a base with trailing slashes and encodes the workspace', async () => {
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

it('createApi sends a cancel with keepalive, so that it survives the page', async () => {
  const gate = createGate();
  const keptAlive: string[] = [];
  const { chat, platform } = await openMantyx(
    { script: () => [{ hold: gate.hold }] },
    {
      fetch: (url, init) => {
        if (init?.keepalive) keptAlive.push(String(url));
        return fetch(url, init);
      },
    },
  );
  void chat.sendMessage('Hi');
  await gate.reached;
  chat.stop();
  await platform.run().ended;
  expect(keptAlive).toEqual([expect.stringMatching(/\/agent-runs\/run_1\/cancel$/)]);
});

describe('the response to the start of a run', () => {
  const breaksOff = () =>
    new Response(new ReadableStream({ start: (controller) => controller.error(new Error('reset')) }));
  it.each<[string, () => Response, string, boolean]>([
    ['is cut', breaksOff, 'connection_failed', true],
    ['is a page', () => new Response('<p>Sign in'), 'invalid_response', false],
    ['is a list', () => Response.json([]), 'invalid_response', false],
    ['is nothing', () => new Response(null, { status: 204 }), 'invalid_response', false],
    ['names no run', () => Response.json({ runId: '' }), 'invalid_response', false],
  ])('the start of a run fails when its response %s', async (_case, answer, code, retryable) => {
    const { chat } = await openMantyx({}, { fetch: async () => answer() });
    await chat.sendMessage('Hi');
    expect(chat.getState().error).toMatchObject({ code, retryable });
  });
});

describe('a refusal of the platform', () => {
  it.each<[Record<string, unknown>, string, string | undefined]>([
    [
      { error: 'insufficient_scope', message: 'Not allowed.', required: 'runs:write' },
      'Not allowed. Required: runs:write.',
      'insufficient_scope',
    ],
    [{ error: 'Upgrade first.', hint: 'See plans.' }, 'Upgrade first. See plans.', undefined],
    [{ error: '', message: 7, hint: '', code: 'odd' }, 'Request failed: 403', 'odd'],
  ])('the error of a refusal has the text and the code of %j', async (body, message, backendCode) => {
    const { chat, platform } = await openMantyx();
    platform.failNext('create', { status: 403, body });
    await chat.sendMessage('Hi');
    const { error } = chat.getState();
    expect(error?.backendCode).toBe(backendCode);
    expect(error?.message).toBe(message);
  });
});
