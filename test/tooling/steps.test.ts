import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readManifest, root } from '../../.scripts/package-entries.mjs';
import { pickBrowserTests, readTests, type Scope, STEPS, stepsOf } from '../../.scripts/steps.mjs';

const names = (scope: Scope) => stepsOf(scope).map((step) => step.name);

describe('the steps of a check', () => {
  test('testing and what comes after it are the whole check, each step once', () => {
    expect([...names('test'), ...names('check-after-test')].sort()).toEqual(names('check').sort());
    expect(new Set(names('check')).size).toBe(STEPS.length);
  });

  test('what a step needs comes before it', () => {
    for (const [index, step] of STEPS.entries()) {
      if (step.needs === undefined) continue;
      expect(STEPS.slice(0, index).map(({ name }) => name)).toContain(step.needs);
    }
    expect(STEPS.some((step) => step.needs !== undefined)).toBe(true);
  });

  test('npm test and npm start need no real servers, and npm run check installs them first', () => {
    expect(stepsOf('test').flatMap(({ vitest = [] }) => vitest)).not.toContain('servers');
    expect(stepsOf('check-after-test').flatMap(({ vitest = [] }) => vitest)).toContain('servers');
    const installing = Object.entries<string>(readManifest().scripts).filter(([, run]) =>
      run.includes('--servers'),
    );
    expect(installing.map(([name]) => name)).toEqual(['precheck', 'precheck:after-test']);
    expect(installing.map(([, run]) => run.includes('--browsers'))).toEqual([true, true]);
  });

  test('a check drives every browser of this machine, and says which it lacks', () => {
    expect(stepsOf('check').flatMap(({ vitest = [] }) => vitest)).toContain('browsers');
    const nowhere = { folders: [], libraries: path.join('no', 'such', 'folder') };
    expect(pickBrowserTests(nowhere)).toEqual({
      files: ['test/browsers/chromium.test.ts'],
      missing: [
        'the tests in Firefox: this machine has no Firefox (Debian: "apt-get install firefox-esr")',
        'the tests in WebKit: this machine has no WebKitWebDriver with MiniBrowser and Xvfb (Debian: "apt-get install webkit2gtk-driver xvfb")',
      ],
    });
  });

  test('every file with tests in a browser is picked where its browser is', () => {
    const { files, missing } = pickBrowserTests();
    const all = readdirSync(`${root}test/browsers`).filter((name) => name.endsWith('.test.ts'));
    expect(files.length + missing.length).toBe(all.length);
    for (const file of files) expect(all).toContain(path.basename(file));
  });

  test('an unknown scope is refused by name', () => {
    expect(() => stepsOf('chekc' as Scope)).toThrow('There is no scope "chekc"');
  });
});

describe('readTests', () => {
  const passed = { status: 'passed', fullName: 'adds up', failureMessages: [] };
  const failed = {
    status: 'failed',
    fullName: 'a sum is right',
    failureMessages: ['\u001b[31mexpected 3\u001b[39m\n  to be 4', 'later'],
  };

  test('names each failure and its reason in a line, a file that could not be loaded too', () => {
    const report = {
      numPassedTests: 3,
      testResults: [
        { name: '/here/a.test.ts', status: 'passed', message: '', assertionResults: [passed, passed] },
        { name: '/here/b.test.ts', status: 'failed', message: '', assertionResults: [passed, failed] },
        { name: '/here/deep/c.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      ],
    };
    expect(readTests(report, '/here')).toEqual({
      passed: 3,
      failures: [
        'b.test.ts › a sum is right: expected 3 to be 4',
        `${path.join('deep', 'c.test.ts')}: no such module`,
      ],
    });
  });
});
