import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { createInbox } from '../../../src/core/inbox/create-inbox.ts';
import type { InboxCall } from '../../../src/core/inbox/inbox-call.ts';
import type { InboxOptions } from '../../../src/core/inbox/inbox-options.ts';
import { settle } from '../../server/support.ts';
import { stubPageCache } from '../../support/page-cache.ts';
import { createInboxServer, type InboxServer } from './inbox-server.ts';

const URL = 'http://localhost/inbox';

/** Opens an inbox in which calls of the tool `ask` are for people. */
async function openInbox(server: InboxServer, options: Partial<InboxOptions> = {}) {
  const inbox = createInbox(() => ({
    url: URL,
    fetch: server.fetch,
    clock: server.clock,
    random: () => 1,
    clientTools: { ask: 'interactive' },
    ...options,
  }));
  const stop = inbox.start();
  onTestFinished(stop);
  await settle();
  const only = (): InboxCall => {
    const { calls } = inbox.getState();
    if (calls.length !== 1 || calls[0] === undefined) throw new Error(`The inbox has ${calls.length} calls.`);
    return calls[0];
  };
  return { inbox, stop, only, names: () => inbox.getState().calls.map(({ sessionId }) => sessionId) };
}

/** Lets the server gather its saves, and the inbox read the list. */
async function follow(server: InboxServer, ms = 50): Promise<void> {
  await settle();
  await server.clock.advance(ms);
  await settle();
}

const refusal = (code: string, status = 409) =>
  Response.json({ error: `Refused: ${code}`, code }, { status });

test('an inbox is loading until its first list, and follows the server from then on', async () => {
  const server = createInboxServer();
  await server.ask('a');
  const { inbox, names } = await openInbox(server);
  expect(createInbox(() => ({ url: URL })).getState().status).toBe('loading');
  expect([inbox.getState().status, names()]).toEqual(['ready', ['a']]);
  await server.clock.advance(1_000);
  await server.ask('b');
  await follow(server);
  expect(names()).toEqual(['a', 'b']);
  await server.answerElsewhere('a');
  await follow(server);
  expect(names()).toEqual(['b']);
  expect(server.requests).toEqual(['GET stream']);
});

test('a call shows where it comes from and when it was asked', async () => {
  const server = createInboxServer();
  await server.ask('a', { deadline: server.clock.now() + 60_000 });
  const { only } = await openInbox(server);
  const { tool, sessionId, executionId, status } = only();
  expect({ sessionId, executionId, status }).toEqual({
    sessionId: 'a',
    executionId: 'execution-a',
    status: 'waiting',
  });
  expect(tool.requestedAt.getTime()).toBe(server.clock.now());
  expect(tool.expiresAt?.getTime()).toBe(server.clock.now() + 60_000);
});

test('an answer is sent once, with the receipt of the call, and the call leaves the inbox', async () => {
  const server = createInboxServer();
  await server.ask('a', { receipt: 'signed' });
  const { only, names } = await openInbox(server);
  const { tool } = only();
  expect(tool.submit({ confirmed: true })).toEqual({ settled: true });
  expect(only().status).toBe('sending');
  expect(tool.submit({ confirmed: true })).toEqual({ settled: false, reason: 'already-settled' });
  expect(tool.decline()).toEqual({ settled: false, reason: 'already-settled' });
  await settle();
  expect(names()).toEqual([]);
  await follow(server);
  expect(names()).toEqual([]);
  const results = [
    {
      receipt: 'signed',
      toolCallId: 'call-a',
      toolName: 'ask',
      outcome: 'submitted',
      result: { confirmed: true },
    },
  ];
  expect(server.requests.slice(1)).toEqual([
    `POST ${JSON.stringify({ sessionId: 'a', executionId: 'execution-a', toolResults: results })}`,
  ]);
  expect(await server.answersOf('a')).toMatchObject([{ toolCallId: 'call-a', result: { confirmed: true } }]);
});

test.each([
  ['decline', 'too dear', { result: { outcome: 'declined', reason: 'too dear' } }],
  ['cancel', 'not now', { error: 'not now' }],
  ['submit', undefined, { result: null }],
] as const)('%s sends its answer', async (method, argument, answer) => {
  const server = createInboxServer();
  await server.ask('a');
  const { only } = await openInbox(server);
  only().tool[method](argument as string);
  await settle();
  expect(await server.answersOf('a')).toMatchObject([answer]);
});

test('a result that the declared tool does not take is refused before it is sent', async () => {
  const server = createInboxServer();
  await server.ask('a');
  const output = z.object({ rating: z.number() });
  const { only } = await openInbox(server, { clientTools: { ask: { interactive: true, output } } });
  expect(only().tool.submit({ rating: 'five' })).toMatchObject({ settled: false, reason: 'invalid-result' });
  expect(only().status).toBe('waiting');
  expect(server.requests).toEqual(['GET stream']);
});

test('a call is asked about as the server says', async () => {
  const server = createInboxServer();
  const inputSchema = { type: 'object', properties: { amount: { type: 'number' } } };
  await server.ask('a', {
    toolName: 'refund',
    args: { amount: 80 },
    executedBy: 'server',
    question: { ui: 'confirm', title: 'Refund', severity: 'caution', editable: true, inputSchema },
  });
  const { tool } = (await openInbox(server, { clientTools: {} })).only();
  expect(tool.definition).toMatchObject({
    ui: 'confirm',
    title: 'Refund',
    severity: 'caution',
    editable: true,
  });
  expect(tool.args).toEqual({ amount: 80 });
});

test.each([
  ['a tool that the app does not declare', {}],
  ['a tool with a handler', { ask: () => 1 }],
  [
    'a tool that refuses the arguments',
    { ask: { interactive: true, input: z.object({ city: z.string() }) } },
  ],
] as const)('a call of %s is left to the page of its conversation', async (_, clientTools) => {
  const server = createInboxServer();
  await server.ask('a');
  const { names, inbox } = await openInbox(server, { clientTools });
  expect([inbox.getState().status, names()]).toEqual(['ready', []]);
});

test('a refused answer opens the call again, says why, and keeps what was typed', async () => {
  const server = createInboxServer();
  await server.ask('a');
  const { only } = await openInbox(server);
  server.onRequest = ({ method }) => (method === 'POST' ? refusal('not_allowed', 403) : undefined);
  const { tool, refusals } = only();
  tool.saveInput({ reason: 'late' });
  tool.submit({ reason: 'late' });
  await settle();
  const after = only();
  expect(after).toMatchObject({ status: 'waiting', refusals: refusals + 1 });
  expect(after.error).toMatchObject({ backendCode: 'not_allowed', message: 'Refused: not_allowed' });
  expect(after.tool).not.toBe(tool);
  expect(after.tool.getSavedInput()).toEqual({ reason: 'late' });
  server.onRequest = () => undefined;
  expect(after.tool.submit({ reason: 'late' })).toEqual({ settled: true });
  expect(only().error).toBeUndefined();
  await settle();
  expect(await server.answersOf('a')).toMatchObject([{ result: { reason: 'late' } }]);
});

test('an answer that comes second ends the call until the person closes it', async () => {
  const server = createInboxServer();
  await server.ask('a');
  const { inbox, only, names } = await openInbox(server);
  await server.answerElsewhere('a');
  only().tool.submit('late');
  await settle();
  expect(only()).toMatchObject({ status: 'ended', error: { backendCode: 'already_answered' } });
  await follow(server);
  expect(only().status).toBe('ended');
  expect(only().tool.submit('again')).toMatchObject({ settled: false });
  inbox.dismiss(only().key);
  expect(names()).toEqual([]);
  expect(await server.answersOf('a')).toMatchObject([{ result: 'elsewhere' }]);
});

test('an answer that the server first refused and somebody else then gave ends the call as answered', async () => {
  const server = createInboxServer();
  await server.ask('a');
  const { only } = await openInbox(server);
  server.onRequest = ({ method }) => (method === 'POST' ? new Response('busy', { status: 503 }) : undefined);
  only().tool.submit('mine');
  await settle();
  await server.answerElsewhere('a');
  server.onRequest = () => undefined;
  await server.clock.advance(60_000);
  expect(only()).toMatchObject({ status: 'ended', error: { backendCode: 'already_answered' } });
  expect(await server.answersOf('a')).toMatchObject([{ result: 'elsewhere' }]);
});

test('a call that is answered elsewhere stays if the person has typed, and leaves otherwise', async () => {
  const server = createInboxServer();
  await server.ask('typed');
  await server.ask('untouched');
  const { inbox, only, names } = await openInbox(server);
  inbox
    .getState()
    .calls.find(({ sessionId }) => sessionId === 'typed')
    ?.tool.saveInput({ text: 'half' });
  await server.answerElsewhere('typed');
  await server.answerElsewhere('untouched');
  await follow(server);
  expect(names()).toEqual(['typed']);
  expect(only().status).toBe('ended');
  expect(only().tool.submit('x')).toEqual({ settled: false, reason: 'expired' });
});

test('a call leaves the inbox when its time is over', async () => {
  const server = createInboxServer();
  const deadline = server.clock.now() + 5_000;
  await server.ask('a', { deadline });
  await server.ask('b');
  const { names } = await openInbox(server);
  await server.clock.advance(4_999);
  expect(names()).toEqual(['a', 'b']);
  await server.clock.advance(1);
  expect(names()).toEqual(['b']);
});

test('a call whose time is over by the clock of the page does not come into the inbox', async () => {
  const server = createInboxServer();
  await server.ask('late', { deadline: server.clock.now() + 60_000 });
  await server.ask('b');
  await server.clock.advance(120_000);
  const { names } = await openInbox(server);
  expect(names()).toEqual(['b']);
});

test('an answer whose response was lost is sent again and counts as taken', async () => {
  const server = createInboxServer();
  await server.ask('a');
  const { only, names } = await openInbox(server);
  let posts = 0;
  server.onRequest = async (request) => {
    if (request.method !== 'POST' || posts++ > 0) return undefined;
    const { body } = await server.fetch(request.url, {
      method: 'POST',
      headers: request.headers,
      body: await request.text(),
    });
    await body?.cancel();
    throw new TypeError('Failed to fetch');
  };
  only().tool.submit('yes');
  await settle();
  expect(only().status).toBe('sending');
  await server.clock.advance(500);
  await settle();
  expect(names()).toEqual([]);
  expect(await server.answersOf('a')).toMatchObject([{ result: 'yes' }]);
});

test.each([409, 503])(
  'an answer to a tool that the server does not know is sent again, and taken once it does: %i',
  async (status) => {
    const server = createInboxServer();
    await server.ask('a');
    const { only, names } = await openInbox(server);
    let isKnown = false;
    server.onRequest = ({ method }) =>
      method === 'POST' && !isKnown ? refusal('tool_unknown', status) : undefined;
    only().tool.submit('yes');
    await settle();
    expect(only()).toMatchObject({ status: 'sending', refusals: 0 });
    isKnown = true;
    await server.clock.advance(500);
    await settle();
    expect(names()).toEqual([]);
    expect(await server.answersOf('a')).toMatchObject([{ result: 'yes' }]);
  },
);

test('an answer that no process took counts as second when a colleague answered meanwhile', async () => {
  const server = createInboxServer();
  await server.ask('a');
  const { only } = await openInbox(server);
  let refused = false;
  server.onRequest = ({ method }) => {
    if (method !== 'POST' || refused) return undefined;
    refused = true;
    return refusal('tool_unknown', 503);
  };
  only().tool.submit('mine');
  await settle();
  await server.answerElsewhere('a');
  await server.clock.advance(500);
  await settle();
  expect(only()).toMatchObject({ status: 'ended', error: { backendCode: 'already_answered' } });
});

test('an answer that never arrives is given back to the person after five attempts', async () => {
  const server = createInboxServer();
  await server.ask('a');
  const { only } = await openInbox(server);
  server.onRequest = ({ method }) => {
    if (method === 'POST') throw new TypeError('Failed to fetch');
    return undefined;
  };
  only().tool.submit('yes');
  await settle();
  await server.clock.advance(60_000);
  await settle();
  expect(only()).toMatchObject({ status: 'waiting', error: { code: 'connection_failed' } });
  expect(server.requests.filter((request) => request.startsWith('POST'))).toHaveLength(5);
});

test('an answer goes on after the inbox was left', async () => {
  const server = createInboxServer();
  await server.ask('a');
  const { only, stop } = await openInbox(server);
  let failed = false;
  server.onRequest = ({ method }) => {
    if (method !== 'POST' || failed) return undefined;
    failed = true;
    throw new TypeError('Failed to fetch');
  };
  only().tool.submit('yes');
  stop();
  await settle();
  await server.clock.advance(500);
  await settle();
  expect(await server.answersOf('a')).toMatchObject([{ result: 'yes' }]);
  expect(server.clock.waiting).toBe(0);
});

test('a question that the page cannot show stays open for others', async () => {
  const server = createInboxServer();
  await server.ask('a');
  const { only } = await openInbox(server);
  expect(only().tool.fail?.('The dialog failed')).toMatchObject({ settled: false });
  await settle();
  expect(server.requests).toEqual(['GET stream']);
});

test('a live inbox comes back after its stream broke, with the calls of before meanwhile', async () => {
  const server = createInboxServer();
  await server.ask('a');
  let breakOff = () => {};
  server.onRequest = async (request) => {
    server.onRequest = () => undefined;
    const { body } = await server.fetch(request.url, { headers: request.headers });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    return new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(value);
          breakOff = () => controller.error(new TypeError('network error'));
        },
        cancel: () => reader.cancel(),
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    );
  };
  const { inbox, names } = await openInbox(server);
  expect(inbox.getState().status).toBe('ready');
  breakOff();
  await settle();
  expect(inbox.getState()).toMatchObject({ status: 'error', error: { code: 'connection_failed' } });
  expect(names()).toEqual(['a']);
  await server.ask('b');
  await follow(server, 500);
  expect([inbox.getState().status, inbox.getState().error, names()]).toEqual(['ready', null, ['a', 'b']]);
});

test('an inbox whose server cannot read the list says so and tries again', async () => {
  const server = createInboxServer();
  const failing = `data: ${JSON.stringify({ type: 'error', message: 'The session store failed.', code: 'store_failed' })}\n\n`;
  server.onRequest = () => new Response(failing, { headers: { 'content-type': 'text/event-stream' } });
  const { inbox } = await openInbox(server);
  expect(inbox.getState()).toMatchObject({
    status: 'error',
    error: { message: 'The session store failed.', backendCode: 'store_failed', retryable: true },
  });
  server.onRequest = () => undefined;
  await follow(server, 500);
  expect(inbox.getState().status).toBe('ready');
});

test('an inbox does not try again by itself when the person is not signed in', async () => {
  const server = createInboxServer();
  server.onRequest = () => refusal('unauthorized', 401);
  const { inbox } = await openInbox(server);
  expect(inbox.getState()).toMatchObject({ status: 'error', error: { status: 401 } });
  await server.clock.advance(120_000);
  expect(server.requests).toHaveLength(1);
  server.onRequest = () => undefined;
  inbox.refresh();
  await settle();
  expect(inbox.getState()).toMatchObject({ status: 'ready', error: null });
});

test('a list that is no list is an error that names the field', async () => {
  const server = createInboxServer();
  server.onRequest = () => Response.json({ calls: [{ sessionId: 's', call: { toolCallId: 'c' } }] });
  const { inbox } = await openInbox(server, { live: false });
  expect(inbox.getState().error).toMatchObject({
    code: 'invalid_response',
    message: expect.stringContaining('calls[0].executionId is missing, expected a non-empty string'),
  });
});

test('an inbox that is not live reads the list once, and at each refresh', async () => {
  const server = createInboxServer();
  await server.ask('a');
  const { inbox, names } = await openInbox(server, { live: false });
  await server.ask('b');
  await follow(server);
  expect(names()).toEqual(['a']);
  inbox.refresh();
  await settle();
  expect(names()).toEqual(['a', 'b']);
  expect(server.requests).toEqual(['GET', 'GET']);
});

test('the headers are asked for anew with each request', async () => {
  const server = createInboxServer();
  await server.ask('a');
  const tokens: (string | null)[] = [];
  server.onRequest = ({ headers }) => {
    tokens.push(headers.get('authorization'));
    return undefined;
  };
  let count = 0;
  const { only } = await openInbox(server, { headers: async () => ({ authorization: `token ${++count}` }) });
  only().tool.submit('yes');
  await settle();
  expect(tokens).toEqual(['token 1', 'token 2']);
});

test('an inbox that was left leaves no timer and no request', async () => {
  const server = createInboxServer();
  await server.ask('a', { deadline: server.clock.now() + 5_000 });
  const { stop } = await openInbox(server);
  stop();
  await settle();
  expect(server.clock.waiting).toBe(0);
});

test('an inbox ends its stream with a page that is kept for the back button, and reads the list when the person comes back', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const page = stubPageCache();
  const server = createInboxServer();
  await server.ask('a');
  const { names, stop, inbox } = await openInbox(server);
  page.leave();
  await server.ask('b');
  await follow(server);
  expect(names()).toEqual(['a']);
  page.comeBack();
  await settle();
  expect(names()).toEqual(['a', 'b']);
  expect(server.requests).toEqual(['GET stream', 'GET stream']);
  expect(inbox.getState().status).toBe('ready');
  stop();
  page.comeBack();
  await settle();
  expect(server.requests).toHaveLength(2);
});

test('two conversations may name an execution and its call alike, and each of their calls gets its own answer', async () => {
  const server = createInboxServer();
  const ask = (sessionId: string) => ({
    ...{ sessionId, executionId: 'turn-1', askedAt: 1 },
    call: { toolCallId: 'call_0', toolName: 'ask', args: {} },
  });
  const event = JSON.stringify({ type: 'calls', calls: [ask('utp/shop'), ask('utp/shop_eu')] });
  server.onRequest = ({ method }) =>
    method === 'GET'
      ? new Response(`data: ${event}\n\n`, { headers: { 'content-type': 'text/event-stream' } })
      : Response.json({ status: 'accepted' });
  const { inbox, names } = await openInbox(server);
  expect(names()).toEqual(['utp/shop', 'utp/shop_eu']);
  inbox.getState().calls.at(1)?.tool.submit('yes');
  await settle();
  expect(names()).toEqual(['utp/shop']);
  const posts = server.requests.filter((request) => request.startsWith('POST'));
  expect(posts).toEqual([expect.stringContaining('"sessionId":"utp/shop_eu"')]);
});
