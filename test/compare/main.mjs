/** `npm run compare`: installs the peers where they are missing, plays all cases, prints the table and writes it to docs/compared.md. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const installed = `${here}node_modules/.package-lock.json`;

run(process.execPath, ['.scripts/bootstrap.mjs'], root);
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(`${here}package-lock.json`).mtimeMs)
  run('npm', ['ci', '--no-audit', '--no-fund'], here);
run('npx', ['vitest', 'run', '--project', 'compare', ...process.argv.slice(2)], root);

/** @param {string} command @param {string[]} args @param {string} cwd */
function run(command, args, cwd) {
  const env = { ...process.env, HANDRAIL_COMPARE: 'all' };
  const { status } = spawnSync(command, args, {
    cwd,
    env,
    stdio: 'inherit',
    shell: command !== process.execPath,
  });
  if (status !== 0) process.exit(status ?? 1);
}
