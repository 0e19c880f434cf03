/** The application's own server around the real `@octavus/server-sdk`: failing proxies, and the other documented socket handler. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openOctavus } from './octavus-backend.ts';
import { createGate, findPending, openChat, readText } from './open-chat.ts';

/** Answers the requests with these indexes in the application's place. */
function intercept(numbers: readonly number[], answer: (response: ServerResponse) => void) {
  let number = 0;
  return (response: ServerResponse) => {
    const isMine = numbers.includes(number++);
    if (isMine) answer(response);
    return isMine;
  };
}

const badGateway = (response: ServerResponse) => {
  response.writeHead(502, { 'content-type': 'text/html' });
  response.end('<html><body><h1>502 Bad Gateway</h1></body></html>');
};

describe('a failing application over HTTP', () => {
  it('a 429 with Retry-After and a JSON body becomes a retryable error', async () => {
    const backend = await openOctavus('http', () => [['Hello.']], {
      intercept: intercept([0], (response) => {
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '30' });
        response.end('{"error":"One at a time","code":"SESSION_BUSY"}');
      }),
    });
    const { chat } = openChat(backend);
    await chat.sendMessage('hi');
    expect(chat.getState().error).toMatchObject({
      code: 'http_error',
      status: 429,
      errorType: 'rate_limit_error',
      retryable: true,
      retryAfter: 30,
      backendCode: 'SESSION_BUSY',
      message: 'One at a time',
    });
    await chat.retry();
    expect(readText(chat.getState())).toBe('Hello.');
    expect(backend.platform.transcript).toEqual([{ user: 'hi' }]);
  });

  it('retry() delivers the answer once after a proxy answered the continuation with 502 in HTML', async () => {
    const backend = await openOctavus('http', () => [[{ call: 'ask' }], ['Thanks.']], {
      intercept: intercept([1, 2], badGateway),
    });
    const { chat, until } = openChat(backend, { ask: 'interactive' });
    await chat.sendMessage('hi');
    findPending(chat.getState(), 'ask').submit('yes');
    await until(({ status }) => status === 'error');
    expect(chat.getState().error).toMatchObject({
      code: 'http_error',
      status: 502,
      message: 'Request failed: 502',
    });
    await chat.retry();
    expect(chat.getState().status).toBe('error');
    await chat.retry();
    expect(readText(chat.getState())).toBe('Thanks.');
    expect(backend.platform.transcript.slice(2)).toEqual([{ answer: 'call-1', result: 'yes' }]);
    expect(backend.refusals).toEqual([]);
  });

  it('a login page instead of events becomes an error', async () => {
    const backend = await openOctavus('http', () => [['Hello.']], {
      intercept: intercept([0], (response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end('<html>Please sign in</html>');
      }),
    });
    const { chat } = openChat(backend);
    await chat.sendMessage('hi');
    expect(chat.getState().error).toMatchObject({ code: 'invalid_response', errorType: 'protocol_error' });
    await chat.retry();
    expect(readText(chat.getState())).toBe('Hello.');
  });
});

describe('a socket handler that leaves its loop on abort sends no finish after a stop', () => {
  const script = ({ text }: { text: string }) =>
    text === 'ask' ? [[{ call: 'ask' }], ['Thanks.']] : [['Said ', text, '.']];

  it('the next message is answered after a stop', async () => {
    const gate = createGate();
    const backend = await openOctavus(
      'ws',
      ({ text }) => (text === 'go' ? [['Half ', gate]] : script({ text })),
      {
        breaksOnAbort: true,
      },
    );
    const { chat, until, callbacks } = openChat(backend);
    const sent = chat.sendMessage('go');
    await until((state) => readText(state) === 'Half ');
    chat.stop();
    await Promise.all([gate.abandoned, sent]);
    await chat.sendMessage('next');
    expect(readText(chat.getState())).toBe('Said next.');
    await chat.sendMessage('last');
    expect(readText(chat.getState())).toBe('Said last.');
    expect(callbacks).toEqual(['stop', 'finish stop', 'finish stop']);
  });

  it('a message during a streaming text interrupts it and is answered', async () => {
    const gate = createGate();
    const backend = await openOctavus(
      'ws',
      ({ text }) => (text === 'go' ? [['Half ', gate]] : script({ text })),
      {
        breaksOnAbort: true,
      },
    );
    const { chat, until, callbacks } = openChat(backend);
    void chat.sendMessage('go');
    await until((state) => readText(state) === 'Half ');
    await chat.sendMessage('next');
    expect(readText(chat.getState())).toBe('Said next.');
    expect(callbacks).toEqual(['finish stop']);
  });

  it("whilePending 'cancel' works right after the call is shown", async () => {
    const backend = await openOctavus('ws', script, { breaksOnAbort: true });
    const { chat } = openChat(backend, { ask: 'interactive' });
    await chat.sendMessage('ask');
    await chat.sendMessage('next', { whilePending: 'cancel' });
    expect(readText(chat.getState())).toBe('Said next.');
    expect(backend.platform.transcript.filter((line) => !('call' in line))).toEqual([
      { user: 'ask' },
      { answer: 'call-1', error: 'Superseded by a new message' },
      { user: 'next' },
    ]);
    expect(backend.refusals).toEqual([]);
  });
});
