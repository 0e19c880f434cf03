/** Builds the whole site once for all its tests. HANDRAIL_SITE=built takes what is in `site-dist` while you write a test. */
import { spawnSync } from 'node:child_process';
import { root } from '../../.scripts/package-entries.mjs';

export function setup(): void {
  if (process.env.HANDRAIL_SITE === 'built') return;
  // Vite builds for development where this is set to "test".
  const { NODE_ENV: _, VITEST: __, ...env } = process.env;
  const { status } = spawnSync(process.execPath, [`${root}.scripts/site/build-site.mjs`], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The site was not built: see above.');
}
