/** A node as a process of its own, which is started again when it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { root } from '../../../.scripts/package-entries.mjs';

/** How long a node that ended stays away. Milliseconds. */
const RESTART_AFTER_MS = 2_000;

export interface NodeProcess {
  readonly name: string;
  /** The port on which the node listens; undefined while it does not. */
  port(): number | undefined;
  /** Kills the process as a crash would: it has no time to say goodbye. */
  kill(): void;
  /** Ends the process for good. */
  close(): void;
}

/** Starts a node. Resolves when the node listens. */
export async function startNodeProcess(name: string, env: NodeJS.ProcessEnv): Promise<NodeProcess> {
  let child: ChildProcess;
  let port: number | undefined;
  let isClosed = false;

  function start(): Promise<void> {
    child = spawn(process.execPath, [`${root}playground/server/cluster/run-node.mjs`], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.once('exit', () => {
      port = undefined;
      if (!isClosed) setTimeout(() => !isClosed && void start(), RESTART_AFTER_MS);
    });
    return new Promise((resolve) => {
      if (child.stdout === null) return;
      createInterface(child.stdout).on('line', (line) => {
        console.log(`${name}: ${line}`);
        const [, listening] = /^Listening on port (\d+)$/.exec(line) ?? [];
        if (listening === undefined) return;
        port = Number(listening);
        resolve();
      });
    });
  }
  function kill(): void {
    port = undefined;
    child.kill('SIGKILL');
  }
  process.once('exit', kill);
  await start();
  return {
    name,
    port: () => port,
    kill,
    close() {
      isClosed = true;
      process.off('exit', kill);
      kill();
    },
  };
}
