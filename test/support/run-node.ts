import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../../.scripts/package-entries.mjs';

/**
 * Returns the output of a module that plain Node runs. `handrail` and its entries mean the built package, as Node lets a
 * package import itself by name.
 *
 * @throws Error with what it wrote to stderr, when it fails
 */
export async function runNode(code: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
    // Programs of users do not run with NODE_ENV=test.
    env: { PATH: process.env.PATH },
  });
  return stdout;
}
