import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A real nats-server with JetStream, on a port of its own. Its data are in a temporary folder. */
export interface NatsServer {
  readonly url: string;
  /** Kills the process, as a crash would. The data stay for `restart`. */
  crash(): Promise<void>;
  /** Starts the server again after a crash, on the same port and with the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startNatsServer(): Promise<NatsServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'handrail-nats-'));
  let { child, port } = await start(folder, '-1');
  const crash = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    crash,
    async restart() {
      ({ child, port } = await start(folder, port));
    },
    async stop() {
      await crash();
      await rm(folder, { recursive: true });
    },
  };
}

/** Resolves when the server says that it is ready. */
async function start(folder: string, port: string): Promise<{ child: ChildProcess; port: string }> {
  const args = ['--addr', '127.0.0.1', '--port', port, '--jetstream', '--store_dir', folder];
  const child = spawn('nats-server', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (line.includes('Server is ready')) break;
  }
  child.stderr.resume();
  const [, found] = /client connections on 127\.0\.0\.1:(\d+)/.exec(lines.join('\n')) ?? [];
  if (found === undefined) throw new Error(`nats-server does not start:\n${lines.join('\n')}`);
  return { child, port: found };
}
