/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} [run]       the command
 * @property {string[]} [vitest]    or the test projects
 * @property {boolean} [inTest]     `npm test` runs it, not only `npm run check`
 * @property {string} [needs]       the step without which this one has nothing to look at
 */

/**
 * What `npm run check` runs, in this order; nothing is done twice.
 * @type {readonly Step[]}
 */
export const STEPS = [
  { name: 'format and lint', run: ['biome', 'ci', '.'] },
  { name: 'types', run: ['tsc'], inTest: true },
  { name: 'tests', vitest: ['node', 'browser', 'storybook', 'e2e'], inTest: true },
  { name: 'faults', run: ['npm', 'run', '--silent', 'test:faults'] },
  { name: 'tests with React 18', vitest: ['react-18'] },
  { name: 'build', run: ['npm', 'run', '--silent', 'build'] },
  { name: 'package tests', vitest: ['package'], needs: 'build' },
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
  { name: 'size budgets', run: ['node', '.scripts/size.mjs'], needs: 'build' },
  { name: 'unused code', run: ['knip'] },
];

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
 * The tests in a report of Vitest's json reporter. A file that could not even be loaded is one failure.
 *
 * @param {{ numPassedTests: number, numFailedTests: number, success: boolean,
 *   testResults: { status: string, assertionResults: { status: string }[] }[] }} report
 * @returns {{ passed: number, failed: number }}
 */
export function countTests(report) {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  ).length;
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken };
}
