import type { McpServer } from '@modelcontextprotocol/server';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { localMcp } from '../../../../src/backends/mantyx/local-tools/local-mcp.ts';
import type { McpLocalRef } from '../../../../src/backends/mantyx/spec.ts';
import { type McpPeer, startMcpPeer } from '../../../support/mcp-peer.ts';

const peers: McpPeer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

async function start(...args: Parameters<typeof startMcpPeer>) {
  const peer = await startMcpPeer(...args);
  peers.push(peer);
  return peer;
}

const { signal } = new AbortController();
const call = (name: string, args: Record<string, unknown> = {}) => ({
  toolUseId: 'tu_1',
  name,
  args,
  mcpServer: 'fs',
});
const text = (value: string) => ({ type: 'text' as const, text: value });

const files = (server: McpServer) => {
  server.registerTool(
    'fs.read-file',
    { description: 'Reads a file', inputSchema: z.object({ path: z.string() }) },
    ({ path }) => ({ content: [text(`# ${path}`), text('127.0.0.1 localhost')] }),
  );
  server.registerTool('fs_list', { description: 'Lists files' }, () => ({ content: [text('a.txt')] }));
};

test("localMcp lists the tools once, declares them under valid names, and maps calls back to the server's names", async () => {
  const peer = await start(files);
  const fs = localMcp({ name: 'fs', url: peer.url });
  const ref = await fs.resolve(signal);
  expect(ref).toMatchObject({
    kind: 'mcp_local',
    name: 'fs',
    serverInfo: { name: 'files', version: '0.4.1' },
    tools: [
      {
        name: 'fs_read_file',
        description: 'Reads a file',
        inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
      { name: 'fs_list', description: 'Lists files', inputSchema: { type: 'object' } },
    ],
  });
  expect(await fs.dispatch(call('fs_read_file', { path: '/etc/hosts' }), signal)).toEqual({
    result: '# /etc/hosts\n127.0.0.1 localhost',
  });
  // The prefix belongs to the name of this tool, so it must stay.
  expect(await fs.dispatch(call('fs_list'), signal)).toEqual({ result: 'a.txt' });
  const methods = peer.requests.flatMap(({ body }) => (body === '' ? [] : JSON.parse(body).method));
  expect(methods.filter((method) => method === 'initialize')).toHaveLength(1);
  expect(methods.filter((method) => method === 'tools/list')).toHaveLength(1);
  expect(methods.filter((method) => method === 'tools/call')).toHaveLength(2);
});

test('localMcp keeps no connection open besides its calls', async () => {
  const peer = await start(files);
  const fs = localMcp({ name: 'fs', url: peer.url });
  await fs.dispatch(call('fs_list'), signal);
  expect(new Set(peer.requests.map(({ method }) => method))).toEqual(new Set(['POST']));
});

test('localMcp applies rename and toolFilter', async () => {
  const peer = await start(files);
  const fs = localMcp({
    name: 'fs',
    url: peer.url,
    rename: (name) => `mine_${name.length}`,
    toolFilter: ['fs_list'],
  });
  expect(await fs.resolve(signal)).toMatchObject({ tools: [{ name: 'mine_7' }] });
  expect(await fs.dispatch(call('mine_7'), signal)).toEqual({ result: 'a.txt' });
  expect(await fs.dispatch(call('fs_list'), signal)).toEqual({
    error: 'The MCP server fs has no tool fs_list.',
  });
});

test('localMcp returns the texts of failed calls, empty results and invalid arguments', async () => {
  const peer = await start((server) => {
    server.registerTool('fails', {}, () => ({ content: [text('No access')], isError: true }));
    server.registerTool('mute', {}, () => ({ content: [], isError: true }));
    server.registerTool('throws', {}, () => {
      throw new Error('Disk is gone');
    });
    server.registerTool('data', { outputSchema: z.object({ free: z.number() }) }, () => ({
      content: [],
      structuredContent: { free: 7 },
    }));
    server.registerTool('picture', {}, () => ({
      content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }],
    }));
    server.registerTool('strict', { inputSchema: z.object({ size: z.number() }) }, () => ({
      content: [text('never')],
    }));
  });
  const fs = localMcp({ name: 'fs', url: peer.url });
  expect(await fs.dispatch(call('fails'), signal)).toEqual({ error: 'No access' });
  expect(await fs.dispatch(call('mute'), signal)).toEqual({ error: 'The tool failed.' });
  expect(await fs.dispatch(call('throws'), signal)).toEqual({ error: 'Disk is gone' });
  expect(await fs.dispatch(call('data'), signal)).toEqual({ result: '{"free":7}' });
  expect(await fs.dispatch(call('picture'), signal)).toEqual({ result: '[image]' });
  expect(await fs.dispatch(call('strict', { size: 'big' }), signal)).toEqual({
    error: expect.stringMatching(/size/),
  });
});

test('localMcp names a server that cannot be reached, and the next call tries again', async () => {
  const peer = await start(files);
  let isAway = true;
  const fs = localMcp({
    name: 'fs',
    url: peer.url,
    fetch: (input, init) => (isAway ? Promise.reject(new TypeError('No route')) : fetch(input, init)),
  });
  await expect(fs.resolve(signal)).rejects.toMatchObject({
    code: 'connection_failed',
    message: 'The MCP server fs could not be asked what it offers: No route',
  });
  isAway = false;
  expect((await fs.resolve(signal)).name).toBe('fs');
  isAway = true;
  // The failed call is not repeated; the next call opens a new MCP session.
  await expect(fs.dispatch(call('fs_list'), signal)).rejects.toThrow('No route');
  isAway = false;
  expect(await fs.dispatch(call('fs_list'), signal)).toEqual({ result: 'a.txt' });
  expect(peer.requests.filter(({ body }) => body.includes('"initialize"'))).toHaveLength(2);
});

test('localMcp resolves a relative URL against the page', async () => {
  const peer = await start(files);
  vi.stubGlobal('location', { href: new URL('/orders/7', peer.url).href });
  onTestFinished(() => void vi.unstubAllGlobals());
  const fs = localMcp({ name: 'fs', url: '/mcp' });
  expect(await fs.dispatch(call('fs_list'), signal)).toEqual({ result: 'a.txt' });
});

test('localMcp names a missing SDK and how to install it', async () => {
  vi.doMock('@modelcontextprotocol/client', () => Promise.reject(new Error('Not found')));
  onTestFinished(() => void vi.doUnmock('@modelcontextprotocol/client'));
  const fs = localMcp({ name: 'fs', url: 'https://fs.test' });
  await expect(fs.resolve(signal)).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringMatching(
      /^@modelcontextprotocol\/client could not be loaded: .* Install it: npm install @modelcontextprotocol\/client$/s,
    ),
  });
});

test('localMcp sends its headers with every request', async () => {
  const peer = await start(files);
  const fs = localMcp({ name: 'fs', url: peer.url, headers: { 'x-user': '7' } });
  await fs.dispatch(call('fs_list'), signal);
  expect(new Set(peer.requests.map(({ headers }) => headers.get('x-user')))).toEqual(new Set(['7']));
});

test('localMcp ends an aborted call at once, and the next call uses the same connection', async () => {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const peer = await start((server) => {
    server.registerTool('waits', {}, () => {
      begin();
      return new Promise<never>(() => {});
    });
    server.registerTool('answers', {}, () => ({ content: [text('yes')] }));
  });
  const fs = localMcp({ name: 'fs', url: peer.url });
  const abort = new AbortController();
  const answer = fs.dispatch(call('waits'), abort.signal);
  await begun;
  abort.abort(new Error('stopped'));
  await expect(answer).rejects.toThrow('stopped');
  expect(await fs.dispatch(call('answers'), signal)).toEqual({ result: 'yes' });
  expect(peer.requests.filter(({ body }) => body.includes('"initialize"'))).toHaveLength(1);
});

test('a call of localMcp may take longer than a minute', async () => {
  const clock = vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const peer = await start((server) => {
    server.registerTool('thinks', {}, async () => {
      await clock.advanceTimersByTimeAsync(61_000);
      return { content: [text('42')] };
    });
  });
  const fs = localMcp({ name: 'fs', url: peer.url });
  expect(await fs.dispatch(call('thinks'), signal)).toEqual({ result: '42' });
});

test('localMcp handles calls by the label of their server, or by name without one', async () => {
  const peer = await start(files);
  const fs = localMcp({ name: 'fs', url: peer.url });
  expect(fs.handles(call('anything'))).toBe(true);
  expect(fs.handles({ ...call('fs_list'), mcpServer: 'other' })).toBe(false);
  const unlabelled = { toolUseId: 'tu_1', name: 'fs_list', args: {} };
  expect(fs.handles(unlabelled)).toBe(false);
  await fs.resolve(signal);
  expect(fs.handles(unlabelled)).toBe(true);
});

test('localMcp finds a tool by its declared name and by its own', async () => {
  const peer = await start(files);
  const fs = localMcp({ name: 'fs', url: peer.url });
  for (const named of [
    { ...call('fs_list'), mcpToolName: 'list' },
    { ...call('list'), mcpToolName: 'fs_list' },
  ])
    expect(await fs.dispatch(named, signal)).toEqual({ result: 'a.txt' });
});

test.each([
  [
    'two tools with one name',
    ['a.b', 'a-b'],
    'The MCP server fs: a.b and a-b would both be called a_b. Tell them apart with `rename`.',
  ],
  [
    'too many tools',
    Array.from({ length: 65 }, (_, index) => `t${index}`),
    'The MCP server fs offers 65 tools; the platform takes 1 to 64. Choose some with `toolFilter`.',
  ],
  [
    'no tools',
    [],
    'The MCP server fs offers 0 tools; the platform takes 1 to 64. Choose some with `toolFilter`.',
  ],
])('localMcp refuses %s before the run', async (_, names, message) => {
  const peer = await start((server) => {
    for (const name of names) server.registerTool(name, {}, () => ({ content: [] }));
  });
  const fs = localMcp({ name: 'fs', url: peer.url });
  await expect(fs.resolve(signal)).rejects.toMatchObject({ code: 'invalid_options', message });
});

test('localMcp refuses names of servers and tools that the platform would refuse', async () => {
  expect(() => localMcp({ name: '', url: 'https://fs.test' })).toThrow('localMcp got the name "".');
  const peer = await start(files);
  const fs = localMcp({ name: 'fs', url: peer.url, rename: (name) => name });
  await expect(fs.resolve(signal)).rejects.toMatchObject({
    message:
      'The MCP server fs: fs.read-file would be called "fs.read-file". Use 1 to 64 letters, digits and underscores.',
  });
});

test('localMcp declares the fields of a tool that its SDK does not know', async () => {
  const peer = await start(files);
  const vendor = { tier: 1, annotations: { readOnlyHint: true, vendorHint: 'x' } };
  const fs = localMcp({
    name: 'fs',
    url: peer.url,
    async fetch(input, init) {
      const { body, status, headers } = await fetch(input, init);
      if (!String(init?.body).includes('"tools/list"')) return new Response(body, { status, headers });
      const added = JSON.stringify(vendor).slice(1, -1);
      const text = (await new Response(body).text()).replace('"name":"fs_list"', `"name":"fs_list",${added}`);
      return new Response(text, { status, headers: { 'content-type': headers.get('content-type') ?? '' } });
    },
  });
  expect((await fs.resolve(signal)) as McpLocalRef).toMatchObject({
    tools: [{}, { name: 'fs_list', ...vendor }],
  });
});

test.each(['breaks off', 'ends'] as const)(
  'a call of localMcp fails at once when its response %s before the result',
  async (ending) => {
    const peer = await start(files);
    const fs = localMcp({
      name: 'fs',
      url: peer.url,
      async fetch(input, init) {
        if (!String(init?.body).includes('"tools/call"')) return fetch(input, init);
        const body = new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(': working\n\n'));
            if (ending === 'ends') controller.close();
          },
          pull: (controller) => controller.error(new TypeError('network error')),
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      },
    });
    await expect(fs.dispatch(call('fs_list'), signal)).rejects.toThrow(
      'The MCP server fs broke off its response to tools/call before the result.',
    );
  },
);

test('a call of localMcp fails at once when its server is cut off, and the next call connects again', async () => {
  let isHeld = true;
  const peer = await start((server) => {
    server.registerTool('works', {}, async (context) => {
      if (!isHeld) return { content: [text('done')] };
      await context.mcpReq.notify({ method: 'notifications/tools/list_changed' });
      return new Promise<never>(() => {});
    });
  });
  const fs = localMcp({
    name: 'fs',
    url: peer.url,
    async fetch(input, init) {
      const response = await fetch(input, init);
      if (isHeld && String(init?.body).includes('"tools/call"')) peer.cut();
      return response;
    },
  });
  await expect(fs.dispatch(call('works'), signal)).rejects.toThrow('broke off its response');
  isHeld = false;
  expect(await fs.dispatch(call('works'), signal)).toEqual({ result: 'done' });
});

test('localMcp calls a server that speaks revision 2026-07-28 alone', async () => {
  const peer = await start(files, 'reject');
  const fs = localMcp({ name: 'fs', url: peer.url });
  expect(await fs.resolve(signal)).toMatchObject({
    serverInfo: { name: 'files', version: '0.4.1' },
    tools: [{ name: 'fs_read_file' }, { name: 'fs_list' }],
  });
  expect(await fs.dispatch(call('fs_list'), signal)).toEqual({ result: 'a.txt' });
});

test('localMcp returns the text of an embedded resource, and names one without text', async () => {
  const peer = await start((server) => {
    const uri = 'file:///notes.md';
    server.registerTool('notes', {}, () => ({
      content: [
        text('Found:'),
        { type: 'resource', resource: { uri, mimeType: 'text/markdown', text: '# Notes' } },
      ],
    }));
    server.registerTool('logo', {}, () => ({
      content: [{ type: 'resource', resource: { uri: 'file:///logo.png', blob: 'AA==' } }],
    }));
  });
  const fs = localMcp({ name: 'fs', url: peer.url });
  expect(await fs.dispatch(call('notes'), signal)).toEqual({ result: 'Found:\n# Notes' });
  expect(await fs.dispatch(call('logo'), signal)).toEqual({ result: '[resource]' });
});

test('localMcp lists the tools of a server whose list may change again for each run', async () => {
  let names = ['one'];
  const peer = await start((server) => {
    for (const name of names) server.registerTool(name, {}, () => ({ content: [text(name)] }));
  });
  const fs = localMcp({ name: 'fs', url: peer.url });
  const listed = async () => ((await fs.resolve(signal)) as McpLocalRef).tools.map(({ name }) => name);
  expect(await listed()).toEqual(['one']);
  names = ['one', 'two'];
  expect(await listed()).toEqual(['one', 'two']);
  expect(await fs.dispatch(call('two'), signal)).toEqual({ result: 'two' });
  // The server cannot be reached any more: the run gets the tools that are known.
  peer.cut();
  await peers.pop()?.close();
  expect(await listed()).toEqual(['one', 'two']);
});
