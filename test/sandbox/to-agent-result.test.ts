import { expect, test } from 'vitest';
import type { CodeExecutionResult } from '../../src/sandbox/code-execution.ts';
import { toAgentResult } from '../../src/sandbox/to-agent-result.ts';
import fc from '../support/fast-check.ts';
import { anyValue } from './suites/any-value.ts';

const outcome = (part: Partial<CodeExecutionResult>): CodeExecutionResult => ({
  status: 'success',
  reports: [],
  logs: [],
  durationMs: 1.4,
  ...part,
});

test('whatever a program returns, the agent gets JSON', () => {
  fc.assert(
    fc.property(anyValue(), anyValue(), (result, report) => {
      const logs = [{ level: 'log' as const, args: [report], timestamp: 0 }];
      const told = toAgentResult(outcome({ result, reports: [report], logs }));
      expect(JSON.parse(JSON.stringify(told))).toStrictEqual(told);
    }),
  );
});

test.each<[unknown, unknown]>([
  [undefined, null],
  [Number.NaN, 'NaN'],
  [10n, '10n'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [new Date(Number.NaN), 'Invalid Date'],
  [new Map([['a', new Set([1])]]), [['a', [1]]]],
  [new Uint8Array([1, 2]), [1, 2]],
  [new Uint8Array(2000), '[2000 bytes]'],
  [new ArrayBuffer(3), '[3 bytes]'],
  [/a/g, '/a/g'],
  [new TypeError('m'), 'TypeError: m'],
])('%o is told as %o', (result, told) => {
  expect(toAgentResult(outcome({ result })).result).toStrictEqual(told);
});

test('a cycle and a bottomless value are put into words', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(toAgentResult(outcome({ result: cycle })).result).toEqual({ self: '[contains itself]' });
  let deep: unknown = 1;
  for (let level = 0; level < 5000; level++) deep = [deep];
  expect(JSON.stringify(toAgentResult(outcome({ result: deep })).result)).toContain('nested deeper');
});

test('what is too long is cut, and says so', () => {
  const told = toAgentResult(
    outcome({ result: 'x'.repeat(50_000), reports: Array.from({ length: 5000 }, () => 'report') }),
  );
  expect(told.result).toMatch(/^"x+… \(cut; 50002 characters of JSON in all\)$/);
  expect(told.reports?.at(-1)).toMatch(/^… \(cut; \d+ more\)$/);
  expect(JSON.stringify(told).length).toBeLessThan(45_000);
});

test('only a success has a result, and empty lists are left out', () => {
  const error = { name: 'Error', message: 'm' };
  expect(toAgentResult(outcome({ status: 'error', error }))).toEqual({
    status: 'error',
    error,
    durationMs: 1,
  });
});
