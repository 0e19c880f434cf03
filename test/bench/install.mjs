/** Installs what the bench needs where it is missing or older than its lockfile: handrail's own packages, then the peers. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const installed = `${here}node_modules/.package-lock.json`;

run(process.execPath, ['../../.scripts/bootstrap.mjs', '--no-browser']);
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(`${here}package-lock.json`).mtimeMs) {
  run('npm', ['ci', '--no-audit', '--no-fund']);
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: here, stdio: 'inherit', shell: command === 'npm' });
  if (status === 0) return;
  console.error(`\`${command} ${args.join(' ')}\` failed in test/bench. Check the network and run it again.`);
  process.exit(1);
}
