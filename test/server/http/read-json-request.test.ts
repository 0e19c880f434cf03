import { describe, expect, test } from 'vitest';
import { createMantyxProxy } from '../../../src/backends/mantyx/server/create-mantyx-proxy.ts';
import { createThreadRuntime } from '../../../src/backends/standard-agents/server/create-thread-runtime.ts';
import { handleAgentRequest } from '../../../src/server/http/handle-agent-request.ts';
import { handleInboxRequest } from '../../../src/server/inbox/handle-inbox-request.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';

const maxBodyBytes = 100;
const mantyx = createMantyxProxy({
  workspace: 'acme',
  credential: 'key',
  authenticate: () => 'ada',
  spec: () => ({ systemPrompt: 'Sell lamps.' }),
  maxBodyBytes,
});
const threads = createThreadRuntime({ agents: {}, authenticate: () => 'ada', maxBodyBytes });

/** Every route that reads JSON, and the fields in which it names the code and the text of a refusal. */
const doors: readonly [
  string,
  string,
  (request: Request) => Promise<Response | undefined>,
  { code: string; text: string },
][] = [
  [
    'handleAgentRequest',
    '/agent',
    (request) => handleAgentRequest(request, () => undefined, { maxBodyBytes }),
    { code: 'code', text: 'error' },
  ],
  [
    'handleInboxRequest',
    '/inbox',
    (request) =>
      handleInboxRequest(request, {
        store: createMemorySessionStore(),
        getSession: () => undefined,
        principal: () => ({ id: 'ada' }),
        maxBodyBytes,
      }),
    { code: 'code', text: 'error' },
  ],
  ['createMantyxProxy', '/api/v1/workspaces/acme/agent-runs', mantyx, { code: 'error', text: 'message' }],
  [
    'createThreadRuntime',
    '/api/threads',
    (request) => threads.handle(request),
    { code: 'code', text: 'error' },
  ],
];

async function wasRead(request: Request): Promise<Request> {
  await request.text();
  return request;
}

describe.each(doors)('%s', (name, path, handle, fields) => {
  const post = (body: string) =>
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer token' },
      body,
    });

  test.each([
    [
      'was read before',
      () => wasRead(post('{}')),
      [
        500,
        'internal_error',
        'The body was read before the route got the request, so it cannot be read again: read a clone of the request instead.',
      ],
    ],
    [
      'is empty',
      async () => post(''),
      [
        400,
        'invalid_request',
        'The body is empty. Where a parser in front of the handler has read it, its result belongs on the request, as `body`.',
      ],
    ],
    [
      'is not JSON',
      async () => post('name=Ada'),
      [400, 'invalid_request', 'The body must be JSON. It begins with "name=Ada".'],
    ],
    [
      'is too long',
      async () => post(JSON.stringify('x'.repeat(99))),
      [
        413,
        'body_too_large',
        'The body is longer than the 100 bytes this route takes, so nothing was changed. Send less, or raise maxBodyBytes on the server.',
      ],
    ],
  ])(`${name} gives a body that %s the same answer as every other route`, async (_, request, answer) => {
    const response = await handle(await request());
    const json = await response?.json();
    expect([response?.status, json[fields.code], json[fields.text]]).toEqual(answer);
  });
});
