import { describe, expect, test } from 'vitest';
import { countTests, type Scope, STEPS, stepsOf } from '../../.scripts/steps.mjs';

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

  test('an unknown scope is refused by name', () => {
    expect(() => stepsOf('chekc' as Scope)).toThrow('There is no scope "chekc"');
  });
});

describe('countTests', () => {
  const passed = { status: 'passed' };
  const failed = { status: 'failed' };

  test('counts tests, and a file that could not be loaded as one failure', () => {
    const report = {
      success: false,
      numPassedTests: 3,
      numFailedTests: 1,
      testResults: [
        { status: 'passed', assertionResults: [passed, passed] },
        { status: 'failed', assertionResults: [passed, failed] },
        { status: 'failed', assertionResults: [] },
      ],
    };
    expect(countTests(report)).toEqual({ passed: 3, failed: 2 });
  });
});
