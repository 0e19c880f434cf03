/** Apps as `npm create handrail` makes them, with the package installed from its tarball. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../.scripts/package-entries.mjs';
import { appEnvironment, install, packInto, run } from './create-app.ts';
import { findFreePort } from './find-free-port.ts';
import { startServerProcess } from './server-process.ts';

/** Creates an app in a new folder and installs it. */
export async function createStarter(template: string, backend = 'scripted'): Promise<string> {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'handrail-starter-')), 'my-app');
  const cli = path.join(root, 'create-handrail', 'cli.mjs');
  await run(root, process.execPath, cli, folder, '--template', template, '--backend', backend);
  await install(folder, await packInto(path.dirname(folder)));
  return folder;
}

export interface StartedApp {
  readonly url: string;
  end(): Promise<void>;
}

/**
 * Runs a script of the app that starts its server.
 *
 * @param variables added to the environment of the app
 */
export async function startStarter(
  folder: string,
  script: 'dev' | 'start',
  variables: Readonly<Record<string, string>> = {},
): Promise<StartedApp> {
  const port = await findFreePort();
  const env = { ...appEnvironment(folder), ...variables, PORT: String(port) };
  const options = { cwd: folder, env, detached: true };
  const server = await startServerProcess('npm', ['run', script], `:${port}`, options);
  return { url: `http://localhost:${port}`, end: () => server.end('SIGTERM') };
}
