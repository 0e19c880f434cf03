import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { missingFirefox, missingWebKit } from './find-browsers.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} [run]       the command
 * @property {string[]} [vitest]    or the test projects
 * @property {number} [workers]     how many files Vitest runs at the same time; default: one per core
 * @property {() => Picked} [pick]  which files of the projects run on this machine; default: all
 * @property {boolean} [inTest]     `npm test` runs it, not only `npm run check`
 * @property {string} [needs]       the step without which this one has nothing to look at
 */

/**
 * @typedef {object} Picked
 * @property {string[]} files       the test files that run
 * @property {string[]} missing     what is not run and why, a line each
 */

/**
 * What `npm run check` runs, in this order; nothing is done twice.
 * @type {readonly Step[]}
 */
export const STEPS = [
  { name: 'format and lint', run: ['biome', 'ci', '.'] },
  { name: 'types', run: ['tsc'], inTest: true },
  { name: 'tests', vitest: ['node', 'isolated', 'e2e-paths'], inTest: true },
  // One worker: the browsers beside it need the other core.
  { name: 'tests in Chromium', vitest: ['browser', 'storybook', 'e2e'], workers: 1 },
  { name: 'tests in every browser', vitest: ['browsers'], pick: pickBrowserTests },
  { name: 'long tests', vitest: ['long'] },
  { name: 'tests with real servers', vitest: ['servers'] },
  { name: 'faults', run: ['npm', 'run', '--silent', 'test:faults'] },
  { name: 'tests with React 18 and AI SDK 7', vitest: ['react-18', 'ai-sdk-7'] },
  { name: 'site', vitest: ['site'] },
  { name: 'build', run: ['npm', 'run', '--silent', 'build'] },
  { name: 'package tests', vitest: ['package'], needs: 'build' },
  { name: 'starters', vitest: ['starters'], needs: 'build' },
  { name: 'publint', run: ['publint', '--strict'], needs: 'build' },
  // ESM only: what CommonJS of old resolvers would see is not asked.
  {
    name: 'are the types wrong',
    run: [
      ...['attw', '--pack', '.', '--profile', 'esm-only', '--format', 'table-flipped'],
      ...['--exclude-entrypoints', 'styles.css', 'sandbox/worker'],
    ],
    needs: 'build',
  },
  { name: 'size of the hook', run: ['node', '.scripts/size.mjs'], needs: 'build' },
  { name: 'unused code', run: ['knip'] },
];

/**
 * The tests in a browser that cannot be had here are not run, and the output says so.
 *
 * @param {Parameters<typeof missingFirefox>[0]} [given] what differs from this machine (tests)
 * @returns {Picked}
 */
export function pickBrowserTests(given) {
  const browsers = [
    { name: 'Chromium', lack: undefined },
    { name: 'Firefox', lack: missingFirefox(given) },
    { name: 'WebKit', lack: missingWebKit(given) },
  ];
  return {
    files: browsers.flatMap(({ name, lack }) =>
      lack === undefined ? [`test/browsers/${name.toLowerCase()}.test.ts`] : [],
    ),
    missing: browsers.flatMap(({ name, lack }) =>
      lack === undefined ? [] : [`the tests in ${name}: ${lack}`],
    ),
  };
}

/**
 * @typedef {'test' | 'check' | 'check-after-test'} Scope
 */

/**
 * @param {Scope} scope `check-after-test` is what `check` covers and `test` does not
 * @returns {Step[]}
 */
export function stepsOf(scope) {
  switch (scope) {
    case 'test':
      return STEPS.filter((step) => step.inTest);
    case 'check':
      return [...STEPS];
    case 'check-after-test':
      return STEPS.filter((step) => !step.inTest);
    default:
      throw new Error(`There is no scope "${scope}": use test, check or check-after-test.`);
  }
}

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {string[]} failures   what failed and why, a line each
 */

/**
 * The tests in a report of Vitest's json reporter. A file that could not even be loaded is one failure.
 *
 * @param {{ numPassedTests: number, testResults: { name: string, message: string,
 *   assertionResults: { status: string, fullName: string, failureMessages: string[] }[], status: string }[] }} report
 * @param {string} root   the folder the names of files are given from
 * @returns {Outcome}
 */
export function readTests(report, root) {
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(root, name);
    const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [oneLine(file, message)] : [];
    return failed.map(({ fullName, failureMessages }) =>
      oneLine(`${file} › ${fullName}`, failureMessages[0] ?? ''),
    );
  });
  return { passed: report.numPassedTests, failures };
}

/**
 * @param {string} what
 * @param {string} why
 */
function oneLine(what, why) {
  const text = stripVTControlCharacters(why).replaceAll(/\s+/g, ' ').trim();
  return `${what}: ${text.slice(0, 600)}`;
}
