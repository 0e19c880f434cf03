import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { readManifest, root } from '../../.scripts/package-entries.mjs';
import { createAgentServer } from '../../playground/server/create-agent-server.ts';

test('npm start is one Node command that serves the page and its agents, and prints the address', async () => {
  const [program, ...args] = String(readManifest().scripts.start).split(' ');
  expect(program).toBe('node');
  const { OPENAI_API_KEY: _, NODE_ENV: __, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd: root, env: { ...env, NO_COLOR: '1' } });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const said = /Local:\s+(http:\S+)/.exec(output)?.[1];
        if (said !== undefined) resolve(said);
      });
      child.once('exit', (status) => reject(new Error(`It ended with ${status}: ${output}`)));
    });
    expect(await (await fetch(url)).text()).toContain('<title>handrail playground</title>');
    const backends = (await (await fetch(new URL('api/backends', url))).json()) as { id: string }[];
    expect(backends.map(({ id }) => id)).toEqual([
      ...['scripted', 'octavus', 'mantyx', 'ai-sdk', 'ag-ui', 'standard-agents', 'utp'],
    ]);
    const refused = await fetch(new URL('api/agent?backend=nobody', url), { method: 'POST', body: '{}' });
    expect(refused.status).toBe(404);
    expect(await refused.text()).toContain('scripted, octavus, mantyx, ai-sdk, ag-ui, standard-agents, utp');
  } finally {
    child.kill();
  }
});

test('the socket of the playground accepts its own pages and clients without an origin', async () => {
  const agents = await createAgentServer({});
  const server = createServer().on('upgrade', agents.upgrade).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const openFrom = async (origin?: string) => {
    const socket = new WebSocket(
      `ws://${host}/api/socket?backend=scripted&session=s`,
      origin ? { origin } : {},
    );
    return once(socket, 'open').then(
      () => 'open',
      (error: Error) => error.message,
    );
  };
  expect(await openFrom()).toBe('open');
  expect(await openFrom(`http://${host}`)).toBe('open');
  for (const origin of ['https://evil.example', 'null']) expect(await openFrom(origin)).toContain('403');
  await agents.close();
  server.close();
});
