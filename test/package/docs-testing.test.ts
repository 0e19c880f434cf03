// @vitest-environment jsdom
/** The tests that docs/testing.md shows pass as they are shown. */
import { cleanup } from '@testing-library/react';
import ts from 'typescript';
import { afterEach, expect, test } from 'vitest';
import * as server from '../../src/server.ts';
import { readPage } from '../support/read-docs.ts';
import { runSample } from '../support/run-samples.ts';

afterEach(cleanup);

/** The page with the JSX of its samples as calls. */
function readTestingPage() {
  const page = readPage('docs/testing.md');
  const compilerOptions = {
    jsx: ts.JsxEmit.ReactJSX,
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
  };
  const snippets = page.snippets.map((snippet) => ({
    ...snippet,
    code: ts.transpileModule(snippet.code, { compilerOptions, fileName: 'sample.tsx' }).outputText,
  }));
  return { ...page, snippets };
}

test.each(['src/order.test', 'src/dialog.test', 'src/store.test'])(
  '%s of docs/testing.md passes',
  async (file) => {
    const tests: (() => unknown)[] = [];
    const capture = (_: string, run: () => unknown) => tests.push(run);
    runSample(readTestingPage(), file, {
      vitest: { test: capture, expect },
      'node:test': { test: capture },
      '@testing-library/react': await import('@testing-library/react'),
      '@testing-library/user-event': await import('@testing-library/user-event'),
      'react/jsx-runtime': await import('react/jsx-runtime'),
      handrail: await import('../../src/index.ts'),
      'handrail/components': await import('../../src/components.ts'),
      'handrail/server': server,
      'handrail/testing': await import('../../src/testing.ts'),
    });
    expect(tests.length).toBeGreaterThan(0);
    for (const run of tests) await run();
  },
);
