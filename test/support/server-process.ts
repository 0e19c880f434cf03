/** Starts a server program for a test and ends it again. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ServerProcess {
  /** The lines that the server had written when it was ready. */
  readonly lines: readonly string[];
  /** Sends a signal that does not end the process. */
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal and resolves when the process has ended; with `detached` also those that it has started. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** The servers that end with the tests, each with its way to send it a signal. */
const running = new Map<ChildProcess, (signal: NodeJS.Signals) => void>();
process.once('exit', () => {
  for (const kill of running.values()) kill('SIGKILL');
});

/**
 * Starts the program and resolves when it writes a line with `readyLine`. With `detached` signals go to the programs that it starts, too,
 * as for a script of npm.
 *
 * @throws Error with everything the program wrote, if it ends before.
 */
export async function startServerProcess(
  command: string,
  args: readonly string[],
  readyLine: string,
  options: SpawnOptions = {},
): Promise<ServerProcess> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (signal: NodeJS.Signals) =>
    void (options.detached && child.pid ? process.kill(-child.pid, signal) : child.kill(signal));
  running.set(child, kill);
  // The output closes when nobody who has it lives.
  const ended = once(child, options.detached ? 'close' : 'exit').then(() => running.delete(child));
  const lines = await untilReady(child, readyLine);
  return {
    lines,
    signal: kill,
    async end(signal) {
      kill(signal);
      await ended;
    },
  };
}

function untilReady(child: ChildProcess, readyLine: string): Promise<readonly string[]> {
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      reject(new Error(`${child.spawnfile} ended with ${code}:\n${lines.join('\n')}`));
    });
    for (const output of [child.stdout, child.stderr]) {
      if (output === null) return reject(new Error('The server has no output to wait for.'));
      // The interface reads on after the server is ready: a full pipe would block it.
      createInterface(output).on('line', (line) => {
        lines.push(line);
        if (line.includes(readyLine)) resolve([...lines]);
      });
    }
  });
}
