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

test('the agent gets JSON for any value that a program returns or reports', () => {
  fc.assert(
    fc.property(anyValue(), anyValue(), (result, report) => {
      const logs = [{ level: 'log' as const, args: [report], timestamp: 0 }];
      const converted = toAgentResult(outcome({ result, reports: [report], logs }));
      expect(JSON.parse(JSON.stringify(converted))).toStrictEqual(converted);
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
  [new DataView(new ArrayBuffer(4)), '[4 bytes]'],
  [/a/g, '/a/g'],
  [new TypeError('m'), 'TypeError: m'],
])('the agent gets %o as %o', (result, converted) => {
  expect(toAgentResult(outcome({ result })).result).toStrictEqual(converted);
});

test('texts replace a cycle and a value nested deeper than 100 levels', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(toAgentResult(outcome({ result: cycle })).result).toEqual({ self: '[contains itself]' });
  let deep: unknown = 1;
  for (let level = 0; level < 5000; level++) deep = [deep];
  expect(JSON.stringify(toAgentResult(outcome({ result: deep })).result)).toContain('nested deeper');
});

test('a result, reports and logs beyond the limit are cut and marked', () => {
  const log = { level: 'info' as const, args: ['y'.repeat(30_000), 1], timestamp: 0 };
  const converted = toAgentResult(
    outcome({ result: 'x'.repeat(50_000), reports: Array.from({ length: 5000 }, (_, n) => n), logs: [log] }),
  );
  expect(converted.result).toMatch(/^"x+… \(cut; 50002 characters of JSON or more\)$/);
  const { reports = [] } = converted;
  const shownCount = reports.length - 1;
  expect(shownCount).toBeGreaterThan(4000);
  expect(reports.slice(0, -1)).toEqual(Array.from({ length: shownCount }, (_, n) => n));
  expect(reports.at(-1)).toBe(`… (cut; ${5000 - shownCount} more)`);
  expect(converted.logs).toEqual(['… (cut; 1 more)']);
  expect(toAgentResult(outcome({ result: Array(5000).fill('text') })).result).toContain('… (cut; 2143 more)');
  expect(JSON.stringify(converted).length).toBeLessThan(45_000);
});

test('the agent gets values within the limits in full', () => {
  const log = { level: 'warn' as const, args: [true, 'x', null, { a: [1] }], timestamp: 0 };
  const converted = toAgentResult(outcome({ result: { ok: false }, reports: [['a']], logs: [log] }));
  expect(converted).toEqual({
    status: 'success',
    result: { ok: false },
    reports: [['a']],
    logs: [{ level: 'warn', args: log.args }],
    durationMs: 1,
  });
});

test('converting a value that repeats the same part exponentially stops at the limit', () => {
  let bomb: unknown[] = ['end'];
  for (let level = 0; level < 60; level++) bomb = [bomb, new Map([[bomb, bomb]])];
  const logs = Array.from({ length: 1000 }, () => ({
    level: 'log' as const,
    args: [bomb, { bomb }],
    timestamp: 0,
  }));
  const converted = toAgentResult(outcome({ result: { bomb }, reports: [bomb, bomb], logs }));
  expect(converted.result).toMatch(/^\{"bomb":\[+"end"\]/);
  expect(JSON.stringify(converted).length).toBeLessThan(60_000);
});

test.each<[string, (text: string) => unknown]>([
  ['text', (text) => [text]],
  ['name', (text) => ({ [text]: 1 })],
  ['error', (text) => new Error(text)],
])('converting a value that repeats one long %s stops at the limit', (_, wrap) => {
  const part = wrap('x'.repeat(1_000_000));
  const value = { all: Array(1000).fill(part) };
  const logs = [{ level: 'log' as const, args: [value], timestamp: 0 }];
  const converted = toAgentResult(outcome({ result: value, reports: [value], logs }));
  expect(converted.result).toMatch(/^\{"all":.+x… \(cut; /);
  expect(JSON.stringify(converted).length).toBeLessThan(45_000);
});

test('only a successful run has a result, and empty lists are left out', () => {
  const error = { name: 'Error', message: 'm' };
  expect(toAgentResult(outcome({ status: 'error', error }))).toEqual({
    status: 'error',
    error,
    durationMs: 1,
  });
});
