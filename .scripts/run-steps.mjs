/**
 * `npm test` and `npm run check`: runs every step even when one fails, then lists the failures and says in its last
 * line how many tests and checks passed. A step without tests of its own counts as one.
 *
 * With HANDRAIL_RESULTS set to a file, `passed failed` is added to it, so that several runs can be summed.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './package-entries.mjs';
import { countTests, stepsOf } from './steps.mjs';

/** @typedef {{ passed: number, failed: number }} Tally */

const [scope = 'check'] = process.argv.slice(2);
const scratch = mkdtempSync(path.join(tmpdir(), 'handrail-'));
/** @type {Tally} */
const total = { passed: 0, failed: 0 };
/** @type {string[]} */
const failures = [];

for (const step of stepsOf(/** @type {import('./steps.mjs').Scope} */ (scope))) {
  if (step.needs !== undefined && failures.includes(step.needs)) {
    console.log(`\n▶ ${step.name}: not run, because "${step.needs}" failed`);
    continue;
  }
  console.log(`\n▶ ${step.name}`);
  const { passed, failed } = runStep(step);
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) failures.push(step.name);
}
rmSync(scratch, { recursive: true });

if (process.env.HANDRAIL_RESULTS) {
  appendFileSync(process.env.HANDRAIL_RESULTS, `${total.passed} ${total.failed}\n`);
}
console.log(failures.length === 0 ? '' : `\nFailed: ${failures.join(', ')}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

/**
 * @param {import('./steps.mjs').Step} step
 * @returns {Tally}
 */
function runStep(step) {
  if (step.vitest === undefined) {
    const ok = run(step.run ?? []);
    return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
  }
  const report = path.join(scratch, `${step.vitest.join('-')}.json`);
  const projects = step.vitest.flatMap((name) => ['--project', name]);
  const ok = run([
    'vitest',
    'run',
    ...projects,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  const { passed, failed } = readTally(report);
  // An error outside of any test, or a run that died, is a failure too.
  return { passed, failed: ok ? failed : Math.max(failed, 1) };
}

/**
 * @param {string} report
 * @returns {Tally}
 */
function readTally(report) {
  try {
    return countTests(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/** @param {string[]} command */
function run([command = '', ...args]) {
  const binaries = path.join(root, 'node_modules', '.bin');
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: `${binaries}${path.delimiter}${process.env.PATH}` },
  });
  return status === 0;
}
