import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readManifest, root } from '../../.scripts/package-entries.mjs';

test('npm start is one Node command that serves the page and its agents, and says where', async () => {
  const [program, ...args] = String(readManifest().scripts.start).split(' ');
  expect(program).toBe('vite');
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const { OPENAI_API_KEY: _, NODE_ENV: __, ...env } = process.env;
  const child = spawn(process.execPath, [vite, ...args], { cwd: root, env: { ...env, NO_COLOR: '1' } });
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
    expect(backends.map(({ id }) => id)).toEqual(['scripted', 'octavus', 'mantyx']);
    const refused = await fetch(new URL('api/agent?backend=nobody', url), { method: 'POST', body: '{}' });
    expect(refused.status).toBe(404);
    expect(await refused.text()).toContain('scripted, octavus, mantyx');
  } finally {
    child.kill();
  }
});
