import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { StartEvent } from '../../../src/core/protocol/events.ts';
import type { AgentContext } from '../../../src/server/agent.ts';
import { createNodeHandler, toNodeHandler } from '../../../src/server/http/create-node-handler.ts';
import { handleAgentRequest } from '../../../src/server/http/handle-agent-request.ts';
import type { PrincipalOption } from '../../../src/server/http/read-principal.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { calls, createListAgent, hello, run, stop, text } from '../support.ts';

const post = (body: unknown) =>
  new Request('http://localhost/api', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('handleAgentRequest', () => {
  const session = () => createAgentSession({ id: 's', agent: createListAgent([...text('Hi'), stop]) });

  it('handleAgentRequest answers with the events of the session that the body names', async () => {
    const asked: unknown[] = [];
    const response = await handleAgentRequest(post({ sessionId: 'mine', ...hello }), (id) => {
      asked.push(id);
      return session();
    });
    expect(asked).toEqual(['mine']);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await response.text()).toMatch(/"type":"start".*\[DONE\]\n\n$/s);
  });

  it.each([
    ['cross-site', 'text/plain;charset=UTF-8', 415],
    ['cross-site', 'application/x-www-form-urlencoded', 415],
    ['same-site', '', 415],
    ['cross-site', 'application/json', 200],
    ['same-origin', 'text/plain', 200],
    ['none', 'text/plain', 200],
  ])('handleAgentRequest answers a request from %s of the type %j with %i', async (site, type, status) => {
    const request = new Request('http://localhost/api', {
      method: 'POST',
      headers: { 'sec-fetch-site': site, 'content-type': type },
      body: JSON.stringify(hello),
    });
    const asked: unknown[] = [];
    const response = await handleAgentRequest(request, (id) => {
      asked.push(id);
      return session();
    });
    expect(response.status).toBe(status);
    expect(asked).toHaveLength(status === 200 ? 1 : 0);
    await response.body?.cancel();
  });

  it.each([
    ['http://evil.example', 'text/plain', 415],
    ['http://localhost:8080', '', 415],
    ['null', 'application/x-www-form-urlencoded', 415],
    ['http://evil.example', 'application/json', 200],
    ['http://localhost', 'text/plain', 200],
    ['https://LOCALHOST', 'text/plain', 200],
  ])(
    'handleAgentRequest compares the origin %s with the host when a browser over plain http sends %j: %i',
    async (origin, type, status) => {
      const request = new Request('http://behind.proxy/api', {
        method: 'POST',
        headers: { origin, host: 'localhost', 'content-type': type },
        body: JSON.stringify(hello),
      });
      const response = await handleAgentRequest(request, session);
      expect(response.status).toBe(status);
      await response.body?.cancel();
    },
  );

  it.each([
    [undefined, undefined],
    [null, undefined],
    ['', ''],
    [7, '7'],
  ])('handleAgentRequest passes the id %j to getSession as %j', async (sessionId, id) => {
    const asked: unknown[] = [];
    await handleAgentRequest(post({ sessionId, ...hello }), (named) => void asked.push(named));
    expect(asked).toEqual([id]);
  });

  it.each([[{ $ne: '' }], [['mine']], [true]])(
    'handleAgentRequest refuses an id like %j without calling getSession',
    async (sessionId) => {
      const asked: unknown[] = [];
      const response = await handleAgentRequest(post({ sessionId, ...hello }), (id) => void asked.push(id));
      expect(asked).toEqual([]);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'invalid_request' });
    },
  );

  it('handleAgentRequest takes the cursor of a resume from Last-Event-ID unless the body has one', async () => {
    const waiting = createAgentSession({ id: 's', agent: createListAgent(calls('ask')) });
    const [{ executionId }] = (await run(waiting, hello)) as [StartEvent];
    const resume = async (cursor: object) => {
      const request = post({ type: 'resume', executionId, ...cursor });
      request.headers.set('last-event-id', '2');
      const response = await handleAgentRequest(request, () => waiting);
      return (await response.text()).match(/(?<=^id: )\d+/gm);
    };
    expect(await resume({})).toEqual(['3']);
    expect(await resume({ cursor: '1' })).toEqual(['2', '3']);
  });

  it.each([
    ['not JSON', post('{'), 400, 'invalid_request'],
    ['no request', post({ type: 'dance' }), 400, 'invalid_request'],
    ['no session', post(hello), 404, 'unknown_session'],
    ['no POST', new Request('http://localhost/api'), 405, 'method_not_allowed'],
  ])(
    'handleAgentRequest answers a body that is %s with a status and a reason',
    async (_, request, status, code) => {
      const response = await handleAgentRequest(request, () => undefined);
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({ error: expect.any(String), code });
    },
  );

  it.each([
    ['in one piece', (body: string) => body],
    [
      'in pieces',
      (body: string) =>
        new ReadableStream<Uint8Array>({
          start(controller) {
            for (const piece of body.match(/.{1,20}/g) ?? [])
              controller.enqueue(new TextEncoder().encode(piece));
            controller.close();
          },
        }),
    ],
  ])(
    'handleAgentRequest accepts a body sent %s up to maxBodyBytes and answers a longer one with 413',
    async (_, send) => {
      const body = JSON.stringify({ ...hello, input: { USER_MESSAGE: 'Grüße '.repeat(20) } });
      const { byteLength } = new TextEncoder().encode(body);
      const ask = (maxBodyBytes: number) => {
        const init = { method: 'POST', body: send(body), duplex: 'half' } as const;
        return handleAgentRequest(new Request('http://localhost/api', init), session, { maxBodyBytes });
      };
      const fits = await ask(byteLength);
      expect(await fits.text()).toContain('"delta":"Hi"');
      const refused = await ask(byteLength - 1);
      expect(refused.status).toBe(413);
      expect(await refused.json()).toEqual({
        error: `The body is longer than the ${byteLength - 1} bytes this route takes, so nothing was changed. Send less, or raise maxBodyBytes on the server.`,
        code: 'body_too_large',
      });
    },
  );

  it('handleAgentRequest accepts 4 MiB when no limit is set', async () => {
    const ask = (length: number) => handleAgentRequest(post('"'.padEnd(length, 'x')), () => undefined);
    expect((await ask(4 * 2 ** 20)).status).toBe(400);
    expect((await ask(4 * 2 ** 20 + 1)).status).toBe(413);
  });

  it('handleAgentRequest names POST in the allow header when it refuses another method', async () => {
    const response = await handleAgentRequest(new Request('http://localhost/api'), () => undefined);
    expect(response.headers.get('allow')).toBe('POST');
  });

  it('handleAgentRequest explains an empty body by a parser that read it before', async () => {
    const response = await handleAgentRequest(post(''), () => undefined);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: expect.stringContaining('as `body`') });
  });

  it('handleAgentRequest answers 500 when the body was read before', async () => {
    const request = post(hello);
    await request.text();
    const response = await handleAgentRequest(request, () => undefined);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: expect.stringContaining('clone') });
  });

  it('handleAgentRequest answers 400 with the beginning of a body that is not JSON', async () => {
    const response = await handleAgentRequest(post(`<html>${'x'.repeat(100)}`), () => undefined);
    expect(await response.json()).toEqual({
      error: `The body must be JSON. It begins with "<html>${'x'.repeat(34)}".`,
      code: 'invalid_request',
    });
  });

  it('handleAgentRequest answers 404 when getSession returns null', async () => {
    expect((await handleAgentRequest(post(hello), async () => null)).status).toBe(404);
  });
});

describe('the principal of handleAgentRequest', () => {
  const store = createMemorySessionStore();
  const agent = createListAgent([...text('Hi'), stop]);
  const handle = (principal: PrincipalOption | undefined, request = post({ sessionId: 's', ...hello })) => {
    const asked: unknown[] = [];
    const getSession = (id = '') => {
      asked.push(id);
      return createAgentSession({ id, agent, store });
    };
    const answered = handleAgentRequest(request, getSession, principal && { principal });
    return answered.then((response) => ({ response, asked, request }));
  };

  it.each([[undefined], [null]])(
    'a route answers 401 where its principal is %s, and reads no body and opens no session',
    async (nobody) => {
      const { response, asked, request } = await handle(() => nobody);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({
        error: 'Sign in first: only people who are logged in may use this conversation. Nothing was changed.',
        code: 'unauthorized',
      });
      expect(asked).toEqual([]);
      expect(request.bodyUsed).toBe(false);
    },
  );

  it('a route whose principal is optional lets people in who are not logged in', async () => {
    const { response } = await handle({ optional: true, read: async () => undefined });
    expect(await response.text()).toContain('"delta":"Hi"');
  });

  it.each([
    [{}, 'The principal has no id'],
    [{ sub: 'ada' }, 'The principal has no id'],
    [{ id: '' }, 'The principal has an id that is empty'],
    [{ id: 7 }, 'The principal has an id of type number'],
    ['ada', 'The principal must be an object such as { id: user.id }, not a value of type string'],
    [{ id: 'ada', roles: 'admin' }, 'The roles of the principal must be a list of strings'],
    [{ id: 'ada', roles: ['admin', 1] }, 'The roles of the principal must be a list of strings'],
  ])('a route refuses the principal %j as invalid_principal and says how to mend it', async (who, error) => {
    for (const option of [() => who, { optional: true, read: () => who }] as never[]) {
      const { response, asked } = await handle(option);
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({
        error: expect.stringContaining(error),
        code: 'invalid_principal',
      });
      expect(asked).toEqual([]);
    }
  });

  it('a route tells onError of an invalid principal', async () => {
    const failures: unknown[] = [];
    const principal = (() => ({ email: 'ada@example.org' })) as never;
    await handleAgentRequest(post(hello), () => undefined, {
      principal,
      onError: (thrown) => failures.push(thrown),
    });
    expect(failures).toEqual([expect.objectContaining({ name: 'InvalidPrincipal' })]);
  });

  it('the record has only the id, the name and the roles of a principal', async () => {
    const ada = { id: 'ada', name: 'Ada', roles: ['admin'], token: 'secret-1', email: 'ada@example.org' };
    await (await handle(() => ada, post({ sessionId: 'of-ada', ...hello }))).response.text();
    const record = await store.load('of-ada');
    expect(record?.execution?.startedBy).toEqual({ id: 'ada', name: 'Ada', roles: ['admin'] });
    expect(JSON.stringify(record)).not.toMatch(/secret-1|example/);
  });
});

describe('createNodeHandler', () => {
  const cleanUps: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });

  const start = (...args: Parameters<typeof createNodeHandler>) => serve(createNodeHandler(...args));

  async function serve(handler: ReturnType<typeof toNodeHandler>): Promise<string> {
    const server = createServer(handler);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUps.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  }
  const init = (body: string) => ({ method: 'POST', body });

  it('createNodeHandler serves a session over node:http', async () => {
    const url = await start((_, request) => {
      expect(request.headers.get('x-user')).toBe('7');
      return createAgentSession({ id: 's', agent: createListAgent([...text('Grüße'), stop]) });
    });
    const response = await fetch(url, { ...init(JSON.stringify(hello)), headers: { 'x-user': '7' } });
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const body = await response.text();
    expect(body).toContain('"delta":"Grüße"');
    expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it.each([
    ['json', (body: string): unknown => JSON.parse(body)],
    ['text', (body: string) => body],
    ['raw', (body: string) => Buffer.from(body)],
  ])('createNodeHandler takes the body from a parser such as express.%s()', async (_, parse) => {
    const handler = createNodeHandler(() =>
      createAgentSession({ id: 's', agent: createListAgent([...text('Hi'), stop]) }),
    );
    const url = await serve(async (incoming, outgoing) => {
      let body = '';
      for await (const chunk of incoming) body += chunk;
      await handler(Object.assign(incoming, { body: parse(body) }), outgoing);
    });
    const response = await fetch(url, init(JSON.stringify(hello)));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"delta":"Hi"');
  });

  it('createNodeHandler passes on headers of HTTP/1 and HTTP/2 and drops pseudo-headers', async () => {
    const seen: unknown[] = [];
    const handler = toNodeHandler(async ({ headers }) => {
      seen.push(Object.fromEntries(headers));
      return new Response(null);
    });
    async function* body() {}
    const headers = { ':path': '/', 'x-user': '7', 'set-cookie': ['a=1', 'b=2'], 'x-none': undefined };
    const outgoing = { writeHead() {}, write: () => true, end() {}, once() {}, off() {} };
    await handler(Object.assign(body(), { method: 'HEAD', url: '/', headers }), outgoing);
    expect(seen).toEqual([{ 'x-user': '7', 'set-cookie': 'a=1, b=2' }]);
  });

  it('createNodeHandler ends the run when the client goes away', async () => {
    const contexts: AgentContext[] = [];
    let aborted: Promise<unknown> = Promise.resolve();
    const session = createAgentSession({
      id: 's',
      async *agent(context) {
        contexts.push(context);
        aborted = once(context.signal, 'abort');
        yield* text('one');
        await new Promise<never>(() => {});
      },
    });
    const controller = new AbortController();
    const response = await fetch(await start(() => session), {
      ...init(JSON.stringify(hello)),
      signal: controller.signal,
    });
    const reader = response.body?.getReader();
    let received = '';
    while (!received.includes('text-end'))
      received += new TextDecoder().decode((await reader?.read())?.value);
    expect(contexts[0]?.signal.aborted).toBe(false);
    controller.abort();
    await aborted;
    expect(contexts[0]?.signal.aborted).toBe(true);
  });

  it('toNodeHandler aborts the signal and cancels the late response when the client goes away', async () => {
    const controller = new AbortController();
    let answered = () => {};
    const wasCancelled = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const url = await serve(
      toNodeHandler(async ({ signal }) => {
        controller.abort();
        await once(signal, 'abort');
        return new Response(new ReadableStream({ cancel: answered }));
      }),
    );
    await expect(fetch(url, { signal: controller.signal })).rejects.toThrow('aborted');
    await expect(wasCancelled).resolves.toBeUndefined();
  });

  it('toNodeHandler closes the connection when the body of the response fails', async () => {
    const url = await serve(
      toNodeHandler(async () => {
        const pieces = [new TextEncoder().encode('half')];
        return new Response(
          new ReadableStream({
            pull(controller) {
              const piece = pieces.pop();
              if (piece === undefined) controller.error(new Error('upstream is gone'));
              else controller.enqueue(piece);
            },
          }),
        );
      }),
    );
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow('terminated');
  });

  it('createNodeHandler does not run ahead of a client that does not read', async () => {
    let yielded = 0;
    const session = createAgentSession({
      id: 's',
      async *agent() {
        for (; yielded < 1_000; yielded += 1) yield { type: 'notice', code: 'n', text: 'x'.repeat(100_000) };
      },
    });
    const chunks: { bytes: number }[] = [];
    let drain = () => {};
    const outgoing = {
      writeHead() {},
      write: (chunk: Uint8Array) => chunks.push({ bytes: chunk.byteLength }) < 3,
      end() {},
      once(event: string, listener: () => void) {
        if (event === 'drain') drain = listener;
      },
      off() {},
    };
    async function* body() {
      yield new TextEncoder().encode(JSON.stringify(hello));
    }
    const incoming = Object.assign(body(), { method: 'POST', url: '/', headers: { 'content-length': '1' } });
    void createNodeHandler(() => session)(incoming, outgoing);
    await new Promise<void>((resolve) => setImmediate(resolve));
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect([chunks.length, yielded]).toEqual([3, 1]);
    drain();
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect([chunks.length, yielded]).toEqual([4, 2]);
  });

  it.each([
    ['an invalid URL', 'GET // HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a method that `Request` refuses', 'TRACE / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('createNodeHandler answers %s with 400', async (_, head) => {
    const port = Number(new URL(await start(() => undefined)).port);
    const socket = connect(port).end(head);
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 .*"code":"invalid_request"/s);
  });

  it('createNodeHandler keeps serving after a client leaves in the middle of its body', async () => {
    const handle = createNodeHandler(() => undefined);
    let handled = (_: Promise<void>) => {};
    const end = new Promise<void>((resolve) => {
      handled = resolve;
    });
    const url = await serve((incoming, outgoing) => {
      const handling = handle(incoming, outgoing);
      handled(handling);
      socket.destroy();
      return handling;
    });
    const socket = connect(Number(new URL(url).port));
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n{"type"');
    await expect(end).resolves.toBeUndefined();
  });

  it('toNodeHandler passes on each cookie that a handler sets', async () => {
    const url = await serve(
      toNodeHandler(async () => {
        const response = new Response('in');
        for (const cookie of ['session=1', 'theme=dark']) response.headers.append('set-cookie', cookie);
        return response;
      }),
    );
    expect((await fetch(url)).headers.getSetCookie()).toEqual(['session=1', 'theme=dark']);
  });

  it('createNodeHandler answers a body that is too long, and the next request on the same connection', async () => {
    const url = await start(() => undefined, { maxBodyBytes: 100 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    cleanUps.unshift(() => agent.destroy());
    const ask = async (body: string) => {
      const asked = request(url, { method: 'POST', agent });
      asked.end(body);
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      return { status: response.statusCode, said: await json(response), isReused: asked.reusedSocket };
    };
    const hint = expect.stringContaining('longer than the 100 bytes');
    expect(await ask('x'.repeat(5_000_000))).toMatchObject({
      status: 413,
      said: { code: 'body_too_large', error: hint },
    });
    expect(await ask(JSON.stringify(hello))).toMatchObject({ status: 404, isReused: true });
    expect(await ask(JSON.stringify(hello))).toMatchObject({ status: 404, isReused: true });
  });

  it('createNodeHandler sends the error to onError and only a general message to the client', async () => {
    const thrown = new Error('secret');
    const reported: unknown[] = [];
    const onError = (error: unknown) => reported.push(error);
    const broken = await start(() => Promise.reject(thrown), { onError });
    const response = await fetch(broken, init(JSON.stringify(hello)));
    expect([response.status, await response.json()]).toEqual([
      500,
      { error: 'The server failed.', code: 'internal_error' },
    ]);
    expect(reported).toEqual([thrown]);
  });
});
