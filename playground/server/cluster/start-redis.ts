/** The Redis of the cluster: a server on a free port, whose data are deleted with it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface Redis {
  readonly url: string;
  close(): Promise<void>;
}

/** @param program the path of redis-server */
export async function startRedis(program: string): Promise<Redis> {
  const folder = await mkdtemp(path.join(tmpdir(), 'handrail-playground-'));
  const port = await findFreePort();
  // Each write is on the disk before Redis confirms it.
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
  const place = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder];
  const server = spawn(program, [...place, ...durable], { stdio: ['ignore', 'pipe', 'inherit'] });
  const end = () => server.kill('SIGKILL');
  process.once('exit', end);
  await untilReady(server.stdout);
  return {
    url: `redis://127.0.0.1:${port}`,
    async close() {
      process.off('exit', end);
      const ended = once(server, 'exit');
      end();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

function untilReady(output: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    createInterface(output)
      .on('line', (line) => {
        lines.push(line);
        if (line.includes('Ready to accept connections')) resolve();
      })
      .on('close', () => reject(new Error(`redis-server ended:\n${lines.join('\n')}`)));
  });
}

/** redis-server cannot choose a port by itself. */
async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
