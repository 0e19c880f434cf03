import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { UtpToolCall } from '../../../../src/backends/utp/call.ts';
import {
  createOpenApiTool,
  type OpenApiToolOptions,
} from '../../../../src/backends/utp/openapi/create-open-api-tool.ts';
import { UtpToolError } from '../../../../src/backends/utp/tool-error.ts';

const KEY = 'jina_4f81c07be2';
const environment = { JINA_API_KEY: KEY, SEARCH_REGION_KEY: 'region-of-ada' };

const ok = { 200: { description: 'Found' } };
const parameters = [
  { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
  { name: 'site', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
  { $ref: '#/components/parameters/Locale' },
];
const document = {
  openapi: '3.1.0',
  info: { title: 'Search', version: '1' },
  paths: {
    '/search': {
      get: { parameters, responses: ok },
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', properties: { q: { type: 'string' }, num: { type: 'integer' } } },
            },
          },
        },
        responses: ok,
      },
    },
    '/{url}': {
      parameters: [{ name: 'url', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        parameters: [
          { name: 'fields', in: 'query', explode: false, schema: { type: 'array' } },
          { name: 'page', in: 'query', style: 'deepObject', schema: { type: 'object' } },
        ],
        responses: ok,
      },
    },
  },
  components: {
    parameters: { Locale: { name: 'X-Locale', in: 'header', schema: { type: 'string' } } },
  },
};

const search = { mode: 'search', base_url: 'https://s.jina.ai', path: '/search', method: 'GET' };
const reader = { mode: 'reader', path: '/{url}' };

const call: UtpToolCall = {
  ...{
    projectId: 'proj',
    channelId: 'public',
    toolCallId: 'c',
    agentId: 'a',
    agentTurnId: 't',
    turnEpoch: 1,
  },
  ...{ recursionDepth: 0, toolName: 'search', args: {}, afterExecution: 'suspend', lineage: {} },
};

/** An API that answers every request with this, and notes it. */
async function setup(
  jina: object,
  options: Partial<OpenApiToolOptions> & { respond?: () => Response | Promise<Response> } = {},
) {
  const requests: Request[] = [];
  const { respond = () => Response.json({ data: [1] }), ...rest } = options;
  const tool = await createOpenApiTool({
    ...{ document, environment, options: { jina } },
    fetch: async (request) => {
      requests.push(request as Request);
      return respond();
    },
    ...rest,
  });
  const run = async (args: Record<string, unknown>, changes: Partial<UtpToolCall> = {}) =>
    tool(args, { call: { ...call, ...changes }, headers: {}, signal: new AbortController().signal });
  return { run, requests };
}

describe('the request of a call', () => {
  test('has its parameters where the document says, and no argument that the document does not declare', async () => {
    const { run, requests } = await setup(search);
    const args = { q: 'two words & more', site: ['a.org', 'b.org'], 'X-Locale': 'de', project_id: 'proj' };
    expect(await run(args)).toEqual({ data: [1] });
    const [request] = requests;
    expect([request?.method, request?.url]).toEqual([
      'GET',
      'https://s.jina.ai/search?q=two+words+%26+more&site=a.org&site=b.org',
    ]);
    expect(request?.headers.get('x-locale')).toBe('de');
    expect(request?.headers.get('authorization')).toBe(`Bearer ${KEY}`);
    expect(request?.redirect).toBe('manual');
  });

  test('has a whole address in its path, and lists and objects in their style', async () => {
    const { run, requests } = await setup(reader);
    const args = { url: 'https://example.org/a?b=c#d', fields: ['title', 'text'], page: { size: 5, at: 1 } };
    await run(args);
    expect(requests[0]?.url).toBe(
      'https://r.jina.ai/https%3A%2F%2Fexample.org%2Fa%3Fb%3Dc%23d?fields=title%2Ctext&page%5Bsize%5D=5&page%5Bat%5D=1',
    );
  });

  test('has the declared fields of a body as JSON', async () => {
    const { run, requests } = await setup({ ...search, method: 'post' });
    await run({ q: 'cats', num: 3, session_id: 'turn-1' });
    const [request] = requests;
    expect([request?.method, request?.headers.get('content-type')]).toEqual(['POST', 'application/json']);
    expect(await request?.json()).toEqual({ q: 'cats', num: 3 });
  });

  test.each([
    ['a required argument is missing', search, {}, 'The argument q is missing.'],
    ['an argument is an object where a text belongs', search, { q: [{}] }, 'The argument q must be a text'],
    ['a part of the path would be dropped', reader, { url: '..' }, 'The argument url cannot be ".."'],
    [
      'a header has a line break',
      search,
      { q: 'x', 'X-Locale': 'a\nb' },
      'The argument X-Locale has characters',
    ],
  ])('is not sent if %s: the agent gets bad_request', async (_, jina, args, message) => {
    const { run, requests } = await setup(jina);
    await expect(run(args)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(message),
    });
    expect(requests).toEqual([]);
  });
});

describe('the domain', () => {
  test.each([
    ['another domain', 'https://example.org'],
    ['the domain of the other mode', 'https://r.jina.ai'],
    ['a domain that ends alike', 'https://xs.jina.ai'],
    ['a domain that begins alike', 'https://s.jina.ai.example.org'],
    ['a user before the domain', 'https://s.jina.ai@example.org'],
    ['a user and a password', 'https://a:b@s.jina.ai'],
    ['no encryption', 'http://s.jina.ai'],
    ['another port', 'https://s.jina.ai:8443'],
    ['a query', 'https://s.jina.ai/?x=1'],
    ['no address', 's.jina.ai'],
  ])('of a tool with %s in base_url is refused', async (_, base_url) => {
    await expect(setup({ ...search, base_url })).rejects.toThrow(
      'options.jina.base_url must be an address of https://s.jina.ai',
    );
  });

  test.each(['//example.org/x', '/\\example.org', '/..//example.org'])(
    'does not change with the path %s',
    async (path) => {
      const paths = { [path]: document.paths['/search'] };
      const { run, requests } = await setup({ ...search, path }, { document: { ...document, paths } });
      await run({ q: 'x' });
      expect(new URL(requests[0]?.url ?? '').host).toBe('s.jina.ai');
    },
  );

  test('does not change with a redirect: the answer is a failure of the API', async () => {
    const respond = () => new Response(null, { status: 302, headers: { location: 'https://example.org' } });
    const { run, requests } = await setup(search, { respond });
    await expect(run({ q: 'x' })).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(requests).toHaveLength(1);
  });
});

describe('the key', () => {
  test('comes from the variable that the definition names, and never from the configuration', async () => {
    const { run, requests } = await setup(
      { ...search, auth_env: 'OTHER_KEY' },
      { environment: { OTHER_KEY: 'other' }, configuration: { Authorization: 'forged' } },
    );
    await run({ q: 'x' });
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer other');
  });

  test.each([{}, { JINA_API_KEY: '' }])(
    'that is missing fails the call and names its variable: %j',
    async (env) => {
      const { run, requests } = await setup(search, { environment: env });
      await expect(run({ q: 'x' })).rejects.toThrow('Set its environment variable JINA_API_KEY.');
      expect(requests).toEqual([]);
    },
  );

  test('and the values of envs are in no result and in no error', async () => {
    const echo = () => Response.json({ [KEY]: `Bearer ${KEY}`, locale: 'region-of-ada' });
    const refuse = () => new Response(`Wrong key ${KEY} of region-of-ada`, { status: 401 });
    const cut = () => Promise.reject(new TypeError(`connect failed with ${KEY}`));
    const outcomes: unknown[] = [];
    for (const respond of [echo, refuse, cut]) {
      const { run } = await setup(search, { respond });
      const envs = { 'X-Locale': 'SEARCH_REGION_KEY' };
      outcomes.push(await run({ q: 'x' }, { envs }).catch((thrown: unknown) => thrown));
    }
    expect(inspect(outcomes, { depth: 9, showHidden: true })).not.toMatch(/jina_4f|region-of/);
    expect(outcomes).toMatchObject([
      { '[JINA_API_KEY]': 'Bearer [JINA_API_KEY]', locale: '[SEARCH_REGION_KEY]' },
      { code: 'auth_failed', detail: { body: 'Wrong key [JINA_API_KEY] of [SEARCH_REGION_KEY]' } },
      { code: 'upstream_unavailable', retryable: true },
    ]);
  });
});

test.each([1_985, 1_995])(
  'the key after %i characters of an answer is hidden before the answer is cut: no part of it stays at the end',
  async (length) => {
    const body = `${'x'.repeat(length)}${KEY}${'y'.repeat(500)}`;
    const { run } = await setup(search, { respond: () => new Response(body, { status: 400 }) });
    const thrown = await run({ q: 'x' }).catch((error: unknown) => error);
    const shown = `${'x'.repeat(length)}[JINA_API_KEY]${'y'.repeat(500)}`.slice(0, 2_000);
    expect(thrown).toMatchObject({ code: 'bad_request', detail: { status: 400, body: shown } });
  },
);

test('no argument names another host, and half of a surrogate pair is sent as it is in a query', async () => {
  const url = { name: 'url', in: 'path', required: true, schema: { type: 'string' } };
  const host = { name: 'Host', in: 'header', schema: { type: 'string' } };
  const paths = { '/{url}': { get: { parameters: [url, host], responses: ok } } };
  const { run, requests } = await setup(reader, { document: { ...document, paths } });
  await run({ url: '@evil.example\ud800', Host: 'evil.example' });
  expect(requests.map((request) => [request.url, request.headers.get('host')])).toEqual([
    ['https://r.jina.ai/%40evil.example%EF%BF%BD', null],
  ]);
});

describe('the response', () => {
  test('that is no JSON is a text', async () => {
    const { run } = await setup(reader, { respond: () => new Response('# Title') });
    expect(await run({ url: 'https://example.org' })).toBe('# Title');
  });

  test.each([
    [400, 'bad_request', false],
    [403, 'auth_failed', false],
    [404, 'not_found', false],
    [429, 'upstream_unavailable', true],
    [503, 'upstream_unavailable', true],
  ])('with the status %i is an error with the code %s', async (status, code, retryable) => {
    const { run } = await setup(search, { respond: () => new Response('why', { status }) });
    const thrown = await run({ q: 'x' }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(UtpToolError);
    expect(thrown).toMatchObject({ code, retryable, detail: { status, body: 'why' } });
  });
});

describe('a tool is not created', () => {
  test.each<[string, object, object, string]>([
    [
      'without jina options',
      {},
      document,
      'options.jina.mode must be "search" or "reader". It is undefined.',
    ],
    ['with the mode constructor', { ...search, mode: 'constructor' }, document, 'options.jina.mode must be'],
    ['without a path', { mode: 'search' }, document, 'options.jina.path must be a path'],
    ['with another method', { ...search, method: 'TRACE' }, document, 'options.jina.method must be one of'],
    [
      'for a path that the document lacks',
      { ...search, path: '/x' },
      document,
      'no operation GET /x. Its paths are /search, /{url}',
    ],
    [
      'for a path that every object has',
      { ...search, path: '/constructor' },
      document,
      'no operation GET /constructor',
    ],
    ['from a document of another version', search, { swagger: '2.0' }, 'must be OpenAPI 3, not 2.0'],
    [
      'from a document that is not valid',
      search,
      { openapi: '3.1.0', paths: {} },
      'the document is not valid',
    ],
  ])('%s', async (_, jina, given, message) => {
    await expect(setup(jina, { document: given })).rejects.toThrow(message);
  });

  test('from a document that leads to a file', async () => {
    const get = { parameters: [{ $ref: './package.json#/x' }], responses: ok };
    const given = { ...document, paths: { '/search': { get } } };
    await expect(setup(search, { document: given })).rejects.toThrow(/leads out of it|is not valid/);
  });
});
