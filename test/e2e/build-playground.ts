/** Builds the playground once for all files of the project: a page of one script is there at once, one of hundreds is not. */
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { root } from '../../.scripts/package-entries.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the built playground. */
    playground: string;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const outDir = `${root}node_modules/.vite-e2e`;
  await build({
    configFile: `${root}playground/vite.config.ts`,
    // React's warnings are in its development build alone, and they fail tests.
    mode: 'development',
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, minify: false },
  });
  project.provide('playground', outDir);
}
