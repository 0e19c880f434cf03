// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/sandbox.ts';

test('the sandbox runs in jsdom, which the tests of apps use', async () => {
  const sandbox = createSandbox();
  expect(await sandbox.runCode('export default 6 * 7')).toMatchObject({ status: 'success', result: 42 });
  sandbox.dispose();
});
