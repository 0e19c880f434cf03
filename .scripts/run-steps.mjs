/**
 * `npm test` and `npm run check`: runs every step even when one fails, then lists each failure with its reason and says
 * in its last line how many tests and checks passed. A step without tests of its own counts as one. What cannot run on this machine is
 * named at its step and again at the end.
 *
 * With HANDRAIL_RESULTS set to a file, the lines `passed <count>` and `failed <what>` are added to it, so that several
 * runs can be summed, and what failed in one of them is not lost far above.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './package-entries.mjs';
import { readTests, stepsOf } from './steps.mjs';

/** @typedef {import('./steps.mjs').Outcome} Outcome */

const [scope = 'check'] = process.argv.slice(2);
const scratch = mkdtempSync(path.join(tmpdir(), 'handrail-'));
let passed = 0;
/** @type {string[]} */
const failures = [];
/** @type {string[]} */
const failedSteps = [];
/** @type {string[]} */
const notRun = [];

for (const step of stepsOf(/** @type {import('./steps.mjs').Scope} */ (scope))) {
  if (step.needs !== undefined && failedSteps.includes(step.needs)) {
    console.log(`\n▶ ${step.name}: not run, because "${step.needs}" failed`);
    continue;
  }
  console.log(`\n▶ ${step.name}`);
  const outcome = runStep(step);
  passed += outcome.passed;
  failures.push(...outcome.failures);
  if (outcome.failures.length > 0) failedSteps.push(step.name);
}
rmSync(scratch, { recursive: true });

const failed = failures.map((failure) => `failed ${failure}\n`).join('');
if (process.env.HANDRAIL_RESULTS) {
  appendFileSync(process.env.HANDRAIL_RESULTS, `passed ${passed}\n${failed}`);
}
for (const line of notRun) console.log(`\nnot run: ${line}`);
console.log(`\n${failed}${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

/**
 * @param {import('./steps.mjs').Step} step
 * @returns {Outcome}
 */
function runStep(step) {
  if (step.vitest === undefined) {
    return run(step.run ?? []) ? { passed: 1, failures: [] } : { passed: 0, failures: [step.name] };
  }
  const { files, missing } = step.pick?.() ?? { files: [], missing: [] };
  notRun.push(...missing);
  for (const line of missing) console.log(`not run: ${line}`);
  const report = path.join(scratch, `${step.vitest.join('-')}.json`);
  const projects = step.vitest.flatMap((name) => ['--project', name]);
  const ok = run([
    'vitest',
    'run',
    ...projects,
    ...files,
    ...(step.workers === undefined ? [] : [`--maxWorkers=${step.workers}`]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  const outcome = readOutcome(report);
  if (!ok && outcome.failures.length === 0) {
    outcome.failures.push(`${step.name}: an error outside of any test`);
  }
  return outcome;
}

/**
 * @param {string} report
 * @returns {Outcome}
 */
function readOutcome(report) {
  try {
    return readTests(JSON.parse(readFileSync(report, 'utf8')), root);
  } catch {
    return { passed: 0, failures: [`${path.basename(report)} was not written: the run died`] };
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
