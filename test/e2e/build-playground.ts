/** Builds the playground once for all test files, because a page with one script loads faster than one with hundreds. */
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
    // Only the development build of React has warnings, and warnings fail the tests.
    mode: 'development',
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, minify: false },
  });
  project.provide('playground', outDir);
}
