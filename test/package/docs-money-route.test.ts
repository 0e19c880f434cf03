/** The money route of docs/security.md does what the page says of it: it runs here as it is shown, with a payment service that counts. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import ws, { WebSocket, WebSocketServer } from 'ws';
import * as zod from 'zod';
import type { AgentEvent } from '../../src/core/protocol/events.ts';
import * as server from '../../src/server.ts';
import { parseJson } from '../../src/shared/json.ts';
import { readPage } from '../support/read-docs.ts';
import { createSampleHttp, runSample } from '../support/run-samples.ts';

const ADA = 'login=token-of-ada';
const GRACE = 'login=token-of-grace';
const ask = {
  type: 'trigger',
  triggerName: 'user-message',
  input: { USER_MESSAGE: 'Pay order 4711 back' },
  idempotencyKey: 'message-1',
};

interface Payment {
  readonly key: string | null;
  readonly body: unknown;
}

describe('the money route of docs/security.md', () => {
  const page = readPage('docs/security.md');
  const realFetch = fetch;
  let http: ReturnType<typeof createSampleHttp>;
  let host: string;
  let payments: Payment[];
  let onPayment: () => void;

  beforeEach(async () => {
    payments = [];
    onPayment = () => {};
    http = createSampleHttp();
    vi.stubEnv('RECEIPT_SECRET', 'a secret of the tests, with more than 32 bytes');
    vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
      if (!address.startsWith('https://payments.example/')) return realFetch(address, init);
      payments.push({
        key: new Headers(init.headers).get('idempotency-key'),
        body: parseJson(String(init.body)),
      });
      onPayment();
      return Response.json({ id: `payment-${payments.length}` });
    });
    runSample(page, 'server.ts', {
      'node:http': http.module,
      'handrail/server': server,
      './store': { store: server.createMemorySessionStore() },
      ws: { ...ws, WebSocketServer },
      zod,
    });
    host = await http.address();
  });
  afterEach(() => {
    http.close();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });

  const post = (path: string, body: object, cookie = '') =>
    fetch(`http://${host}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });

  async function send(body: object, cookie: string): Promise<readonly AgentEvent[]> {
    const response = await post('/api/agent', { sessionId: 'conversation-1', ...body }, cookie);
    return (await response.text()).split('\n').flatMap((line) => {
      const event = line.startsWith('data: {') ? (parseJson(line.slice(6)) as AgentEvent) : undefined;
      return event === undefined ? [] : [event];
    });
  }

  async function askForMoney(cookie = ADA) {
    const events = await send(ask, cookie);
    const request = events.find((event) => event.type === 'client-tool-request');
    if (request === undefined) throw new Error('The route asked nothing.');
    const [call] = request.toolCalls;
    if (call === undefined) throw new Error('The route asked about no call.');
    return { executionId: request.executionId, call };
  }

  async function readInbox(cookie: string) {
    const response = await fetch(`http://${host}/api/inbox`, { headers: { cookie } });
    const { calls } = (await response.json()) as {
      calls: { call: { receipt: string; toolCallId: string } }[];
    };
    return calls.map(({ call }) => call);
  }

  const yes = { result: { confirmed: true } };

  test('refuses whoever is not logged in, before it reads anything', async () => {
    const answers = await Promise.all([
      post('/api/agent', { sessionId: 'conversation-1', ...ask }),
      post('/api/agent', { sessionId: 'conversation-1', type: 'open' }, 'login=guessed'),
      post('/api/inbox', {}),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(payments).toEqual([]);
  });

  test('waits for the support team, and takes no yes of the person who asked', async () => {
    const { executionId, call } = await askForMoney();
    expect(call).toMatchObject({ toolName: 'refund', mayAnswer: false, waitsFor: 'the support team' });
    const { toolCallId, receipt } = call;
    const events = await send(
      { type: 'continue', executionId, toolResults: [{ toolCallId, receipt, ...yes }] },
      ADA,
    );
    expect(events).toMatchObject([{ type: 'error', code: 'not_allowed' }]);
    expect([await readInbox(ADA), payments]).toEqual([[], []]);
  });

  test('pays once when the support team allows it in the inbox, and not before', async () => {
    const { executionId } = await askForMoney();
    const [call] = await readInbox(GRACE);
    const answer = { sessionId: 'conversation-1', executionId, toolResults: [{ ...call, ...yes }] };
    const paid = new Promise<void>((resolve) => {
      onPayment = resolve;
    });
    expect(payments).toEqual([]);
    const first = await post('/api/inbox', answer, GRACE);
    expect([first.status, await first.json()]).toEqual([200, { status: 'accepted' }]);
    await paid;
    const second = await post('/api/inbox', answer, GRACE);
    expect(second.status).toBe(409);
    expect(payments).toEqual([
      { key: expect.stringMatching(/^[0-9a-f]{64}$/), body: { orderId: '4711', amount: 80 } },
    ]);
  });

  test('takes no yes without the receipt of the question', async () => {
    const { executionId } = await askForMoney();
    const [call] = await readInbox(GRACE);
    const toolResults = [{ toolCallId: call?.toolCallId, ...yes }];
    const response = await post(
      '/api/inbox',
      { sessionId: 'conversation-1', executionId, toolResults },
      GRACE,
    );
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid_receipt' }]);
    expect(payments).toEqual([]);
  });

  test('lets nobody of the support team allow a refund that they asked for', async () => {
    const { call } = await askForMoney(GRACE);
    expect(call).toMatchObject({ mayAnswer: false });
    expect(await readInbox(GRACE)).toEqual([]);
  });

  test('shows the question, and not the conversation, to whoever may answer it alone', async () => {
    await askForMoney();
    expect(await send({ ...ask, idempotencyKey: 'message-2' }, GRACE)).toMatchObject([
      { code: 'not_allowed' },
    ]);
    const opened = await send({ type: 'open' }, GRACE);
    expect(opened).toMatchObject([{ type: 'snapshot' }]);
    const shown = JSON.stringify(opened);
    expect(shown).toContain('"toolName":"refund"');
    expect(shown).not.toContain('Pay order 4711 back');
  });

  test('opens no socket for a page of another site', async () => {
    const open = (origin: string, cookie: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`ws://${host}/?session=conversation-1`, { origin, headers: { cookie } });
        socket.once('error', () => resolve('refused'));
        socket.once('open', () => socket.send(JSON.stringify({ type: 'open' })));
        socket.once('message', (data) => {
          socket.close();
          resolve(String(parseJson(String(data))?.['type' as never]));
        });
      });
    expect(await open('https://elsewhere.example', ADA)).toBe('refused');
    expect(await open('http://localhost:5173', '')).toBe('error');
    expect(await open('http://localhost:5173', ADA)).toBe('snapshot');
  });
});
